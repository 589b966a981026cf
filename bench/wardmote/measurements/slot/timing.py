# SPDX-License-Identifier: BSD-3-Clause
"""A timeslot template in ticks: what is tuned, and the guard times about it."""

import dataclasses
from dataclasses import dataclass
from enum import Enum
from typing import Self

from wardmote.units import FINE_TICKS_PER_S, TICKS_PER_S, ticks_to_ps, ticks_to_us

MAX_TX_US = 4256
"""TsMaxTx: preamble, SFD, length and 127 octets at 32 us each."""
MAX_ACK_US = 2400
"""TsMaxAck."""


def ticks_up(us: int, tick_hz: int) -> int:
    """Ticks that last so long at least."""
    return -(-us * tick_hz // 1_000_000)


TS_MAX_TX_TICKS = ticks_up(MAX_TX_US, TICKS_PER_S)
TS_MAX_ACK_TICKS = ticks_up(MAX_ACK_US, TICKS_PER_S)
TS_RX_GUARD_TICKS = 36
"""Half of TsRxWait, 2 200 us."""
ACK_GUARD_US = 200
"""Half of TsAckWait."""
TS_ACK_GUARD_TICKS = ticks_up(ACK_GUARD_US, TICKS_PER_S)


class Value(Enum):
    """The values of a template that have a deadline."""

    TX_OFFSET = "TsTxOffset"
    TX_ACK_DELAY = "TsTxAckDelay"
    SLOT_DURATION = "TsSlotDuration"
    RX_OFFSET = "TsRxOffset"
    RX_ACK_DELAY = "TsRxAckDelay"


TUNED = {
    Value.TX_OFFSET: (Value.TX_OFFSET, Value.RX_OFFSET),
    Value.TX_ACK_DELAY: (Value.TX_ACK_DELAY, Value.RX_ACK_DELAY),
    Value.SLOT_DURATION: (Value.SLOT_DURATION,),
}
"""The three values that are tuned, each with the deadlines that it must leave time for: the sender's
and the receiver's."""


@dataclass(frozen=True, slots=True)
class Timing:
    """A template; TsSlotDuration = TsTxOffset + TsMaxTx + TsTxAckDelay + TsMaxAck + tail."""

    tx_offset: int
    tx_ack_delay: int
    tail: int
    rx_guard: int = TS_RX_GUARD_TICKS
    """Half of TsRxWait: the receiver is on so long before TsTxOffset, and after it."""
    ack_guard: int = TS_ACK_GUARD_TICKS
    """Half of TsAckWait."""
    tick_hz: int = TICKS_PER_S
    """Ticks in a second."""

    @property
    def max_tx(self) -> int:
        """TsMaxTx."""
        return ticks_up(MAX_TX_US, self.tick_hz)

    @property
    def max_ack(self) -> int:
        """TsMaxAck."""
        return ticks_up(MAX_ACK_US, self.tick_hz)

    def us(self, ticks: int) -> float:
        """Microseconds of its ticks, to a nanosecond."""
        return ticks_to_us(ticks, self.tick_hz)

    def ps(self, ticks: int) -> int:
        """Picoseconds of its ticks, rounded up."""
        return ticks_to_ps(ticks, self.tick_hz)

    @property
    def slot_duration(self) -> int:
        """TsSlotDuration."""
        return self.tx_offset + self.max_tx + self.tx_ack_delay + self.max_ack + self.tail

    def ticks(self, value: Value) -> int:
        """The ticks that decide whether the deadline of `value` is kept; for the slot, the tail, in
        which sec4 runs."""
        return {
            Value.TX_OFFSET: self.tx_offset,
            Value.TX_ACK_DELAY: self.tx_ack_delay,
            Value.SLOT_DURATION: self.tail,
            Value.RX_OFFSET: self.tx_offset - self.rx_guard,
            Value.RX_ACK_DELAY: self.tx_ack_delay - self.ack_guard,
        }[value]

    def only_shorter(self, value: Value) -> Self:
        """Returns a template with `value`, one of the three that are tuned, one tick shorter and
        everything else the same.

        TsSlotDuration changes only if it is the value asked for.
        """
        less = {
            Value.TX_OFFSET: {"tx_offset": self.tx_offset - 1, "tail": self.tail + 1},
            Value.TX_ACK_DELAY: {"tx_ack_delay": self.tx_ack_delay - 1, "tail": self.tail + 1},
            Value.SLOT_DURATION: {"tail": self.tail - 1},
        }
        return dataclasses.replace(self, **less[value])


LONG = Timing(tx_offset=1000, tx_ack_delay=1400, tail=658)
"""The template that tuning starts from: a slot of 100 ms."""


def long_timing(tick_hz: int) -> Timing:
    """The template that tuning starts from: a slot of 100 ms, or of 57 ms with a clock whose alarm
    reaches less far."""
    return LONG if tick_hz == TICKS_PER_S else FINE_LONG


FINE_LONG = Timing(
    tx_offset=4000,
    tx_ack_delay=5600,
    tail=3000,
    rx_guard=275,
    ack_guard=50,
    tick_hz=FINE_TICKS_PER_S,
)
