# SPDX-License-Identifier: BSD-3-Clause
"""Random runs of two nodes that work ahead of the slot. Frames are lost, changed, cut, said again;
FIFOs run empty; engines fail; nodes pass over slots, lose their time, are ahead in it, and join
again; keys and queues change at any moment; the work is done whenever the CPU is free, or later, or
not at all. An instrument (keystreams.py) logs key and nonce of every
keystream, and memory is searched for plaintext that nobody has authenticated.

    .venv/bin/python -m tests.stack.link.ahead_runs --runs 10000
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from tests.stack.link.keystreams import RUN, Ledger
from tests.stack.link.linklib import link_target
from tests.stack.link.simulation import KEYS, LEAF, ROOT, Sent
from tests.stack.link.test_tsch_ahead import BOTH, PSDU_MAX, SLOT_S, Ahead

CONSOLE = Console(highlight=False)
SLOTS = 40
EVENTS = ("lost", "changed", "cut", "fcs", "again", "empty",
          "time", "asn", "busy", "engine", "key", "one key", "queue")  # fmt: skip
"""What happens in a run, as it is counted."""
DISTURBANCES = (*EVENTS[6:], "queue", "queue")
SHARES = {"lost": 0.12, "changed": 0.08, "cut": 0.05, "fcs": 0.03, "again": 0.05}
EMPTY_SHARE = 0.01
BUSY_SLOTS = 3
"""At most so many slots pass while a CPU does something else."""
DATA = 1
SCAN = 1
OF_A_NODE = ("rx_frame", "tx_frame", "tx.len", "tx.map.private_payload")
OF_WORK = ("data.nonce", "data.known", "data_stream", "ack_stream")
NONCE_LEN = 13
ONES = b"\1" * (RUN - 1)
COUNTING = {bytes((first + i) & 255 for i in range(RUN)) for first in range(256)}


def counts_up(memory: bytes | bytearray) -> bool:
    """Whether a run of octets counts up somewhere: all differences of neighbours at once."""
    size = len(memory) - 1
    later = int.from_bytes(memory[1:], "big")
    earlier = int.from_bytes(memory[:-1], "big")
    tops = int.from_bytes(b"\x80" * size, "big")
    steps = ((later | tops) - (earlier & ~tops)) ^ ((later ^ ~earlier) & tops)
    return ONES in steps.to_bytes(size, "big")


class Run(Ahead):
    """One of them. `counts` says what happened and what was found."""

    ledger_kind: type[Ledger] = Ledger
    work_type, work_state = "wm_ahead", "ahead_double_state"
    work_members: tuple[str, ...] = OF_WORK

    def __init__(self, seed: int, *, level: int | None = None, counted: bool | None = None) -> None:
        """The same seed gives the same run. It draws what is None."""
        self.random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.fates: dict[int, str] = {}
        self.starved: set[int] = set()
        self.plain: set[bytes] = set()
        self.queued = False
        drawn = self.random.random() < 0.5
        counted = drawn if counted is None else counted
        self.level = level or self.random.choice((1, 2, 3, 4, 5, 5, 5, 6, 7))
        self.ledger = self.ledger_kind([list(KEYS), list(KEYS)], counted, self.underflow, self.asn)
        self.eye = self.ledger.eye()
        super().__init__(
            medium=self.fate,
            more=lambda: self.random.choice((-1, 0, 1, 3, 64)),
            level=self.level,
            profile=int(self.level == 4),
            counter_carried=counted,
            key_id_mode=self.random.randrange(4),
            key_source=b"no count",
            ppm=(self.random.randint(-30, 30), self.random.randint(-30, 30)),
        )
        self.work_layout = link_target("host").layout(self.work_type)
        self.ahead_octets = self.work_layout.size
        self.places = {name: self.layout.offset(name) for name in OF_A_NODE}
        self.places |= {name: self.work_layout.offset(name) for name in self.work_members}
        getattr(self.library, self.work_state).restype = ctypes.c_void_p
        self.library.ahead_double_watch(ctypes.byref(self.eye))

    # What happens to frames.

    def underflow(self, node: int) -> bool:
        """Octets that are appended come too late."""
        if self.random.random() >= EMPTY_SHARE:
            return node in self.starved
        self.counts["empty"] += 1
        self.starved.add(node)
        return True

    def fate(self, sent: Sent) -> bytes | None:
        """What is heard of a frame: the same, whenever one asks."""
        if sent.at_ns not in self.fates:
            draw, self.cut, self.fcs_ok = self.random.random(), 0, True
            self.fates[sent.at_ns] = ""
            for name, share in SHARES.items():
                draw -= share
                if draw < 0:
                    self.fates[sent.at_ns] = name
                    self.counts[name] += 1
                    break
            self.fcs_ok = self.fates[sent.at_ns] != "fcs"
            if self.fates[sent.at_ns] == "cut":
                self.cut = self.random.randint(1, len(sent.octets) + 2)
            if sent.node in self.starved:  # the radio stopped where its FIFO was empty
                self.starved.discard(sent.node)
                self.cut, self.fcs_ok = len(sent.octets) + 1, False
        what = self.fates[sent.at_ns]
        if what == "lost":
            return None
        if what == "changed":
            octets = bytearray(sent.octets)
            octets[sent.at_ns % len(octets)] ^= 1 << sent.at_ns % 7
            return bytes(octets)
        if what == "again":
            mine = [one for one in self.sent if one.node == sent.node and one is not sent]
            return mine[sent.at_ns % len(mine)].octets if mine else sent.octets
        return sent.octets

    # What happens to nodes.

    def disturb(self) -> None:
        """At a random moment."""
        what = self.random.choice(DISTURBANCES)
        self.counts[what] += 1
        if what == "time":
            self.set(LEAF, "sync_left", bytes(4))
        elif what == "asn":
            self.correct_asn(self.random.randrange(1, 9))
        elif what == "busy":
            until = self.time_ns + self.random.randrange(int(BUSY_SLOTS * SLOT_S * 1e9))
            busy = self.nodes[self.random.choice(BOTH)]
            busy.now_ns = max(busy.now_ns, until)
        elif what == "engine":
            self.break_engine(self.random.randrange(1, 24))
        elif what == "queue":
            self.queue()
        else:
            nodes = BOTH if what == "key" else (self.random.choice(BOTH),)
            self.change_key(self.random.randrange(2), nodes)

    def break_engine(self, block: int) -> None:
        """It fails at this block of AES from now on, and works again."""
        self.library.ahead_double_fail_at(block)

    def change_key(self, slot: int, nodes: Sequence[int]) -> None:
        """A key slot of these nodes has another key."""
        key = self.random.randbytes(16)
        for node in nodes:
            self.library.port_double_run_as(node)
            self.library.wm_port_key(slot, key)
            self.ledger.enter(node)
            self.ledger.keys[node][slot] = key

    def correct_asn(self, slots: int) -> None:
        """The leaf loses its time, and thinks that so many slots more have passed: no beacon before
        them is good for it, and the first one after them corrects it."""
        if self._member(LEAF, "state", 1)[0] == SCAN:
            self.set(LEAF, "asn", (self.asn(LEAF) + slots).to_bytes(5, "big"))
        elif self.time_ns < (SLOTS - 1) * SLOT_S * 1e9:
            self.set(LEAF, "sync_left", bytes(4))
            self.at(self.time_ns + int(SLOT_S * 1e9), lambda: self.correct_asn(slots))

    def queue(self) -> None:
        """The leaf has another frame, a shorter one, or none but what keeps it in time."""
        lengths = (
            127,
            127,
            100,
            80,
            64,
        )  # wm_tsch_init refuses what has no room for a header and a MIC
        small = self.random.choice(lengths)
        self.set(LEAF, "config.frame_len", bytes([small]))
        self.set(LEAF, "config.data_every", self.random.choice((0, 0, 2, 5)).to_bytes(2, "little"))
        often = self.random.choice((0, 2**31))
        self.set(LEAF, "config.keep_alive", often.to_bytes(4, "little"))

    # What is found.

    def _run(self, node: int, at_ns: int, function: str, *args: int) -> None:
        super()._run(node, at_ns, function, *args)
        self.search_keystream()
        if self.level < 4:
            return
        if node == LEAF:
            tsch = ctypes.string_at(self._tsch(LEAF).value or 0, self.layout.size)
            length, at = tsch[self.places["tx.len"]], tsch[self.places["tx.map.private_payload"]]
            begin = self.places["tx_frame"]
            clear = tsch[begin : begin + length]
            if clear[:1] and clear[0] & 7 == DATA:
                parts = {clear[i : i + RUN] for i in range(at, length - RUN + 1)}
                self.plain |= parts & COUNTING  # what wm_port_payload gives
        self.search()

    def _work(self, what: int) -> None:
        super()._work(what)
        if what == 2 and self.level >= 4 and self.running == ROOT and self.random.random() < 0.05:
            self.search()

    def search(self) -> None:
        """The root's memory but for the engine's buffer of received frames."""
        address = self._tsch(ROOT).value
        work = getattr(self.library, self.work_state)(ROOT)
        assert address is not None
        own = self.places["rx_frame"]
        memory = bytearray(ctypes.string_at(address, self.layout.size))
        memory[own : own + PSDU_MAX] = bytes(PSDU_MAX)
        memory += ctypes.string_at(work, self.ahead_octets)
        self.counts["searched"] += 1
        if counts_up(memory):
            self.counts["plaintext"] += RUN * sum(part in memory for part in self.plain)

    def search_keystream(self) -> None:
        """Both nodes' memory, for keystream of data frames that are over. S_0 is not looked for: a tag
        takes its place, or it lies there until the next plan."""
        for node in BOTH:
            memory = ctypes.string_at(self.library.ahead_double_state(node), self.ahead_octets)
            at = self.places["data.nonce"]
            nonce = memory[at : at + NONCE_LEN] if memory[self.places["data.known"]] else b""
            first, end = self.places["data_stream"], self.places["ack_stream"]
            for begin in range(first + 16, end, 16):
                owner = self.ledger.blocks.get(memory[begin : begin + 16])
                self.counts["left over"] += owner is not None and owner[1] != nonce

    def whole(self) -> Run:
        """From the start to the end."""
        self.start(ROOT)
        self.start(LEAF, self.random.randrange(1_000_000))
        for _ in range(self.random.randrange(6)):
            self.at(self.random.randrange(int(SLOTS * SLOT_S * 1e9)), self.disturb)
        self.run(SLOTS * SLOT_S)
        self.conclude()
        return self

    def conclude(self) -> None:
        """Counts what was found."""
        for node in BOTH:
            self.ledger.enter(node)
        self.library.ahead_double_watch(None)
        ledger, root, leaf = self.ledger, self.stats(ROOT), self.stats(LEAF)
        self.counts.update(
            {
                "frames": len(self.sent),
                "keystreams made": len(ledger.made),
                "keystreams used": len(ledger.uses),
                "used twice": len(ledger.twice),
                "another's": len(ledger.foreign),
                "unknown": len(ledger.unknown) + ledger.wrong,
                "accepted": root["data_received"] + leaf["data_acked"],
                "refused": root["refused"] + leaf["refused"],
            }
        )


FAULTS = ("used twice", "another's", "plaintext", "unknown", "left over")
"""What no run may count."""


KEEP_EVERY = 50


def code() -> str:
    """What runs depend on: the library, and the tests beside it."""
    own = sorted(Path(__file__).parent.glob("*.py"))
    parts = [Run.file.read_bytes(), *(one.read_bytes() for one in own)]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def runs(seeds: range, kept: Path | None = None) -> Counter[str]:
    """What happened in all of them. `kept` is a file from which a run that was stopped goes on, if the
    code is the same."""
    total, first, of = Counter[str](), seeds.start, code()
    if kept is not None and kept.exists():
        before = json.loads(kept.read_text())
        if (before["code"], before["start"]) == (of, seeds.start):
            total, first = Counter(before["counts"]), min(before["next"], seeds.stop)
    for seed in track(range(first, seeds.stop), "runs", console=CONSOLE, transient=True):
        counts = Run(seed).whole().counts
        total += counts
        if any(counts[fault] for fault in FAULTS):
            CONSOLE.print(f"seed {seed}: {dict(counts)}")
        if kept is not None and (seed + 1 - first) % KEEP_EVERY == 0:
            kept.parent.mkdir(parents=True, exist_ok=True)
            now = {"code": of, "start": seeds.start, "next": seed + 1, "counts": total}
            kept.write_text(json.dumps(now))
    return total


def main() -> int:
    """Prints what happened; 1 if a keystream was used twice or left, or plaintext lay about."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first run")
    parser.add_argument("--kept", type=Path, help="file from which a run that was stopped goes on")
    given = parser.parse_args()
    total: dict[str, Any] = runs(range(given.seed, given.seed + given.runs), given.kept)
    CONSOLE.print(f"{given.runs} runs of {SLOTS} slots")
    for name in (*total, *(fault for fault in FAULTS if fault not in total)):
        CONSOLE.print(f"{total[name]:>12} {name}")
    return int(any(total[fault] for fault in FAULTS))


if __name__ == "__main__":
    raise SystemExit(main())
