# SPDX-License-Identifier: BSD-3-Clause
"""A counter store on a medium in RAM whose power fails when the test says, on any target of
wardmote.call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from tests.stack.conftest import prototypes
from tests.stack.link.linklib import name_of
from wardmote.call import Buffer, HostTarget, Target
from wardmote.cpus import CPU_NAMES

TARGETS = ("host", *CPU_NAMES, "powerpc")
EXHAUSTED = 0xFFFFFFFF
MEDIUM_OCTETS = 288
SEGMENTS_MAX = 3


class Geometry(NamedTuple):
    """Octets of a segment, number of segments, octets of a unit."""

    octets: int
    segments: int
    unit: int

    @property
    def place(self) -> int:
        """Octets of a place."""
        return 8 if self.unit == 2 else 8 + self.unit

    @property
    def records(self) -> int:
        """That fit a segment."""
        return self.octets // self.place - 2


GEOMETRY = {
    "counter_double_two": Geometry(64, 2, 2),
    "counter_double_two4": Geometry(96, 2, 4),
    "counter_double_two8": Geometry(128, 2, 8),
    "counter_double_three": Geometry(48, 3, 2),
    "counter_double_three4": Geometry(72, 3, 4),
    "counter_double_three8": Geometry(96, 3, 8),
}
"""The doubles that a store can use."""


def library(path: Path) -> Target:
    """Another build of the store for this machine."""
    return HostTarget(path, prototypes())


class Medium:
    """A double in the target's memory, whose power fails when the test says."""

    record: ClassVar[str]
    """Its type in C."""
    target: Target
    medium: Buffer

    def look(self) -> dict[str, Any]:
        """The medium's members."""
        return self.target.unpack(self.record, self.medium.read())

    def alter(self, **members: Any) -> None:
        """Replaces members of the medium."""
        self.medium.write(bytes(self.target.pack(self.record, **(self.look() | members))))

    def power_returns(self) -> bool:
        """True if it had failed."""
        failed = bool(self.look()["off"])
        self.alter(off=0, fuse=0, operations=0)
        return failed


class Counters(Medium):
    """One store. `limits` are the values that it reports when it was opened."""

    record = "counter_double"

    def __init__(
        self, target: Target, port: str = "counter_double_two", slots: int = 3, block: int = 4
    ) -> None:
        """A blank medium."""
        target.reset()
        self.target, self.slots, self.block = target, slots, block
        self.port = target.address_of(port)
        self.geometry = GEOMETRY.get(port, GEOMETRY["counter_double_two"])
        self.octets, self.segments, self.unit = self.geometry
        self.place_octets = self.geometry.place
        blank = target.pack(
            "counter_double",
            octet=[0xFF] * MEDIUM_OCTETS,
            segment_octets=self.octets,
            unit=self.unit,
        )
        self.medium = target.buffer(blank)
        self.store = target.buffer(target.layout("wm_counter_store").size)
        self.room = target.buffer(4 * 128)

    def place(self, segment: int, place: int) -> bytes:
        """What is in a place."""
        at = segment * self.octets + place * self.place_octets
        return bytes(self.look()["octet"][at : at + self.place_octets])

    def set_place(self, segment: int, place: int, octets: bytes) -> None:
        """Puts octets into a place as no store would."""
        at = segment * self.octets + place * self.place_octets
        now = bytes(self.look()["octet"])
        self.alter(octet=list(now[:at] + octets + now[at + len(octets) :]))

    def power_fails(self, operation: int, seed: int) -> None:
        """In the operation of that number from now on, from 1."""
        self.alter(operations=0, fuse=operation, seed=seed)

    def blank(self) -> None:
        """A medium that nothing was ever stored on."""
        self.alter(
            octet=[0xFF] * MEDIUM_OCTETS,
            worn=[0] * MEDIUM_OCTETS,
            unreadable=[0] * (MEDIUM_OCTETS // 4),
            erasures=[0] * SEGMENTS_MAX,
            overwritten=False,
        )

    def create(self) -> str:
        """wm_counter_store_create."""
        return name_of(self.target.call("wm_counter_store_create", self.port, self.medium).value)

    def destroy(self) -> str:
        """wm_counter_store_destroy."""
        return name_of(self.target.call("wm_counter_store_destroy", self.port, self.medium).value)

    def open(self, slots: int | None = None, block: int | None = None) -> str:
        """wm_counter_store_open."""
        slots, block = (
            self.slots if slots is None else slots,
            self.block if block is None else block,
        )
        args = (self.store, self.port, self.medium, self.room, slots, block)
        return name_of(self.target.call("wm_counter_store_open", *args).value)

    def advance(self, slot: int, counter: int) -> str:
        """wm_counter_store_advance."""
        return name_of(
            self.target.call("wm_counter_store_advance", self.store, slot, counter).value
        )

    def clear(self, slot: int) -> str:
        """wm_counter_store_clear."""
        return name_of(self.target.call("wm_counter_store_clear", self.store, slot).value)

    def compact(self) -> str:
        """wm_counter_store_compact."""
        return name_of(self.target.call("wm_counter_store_compact", self.store).value)

    def free(self) -> int:
        """wm_counter_store_free."""
        return self.target.call("wm_counter_store_free", self.store).value

    def limit(self, slot: int) -> int:
        """wm_counter_store_limit."""
        return self.target.call("wm_counter_store_limit", self.store, slot).value

    def continues(self, slot: int, counter: int) -> bool:
        """wm_counter_store_continues."""
        return bool(self.target.call("wm_counter_store_continues", self.store, slot, counter).value)

    def limits(self) -> list[int]:
        """The counters of all slots."""
        return [self.limit(slot) for slot in range(self.slots)]

    def erasures(self) -> int:
        """Of all segments."""
        return sum(self.look()["erasures"])


def rounded(counter: int, block: int) -> int:
    """The limit of a counter."""
    return min(-(-counter // block) * block, EXHAUSTED)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that befalls a store. `what`: a counter moves by `skip`, or one of the others.
    `cut`: power fails in that operation of it, if it has so many, and in that operation of the
    opening that follows."""

    slot: int
    skip: int
    cut: int = 0
    cut_open: int = 0
    seed: int = 1
    what: str = "advance"


OTHERS = ("clear", "compact", "open", "renew")
"""What a step may be besides an advance. `renew`: the store is destroyed, another is created."""


@dataclass(slots=True)
class History:
    """The model of a store: the values that it has promised so far, and the values that it was
    asked to keep."""

    granted: list[int]
    asked: list[int]
    cuts: int = 0
    records: int = 0
    advances: int = 0
    renewals: int = 0
    nonces: int = 0
    """Times that slot 0, an outgoing counter, began below a counter that was granted."""
    replays: int = 0
    """The same of the others: such a frame would be accepted again."""


def create_at_last(store: Counters) -> None:
    """As whoever commissions a node: until it is done."""
    done = store.create()
    assert done == "WM_OK", done
    assert store.open() == "WM_OK"


def reboot(store: Counters, past: History, step: Step) -> None:
    """Power returns, perhaps fails once more while the store is opened, returns. No promise may be
    broken, and no more counters be skipped than the block has."""
    store.power_returns()
    if step.cut_open:
        store.power_fails(step.cut_open, step.seed)
        store.open()
        past.cuts += store.power_returns()
    answer = store.open()
    if step.what == "renew" and step.cut and answer == "WM_ERR_NO_STORE":
        past.granted = [0] * store.slots
        past.asked = [0] * store.slots
        create_at_last(store)
    else:
        assert answer == "WM_OK", f"a power cut does not lose the store: {answer}"
    for slot, limit in enumerate(store.limits()):
        past.nonces += slot == 0 and limit < past.granted[slot]
        past.replays += slot != 0 and limit < past.granted[slot]
        assert limit >= past.granted[slot], (
            f"slot {slot} begins at {limit}, {past.granted[slot]} was granted"
        )
        most = rounded(past.asked[slot], store.block)
        assert limit <= most, f"slot {slot} begins at {limit}, nothing above {most} was asked for"
        past.granted[slot] = past.asked[slot] = limit


def take(store: Counters, past: History, step: Step) -> None:
    """One step without what comes after a cut. Interrupted it may have been done or not: then
    nothing of it is promised, all may be there."""
    slot = step.slot % store.slots
    if step.what == "advance":
        counter = min(past.granted[slot] + step.skip, EXHAUSTED)
        past.asked[slot] = max(past.asked[slot], counter)
        past.advances += 1
        if store.advance(slot, counter) == "WM_OK":
            past.granted[slot] = max(past.granted[slot], counter)
    elif step.what == "clear":
        past.granted[slot] = 0
        if store.clear(slot) == "WM_OK":
            past.asked[slot] = 0
    elif step.what == "compact":
        store.compact()
    elif step.what == "renew":
        past.granted = [0] * store.slots
        past.renewals += 1
        done = (store.destroy(), store.create(), store.open())
        if done == ("WM_OK",) * 3:
            past.asked = [0] * store.slots
            assert store.limits() == past.asked
        else:
            assert store.look()["off"], done
    else:
        store.open()


def play(store: Counters, steps: Sequence[Step]) -> History:
    """Lives through `steps` and checks every promise after each reboot. `renew` may leave the old
    store or none; nothing of it is promised while it is under way."""
    create_at_last(store)
    past = History([0] * store.slots, [0] * store.slots)
    for step in steps:
        past.records += 1
        if step.cut:
            store.power_fails(step.cut, step.seed)
        take(store, past, step)
        if store.look()["off"]:
            past.cuts += 1
            reboot(store, past, step)
        elif step.cut:
            store.power_returns()
    reboot(store, past, Step(0, 0))
    assert not store.look()["overwritten"], "a unit was programmed that must not be"
    # Each compaction is due when records - slots have been written, and each cut or opening costs
    # one at most. A renewal erases each segment at most once and another, a cut one more.
    written = past.records + past.cuts
    compactions = written // (store.geometry.records - store.slots) + past.cuts
    compactions += sum(step.what == "compact" for step in steps)
    renewals = past.renewals * 2 * store.segments
    assert store.erasures() - store.segments <= compactions + renewals
    return past
