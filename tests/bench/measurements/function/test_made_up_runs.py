# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts from runs that are made up: what shows at one end of a timing band alone, and what was
known and no longer is."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wardmote.call import Outcome
from wardmote.measurements.function import baseline, leak

SAME = [(100, 90)] * 3


def outcome(cycles: int | None, path: int = 1, address: int = 2, stack: int = 8) -> Outcome:
    """A run of so many cycles along a path."""
    trace: Any = SimpleNamespace(pc_hash=path, address_hash=address)
    return Outcome(0, (), cycles=cycles, stack_octets=stack, trace=trace)


class Runs:
    """A CPU that answers as it is told: cycles at the slow and the fast end, run by run."""

    def __init__(self, cycles: list[tuple[int, int]], cpu: str = "armv7m") -> None:
        self.cpu, self.cycles = cpu, cycles

    def call(self, number: int, _trace: str = "", timing: str | None = None) -> Outcome:
        """Run `number`."""
        return outcome(self.cycles[number][timing == "low"])


@pytest.mark.parametrize(
    ("cycles", "constant"),
    [
        (SAME, True),
        ([(100, 90), (100, 90), (101, 90)], False),
        ([(100, 90), (100, 90), (100, 91)], False),
        ([(100, 90), (101, 91), (100, 90)], False),
    ],
)
def test_both_ends_of_the_band_decide(cycles: list[tuple[int, int]], constant: bool) -> None:
    """Cycles are constant if they are so at the slow end and at the fast one."""
    cpu: Any = Runs(cycles)
    inputs: Any = range(3)
    found = leak.judge(cpu, inputs)
    assert found.constant_cycles is constant
    assert found.constant_time is constant
    assert found.no_secret_branch
    assert found.no_secret_address
    assert found.cycles == tuple(slow for slow, _ in cycles)
    assert found.cycles_low == tuple(fast for _, fast in cycles)


def test_an_exact_cpu_has_one_end() -> None:
    """It is not asked for another."""
    cpu: Any = Runs([(100, 90), (100, 91), (100, 92)], "msp430")
    inputs: Any = range(3)
    found = leak.judge(cpu, inputs)
    assert found.constant_cycles
    assert found.cycles_low == ()


ROW = {
    "cpu": "armv7m",
    "operation": "look",
    "octets": 4,
    "flags": "-O2",
    "cycles_median": 90,
    "cycles_max": 100,
    "stack_octets": 200,
    "flash_octets": 300,
    "ram_octets": 0,
    "constant_time": True,
    "compiler": "gcc 12",
}


def changes(old: dict[str, Any], new: dict[str, Any], percent: float = 2.0) -> list[Any]:
    """From a row of then to one of now."""
    now: Any = SimpleNamespace(**{**ROW, **new})
    found = baseline.compare([now], Path("then.json"), [{**ROW, **old}], percent)
    assert found.worse == tuple(change for change in found.changes if change.worse)
    return list(found.changes)


@pytest.mark.parametrize(
    ("then", "now", "worse"),
    [
        (True, False, True),
        (True, None, True),
        (True, True, False),
        (False, False, False),
        (False, None, False),
        (False, True, False),
        (None, False, False),
        (None, True, False),
    ],
)
def test_constant_time_that_is_lost(then: bool | None, now: bool | None, worse: bool) -> None:
    """It held and no longer does, or is no longer known to."""
    [change] = [
        one
        for one in changes({"constant_time": then}, {"constant_time": now})
        if one.quantity == "constant_time"
    ]
    assert change.worse is worse
    ends = (None if end is None else int(end) for end in (then, now))
    assert (change.old, change.new, change.percent) == (*ends, None)


def test_constant_time_that_was_never_known_is_no_change() -> None:
    """There is nothing to compare."""
    found = changes({"constant_time": None}, {"constant_time": None})
    assert "constant_time" not in {one.quantity for one in found}


@pytest.mark.parametrize("quantity", baseline.QUANTITIES)
def test_quantities_by_hand(quantity: str) -> None:
    """102 for 100 is within 2 per cent, 103 is not; nothing that becomes something is worse, and so
    is what is no longer known."""
    cases: list[tuple[int | None, int | None, float | None, bool]] = [
        (100, 102, 2.0, False),
        (100, 103, 3.0, True),
        (100, 50, -50.0, False),
        (0, 1, None, True),
        (100, None, None, True),
        (None, 100, None, False),
    ]
    for old, new, percent, worse in cases:
        found = {one.quantity: one for one in changes({quantity: old}, {quantity: new})}
        change = found.pop(quantity)
        assert (change.cpu, change.operation, change.octets) == ("armv7m", "look", 4)
        assert (change.old, change.new) == (old, new)
        assert (change.percent, change.worse) == (percent, worse), (old, new)
        assert not any(one.worse for one in found.values())
