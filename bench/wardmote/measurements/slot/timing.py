# SPDX-License-Identifier: BSD-3-Clause
"""A timeslot template in ticks of 32 768 Hz, made of the three values that are tuned."""

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
    """The three values of a template that depend on the time of the security operations."""

    TX_OFFSET = "TsTxOffset"
    TX_ACK_DELAY = "TsTxAckDelay"
    SLOT_DURATION = "TsSlotDuration"


@dataclass(frozen=True, slots=True)
class Timing:
    """A template; TsSlotDuration = TsTxOffset + TsMaxTx + TsTxAckDelay + TsMaxAck + tail."""

    tx_offset: int
    tx_ack_delay: int
    tail: int

    @property
    def slot_duration(self) -> int:
        """TsSlotDuration."""
        return self.tx_offset + TS_MAX_TX_TICKS + self.tx_ack_delay + TS_MAX_ACK_TICKS + self.tail

    def with_more(self, value: Value, ticks: int) -> Self:
        """Returns a template with `value`, and thus the slot, `ticks` longer."""
        field = {
            Value.TX_OFFSET: "tx_offset",
            Value.TX_ACK_DELAY: "tx_ack_delay",
            Value.SLOT_DURATION: "tail",
        }[value]
        return dataclasses.replace(self, **{field: getattr(self, field) + ticks})

    def only_shorter(self, value: Value) -> Self:
        """Returns a template with `value` one tick shorter and everything else the same.

        TsSlotDuration changes only if it is the value asked for.
        """
        shorter = self.with_more(value, -1)
        return (
            shorter
            if value is Value.SLOT_DURATION
            else dataclasses.replace(shorter, tail=shorter.tail + 1)
        )


LONG = Timing(tx_offset=1000, tx_ack_delay=1400, tail=658)
"""The template that tuning starts from: a slot of 100 ms."""
