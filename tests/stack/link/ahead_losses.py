# SPDX-License-Identifier: BSD-3-Clause
"""What a fault costs nodes that work ahead of the slot. Two nodes whose AES is as slow as their
template allows: a frame is in time if what was made ahead fits it, and late if not. Frames are lost,
forged, cut, and run empty; an exchange none of whose own frames met a fault must succeed.

A forger knows all that goes over the air, and no key. So the forged frames are frames of this run
with other octets: in their MIC, in what is encrypted, in their counter, or in their number. After
three frames in a row that it did not expect, a node works on frames that are late too, and these
slots have not quite the time for that. So a forger has two in a row here.

    .venv/bin/python -m tests.stack.link.ahead_losses --runs 1000
"""

from __future__ import annotations

import argparse
import ctypes
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.progress import track

from tests.model import ieee802154_model as model
from tests.stack.link.keystreams import BLOCK, LOAD, Eye
from tests.stack.link.linklib import link_target
from tests.stack.link.simulation import LEAF, ROOT, Sent, kind
from tests.stack.link.test_tsch_ahead import BOTH, Ahead

BLOCK_NS = 360_000
"""Of AES: in the time of a data frame and its Enh-Ack's delay nine blocks can be made, and not
sixteen; in that of an Enh-Ack and what is left of the slot three, and not five."""
TIGHT: Mapping[str, int] = {
    "ts_tx_offset": 110, "ts_max_tx": 140, "ts_tx_ack_delay": 36, "ts_max_ack": 62,
    "ts_slot_duration": 356, "ts_rx_guard": 36, "ts_ack_guard": 16,
}  # fmt: skip
CONSOLE = Console(highlight=False)
SLOT_S = TIGHT["ts_slot_duration"] / 32768
SLOTS = 120
COUNTER_AT, NUMBER_AT = 22, 2
HEADER_FAULTS = ("counter", "far")
FAULTS = ("lost", "mic", "body", "counter", "far", "number", "cut", "empty", "endless")


@dataclass(slots=True)
class Cell:
    """What happened in one cell."""

    data: str | None = None
    """Fate of its data frame; None: there was none."""
    ack: str | None = None
    acked: int = 0


@dataclass(slots=True)
class Found:
    """Of one run."""

    cells: dict[int, Cell] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    ran_empty: set[int] = field(default_factory=set)
    """Cells in which a radio ran empty, whether its frame was sent or not."""
    late: int = 0

    @property
    def lost(self) -> list[int]:
        """Cells that were lost without a fault of their own. The last may be under way."""
        return [
            asn
            for asn, cell in sorted(self.cells.items())[:-1]
            if asn not in self.ran_empty
            and cell.data == ""
            and (cell.ack is None or (cell.ack == "" and not cell.acked))
        ]


class Faulty(Ahead):
    """One run. `share` of the frames have a fault, one of `faults`."""

    def __init__(
        self,
        seed: int,
        *,
        share: float = 0.2,
        faults: tuple[str, ...] = FAULTS,
        forged_max: int = 2,
        quiet_slots: int = 14,
        timing: Mapping[str, int] = TIGHT,
        **common: Any,
    ) -> None:
        """The same seed gives the same run. In the first slots nothing happens: the nodes join."""
        self.forged_max, self.quiet_slots = forged_max, quiet_slots
        self.random = random.Random(seed)
        self.share, self.faults = share, faults
        self.found, self.fates = Found(), dict[int, str]()
        self.starved: set[int] = set()
        self.loaded, self.headers = [0, 0], [0, 0]
        self.quiet_until_ns = 0
        self.acked = 0
        self.eye = Eye(BLOCK(self.block), LOAD(self.load))
        super().__init__(medium=self.fate, timing=timing, secure_us=20, receive_us=20, **common)
        self.library.ahead_double_watch(ctypes.byref(self.eye))

    def block(self, node: int, slot: int, before: int, after: int) -> None:
        """AES takes time."""
        self.nodes[node].now_ns += BLOCK_NS

    def load(self, node: int, length: int, octets: int, count: int) -> bool:
        """Octets behind the first may come too late."""
        if length:
            self.starved.discard(node)
            self.loaded[node] = length - 2
        elif count and node not in self.starved and self.happens("empty"):
            self.starved.add(node)
            self.found.ran_empty.add(self.asn(node))
        return node not in self.starved

    def happens(self, fault: str) -> bool:
        """Whether this fault comes now."""
        if fault not in self.faults or self.time_ns < self.quiet_until_ns:
            return False
        happens = self.random.random() < self.share / len(self.faults)
        self.found.faults[fault] += happens
        return happens

    def fate(self, sent: Sent) -> bytes | None:
        """What is heard of a frame: the same, whenever one asks."""
        if sent.at_ns not in self.fates:
            others = [one for one in self.faults if one != "empty"]
            fate = next((one for one in others if self.happens(one)), "")
            fate = self.bounded(sent, fate)
            if sent.node in self.starved:
                fate = "empty"
            self.fates[sent.at_ns] = fate
            self.fcs_ok = fate != "empty"
            self.cut = {"cut": self.random.randint(1, len(sent.octets) + 2),
                        "empty": len(sent.octets) + 1}.get(fate, 0)  # fmt: skip
        return None if self.fates[sent.at_ns] == "lost" else self.altered(sent)

    def bounded(self, sent: Sent, fate: str) -> str:
        """A counter is forged twice in a row at most, unless that is all that may happen."""
        if fate not in HEADER_FAULTS:
            self.headers[sent.node] = 0
            return fate
        self.headers[sent.node] += 1
        if self.headers[sent.node] <= self.forged_max:
            return fate
        self.headers[sent.node] = 0
        return ""

    @staticmethod
    def counted(sent: Sent) -> bool:
        """Whether its header has a counter in this place."""
        return kind(sent) != model.BEACON and not sent.octets[21] & 0x20

    def altered(self, sent: Sent) -> bytes:
        """The frame as it arrives."""
        octets = bytearray(sent.octets)
        fate = self.fates[sent.at_ns]
        if fate == "empty":  # its length says how much was to come
            return bytes(octets.ljust(self.loaded[sent.node], b"\0"))
        if fate == "mic":
            octets[-1] ^= 1
        elif fate == "body":
            octets[-5] ^= 1
        elif fate in ("counter", "far") and self.counted(sent):
            old = int.from_bytes(octets[COUNTER_AT : COUNTER_AT + 4], "little")
            new = old + (1 if fate == "counter" else 1000)
            octets[COUNTER_AT : COUNTER_AT + 4] = new.to_bytes(4, "little")
        elif fate in ("number", "far", "counter"):
            octets[NUMBER_AT] ^= 1
        return bytes(octets)

    def _deliver(self, index: int, octets: bytes, end: int) -> None:
        if self.fates.get(self.sent[-1].at_ns) != "endless":
            super()._deliver(index, octets, end)

    def mislead(self, cells: int) -> None:
        """The root's guess of its peer's counter is so many too high."""
        self.library.ahead_double_state.restype = ctypes.c_void_p
        layout = link_target("host").layout("wm_ahead")
        at = self.library.ahead_double_state(ROOT) + layout.offset("peer.next")
        value = int.from_bytes(ctypes.string_at(at, 4), "little") + cells
        ctypes.memmove(at, value.to_bytes(4, "little"), 4)

    def look(self) -> None:
        """After each slot."""
        acked = self.stats(LEAF)["data_acked"]
        if self.sent and acked != self.acked:
            self.found.cells.setdefault(self.sent[-1].asn, Cell()).acked = acked - self.acked
        self.acked = acked

    def whole(self, slots: int = SLOTS) -> Found:
        """From the start to the end."""
        self.quiet_until_ns = int(self.quiet_slots * SLOT_S * 1e9)
        self.start(ROOT)
        self.start(LEAF)
        for _ in range(8 * slots):
            self.run(SLOT_S / 8)
            self.look()
        self.library.ahead_double_watch(None)
        for sent in self.sent:
            if kind(sent) == model.BEACON:
                continue
            cell = self.found.cells.setdefault(sent.asn, Cell())
            fate = self.fates.get(sent.at_ns)
            if kind(sent) == model.DATA:
                cell.data = fate
            else:
                cell.ack = fate
        stats = [self.stats(node) for node in BOTH]
        self.found.late = sum(
            one[name] for one in stats for name in one if str(name).startswith("late")
        )
        return self.found


def runs(seeds: range, made: Callable[..., Faulty] = Faulty) -> tuple[int, int, Counter[str]]:
    """Cells, those that were lost without a fault of their own, and faults. Each run draws the form
    of the nonce, how often the leaf sends, and the level."""
    cells, lost, faults = 0, 0, Counter[str]()
    for seed in track(seeds, "runs", console=CONSOLE, transient=True):
        rng = random.Random(seed)
        counted = rng.random() < 0.5
        found = made(
            seed,
            counter_carried=counted,
            key_id_mode=3 if counted else 1,
            data_every=rng.choice((0, 0, 2, 3, 7)),
            level=rng.choice((1, 2, 5, 5, 6)),
        ).whole()
        cells += len(found.cells)
        lost += len(found.lost)
        faults += found.faults
        if found.lost:
            CONSOLE.print(f"seed {seed}: cells {found.lost}")
    return cells, lost, faults


def show(number: int, found: tuple[int, int, Counter[str]]) -> None:
    """Prints what happened in so many runs."""
    cells, lost, faults = found
    CONSOLE.print(f"{number} runs, {cells} exchanges, {faults.total()} faults:")
    for name, count in faults.items():
        CONSOLE.print(f"{count:>12} {name}")
    CONSOLE.print(f"{lost:>12} exchanges lost without a fault of their own")


def main() -> int:
    """Prints what happened; 1 if a fault cost more than its own slot."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first run")
    given = parser.parse_args()
    found = runs(range(given.seed, given.seed + given.runs))
    show(given.runs, found)
    return int(found[1] != 0)


if __name__ == "__main__":
    raise SystemExit(main())
