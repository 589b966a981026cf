# SPDX-License-Identifier: BSD-3-Clause
"""Time units of a timeslot."""

TICKS_PER_S = 32_768
PS_PER_S = 1_000_000_000_000


def ticks_to_us(ticks: int) -> float:
    """Microseconds of `ticks` periods of 32 768 Hz, to a nanosecond."""
    return round(ticks * 1e6 / TICKS_PER_S, 3)


def ticks_to_ps(ticks: int) -> int:
    """Picoseconds of `ticks` periods of 32 768 Hz, rounded up."""
    return -(-ticks * PS_PER_S // TICKS_PER_S)


def cycles_to_us(cycles: int, clock_hz: int) -> float:
    """Microseconds of `cycles` at `clock_hz`, to a nanosecond."""
    return round(cycles * 1e6 / clock_hz, 3)
