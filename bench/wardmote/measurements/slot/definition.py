# SPDX-License-Identifier: BSD-3-Clause
"""What *the shortest slot* means: how the needs of two nodes become a template.

A network runs `deployable`: the whole guard time lies between the moment at which the receiver's
radio can be ready and TsTxOffset. `paper` is Eq. 1 of the paper on timeslot length, in which
TsTxOffset has room for sec1 only: its guard time is what fits, but no less than two crystals need.
`needed` is `deployable` with exactly that least guard time.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from wardmote.errors import GuardError
from wardmote.measurements.slot.block import SLOTFRAME_LENGTH, headers
from wardmote.measurements.slot.timing import (
    ACK_GUARD_US,
    TS_RX_GUARD_TICKS,
    Timing,
    Value,
    ticks_up,
)
from wardmote.units import TICKS_PER_S

DEPLOYABLE, NEEDED, PAPER = "deployable", "needed", "paper"
FULL = "full"
"""As deployable, but for frames of the setting's length alone: not a slot that a network can run."""
ACK_GUARD_LEAST_TICKS = 2
"""Both ends read the end of the data frame in whole ticks of their own."""


@dataclass(frozen=True, slots=True)
class Needs:
    """Least ticks of each value that the nodes noted, by the names of `wm_tsch_needs`."""

    tx_offset: int
    tx_ack_delay: int
    tail: int
    rx_offset: int = 0
    rx_ack_delay: int = 0

    def ticks(self, value: Value) -> int:
        """The need of a value."""
        return int(getattr(self, FIELDS[value]))

    def at_least(self, other: "Needs") -> "Needs":
        """The larger one of each."""
        return Needs(*map(max, dataclasses.astuple(self), dataclasses.astuple(other)))

    def replaced(self, ticks: Mapping[Value, int]) -> "Needs":
        """The same with other needs of some values."""
        return dataclasses.replace(self, **{FIELDS[value]: n for value, n in ticks.items()})


FIELDS = {
    Value.TX_OFFSET: "tx_offset",
    Value.TX_ACK_DELAY: "tx_ack_delay",
    Value.SLOT_DURATION: "tail",
    Value.RX_OFFSET: "rx_offset",
    Value.RX_ACK_DELAY: "rx_ack_delay",
}


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition of the shortest slot."""

    name: str
    guard_ticks: int = TS_RX_GUARD_TICKS
    """Half of TsRxWait, in ticks of 32 768 Hz; in `paper` the most of it, in `needed` of no meaning."""
    tick_hz: int = TICKS_PER_S
    """Ticks in a second of the templates that it makes, and of the needs that it makes them of."""

    def at(self, tick_hz: int) -> "Definition":
        """The same for another clock."""
        return dataclasses.replace(self, tick_hz=tick_hz)

    def _ticks(self, ticks: int) -> int:
        """Of its clock, as long as so many of 32 768 Hz."""
        return round(ticks * self.tick_hz / TICKS_PER_S)

    @property
    def all_lengths(self) -> bool:
        """Whether the template must hold with shorter frames and in a slotframe too: as all that a
        network can run, not for one equation's frame."""
        return self.name not in (PAPER, FULL)

    def timing(self, needs: Needs) -> Timing:
        """The shortest template. Raises GuardError if its guard time is less than two crystals of
        30 ppm use up from one beacon to the next."""
        made = self._with_guard(needs, self._first_guard(needs))
        while made.rx_guard < guard_needed(made.slot_duration):
            if self.name in (DEPLOYABLE, FULL):
                raise GuardError(_too_short(made))
            made = self._with_guard(needs, made.rx_guard + 1)
        return made

    def shorter(self, needs: Needs, timing: Timing, value: Value) -> Timing:
        """The template with one value a tick shorter. Where the guard time is what fits, it is a tick
        shorter with TsTxOffset or TsTxAckDelay: a template may fail for the need of security only."""
        less = timing.only_shorter(value)
        if self.name != PAPER or less.ticks(value) >= needs.ticks(value) or value not in FITTED:
            return less
        field, guarded = FITTED[value]
        most = less.ticks(value) - needs.ticks(guarded)
        return dataclasses.replace(less, **{field: min(getattr(less, field), most)})

    def _first_guard(self, needs: Needs) -> int:
        if self.name == PAPER:
            return min(self._ticks(self.guard_ticks), max(0, needs.tx_offset - needs.rx_offset))
        return 0 if self.name == NEEDED else self._ticks(self.guard_ticks)

    def _with_guard(self, needs: Needs, guard: int) -> Timing:
        ack_guard = ticks_up(ACK_GUARD_US, self.tick_hz)
        if self.name == PAPER:
            fits = needs.tx_ack_delay - needs.rx_ack_delay
            ack_guard = min(ack_guard, max(fits, ACK_GUARD_LEAST_TICKS))
        return Timing(
            tx_offset=max(needs.tx_offset, needs.rx_offset + guard),
            tx_ack_delay=max(needs.tx_ack_delay, needs.rx_ack_delay + ack_guard),
            tail=needs.tail,
            rx_guard=guard,
            ack_guard=ack_guard,
            tick_hz=self.tick_hz,
        )


FITTED = {
    Value.TX_OFFSET: ("rx_guard", Value.RX_OFFSET),
    Value.TX_ACK_DELAY: ("ack_guard", Value.RX_ACK_DELAY),
}
"""The guard time before a value, and the receiver's value before that."""
DEFINITIONS = {name: Definition(name) for name in (DEPLOYABLE, NEEDED, PAPER)}
MEASURED_TOGETHER = (DEPLOYABLE, PAPER)
"""What a campaign measures unless it is asked for something else."""
MEASURED_USUALLY = (DEPLOYABLE, NEEDED, PAPER)
"""The same at the level that networks use."""


def sync_limit_ticks(guard: int) -> int:
    """How long a leaf keeps its schedule without a correction, as the TSCH engine counts it."""
    constants = headers().constants
    rest = guard - constants["WM_TSCH_SYNC_REST"]
    return max(0, rest) * constants["WM_TSCH_DRIFT_TICKS"]


def sync_limit_s(guard: int, tick_hz: int = TICKS_PER_S) -> float:
    """The same in seconds."""
    return sync_limit_ticks(guard) / tick_hz


def guard_needed(slot_ticks: int) -> int:
    """Least guard time with which a leaf is still in step at the beacon after the next slotframe:
    what a correction leaves, and the drift of two crystals of 30 ppm until then."""
    constants = headers().constants
    drift = SLOTFRAME_LENGTH * slot_ticks // constants["WM_TSCH_DRIFT_TICKS"] + 1
    return int(constants["WM_TSCH_SYNC_REST"] + drift)


def _too_short(timing: Timing) -> str:
    period_s = SLOTFRAME_LENGTH * timing.slot_duration / timing.tick_hz
    return (
        f"a guard time of {timing.us(timing.rx_guard):.0f} us is less than the "
        f"{timing.us(guard_needed(timing.slot_duration)):.0f} us that two crystals of 30 ppm need "
        f"from one beacon to the next, {period_s:.2f} s later"
    )
