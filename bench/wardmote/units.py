# SPDX-License-Identifier: BSD-3-Clause
"""Time units of a timeslot."""

TICKS_PER_S = 32_768
FINE_TICKS_PER_S = 250_000
"""Of a clock that counts a fast crystal."""
PS_PER_S = 1_000_000_000_000


def ticks_to_us(ticks: int, tick_hz: int = TICKS_PER_S) -> float:
    """Microseconds of `ticks` periods of a clock, to a nanosecond."""
    return round(ticks * 1e6 / tick_hz, 3)


def ticks_to_ps(ticks: int, tick_hz: int = TICKS_PER_S) -> int:
    """Picoseconds of `ticks` periods of a clock, rounded up."""
    return -(-ticks * PS_PER_S // tick_hz)


def cycles_to_us(cycles: int, clock_hz: int) -> float:
    """Microseconds of `cycles` at `clock_hz`, to a nanosecond."""
    return round(cycles * 1e6 / clock_hz, 3)
