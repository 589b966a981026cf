# SPDX-License-Identifier: BSD-3-Clause
"""The tuning procedure against a network that is only arithmetic: it finds the shortest template
and says how."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardmote.errors import TuningError
from wardmote.measurements.slot.timing import TS_MAX_ACK_TICKS, TS_MAX_TX_TICKS, Timing, Value
from wardmote.measurements.slot.tuning import Outcome, tune

EXCHANGES = 1000


@dataclass
class FakeTrials:
    """A network whose needs are known; a deadline is late exactly if the template leaves it
    less."""

    need: Timing
    lost: int = 0
    proofs: list[Timing] = field(default_factory=list)
    probes: list[tuple[Timing, Value]] = field(default_factory=list)

    def outcome(self, timing: Timing) -> Outcome:
        """The statistics that this network reports."""
        late = {
            Value.TX_OFFSET: int(timing.tx_offset < self.need.tx_offset),
            Value.TX_ACK_DELAY: int(timing.tx_ack_delay < self.need.tx_ack_delay),
            Value.SLOT_DURATION: int(timing.tail < self.need.tail),
        }
        return Outcome(EXCHANGES, self.lost, late)

    def prove(self, timing: Timing) -> Outcome:
        """Counts the template as proven."""
        self.proofs.append(timing)
        return self.outcome(timing)

    def until_late(self, timing: Timing, value: Value) -> Outcome:
        """Counts the template as probed."""
        self.probes.append((timing, value))
        return self.outcome(timing)


needs = st.builds(Timing, st.integers(9, 900), st.integers(9, 900), st.integers(1, 200))
offset = st.integers(-6, 6)


@given(need=needs, wrong=st.tuples(offset, offset, offset))
def test_finds_the_need_from_a_wrong_first_template(
    need: Timing, wrong: tuple[int, int, int]
) -> None:
    """However the first template is off by a few ticks, the tuned one is the need, and the steps
    are counted."""
    first = Timing(need.tx_offset + wrong[0], need.tx_ack_delay + wrong[1], need.tail + wrong[2])
    trials = FakeTrials(need)
    tuned = tune(first, trials)
    assert tuned.timing == need
    assert tuned.one_less_fails == dict.fromkeys(Value, True)
    assert tuned.outcome.late_total == 0
    assert tuned.raised_ticks == sum(-ticks for ticks in wrong if ticks < 0)
    assert tuned.lowered_ticks == sum(ticks for ticks in wrong if ticks > 0)


def test_right_first_template_takes_one_proof() -> None:
    """If the nodes' own measurement is right, there is one proof and one probe a value."""
    need = Timing(200, 230, 40)
    trials = FakeTrials(need)
    tune(need, trials)
    assert trials.proofs == [need]
    assert [value for _, value in trials.probes] == list(Value)


def test_probe_shortens_one_value_only() -> None:
    """A probe of one Ts value leaves the others: the slot keeps its length unless it is the slot
    that is probed."""
    need = Timing(200, 230, 40)
    trials = FakeTrials(need)
    tune(need, trials)
    probed = {value: timing for timing, value in trials.probes}
    assert probed[Value.TX_OFFSET].tx_offset == 199
    assert probed[Value.TX_OFFSET].tx_ack_delay == 230
    assert probed[Value.TX_OFFSET].slot_duration == need.slot_duration
    assert probed[Value.TX_ACK_DELAY].tx_ack_delay == 229
    assert probed[Value.TX_ACK_DELAY].slot_duration == need.slot_duration
    assert probed[Value.SLOT_DURATION].tx_offset == 200
    assert probed[Value.SLOT_DURATION].slot_duration == need.slot_duration - 1


def test_loss_is_not_tuned_away() -> None:
    """Frames lost without a missed deadline end the tuning: nothing is claimed about the values."""
    tuned = tune(Timing(200, 230, 40), FakeTrials(Timing(200, 230, 40), lost=3))
    assert tuned.outcome.lost == 3
    assert not any(tuned.one_less_fails.values())


def test_need_that_never_holds_still_is_refused() -> None:
    """A network that is late at every template is an error, not an endless loop."""

    class Never(FakeTrials):
        def outcome(self, timing: Timing) -> Outcome:
            """Late whatever the template."""
            return Outcome(EXCHANGES, 0, {**dict.fromkeys(Value, 0), Value.TX_OFFSET: 1})

    with pytest.raises(TuningError, match="no template holds still"):
        tune(Timing(200, 230, 40), Never(Timing(200, 230, 40)))


def test_rare_need_is_not_lowered_again() -> None:
    """A value raised because one late exchange showed it counts as tight even if a later probe
    misses it."""

    class Rare(FakeTrials):
        def until_late(self, timing: Timing, value: Value) -> Outcome:
            """A probe that is never late at TsTxOffset."""
            outcome = super().until_late(timing, value)
            return Outcome(EXCHANGES, 0, {**outcome.late, Value.TX_OFFSET: 0})

    tuned = tune(Timing(199, 230, 40), Rare(Timing(200, 230, 40)))
    assert tuned.timing == Timing(200, 230, 40)
    assert tuned.one_less_fails[Value.TX_OFFSET]


def test_slot_is_the_sum_of_its_parts() -> None:
    """TsSlotDuration = TsTxOffset + TsMaxTx + TsTxAckDelay + TsMaxAck + what sec4 needs."""
    assert Timing(70, 33, 8).slot_duration == 70 + TS_MAX_TX_TICKS + 33 + TS_MAX_ACK_TICKS + 8
