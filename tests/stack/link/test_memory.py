# SPDX-License-Identifier: BSD-3-Clause
"""No octet outside a frame is read or written, and no operation is undefined: judged by gcc's
sanitizers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def probe(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs memory_probe.py with the sanitizers' run-time library loaded first."""
    runtime = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    environment = os.environ | {
        "LD_PRELOAD": runtime.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONPATH": f"{root}:{root / 'bench'}",
        "PYTHONMALLOC": "malloc",
    }
    command = [sys.executable, "-m", "tests.stack.link.memory_probe", *arguments]
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_frames_of_exact_size(root: Path, seed: int) -> None:
    """Vectors cut at every length, damaged vectors and random octets, each in a piece of memory of
    its own length."""
    done = probe(root, str(seed), "6000")
    assert done.returncode == 0, done.stderr[-3000:]
    parsed, accepted = map(int, done.stdout.split())
    assert parsed > 10_000
    assert accepted > 1_000
