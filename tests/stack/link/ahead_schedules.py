# SPDX-License-Identifier: BSD-3-Clause
"""Every schedule of bounded length of two nodes that work ahead of the slot: in each of so many slots
in a row one event happens, of all that may, and the work is done at once, later, or not at all. The
code of the stack itself runs, and the instrument of the random runs looks at it.

    .venv/bin/python -m tests.stack.link.ahead_schedules --slots 3
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from functools import partial

from rich.console import Console
from rich.progress import track

from tests.stack.link.ahead_runs import FAULTS, Run
from tests.stack.link.simulation import LEAF, ROOT, Sent
from tests.stack.link.test_tsch_ahead import BOTH, SLOT_S

CONSOLE = Console(highlight=False)
EVENTS = ("nothing", "lost", "changed", "cut", "empty", "leaf skips", "root skips", "asn",
          "key", "key in a frame", "queue", "engine")  # fmt: skip
WORK = (-1, 0, 64)
"""Pieces of work behind the first after each event of a node; -1: none at all."""
FIRST_SLOT, AFTER = 9, 7
"""The leaf has joined, and what an event leaves behind is used in the slots after the last."""
AHEAD_NS = 4_000_000
"""An event comes so long before its slot, when the one before it is over."""
IN_FRAME_NS = 9_000_000
"""After that a data frame is on the air."""
SKIPPED_SLOTS = 1.4

Step = tuple[str, int]
Schedule = tuple[Step, ...]


class Scheduled(Run):
    """One schedule."""

    def __init__(self, schedule: Schedule, *, counted: bool) -> None:
        """`counted`: a frame counter is in the nonce, and not the ASN."""
        self.schedule, self.now = schedule, ("nothing", 64)
        super().__init__(0, level=5, counted=counted)
        self.more = lambda: self.now[1]
        slot_ns = int(SLOT_S * 1e9)
        for index, step in enumerate(schedule):
            at = (FIRST_SLOT + index + 1) * slot_ns - AHEAD_NS
            self.at(at, partial(self.begin, step))
        self.at((FIRST_SLOT + len(schedule) + 1) * slot_ns, partial(self.begin, ("nothing", 64)))

    def begin(self, step: Step) -> None:
        """What happens in this slot begins."""
        self.now, what = step, step[0]
        self.counts[what] += 1
        if what == "asn":
            self.correct_asn(3)
        elif what == "key":
            self.change_key(1, BOTH)
        elif what == "key in a frame":
            self.at(self.time_ns + AHEAD_NS + IN_FRAME_NS, lambda: self.change_key(1, BOTH))
        elif what == "queue":
            length = 100 if self.state_of_queue() == 127 else 127
            self.set(LEAF, "config.frame_len", bytes([length]))
        elif what == "engine":
            self.break_engine(5)
        elif what.endswith("skips"):
            node = self.nodes[LEAF if what == "leaf skips" else ROOT]
            node.now_ns = max(node.now_ns, self.time_ns + int(SKIPPED_SLOTS * SLOT_S * 1e9))

    def state_of_queue(self) -> int:
        """Octets of the leaf's frames."""
        return self._member(LEAF, "config.frame_len", 1)[0]

    def underflow(self, node: int) -> bool:
        """Octets that are appended come too late."""
        if self.now[0] == "empty":
            self.starved.add(node)
        return self.now[0] == "empty"

    def fate(self, sent: Sent) -> bytes | None:
        """What is heard of a frame."""
        if sent.at_ns not in self.fates:
            self.fates[sent.at_ns] = self.now[0]
            self.cut = 60 if self.now[0] == "cut" and sent.node == LEAF else 0
            self.fcs_ok = sent.node not in self.starved
            if sent.node in self.starved:
                self.starved.discard(sent.node)
                self.cut = len(sent.octets) + 1
        what = self.fates[sent.at_ns]
        if what == "changed":
            return sent.octets[:-1] + bytes([sent.octets[-1] ^ 1])
        return None if what == "lost" else sent.octets

    def whole(self) -> Scheduled:
        """From the start to the end."""
        self.start(ROOT)
        self.start(LEAF)
        self.run((FIRST_SLOT + len(self.schedule) + AFTER) * SLOT_S)
        self.conclude()
        return self


def check(
    slots: int, work: tuple[int, ...] = WORK, kind: type[Scheduled] = Scheduled
) -> Counter[str]:
    """What happened in all of them, with the ASN and with a counter in the nonce."""
    total = Counter[str]()
    steps = tuple(itertools.product(EVENTS, work))
    schedules = itertools.product(steps, repeat=slots)
    number = len(steps) ** slots
    for schedule in track(schedules, "schedules", number, console=CONSOLE, transient=True):
        for counted in (False, True):
            counts = kind(schedule, counted=counted).whole().counts
            total += counts
            total["schedules"] += 1
            if any(counts[fault] for fault in FAULTS):
                CONSOLE.print(f"{schedule} {counted}: {dict(counts)}")
    return total


def main() -> int:
    """Prints what happened; 1 if a keystream was used twice or left, or plaintext lay about."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--slots", type=int, default=2, help="length of the schedules")
    given = parser.parse_args()
    total = check(given.slots)
    CONSOLE.print(f"every schedule of {given.slots} slots:")
    for name in dict.fromkeys((*total, *FAULTS)):
        CONSOLE.print(f"{total[name]:>12} {name}")
    return int(any(total[fault] for fault in FAULTS))


if __name__ == "__main__":
    raise SystemExit(main())
