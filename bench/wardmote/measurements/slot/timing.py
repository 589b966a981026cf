# SPDX-License-Identifier: BSD-3-Clause
"""A timeslot template in ticks of 32 768 Hz: what is tuned, and the guard times about it."""

import dataclasses
from dataclasses import dataclass
from enum import Enum
from typing import Self

TS_MAX_TX_TICKS = 140
"""TsMaxTx, 4 256 us: preamble, SFD, length and 127 octets at 32 us each."""
TS_MAX_ACK_TICKS = 79
"""TsMaxAck, 2 400 us."""
TS_RX_GUARD_TICKS = 36
"""Half of TsRxWait, 2 200 us."""
TS_ACK_GUARD_TICKS = 7
"""Half of TsAckWait, 400 us, rounded up."""


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

    @property
    def slot_duration(self) -> int:
        """TsSlotDuration."""
        return self.tx_offset + TS_MAX_TX_TICKS + self.tx_ack_delay + TS_MAX_ACK_TICKS + self.tail

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
