# SPDX-License-Identifier: BSD-3-Clause
"""Takes one data slot at a template apart: how long each part is, and how much of it the physical
limit of the slot has too.

The slot is TsTxOffset, TsMaxTx, TsTxAckDelay, TsMaxAck and the rest. The first and the third are
taken apart on the mote that needs more time before them, on that mote's own time line: the two
motes begin a slot up to some ticks apart.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.errors import ImageError
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.capture import TYPE_ACK, TYPE_DATA, AirFrame
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.measurements.slot.trace import NODES, PS_PER_US, Exchange, observe

OFFSET, MAX_TX, ACK_DELAY, MAX_ACK, TAIL = (
    *("TsTxOffset", "TsMaxTx", "TsTxAckDelay", "TsMaxAck"),
    "rest",
)
SENDER, RECEIVER = NODES[LEAF_MOTE.name], NODES[ROOT_MOTE.name]
OTHERS = "other frames and phases"
"""How much longer TsTxAckDelay is than this exchange needs: for shorter frames ahead of the slot, and
for other phases of the two clocks."""
MAX_TX_US, MAX_ACK_US = 4256.0, 2400.0
"""TsMaxTx and TsMaxAck of the standard."""


@dataclass(frozen=True, slots=True)
class Floor:
    """What the radio and the guard times alone need."""

    listens_us: float
    """The receiver's start."""
    rx_guard_us: float
    ack_guard_us: float
    ts_tx_offset_us: float
    ts_tx_ack_delay_us: float


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the slot."""

    value: str
    """The part of the template that has it; `rest` is behind TsMaxAck."""
    node: str
    name: str
    us: float
    limit_us: float = 0
    """How much of it the limit has too. Longer than `us` where the guard time is cut short."""


def account(setting: Setting, image: bytes, timing: Timing, seed: int, floor: Floor) -> list[Part]:
    """The parts in order of time; together they are TsSlotDuration."""
    seen = Seen(setting, timing, observe(setting, image, timing, seed))
    offset = seen.receives_at_offset(floor) if seen.guard_rules_offset else seen.sends_at_offset()
    delay = seen.hears_the_ack(floor) if seen.guard_rules_ack else seen.answers()
    ended = "end noticed, last octets and blocks" if seen.ahead else "end noticed"
    tail_us = timing.us(timing.tail)
    sec4 = seen.mark(LEAF_MOTE.name, "sec4", seen.ack.end_ps)
    before, work = sec4[0] - seen.ack.end_ps, sec4[1] - sec4[0]
    rest = [
        Part(TAIL, SENDER, ended, before / PS_PER_US),
        Part(TAIL, SENDER, "sec4", work / PS_PER_US),
        Part(TAIL, SENDER, "until the slot ends", tail_us - (before + work) / PS_PER_US),
    ]
    return [
        *_shared(offset, floor.ts_tx_offset_us),
        *_on_air(MAX_TX, SENDER, seen.data, MAX_TX_US, timing.us(timing.max_tx)),
        *_shared(delay, floor.ts_tx_ack_delay_us),
        *_on_air(MAX_ACK, RECEIVER, seen.ack, MAX_ACK_US, timing.us(timing.max_ack)),
        *rest,
    ]


def _shared(parts: Sequence[Part], limit_us: float) -> list[Part]:
    """The parts with what the limit has besides those that are named in it: while the sender works,
    the receiver's start and guard time run, so that the first work is in the limit too."""
    left = limit_us - sum(part.limit_us for part in parts)
    found = []
    for part in parts:
        taken = 0.0 if part.limit_us else min(left, part.us)
        found.append(
            Part(part.value, part.node, part.name, part.us, part.limit_us or max(0.0, taken))
        )
        left -= max(0.0, taken)
    return found


def _on_air(value: str, node: str, frame: AirFrame, most_us: float, ticks_us: float) -> list[Part]:
    """A frame, the room for a longer one, and the rest of the last tick."""
    air_us = (frame.end_ps - frame.start_ps) / PS_PER_US
    room_us = most_us - air_us
    room = [Part(value, node, "room for the longest", room_us, room_us)] if room_us else []
    return [
        Part(value, node, "on the air", air_us, air_us),
        *room,
        Part(value, node, f"{value} in whole ticks", ticks_us - most_us),
    ]


class Seen:
    """The moments of a data slot, in picoseconds."""

    def __init__(self, setting: Setting, timing: Timing, exchange: Exchange) -> None:
        """Reads the counters of both motes; raises ImageError if the slot has no exchange."""
        self.timing = timing
        self.ahead = setting.ahead
        self._exchange = exchange
        self._radio = setting.record.radio
        self.data, self.ack = (self._frame(kind) for kind in (TYPE_DATA, TYPE_ACK))
        slots = [ps for name, rises, ps in exchange.marks[ROOT_MOTE.name] if (name, rises) == SLOT]
        self.receiver_begin = min(slots, key=lambda ps: abs(ps - exchange.begin))
        leaf, root = (self._needs(mote) for mote in (LEAF_MOTE.name, ROOT_MOTE.name))
        spare = timing.tx_offset - leaf["tx_offset"]
        self.guard_rules_offset = spare > timing.tx_offset - timing.rx_guard - root["rx_offset"]
        spare = timing.tx_ack_delay - root["tx_ack_delay"]
        self.guard_rules_ack = spare > timing.tx_ack_delay - timing.ack_guard - leaf["rx_ack_delay"]
        self.spare_ps = timing.ps(max(0, spare))
        """How much of TsTxAckDelay the receiver has not needed so far, with full frames."""

    def _needs(self, mote: str) -> Mapping[str, Any]:
        needs: Mapping[str, Any] = self._exchange.network.stats(mote)["needs"]
        return needs

    def _frame(self, kind: int) -> AirFrame:
        for frame in self._exchange.on_air:
            if frame.type == kind:
                return frame
        raise ImageError("the slot is no exchange: a frame or its Enh-Ack is missing")

    def mark(self, mote: str, name: str, since: int) -> tuple[int, int]:
        """Begin and end of the next operation of a mote since a moment."""
        edges = [ps for mark, _, ps in self._exchange.marks[mote] if mark == name and ps >= since]
        if len(edges) < 2:
            raise ImageError(f"the slot is no exchange: {name} is not marked")
        return edges[0], edges[1]

    def _switched(self, mote: str, state: str, before: int) -> int:
        """When the radio of a mote went last into a state, such as rx or tx, before a moment."""
        found, was = None, ""
        for ps, device, now, *_ in self._exchange.changes[mote]:
            if device != self._radio or ps >= before:
                continue
            if now.startswith(state) and not was.startswith(state):
                found = ps
            was = now
        if found is None:
            raise ImageError(f"the slot is no exchange: the radio is never in state {state}")
        return found

    def sends_at_offset(self) -> list[Part]:
        """TsTxOffset where the sender needs the time."""
        part = _parts_of(OFFSET, SENDER)
        begin = self._exchange.begin
        sec1 = self.mark(LEAF_MOTE.name, "sec1", begin)
        strobe = self._switched(LEAF_MOTE.name, "tx", self.data.start_ps)
        offset_us = self.timing.us(self.timing.tx_offset)
        return [
            part("wake-up, tuning", sec1[0] - begin),
            part("sec1", sec1[1] - sec1[0]),
            part("until the tick of the strobe", strobe - sec1[1]),
            *self._turned(
                part, strobe, self.data, offset_us - (self.data.start_ps - begin) / PS_PER_US
            ),
        ]

    def _turned(
        self, part: Callable[..., Part], strobe: int, frame: AirFrame, early_us: float
    ) -> list[Part]:
        """The turnaround, and how much earlier than the template says the frame begins."""
        us = (frame.start_ps - strobe) / PS_PER_US
        return [
            part("turnaround", frame.start_ps - strobe, us),
            part("turnaround in whole ticks", round(early_us * PS_PER_US)),
        ]

    def receives_at_offset(self, floor: Floor) -> list[Part]:
        """TsTxOffset where the guard time needs the time."""
        part = _parts_of(OFFSET, RECEIVER)
        on = self._switched(ROOT_MOTE.name, "rx", self.data.start_ps)
        guard_us = self.timing.us(self.timing.rx_guard)
        return _listens(
            part,
            "wake-up, tuning",
            on - self.receiver_begin,
            floor.listens_us,
            self.timing.us(self.timing.tx_offset),
            (guard_us, floor.rx_guard_us),
        )

    def hears_the_ack(self, floor: Floor) -> list[Part]:
        """TsTxAckDelay where the guard time needs the time."""
        part = _parts_of(ACK_DELAY, SENDER)
        on = self._switched(LEAF_MOTE.name, "rx", self.ack.start_ps)
        return _listens(
            part,
            "end noticed, receiver on",
            on - self.data.end_ps,
            floor.listens_us,
            self.timing.us(self.timing.tx_ack_delay),
            (self.timing.us(self.timing.ack_guard), floor.ack_guard_us),
        )

    def answers(self) -> list[Part]:
        """TsTxAckDelay where the receiver needs the time."""
        part = _parts_of(ACK_DELAY, RECEIVER)
        end = self.data.end_ps
        sec2 = self.mark(ROOT_MOTE.name, "sec2", end)
        sec3 = self.mark(ROOT_MOTE.name, "sec3", sec2[1])
        strobe = self._switched(ROOT_MOTE.name, "tx", self.ack.start_ps)
        ended = "end noticed, last octets and blocks" if self.ahead else "end noticed"
        delay_us = self.timing.us(self.timing.tx_ack_delay)
        return [
            part(ended, sec2[0] - end),
            part("sec2", sec2[1] - sec2[0]),
            part("time correction, sec3", sec3[1] - sec2[1]),
            part(OTHERS, self.spare_ps),
            part("until the tick of the strobe", strobe - sec3[1] - self.spare_ps),
            *self._turned(part, strobe, self.ack, delay_us - (self.ack.start_ps - end) / PS_PER_US),
        ]


SLOT = ("slot", True)


def _parts_of(value: str, node: str) -> Callable[..., Part]:
    def part(name: str, ps: int, limit_us: float = 0) -> Part:
        return Part(value, node, name, ps / PS_PER_US, limit_us)

    return part


def _listens(
    part: Callable[..., Part],
    work: str,
    on: int,
    listens_us: float,
    all_us: float,
    guards_us: tuple[float, float],
) -> list[Part]:
    """Work, the receiver's start, and the guard time, which ends with the value of the template. It is
    cut short where the receiver is on late within a tick."""
    guard_us, limit_us = guards_us
    start = round(listens_us * PS_PER_US)
    ready_us = (on + start) / PS_PER_US
    early_us = max(0.0, all_us - guard_us - ready_us)
    guard = round((all_us - ready_us - early_us) * PS_PER_US)
    return [
        part(work, on),
        part("receiver's start", start, listens_us),
        part("receiver's start in whole ticks", round(early_us * PS_PER_US)),
        part("guard time", guard, limit_us),
    ]
