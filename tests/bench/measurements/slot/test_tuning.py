# SPDX-License-Identifier: BSD-3-Clause
"""The tuning procedure against a network that is only arithmetic: it finds the shortest template
and says how."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardmote.errors import GuardError, TuningError
from wardmote.measurements.slot.definition import (
    DEFINITIONS,
    DEPLOYABLE,
    NEEDED,
    PAPER,
    Definition,
    Needs,
    guard_needed,
    sync_limit_s,
)
from wardmote.measurements.slot.timing import (
    TS_MAX_ACK_TICKS,
    TS_MAX_TX_TICKS,
    TUNED,
    Timing,
    Value,
)
from wardmote.measurements.slot.tuning import Outcome, tune

EXCHANGES = 1000
DEFAULT = DEFINITIONS[DEPLOYABLE]
NEED = Needs(200, 230, 40, 8, 9)


@dataclass
class FakeTrials:
    """A network whose needs are known. It misses a deadline if the template leaves less time than
    it needs, and meets it otherwise."""

    need: Needs
    lost: int = 0
    proofs: list[Timing] = field(default_factory=list)
    probes: list[tuple[Timing, Value]] = field(default_factory=list)

    def outcome(self, timing: Timing) -> Outcome:
        """The statistics that this network reports."""
        late = {value: int(timing.ticks(value) < self.need.ticks(value)) for value in Value}
        return Outcome(EXCHANGES, self.lost, late)

    def prove(self, timing: Timing) -> Outcome:
        """Counts the template as proven."""
        self.proofs.append(timing)
        return self.outcome(timing)

    def is_late(self, timing: Timing, value: Value) -> bool:
        """Counts the template as probed."""
        self.probes.append((timing, value))
        return self.outcome(timing).misses(value)


ticks = st.integers(9, 900)
needs = st.builds(Needs, ticks, ticks, st.integers(1, 200), st.integers(8, 20), st.integers(8, 20))
offset = st.integers(-6, 6)


@given(
    need=needs,
    wrong=st.fixed_dictionaries(dict.fromkeys(Value, offset)),
    name=st.sampled_from([DEPLOYABLE, NEEDED]),
)
def test_finds_the_need_from_a_wrong_first_template(
    need: Needs, wrong: dict[Value, int], name: str
) -> None:
    """However the first needs are off by a few ticks, the tuned template is that of the true
    ones."""
    first = need.replaced({value: need.ticks(value) + less for value, less in wrong.items()})
    tuned = tune(first, DEFINITIONS[name], FakeTrials(need))
    assert tuned.timing == DEFINITIONS[name].timing(need)
    assert tuned.one_less_fails == dict.fromkeys(TUNED, True)
    assert tuned.outcome.late_total == 0


@given(need=needs, wrong=st.tuples(offset, offset, offset))
def test_the_steps_are_counted(need: Needs, wrong: tuple[int, int, int]) -> None:
    """Where security sets the values, every tick that the first needs are off is a step."""
    need = need.replaced({Value.TX_OFFSET: 100 + need.tx_offset})
    need = need.replaced({Value.TX_ACK_DELAY: 100 + need.tx_ack_delay})
    values = dict(zip(TUNED, wrong, strict=True))
    first = need.replaced({value: need.ticks(value) + less for value, less in values.items()})
    tuned = tune(first, DEFAULT, FakeTrials(need))
    assert tuned.raised_ticks == sum(-less for less in wrong if less < 0)
    assert tuned.lowered_ticks == sum(less for less in wrong if less > 0)


@given(need=needs)
def test_paper_has_room_for_sec1_and_the_least_guard_time(need: Needs) -> None:
    """Eq. 1 decides TsTxOffset unless the guard time before it were less than the crystals need."""
    tuned = tune(need, DEFINITIONS[PAPER], FakeTrials(need))
    timing = tuned.timing
    least = guard_needed(timing.slot_duration)
    assert timing.tx_offset == max(need.tx_offset, need.rx_offset + least)
    assert timing.rx_guard == min(36, timing.tx_offset - need.rx_offset)
    assert timing.rx_guard >= least
    assert timing.tx_ack_delay == max(need.tx_ack_delay, need.rx_ack_delay + 2)
    assert timing.ack_guard == min(7, timing.tx_ack_delay - need.rx_ack_delay)
    assert tuned.one_less_fails == dict.fromkeys(TUNED, True)


def test_the_guard_time_is_whole_in_a_deployable_template() -> None:
    """TsTxOffset and TsTxAckDelay leave the radio its time before the guard time, security or
    not."""
    short = Needs(12, 15, 3, 8, 9)
    timing = DEFAULT.timing(short)
    assert (timing.tx_offset, timing.rx_guard) == (8 + 36, 36)
    assert (timing.tx_ack_delay, timing.ack_guard) == (9 + 7, 7)
    assert DEFINITIONS[PAPER].timing(short).rx_guard == 5
    assert DEFAULT.timing(NEED) == Timing(200, 230, 40, 36, 7)


def test_the_guard_that_is_needed_by_hand() -> None:
    """A slot of 10 ms, a slotframe of 101: 33 128 ticks, in which 61 ppm are 2.02 ticks; the third
    is the first whole one beyond, and three more are there after a correction. A guard time of 36
    ticks loses 33 of them in 33 * 16 384 ticks."""
    assert guard_needed(328) == 3 + 3
    assert guard_needed(324) == 3 + 2
    assert sync_limit_s(36) == pytest.approx(16.5)
    assert pytest.approx(33 / 32_768, rel=1e-3) == 16.5 * 61.04e-6


def test_a_guard_that_is_too_short_is_refused() -> None:
    """One line says what was asked for and what is needed."""
    with pytest.raises(GuardError, match=r"153 us is less than the 244 us .* 2\.25 s later"):
        Definition(DEPLOYABLE, 5).timing(NEED.replaced({Value.SLOT_DURATION: 80}))
    assert Definition(DEPLOYABLE, 8).timing(NEED).rx_guard == 8


def test_right_first_template_takes_one_proof() -> None:
    """If the nodes' own measurement is right, there is one proof and one probe a value."""
    trials = FakeTrials(NEED)
    tune(NEED, DEFAULT, trials)
    assert trials.proofs == [DEFAULT.timing(NEED)]
    assert [value for _, value in trials.probes] == list(TUNED)


def test_probe_shortens_one_value_only() -> None:
    """A probe of one Ts value leaves the others: the slot keeps its length unless it is the slot
    that is probed."""
    trials = FakeTrials(NEED)
    tune(NEED, DEFAULT, trials)
    slot = DEFAULT.timing(NEED).slot_duration
    probed = {value: timing for timing, value in trials.probes}
    assert probed[Value.TX_OFFSET].tx_offset == 199
    assert probed[Value.TX_OFFSET].tx_ack_delay == 230
    assert probed[Value.TX_OFFSET].slot_duration == slot
    assert probed[Value.TX_ACK_DELAY].tx_ack_delay == 229
    assert probed[Value.TX_ACK_DELAY].slot_duration == slot
    assert probed[Value.SLOT_DURATION].tx_offset == 200
    assert probed[Value.SLOT_DURATION].slot_duration == slot - 1
    assert {(timing.rx_guard, timing.ack_guard) for timing, _ in trials.probes} == {(36, 7)}


def test_a_probe_of_eq_1_fails_for_security_alone() -> None:
    """Where the guard time is what fits before TsTxOffset, it gives way in a probe: the receiver is
    ready as before, and the frame is late."""
    need = Needs(20, 230, 40, 8, 9)
    trials = FakeTrials(need)
    tuned = tune(need, DEFINITIONS[PAPER], trials)
    assert (tuned.timing.tx_offset, tuned.timing.rx_guard) == (20, 12)
    probe = next(timing for timing, value in trials.probes if value is Value.TX_OFFSET)
    assert (probe.tx_offset, probe.rx_guard) == (19, 11)
    late = trials.outcome(probe).late
    assert [value for value in Value if late[value]] == [Value.TX_OFFSET]


def test_loss_is_not_tuned_away() -> None:
    """Frames lost without a missed deadline end the tuning: nothing is claimed about the values."""
    tuned = tune(NEED, DEFAULT, FakeTrials(NEED, lost=3))
    assert tuned.outcome.lost == 3
    assert not any(tuned.one_less_fails.values())


def test_need_that_never_holds_still_is_refused() -> None:
    """A network that is late at every template is an error, not an endless loop."""

    class Never(FakeTrials):
        def outcome(self, timing: Timing) -> Outcome:
            """Late whatever the template."""
            return Outcome(EXCHANGES, 0, {**dict.fromkeys(Value, 0), Value.TX_OFFSET: 1})

    with pytest.raises(TuningError, match="no template holds still"):
        tune(NEED, DEFAULT, Never(NEED))


def test_rare_need_is_not_lowered_again() -> None:
    """A value raised because one late exchange showed it counts as tight even if a later probe
    misses it."""

    class Rare(FakeTrials):
        def is_late(self, timing: Timing, value: Value) -> bool:
            """A probe that is never late at TsTxOffset."""
            return value is not Value.TX_OFFSET and super().is_late(timing, value)

    tuned = tune(NEED.replaced({Value.TX_OFFSET: 199}), DEFAULT, Rare(NEED))
    assert tuned.timing == DEFAULT.timing(NEED)
    assert tuned.one_less_fails[Value.TX_OFFSET]


def test_slot_is_the_sum_of_its_parts() -> None:
    """TsSlotDuration = TsTxOffset + TsMaxTx + TsTxAckDelay + TsMaxAck + what sec4 needs."""
    assert Timing(70, 33, 8).slot_duration == 70 + TS_MAX_TX_TICKS + 33 + TS_MAX_ACK_TICKS + 8
