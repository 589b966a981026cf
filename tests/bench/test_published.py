# SPDX-License-Identifier: BSD-3-Clause
"""A published figure stands beside a case only if it was printed for exactly that case."""

import pytest

from wardmote.published import slot_duration

PRINTED = {"level": 5, "ash_octets": 14, "frame_octets": 127, "clock_hz": 8_000_000}


@pytest.mark.parametrize(("strategy", "ms"), [("software", 88.0), ("hardware", 25.0)])
def test_printed_case(strategy: str, ms: float) -> None:
    """The two durations printed for the TelosB are found, with their file."""
    slot = slot_duration("telosb", strategy, **PRINTED)
    assert slot is not None
    assert (slot.slot_ms, slot.source) == (ms, "published/tsch_slot.toml")


@pytest.mark.parametrize(
    ("strategy", "other"),
    [
        ("hybrid", {}),
        ("own", {}),
        ("software", {"level": 6}),
        ("software", {"ash_octets": 2}),
        ("software", {"frame_octets": 64}),
        ("software", {"clock_hz": 4_194_304}),
    ],
)
def test_other_cases_have_none(strategy: str, other: dict[str, int]) -> None:
    """What was shown only in a plot, or for other conditions, is not made up."""
    assert slot_duration("telosb", strategy, **{**PRINTED, **other}) is None


def test_unknown_board_has_none() -> None:
    """A board that no paper names has no figure."""
    assert slot_duration("pebble", "software", **PRINTED) is None
