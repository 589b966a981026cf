# SPDX-License-Identifier: BSD-3-Clause
"""The tuning procedure: it finds the shortest slot that keeps every deadline, and proves it.

This file has the procedure only. It runs motes through the protocol `Trials`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from wardmote.errors import TuningError
from wardmote.measurements.slot.timing import Timing, Value

MOST_STEPS = 40
"""Templates that are tried before tuning gives up: the needs of such an image change too much from
run to run."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Counts of both nodes in a run at one template."""

    exchanges: int
    lost: int
    late: Mapping[Value, int]

    @property
    def late_total(self) -> int:
        """Deadlines missed, of any kind."""
        return sum(self.late.values())


class Trials(Protocol):
    """Runs the network of two nodes; each run starts with a boot."""

    def prove(self, timing: Timing) -> Outcome:
        """Runs all exchanges of a proof; stops early only when a deadline is missed."""

    def until_late(self, timing: Timing, value: Value) -> Outcome:
        """Does the same, but stops at the first missed deadline of `value`."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """The shortest template, the outcome of its proof, and which values fail one tick shorter."""

    timing: Timing
    outcome: Outcome
    one_less_fails: Mapping[Value, bool]
    raised_ticks: int
    lowered_ticks: int


def tune(first: Timing, trials: Trials) -> Tuned:
    """Raises values that are late and lowers values with slack, one tick at a time, until no value
    can be lower.

    `first` comes from measurements in the long slot, so few steps are needed. A value is never
    lowered to a length that has failed.
    """
    timing, raised, lowered = first, 0, 0
    failed: dict[Value, int] = {}
    for _ in range(MOST_STEPS):
        outcome = trials.prove(timing)
        late = [value for value in Value if outcome.late[value]]
        if late:
            for value in late:
                failed[value] = _length(timing, value)
                timing = timing.with_more(value, 1)
                raised += 1
            continue
        if outcome.lost:
            return Tuned(timing, outcome, dict.fromkeys(Value, False), raised, lowered)
        slack = _values_with_slack(timing, trials, failed)
        if not slack:
            return Tuned(timing, outcome, dict.fromkeys(Value, True), raised, lowered)
        for value in slack:
            timing = timing.with_more(value, -1)
            lowered += 1
    raise TuningError(
        f"no template holds still: after {MOST_STEPS} templates {timing} is still not proven"
    )


def _length(timing: Timing, value: Value) -> int:
    """The ticks that decide whether the deadline of `value` is kept; for the slot, the tail, in which
    sec4 runs."""
    return {
        Value.TX_OFFSET: timing.tx_offset,
        Value.TX_ACK_DELAY: timing.tx_ack_delay,
        Value.SLOT_DURATION: timing.tail,
    }[value]


def _values_with_slack(timing: Timing, trials: Trials, failed: Mapping[Value, int]) -> list[Value]:
    """Values that keep their deadline one tick shorter and have never failed at that length."""
    slack: list[Value] = []
    for value in Value:
        outcome = trials.until_late(timing.only_shorter(value), value)
        if not outcome.late[value] and failed.get(value) != _length(timing, value) - 1:
            slack.append(value)
    return slack
