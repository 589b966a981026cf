# SPDX-License-Identifier: BSD-3-Clause
"""A counter store on a medium in RAM whose power fails when the test says, on any target of
wardmote.call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.stack.conftest import prototypes
from tests.stack.link.linklib import name_of
from wardmote.call import HostTarget, Target
from wardmote.cpus import CPU_NAMES

TARGETS = ("host", *CPU_NAMES, "powerpc")
EXHAUSTED = 0xFFFFFFFF
PLACE = 8
GEOMETRY = {"counter_double_two": (64, 2), "counter_double_three": (48, 3)}
"""Octets and number of segments of the doubles."""


def library(path: Path) -> Target:
    """Another build of the store for this machine."""
    return HostTarget(path, prototypes())


class Counters:
    """One store. `limits` are the values that it reports when it was opened."""

    def __init__(
        self, target: Target, port: str = "counter_double_two", slots: int = 3, block: int = 4
    ) -> None:
        """A blank medium."""
        target.reset()
        self.target, self.slots, self.block = target, slots, block
        self.port = target.address_of(port)
        self.octets, self.segments = GEOMETRY.get(port, (64, 2))
        blank = target.pack("counter_double", octet=[0xFF] * 192)
        self.medium = target.buffer(blank)
        self.store = target.buffer(target.layout("wm_counter_store").size)
        self.room = target.buffer(4 * 128)

    def look(self) -> dict[str, Any]:
        """The medium's members."""
        return self.target.unpack("counter_double", self.medium.read())

    def alter(self, **members: Any) -> None:
        """Replaces members of the medium."""
        self.medium.write(bytes(self.target.pack("counter_double", **(self.look() | members))))

    def place(self, segment: int, place: int) -> bytes:
        """What is in a place."""
        at = segment * self.octets + place * PLACE
        return bytes(self.look()["octet"][at : at + PLACE])

    def set_place(self, segment: int, place: int, octets: bytes) -> None:
        """Puts octets into a place as no store would."""
        at = segment * self.octets + place * PLACE
        now = bytes(self.look()["octet"])
        self.alter(octet=list(now[:at] + octets + now[at + len(octets) :]))

    def power_fails(self, operation: int, seed: int) -> None:
        """In the operation of that number from now on, from 1."""
        self.alter(operations=0, fuse=operation, seed=seed)

    def power_returns(self) -> bool:
        """True if it had failed."""
        failed = bool(self.look()["off"])
        self.alter(off=0, fuse=0, operations=0)
        return failed

    def format(self) -> str:
        """wm_counter_store_format."""
        return name_of(self.target.call("wm_counter_store_format", self.port, self.medium).value)

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
    """One thing that befalls a store: a counter moves by `skip`, or is cleared; `cut`: power fails
    in that operation of it, if it has so many, and in that operation of the opening that
    follows."""

    slot: int
    skip: int
    cut: int = 0
    cut_open: int = 0
    seed: int = 1
    clear: bool = False


@dataclass(slots=True)
class History:
    """The values that the store has promised so far, and the values that it was asked to keep."""

    granted: list[int]
    asked: list[int]
    cuts: int = 0
    records: int = 0
    reboots: int = field(default=0)


def reboot(store: Counters, past: History, cut_open: int, seed: int) -> None:
    """Power returns, perhaps fails once more while the store is opened, returns. No promise may be
    broken, and no more counters be skipped than the block has."""
    store.power_returns()
    if cut_open:
        store.power_fails(cut_open, seed)
        store.open()
        past.cuts += store.power_returns()
    assert store.open() == "WM_OK", "a power cut does not lose the store"
    past.reboots += 1
    for slot, limit in enumerate(store.limits()):
        assert limit >= past.granted[slot], (
            f"slot {slot} begins at {limit}, {past.granted[slot]} was granted"
        )
        most = rounded(past.asked[slot], store.block)
        assert limit <= most, f"slot {slot} begins at {limit}, nothing above {most} was asked for"
        past.granted[slot] = past.asked[slot] = limit


def play(store: Counters, steps: Sequence[Step]) -> History:
    """Lives through `steps` and checks every promise after each reboot."""
    assert store.format() == "WM_OK"
    assert store.open() == "WM_OK"
    past = History([0] * store.slots, [0] * store.slots)
    for step in steps:
        slot = step.slot % store.slots
        past.records += 1
        if step.cut:
            store.power_fails(step.cut, step.seed)
        if step.clear:
            # Interrupted it may have been done or not: nothing of this slot is promised any more,
            # all may be there.
            past.granted[slot] = 0
            if store.clear(slot) == "WM_OK":
                past.asked[slot] = 0
        else:
            counter = min(past.granted[slot] + step.skip, EXHAUSTED)
            past.asked[slot] = max(past.asked[slot], counter)
            if store.advance(slot, counter) == "WM_OK":
                past.granted[slot] = max(past.granted[slot], counter)
        if store.look()["off"]:
            past.cuts += 1
            reboot(store, past, step.cut_open, step.seed)
        elif step.cut:
            store.power_returns()
    reboot(store, past, 0, 1)
    assert not store.look()["overwritten"], "a unit was programmed twice"
    # Each compaction is due when places - slots records have been written, and each cut or opening
    # costs one at most.
    places = store.octets // PLACE - 2
    written = past.records + past.cuts
    assert store.erasures() - store.segments <= written // (places - store.slots) + past.cuts
    return past
