# SPDX-License-Identifier: BSD-3-Clause
"""The examples build without a warning, run, and say what their comments promise."""

import subprocess
import sys
from pathlib import Path

import pytest


def test_secure_frame(root: Path, tmp_path: Path) -> None:
    """The C example secures a frame of header, ciphertext and 4 octets of MIC, and gets its payload back."""
    program = tmp_path / "secure_frame"
    patterns = ("util/*.c", "cipher/aes128*.c", "mode/ccm.c", "link/ie*.c", "link/link_security.c")
    sources = [str(path) for pattern in patterns for path in sorted((root / "stack/src").glob(pattern))]
    example = str(root / "examples/secure_frame.c")
    command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{root / 'stack/include'}", example, *sources]
    subprocess.run([*command, "-o", str(program)], check=True)
    secured, payload = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    header, ash, text, mic = 21, 6, len("21.5 degrees") + 1, 4
    assert len(secured) == 2 * (header + ash + text + mic)
    assert b"21.5 degrees".hex() not in secured
    assert payload == "21.5 degrees"


@pytest.mark.usefixtures("slot_images")
def test_shortest_slot(root: Path) -> None:
    """The Python example measures a slot under a hundred milliseconds and says that it is proven."""
    done = subprocess.run(
        [sys.executable, str(root / "examples/shortest_slot.py")], capture_output=True, text=True, check=True
    )
    duration_us = float(done.stdout.split(" us")[0])
    assert 7_000 < duration_us < 100_000
    assert done.stdout.strip().endswith("proven: True")
