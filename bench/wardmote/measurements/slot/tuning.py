# SPDX-License-Identifier: BSD-3-Clause
"""The tuning procedure: from a long slot to the shortest that keeps every deadline, and the proof
that it is so.

Only the procedure is here; what runs motes fulfils `Trials`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from wardmote.errors import TuningError
from wardmote.measurements.slot.timing import Timing, Value

MOST_STEPS = 40
"""Templates tried before giving up: an image whose need wanders further is not deterministic enough
to be tuned."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What both nodes counted in a run at one template."""

    exchanges: int
    lost: int
    late: Mapping[Value, int]

    @property
    def late_total(self) -> int:
        """Deadlines missed, of any kind."""
        return sum(self.late.values())


class Trials(Protocol):
    """Runs of the two-node network, each from a fresh boot."""

    def prove(self, timing: Timing) -> Outcome:
        """Exchanges as many frames as a proof asks for; stops early only when a deadline is
        missed."""

    def until_late(self, timing: Timing, value: Value) -> Outcome:
        """The same, stopping at the first missed deadline of kind `value`."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """The shortest template, its proof, and for each value whether one tick less fails."""

    timing: Timing
    outcome: Outcome
    one_less_fails: Mapping[Value, bool]
    raised_ticks: int
    lowered_ticks: int


def tune(first: Timing, trials: Trials) -> Tuned:
    """Raises what is late and lowers what has slack, a tick at a time, until the template is proven
    tight.

    `first` comes from what the nodes measured in the long slot, so few steps are needed. A value
    that was raised is never lowered again: its lower value has failed.
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
    """The ticks that decide whether `value` is kept; for the slot that is what it leaves to
    sec4."""
    return {
        Value.TX_OFFSET: timing.tx_offset,
        Value.TX_ACK_DELAY: timing.tx_ack_delay,
        Value.SLOT_DURATION: timing.tail,
    }[value]


def _values_with_slack(timing: Timing, trials: Trials, failed: Mapping[Value, int]) -> list[Value]:
    """Values that keep their deadline one tick shorter, and were not seen to fail at that
    length."""
    slack: list[Value] = []
    for value in Value:
        outcome = trials.until_late(timing.only_shorter(value), value)
        if not outcome.late[value] and failed.get(value) != _length(timing, value) - 1:
            slack.append(value)
    return slack
