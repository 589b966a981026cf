# SPDX-License-Identifier: BSD-3-Clause
"""What the explorer of a report computes from a measured slot: the charge of a data slot between two
measured frames, and the life of a battery with other cells and traffic.

`views/explorer/model.js` has the same formulas; a test compares the two on all rows.
"""

from dataclasses import dataclass

from wardmote.batteries import Battery
from wardmote.errors import UsageError
from wardmote.measurements.slot.band import template_of
from wardmote.measurements.slot.block import SLOTFRAME_LENGTH, Plan
from wardmote.measurements.slot.slotframe import (
    DATA,
    counts_of,
    keep_alive_ticks,
    slotframe_s,
)
from wardmote.rows import SlotKind, SlotRow
from wardmote.study.battery import BatteryRow, Slotframe, battery_rows
from wardmote.study.payload import payload_octets
from wardmote.study.trace import Trace


@dataclass(frozen=True, slots=True)
class KindCharge:
    """The measured charge of one kind of slot on one node."""

    node: str
    """sender or receiver"""
    kind: str
    frame_octets: int
    """Frame of a data slot; of other kinds, that of the run in which they were measured."""
    charge_uc: float
    measured: int
    """How often."""


@dataclass(frozen=True, slots=True)
class Explored:
    """A slot row with what the explorer shows besides."""

    row: SlotRow
    trace: Trace
    kinds: tuple[KindCharge, ...]
    refused: tuple[tuple[int, str], ...] = ()
    """Frames with which the template of the row does not hold in a slotframe, and why: it is proven
    for the frame of the row, in slots one after the other."""

    def charge_uc(self, node: str, kind: str, frame_octets: int) -> float:
        """Charge of a slot. That of a data slot lies on a straight line between the two measured
        frames around it; other kinds send no data frame. Raises UsageError outside of them."""
        own = [one for one in self.kinds if (one.node, one.kind) == (node, kind)]
        if kind != DATA:
            return own[0].charge_uc
        own.sort(key=lambda one: one.frame_octets)
        for low, high in zip(own, own[1:] or own, strict=False):
            if low.frame_octets <= frame_octets <= high.frame_octets:
                part = (frame_octets - low.frame_octets) / (
                    (high.frame_octets - low.frame_octets) or 1
                )
                return low.charge_uc + part * (high.charge_uc - low.charge_uc)
        raise UsageError(f"no frame of {frame_octets} octets lies between measured frames")

    def cells_apart(self, every_s: float, cells: int) -> int:
        """Cells from one data frame to the next."""
        return max(1, round(every_s * cells / slotframe_s(template_of(self.row))))

    def lives(
        self, cells: int, data_every: int, payload: int, battery: Battery
    ) -> list[BatteryRow]:
        """Life of the battery of sender and receiver: so many cells in a slotframe, a frame with
        this payload in one cell of `data_every`, a beacon in every slotframe. Raises UsageError
        where the row's own frame was refused in a slotframe: then its charges are not known."""
        row, timing = self.row, template_of(self.row)
        if not any(one.frame_octets == row.frame_octets for one in self.kinds):
            raise UsageError(
                f"the template does not hold with {row.frame_octets} octets in a slotframe"
            )
        most = payload_octets(row.level, row.ash_octets, row.frame_octets)
        octets = row.frame_octets - most + payload
        plan = Plan(cells, data_every, 1, keep_alive_ticks(timing))
        counts = counts_of(plan, timing, row.level)
        kinds = tuple(
            SlotKind(
                one.node,
                one.kind,
                self.charge_uc(one.node, one.kind, octets),
                one.measured,
                counts[one.kind],
            )
            for one in self.kinds
            if counts[one.kind] and one.frame_octets == row.frame_octets
        )
        frame = Slotframe(
            slot_us=row.ts_slot_duration_us,
            slots=SLOTFRAME_LENGTH,
            cells=cells,
            frame_octets=octets,
            payload_octets=payload,
            every_s=data_every * slotframe_s(timing) / cells,
            same_rate=True,
            same_slot=False,
            kinds=kinds,
        )
        return battery_rows(row, frame, battery)
