# SPDX-License-Identifier: BSD-3-Clause
"""The examples build without a warning, run, and say what their comments promise."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.vectors import statuses


def built(root: Path, program: Path, *patterns: str) -> Path:
    """The C example of the program's name, with the sources that match."""
    sources = [path for pattern in patterns for path in sorted(root.glob(pattern))]
    flags = ("-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{root}/stack/include", f"-I{root}/host")
    example = root / f"examples/{program.name}.c"
    subprocess.run(["gcc", *flags, example, *sources, "-o", program], check=True)
    return program


def run(*command: str | Path) -> str:
    """Standard output of a command that succeeds."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


CCM = tuple(f"stack/src/{name}" for name in ("util/*.c", "cipher/aes128*.c", "mode/ccm.c"))
STORE = "stack/src/store/counter_[gps]*.c"


def test_secure_frame(root: Path, tmp_path: Path) -> None:
    """The C example secures a frame of header, ciphertext and 4 octets of MIC, and gets its payload
    back."""
    link = (f"stack/src/link/{name}.c" for name in ("ie*", "link_security"))
    program = built(root, tmp_path / "secure_frame", *CCM, *link)
    secured, payload = run(program).splitlines()
    header, ash, text, mic = 21, 6, len("21.5 degrees") + 1, 4
    assert len(secured) == 2 * (header + ash + text + mic)
    assert b"21.5 degrees".hex() not in secured
    assert payload == "21.5 degrees"


def test_admit_frames(root: Path, tmp_path: Path) -> None:
    """The node with tables admits the frame once; a forgery, the replay and the frame in clear are
    refused by name."""
    names = ("i*", "*security*", "eb", "tsch_time")
    link = (f"stack/src/link/{name}.c" for name in names)
    lines = run(built(root, tmp_path / "admit_frames", *CCM, STORE, *link)).splitlines()
    status = {name.removeprefix("WM_ERR_"): value for name, value in statuses().items()}
    assert lines == [
        f"forged: refused, status {status['SECURITY']}",
        "first: 21.5 degrees",
        f"replayed: refused, status {status['COUNTER']}",
        f"in clear: refused, status {status['IMPROPER_SECURITY_LEVEL']}",
    ]


def test_keep_counters(root: Path, tmp_path: Path) -> None:
    """The second run begins where no counter of the first can have been used; a file that is no
    store is refused in a line."""
    sources = ("host/counter_file.c", STORE)
    program = built(root, tmp_path / "keep_counters", *sources)
    store = tmp_path / "counters"
    missing = subprocess.run([program, store], check=False, capture_output=True, text=True)
    assert (missing.returncode, missing.stdout, store.exists()) == (2, "", False)
    run(program, "create", store)
    again = subprocess.run([program, "create", store], check=False, capture_output=True, text=True)
    assert (again.returncode, again.stderr) == (2, f"{store}: is there already\n")
    runs = [run(program, store).split() for _ in range(3)]
    assert runs == [
        ["0", "1", "2"],
        ["256", "257", "258"],
        ["512", "513", "514"],
    ]
    store.write_bytes(b"no store")
    refused = subprocess.run([program, store], check=False, capture_output=True, text=True)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)


@pytest.mark.usefixtures("slot_images")
def test_shortest_slot(root: Path) -> None:
    """The Python example measures a slot under a hundred milliseconds and says that it is
    proven."""
    said = run(sys.executable, root / "examples/shortest_slot.py")
    duration_us = float(said.split(" us")[0])
    assert 7_000 < duration_us < 100_000
    assert said.strip().endswith("proven: True")
