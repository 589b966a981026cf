# SPDX-License-Identifier: BSD-3-Clause
"""The tuning procedure: it finds the shortest slot that keeps every deadline, and proves it.

This file has the procedure only. It runs motes through the protocol `Trials`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from wardmote.errors import TuningError
from wardmote.measurements.slot.definition import Definition, Needs
from wardmote.measurements.slot.timing import TUNED, Timing, Value

MOST_STEPS = 250
"""Templates that are tried before tuning gives up: the needs of such an image change too much from
run to run. A slow CPU that works ahead of the slot needs many: in the long slot it has time for
everything, so its needs there say little."""


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

    def and_then(self, more: "Outcome") -> "Outcome":
        """This run and another one together."""
        late = {value: number + more.late[value] for value, number in self.late.items()}
        return Outcome(self.exchanges + more.exchanges, self.lost + more.lost, late)

    def misses(self, value: Value) -> bool:
        """Whether a deadline was missed that `value`, one of the three that are tuned, must leave
        time for."""
        return any(self.late[each] for each in TUNED[value])


class Trials(Protocol):
    """Runs the network of two nodes; each run starts with a boot."""

    def prove(self, timing: Timing) -> Outcome:
        """Runs all exchanges of a proof; stops early only when a deadline is missed."""

    def is_late(self, timing: Timing, value: Value) -> bool:
        """Whether a deadline of `value` is missed in some of the exchanges of a proof. If not, the
        template is worth a proof."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """The shortest template, the needs that it follows from, the outcome of its proof, and which
    values fail one tick shorter."""

    timing: Timing
    needs: Needs
    outcome: Outcome
    one_less_fails: Mapping[Value, bool]
    raised_ticks: int
    lowered_ticks: int


def tune(first: Needs, definition: Definition, trials: Trials) -> Tuned:
    """Raises needs that are late and lowers values with slack, one tick at a time, until no value
    can be lower.

    `first` comes from measurements in the long slot, so few steps are needed. A value is never
    lowered to a length that has failed.
    """
    needs, raised, lowered = first, 0, 0
    failed: dict[Value, int] = {}
    for _ in range(MOST_STEPS):
        timing = definition.timing(needs)
        outcome = trials.prove(timing)
        late = [value for value in Value if outcome.late[value]]
        if late:
            failed |= {value: timing.ticks(value) for value in late}
            needs = needs.replaced({value: timing.ticks(value) + 1 for value in late})
            raised += len(late)
            continue
        if outcome.lost:
            fails = dict.fromkeys(TUNED, False)
            return Tuned(timing, needs, outcome, fails, raised, lowered)
        slack = _values_with_slack(definition, needs, timing, trials, failed)
        if not slack:
            fails = dict.fromkeys(TUNED, True)
            return Tuned(timing, needs, outcome, fails, raised, lowered)
        for value, shorter in slack.items():
            least = {one: min(needs.ticks(one), shorter.ticks(one)) for one in TUNED[value]}
            needs = needs.replaced(least)
            lowered += 1
    raise TuningError(
        f"no template holds still: after {MOST_STEPS} templates {timing} is still not proven"
    )


def _values_with_slack(
    definition: Definition,
    needs: Needs,
    timing: Timing,
    trials: Trials,
    failed: Mapping[Value, int],
) -> dict[Value, Timing]:
    """Values that keep their deadlines one tick shorter and have never failed at that length, with
    the shorter template."""
    slack: dict[Value, Timing] = {}
    for value, deadlines in TUNED.items():
        shorter = definition.shorter(needs, timing, value)
        known = any(failed.get(each) == shorter.ticks(each) for each in deadlines)
        if not known and not trials.is_late(shorter, value):
            slack[value] = shorter
    return slack
