# SPDX-License-Identifier: BSD-3-Clause
"""The tick of 1/250000 s: what depends on it, compiled with it, against exact arithmetic."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest

TICK_US = 4
SOURCES = ("stack/src/link/tsch_time.c", "stack/src/link/eb.c", "stack/src/link/ie.c")
WORDS = ("-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-shared", "-fPIC")
TEMPLATE = ("offset", "max_tx", "ack_delay", "max_ack", "slot", "rx_guard", "ack_guard")
DEFAULT_US = (2120, 4256, 1000, 2400, 10_000, 1100, 200)


@pytest.fixture(scope="module")
def fine(root: Path, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The sources that know the tick."""
    made = tmp_path_factory.mktemp("tick") / "tick.so"
    command = ["clang-22", *WORDS, "-DWM_TICK_HZ=250000", "-Istack/include", *SOURCES]
    subprocess.run([*command, "-o", str(made)], cwd=root, check=True)
    library = ctypes.CDLL(str(made))
    library.wm_difference_to_us.restype = ctypes.c_int16
    library.wm_correction_to_ticks.restype = ctypes.c_int16
    library.wm_ticks_to_us.restype = ctypes.c_uint32
    library.wm_us_to_ticks.restype = ctypes.c_uint16
    return library


def test_ticks_are_four_microseconds(fine: ctypes.CDLL) -> None:
    """Each of them, there and back; what lies between goes to the nearest."""
    for ticks in range(1 << 16):
        us = fine.wm_ticks_to_us(ticks)
        assert us == ticks * TICK_US
        assert fine.wm_us_to_ticks(us) == ticks
    for us in (1, 3, 5, 999, 10_001, 262_139):
        assert abs(fine.wm_us_to_ticks(us) * TICK_US - us) <= TICK_US / 2
    assert fine.wm_us_to_ticks(0xFFFFFFFF) == 0xFFFF


def test_corrections(fine: ctypes.CDLL) -> None:
    """Every correction that the IE can say, and differences cut to its range."""
    for us in range(-2048, 2048):
        assert abs(fine.wm_correction_to_ticks(us) * TICK_US - us) <= TICK_US / 2, us
    for ticks in range(-511, 512):
        assert fine.wm_difference_to_us(ticks) == ticks * TICK_US
    assert fine.wm_difference_to_us(512) == 2047
    assert fine.wm_difference_to_us(-512) == -2048
    assert fine.wm_difference_to_us(-32768) == -2048


def test_default_template(fine: ctypes.CDLL) -> None:
    """All of its times are whole ticks. A program with the usual tick does not find it."""
    template = ctypes.c_uint16 * len(TEMPLATE)
    ticks = template.in_dll(fine, "wm_tsch_template_default_250000_hz")
    assert tuple(one * TICK_US for one in ticks) == DEFAULT_US
    with pytest.raises(ValueError, match="wm_tsch_template_default"):
        template.in_dll(fine, "wm_tsch_template_default")


def test_another_tick_is_refused(root: Path) -> None:
    """By the compiler, and says what is possible."""
    command = ["clang-22", "-DWM_TICK_HZ=1000", "-Istack/include", "-fsyntax-only", SOURCES[0]]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "WM_TICK_HZ is 32768 or 250000" in done.stderr
