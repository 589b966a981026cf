# SPDX-License-Identifier: BSD-3-Clause
"""The examples build without a warning, run, and say what their comments promise."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.vectors import statuses


def test_secure_frame(root: Path, tmp_path: Path) -> None:
    """The C example secures a frame of header, ciphertext and 4 octets of MIC, and gets its payload
    back."""
    program = tmp_path / "secure_frame"
    patterns = ("util/*.c", "cipher/aes128*.c", "mode/ccm.c", "link/ie*.c", "link/link_security.c")
    sources = [
        str(path) for pattern in patterns for path in sorted((root / "stack/src").glob(pattern))
    ]
    example = str(root / "examples/secure_frame.c")
    command = [
        "gcc",
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{root / 'stack/include'}",
        example,
        *sources,
    ]
    subprocess.run([*command, "-o", str(program)], check=True)
    secured, payload = subprocess.run(
        [str(program)], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    header, ash, text, mic = 21, 6, len("21.5 degrees") + 1, 4
    assert len(secured) == 2 * (header + ash + text + mic)
    assert b"21.5 degrees".hex() not in secured
    assert payload == "21.5 degrees"


def test_admit_frames(root: Path, tmp_path: Path) -> None:
    """The node with tables admits the frame once; a forgery, the replay and the frame in clear are
    refused by name."""
    program = tmp_path / "admit_frames"
    patterns = (
        "util/*.c",
        "cipher/aes128*.c",
        "mode/ccm.c",
        "link/i*.c",
        "link/*security*.c",
        "link/counter_store.c",
    )
    sources = [
        str(path) for pattern in patterns for path in sorted((root / "stack/src").glob(pattern))
    ]
    sources += [str(root / "stack/src/link" / name) for name in ("eb.c", "tsch_time.c")]
    example = str(root / "examples/admit_frames.c")
    command = [
        "gcc",
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{root / 'stack/include'}",
        example,
        *sources,
    ]
    subprocess.run([*command, "-o", str(program)], check=True)
    lines = subprocess.run(
        [str(program)], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    status = {name.removeprefix("WM_ERR_"): value for name, value in statuses().items()}
    assert lines == [
        f"forged: refused, status {status['SECURITY']}",
        "first: 21.5 degrees",
        f"replayed: refused, status {status['COUNTER']}",
        f"in clear: refused, status {status['IMPROPER_SECURITY_LEVEL']}",
    ]


def test_keep_counters(root: Path, tmp_path: Path) -> None:
    """The second run begins where no counter of the first can have been used; what is no store is
    refused in a line."""
    program, store = tmp_path / "keep_counters", tmp_path / "counters"
    sources = ("examples/keep_counters.c", "host/counter_file.c", "stack/src/link/counter_store.c")
    command = [
        "gcc",
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        f"-I{root / 'stack/include'}",
        f"-I{root / 'host'}",
    ]
    subprocess.run(
        [*command, *(str(root / source) for source in sources), "-o", str(program)], check=True
    )
    runs = [
        subprocess.run([program, store], check=True, capture_output=True, text=True).stdout
        for _ in range(3)
    ]
    assert [run.split() for run in runs] == [
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
    done = subprocess.run(
        [sys.executable, str(root / "examples/shortest_slot.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    duration_us = float(done.stdout.split(" us")[0])
    assert 7_000 < duration_us < 100_000
    assert done.stdout.strip().endswith("proven: True")
