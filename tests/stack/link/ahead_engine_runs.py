# SPDX-License-Identifier: BSD-3-Clause
"""The random runs, the schedules and the faults of ahead_runs.py, ahead_schedules.py and ahead_losses.py,
of nodes whose engine does CCM* whole: with m in the radio until a frame is authenticated, as with a
CC2420, and with m in the memory of the node, as with a CC2538.

Such an engine has no keystream ahead of the slot. What is logged is each frame that it secured, with
the key and the nonce that open it, whether it is sent or not. A frame is loaded whole, so that no
radio runs empty.

    .venv/bin/python -m tests.stack.link.ahead_engine_runs --runs 1000
"""

from __future__ import annotations

import argparse
import ctypes
from collections import Counter, deque
from typing import Any

from rich.console import Console
from rich.progress import track

from tests.stack.link import ahead_losses
from tests.stack.link.ahead_losses import Faulty
from tests.stack.link.ahead_runs import FAULTS, SLOTS, Run
from tests.stack.link.ahead_schedules import Scheduled
from tests.stack.link.keystreams import ADDRESS_TAIL, ASN_IN_NONCE, Ledger, Owner
from tests.stack.link.simulation import LEAF, ROOT
from tests.stack.link.test_tsch_ahead import SLOT_S, buffer
from tests.stack.link.test_tsch_ahead_engine import WORKS, ByEngine

CONSOLE = Console(highlight=False)
NEAR = 8
"""Slots, or frames, from which a wrong nonce may be."""
BROKEN_SLOTS = 1.5
AT_ONCE_NS = 1_300_000
"""Of a frame that was not prepared: more than TsTxAckDelay of the losses' template, and less than
TsTxOffset."""
LOSSES = tuple(fault for fault in ahead_losses.FAULTS if fault != "empty")


class EngineLedger(Ledger):
    """An engine's AES is not seen: its nonces are those of the standard, or near them."""

    def owner(self, node: int, octets: bytes, *, whole: bool) -> Owner | None:
        """The right nonce is tried first."""
        self.recent[node] = deque(
            (key, nonce) for nonce in self.near(node, octets) for key in self.keys[node]
        )
        return Ledger.owner(self, node, octets, whole=whole)

    def near(self, node: int, octets: bytes) -> list[bytes]:
        """Nonces, the right one last."""
        last = self.last[node]
        assert last is not None
        source, at = ADDRESS_TAIL[node][::-1], self.control(node, octets)
        away = sorted(range(-NEAR, NEAR + 1), key=abs, reverse=True)
        if octets[at] & ASN_IN_NONCE:
            return [source + (last.asn + n).to_bytes(5, "big") for n in away if last.asn + n >= 0]
        counter = int.from_bytes(octets[at + 1 : at + 5], "little")
        tail = bytes([octets[at] & 7])
        return [source + (counter + n & 0xFFFFFFFF).to_bytes(4, "big") + tail for n in away]


class EngineRun(ByEngine, Run):
    """A random run. When a frame was refused, nothing of it may be in the engine, and nothing of a data
    frame in its buffer. An Enh-Ack that is authenticated, and of no use, stays there: all of it is in
    clear. What a frame that was accepted left in the engine is not looked for."""

    ledger_kind = EngineLedger
    work_type, work_state = "wm_ahead_engine", "ahead_engine_double_state"
    work_members = ()

    def __init__(self, *args: Any, **common: Any) -> None:
        """As its base."""
        self.refused = [0, 0]
        super().__init__(*args, **common)
        self.library.ahead_engine_double_keeps.restype = ctypes.c_bool

    def break_engine(self, block: int) -> None:
        """One node's does not begin, or does not end, for a while."""
        node, fault = block % 2, 1 + block // 2 % 2
        self.library.ahead_engine_double_breaks(node, fault)
        mended = self.time_ns + int(BROKEN_SLOTS * SLOT_S * 1e9)
        self.at(mended, lambda: self.library.ahead_engine_double_breaks(node, WORKS))

    def search_keystream(self) -> None:
        """There is none."""

    def _run(self, node: int, at_ns: int, function: str, *args: int) -> None:
        kept = self.library.ahead_engine_double_keeps(node)
        super()._run(node, at_ns, function, *args)
        now = int.from_bytes(self._member(node, "stats.refused", 2), "little")
        if now != self.refused[node]:
            self.refused[node] = now
            self.counts["wiped"] += 1
            self.counts["left over"] += node == ROOT and any(buffer(self, node))
            self.counts["left over"] += not kept and self.library.ahead_engine_double_keeps(node)


class InMemoryRun(EngineRun):
    """With m in the memory of the node."""

    in_radio = False


RUNS: tuple[type[EngineRun], ...] = (EngineRun, InMemoryRun)


class EngineScheduled(EngineRun, Scheduled):
    """One schedule."""


class FaultyEngine(ByEngine, Faulty):
    """A run with faults. What is not prepared takes time."""

    prepared = (0, 0)

    def load(self, node: int, length: int, octets: int, count: int) -> bool:
        """A frame is secured."""
        done = [
            self.library.ahead_engine_double_prepared(one)
            + self.library.ahead_engine_double_answered(one)
            for one in (ROOT, LEAF)
        ]
        if done[node] == self.prepared[node]:
            self.nodes[node].now_ns += AT_ONCE_NS
        self.prepared = (done[ROOT], done[LEAF])
        self.loaded[node] = length - 2
        return True


def faulty(seed: int, **given: Any) -> FaultyEngine:
    """A run with faults, with each place of m in turn."""
    one = FaultyEngine(seed, faults=LOSSES, **given)
    one.in_radio = seed % 2 == 0
    return one


def runs(seeds: range) -> Counter[str]:
    """What happened in all of them, with each place of m in turn."""
    total = Counter[str]()
    for seed in track(seeds, "runs", console=CONSOLE, transient=True):
        counts = RUNS[seed % len(RUNS)](seed).whole().counts
        total += counts
        if any(counts[fault] for fault in FAULTS):
            CONSOLE.print(f"seed {seed}: {dict(counts)}")
    return total


def main() -> int:
    """Prints what happened; 1 if a nonce was used twice, plaintext lay about, or a fault cost more than
    its own slot."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first run")
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.runs)
    total = runs(seeds)
    CONSOLE.print(f"{given.runs} runs of {SLOTS} slots")
    for name in dict.fromkeys((*total, *FAULTS)):
        CONSOLE.print(f"{total[name]:>12} {name}")
    found = ahead_losses.runs(seeds, faulty)
    ahead_losses.show(given.runs, found)
    return int(found[1] != 0 or any(total[fault] for fault in FAULTS))


if __name__ == "__main__":
    raise SystemExit(main())
