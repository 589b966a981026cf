# SPDX-License-Identifier: BSD-3-Clause
"""Power cuts at random moments of an emulated TelosB that keeps its frame counters in flash (image
`counters`).

What counts is what can be seen from outside: the octets that left the antenna, whole frames and
pieces, and the pin that goes up when a frame is accepted; both survive a cut. Frames are made and
opened by a model that shares nothing with the stack. A chain is one node: its information memory
goes from one life to the next, everything else is lost.

    python -m tests.firmware.power_cuts --cuts 10000
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from pathlib import Path

from tests.model import ieee802154_model as model
from tests.model import ieee802154_read as reader
from wardmote import _motes
from wardmote.experiments.ipsec.store import STORES
from wardmote.paths import BUILD

IMAGE = BUILD / "firmware/telosb/counters.elf"
# Of firmware/image/counters: counters.h, tables.c.
KEYS = (bytes(range(0xC0, 0xD0)), bytes(range(0xD0, 0xE0)))
PEERS = (bytes.fromhex("00124b00000000a1"), bytes.fromhex("00124b00000000a2"))
NODE = bytes.fromhex("00124b0000000001")
CHANNEL, BLOCK, SLOTS = 26, 4, 4
STATE_TURNS, STATE_HEARD, STATE_FAULT = 0, 2, 8
ACCEPTED_PIN = (2, 1)
COUNTER_AT, SECURED_FROM = 16, 21
"""In frames of the node: FCF 2, sequence number, PAN 2, short address 2, extended address 8,
security control, counter 4, key index."""
# Of counter_store.h and of the F1611.
INFORMATION, SEGMENT, PLACE, HEADER_KIND = 0x1000, 128, 8, 0xA5
PLACES = SEGMENT // PLACE - 2

EMPTY_STORE = STORES["telosb"].empty()
"""What wm_counter_store_create makes of the information memory. Whoever installs image and keys
writes it there."""
MS = 10**9
HORIZON = 250 * MS
PATIENCE = 40 * MS
"""No frame keeps the node busy that long: an erasure takes 12 ms."""
START_UP = 15 * MS
"""RAM has been cleared by then, and nothing sent."""
LEAD = 200_000_000
"""From the decision to send to the first preamble symbol: more than the 128 us that are the least.
"""
FLASH_OPERATIONS = 48
CHAIN = 500


@dataclass(slots=True)
class Report:
    """What happened to one or more nodes. Everything from `nonces_reused` on must be 0."""

    cuts: int = 0
    cuts_in_flash: int = 0
    compactions_cut: int = 0
    frames_sent: int = 0
    frames_cut: int = 0
    accepted: int = 0
    replayed: int = 0
    erasures: int = 0
    words: int = 0
    records_most: int = 0
    generations: int = 0
    nonces_reused: int = 0
    replays_accepted: int = 0
    wrong_frames: int = 0
    stopped: int = 0
    skipped_too_many: int = 0
    refused_too_many: int = 0
    worn_too_much: int = 0

    def add(self, other: Report) -> None:
        """Sums."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    def faults(self) -> list[str]:
        """Names and numbers of what must not be."""
        names = [one.name for one in fields(self)]
        names = names[names.index("nonces_reused") :]
        return [f"{name} {getattr(self, name)}" for name in names if getattr(self, name)]


def rounded(counter: int) -> int:
    """The limit that holds `counter`."""
    return -(-counter // BLOCK) * BLOCK


def generation(flash: bytes) -> int | None:
    """Of the newest segment with a whole header; None if there is none."""
    found = []
    for segment in (flash[:SEGMENT], flash[SEGMENT:]):
        value = segment[2:6]
        zeros = sum(8 - octet.bit_count() for octet in (segment[0], *value))
        if segment[0] == HEADER_KIND and segment[1] == zeros:
            found.append(int.from_bytes(value, "little"))
    return max(found, default=None)


@dataclass(frozen=True, slots=True)
class Sent:
    """A frame of a peer: under which key, its counter, its PSDU, when it was sent in this life, and
    whether it is a copy of one that has been accepted."""

    key: int
    counter: int
    psdu: bytes
    replay: bool


def peer_frame(key: int, counter: int) -> Sent:
    """A data frame of the peer of `key`."""
    ash = model.Ash(level=5, key_id_mode=1, counter=counter, key_index=key + 1)
    frame = model.Frame(
        version=1, dst=NODE, src=PEERS[key], compression=True, ash=ash, private_part=b"wardmote"
    )
    octets = model.secure(frame, KEYS[key])
    return Sent(key, counter, octets + model.fcs(octets), False)


@dataclass(slots=True)
class Node:
    """What is known of one node from outside, over all its lives."""

    image: bytes
    draw: random.Random
    report: Report = field(default_factory=Report)
    flash: bytes = EMPTY_STORE
    last_used: list[int] = field(default_factory=lambda: [-1, -1])
    begin_most: list[int] = field(default_factory=lambda: [0, 0])
    """Above this no outgoing counter may begin after the next reboot."""
    next_fresh: list[int] = field(default_factory=lambda: [0, 0])
    last_accepted: list[int] = field(default_factory=lambda: [-1, -1])
    pending: deque[Sent] = field(default_factory=deque)
    """Accepted frames that have not been replayed since."""
    generations: int = 0

    def live(self) -> None:
        """One life: power on, frames back and forth, power off at a random moment."""
        life = Life(self)
        life.plan_cut()
        life.talk()
        life.end()
        self.report.cuts += 1


class Life:
    """From power-on to the cut."""

    def __init__(self, node: Node) -> None:
        """The node's flash in a new simulation."""
        self.node, self.draw, self.report = node, node.draw, node.report
        self.simulation = _motes.Simulation(self.draw.getrandbits(64))
        self.simulation.add_mote("telosb", node.image, "node")
        self.simulation.write(0, INFORMATION, node.flash)
        self.state = self.simulation.symbol(0, "counters_state")[0]
        self.simulation.capture(0, "counters_state", 0)
        self.injected: list[tuple[int, Sent, bool]] = []
        self.fresh_from = list(node.next_fresh)
        self.known_before = list(node.last_accepted)
        self.acceptances: list[tuple[int, Sent]] = []
        self.heard = 0
        self.in_flash = False

    def plan_cut(self) -> None:
        """Three in four within a flash operation, if there are as many, the others anywhere."""
        seed = self.draw.getrandbits(64)
        self.in_flash = self.draw.random() < 0.75
        if self.in_flash:
            operation, part = self.draw.randrange(FLASH_OPERATIONS), self.draw.random()
            self.simulation.power_cut(0, seed, operation=operation, part=part)
        else:
            self.simulation.power_cut(0, seed, at_ps=self.draw.randrange(HORIZON))

    def word(self, offset: int) -> int:
        """A member of counters_state."""
        return int.from_bytes(self.simulation.read(0, self.state + offset, 2), "little")

    def wait(self, offset: int, bound: int, limit: int) -> bool:
        """Until a member of counters_state has reached `bound`; False if time or power ended
        before."""
        reached = self.simulation.run_while(0, self.state + offset, 2, bound, min(limit, HORIZON))
        return reached and self.simulation.powered(0)

    def talk(self) -> None:
        """In each of the node's windows up to two frames of its peers: mostly copies of what
        earlier lives accepted."""
        self.simulation.run_for(START_UP)
        while self.simulation.powered(0) and self.simulation.now_ps < HORIZON:
            if not self.wait(STATE_TURNS, self.word(STATE_TURNS) + 1, HORIZON):
                break
            for _ in range(self.draw.randint(0, 2)):
                sent = self.choose()
                # In the same window, or it would be another one's.
                if not self.offer(sent):
                    break

    def choose(self) -> Sent:
        """The next frame of a peer."""
        node = self.node
        if node.pending and self.draw.random() < 0.8:
            return node.pending[0]
        key = self.draw.randrange(len(KEYS))
        counter = node.next_fresh[key]
        node.next_fresh[key] += 1
        return peer_frame(key, counter)

    def offer(self, sent: Sent) -> bool:
        """Sends a frame to the node and waits until it has dealt with it; False if it did not hear
        it."""
        begin = self.simulation.now_ps + LEAD
        self.simulation.inject(CHANNEL, begin, sent.psdu)
        heard = self.wait(STATE_HEARD, self.heard + 1, begin + PATIENCE)
        self.injected.append((begin, sent, heard))
        if not heard:
            return False
        self.heard += 1
        if sent.replay:
            self.node.pending.popleft()
            self.report.replayed += 1
        return True

    def end(self) -> None:
        """Cuts the power, if it has not failed yet, and checks what was seen."""
        simulation = self.simulation
        if simulation.powered(0):
            self.in_flash = False
            self.report.stopped += self.word(STATE_FAULT) & 0xFF != 0
            simulation.power_cut(0, self.draw.getrandbits(64), at_ps=simulation.now_ps)
            simulation.run_for(1)
        self.report.cuts_in_flash += self.in_flash
        edges = [
            ps
            for port, bit, level, _, ps in simulation.marks(0)
            if (port, bit) == ACCEPTED_PIN and level
        ]
        self.judge_incoming(edges)
        self.judge_outgoing()
        self.judge_wear(simulation.read(0, INFORMATION, 2 * SEGMENT))

    def judge_outgoing(self) -> None:
        """No counter of a key may come twice, nor one below another; nor may a reboot skip more
        than the block."""
        node = self.node
        begins = [True, True]
        for mote, begin, _, psdu, complete in self.simulation.frames():
            if mote != 0 or len(psdu) < SECURED_FROM:
                continue
            counter = int.from_bytes(psdu[COUNTER_AT : COUNTER_AT + 4], "little")
            key = psdu[COUNTER_AT + 4] - 1
            if complete:
                self.report.frames_sent += 1
                self.report.wrong_frames += not self.right(begin, psdu, key)
            else:
                self.report.frames_cut += 1
            self.report.nonces_reused += counter <= node.last_used[key]
            most = node.begin_most[key] if begins[key] else node.last_used[key] + 1
            self.report.skipped_too_many += counter > most
            begins[key] = False
            node.last_used[key] = max(node.last_used[key], counter)
        for key in range(len(KEYS)):
            # One counter more may have been stored whose frame has not been seen.
            node.begin_most[key] = rounded(max(node.begin_most[key], node.last_used[key] + 1) + 1)

    def right(self, begin: int, psdu: bytes, key: int) -> bool:
        """Does the model find the frame secured under the key it names, and does it say that no
        counter that has been accepted until then is accepted again?"""
        try:
            body = reader.unsecure(psdu[:-2], KEYS[key], "counter").private_part
        except reader.FrameError:
            return False
        least = [int.from_bytes(body[at : at + 4], "little") for at in (0, 4)]
        done = [(counter, key) for key, counter in enumerate(self.known_before)]
        done += [(sent.counter, sent.key) for ps, sent in self.acceptances if ps < begin]
        return all(least[key] > counter for counter, key in done)

    def judge_incoming(self, edges: Sequence[int]) -> None:
        """Each pulse is the acceptance of the last frame that was sent before it."""
        node = self.node
        for ps in edges:
            earlier = [sent for begin, sent, _ in self.injected if begin < ps]
            if not earlier:
                self.report.replays_accepted += 1
                continue
            sent = earlier[-1]
            self.acceptances.append((ps, sent))
            self.report.accepted += 1
            self.report.replays_accepted += sent.counter <= node.last_accepted[sent.key]
            node.last_accepted[sent.key] = max(node.last_accepted[sent.key], sent.counter)
            node.pending.append(Sent(sent.key, sent.counter, sent.psdu, True))
        accepted = {(sent.key, sent.counter) for _, sent in self.acceptances}
        for _, sent, heard in self.injected:
            if heard and not sent.replay and (sent.key, sent.counter) not in accepted:
                # A limit holds every counter that was offered before this life, and at most a block
                # more.
                self.report.refused_too_many += sent.counter >= rounded(
                    self.fresh_from[sent.key] + 1
                )

    def judge_wear(self, flash: bytes) -> None:
        """A life that begins with a store erases once more than it moves to a new segment, at most;
        and moves when the records that may have been written make it."""
        node, report = self.node, self.report
        before, after = generation(node.flash), generation(flash)
        wear = self.simulation.wear(0)
        erasures = sum(row[1] for row in wear)
        report.erasures += erasures
        report.words += sum(row[2] for row in wear)
        if before is not None:
            gained = (after or 0) - before
            report.worn_too_much += not gained <= erasures <= gained + 1
            node.generations += gained
            report.generations += gained
            report.compactions_cut += erasures - gained
        node.flash = flash


def chain(image: bytes, cuts: int, seed: int) -> Report:
    """One node through `cuts` power cuts."""
    node = Node(image, random.Random(seed))
    for _ in range(cuts):
        node.live()
    report = node.report
    report.records_most = sum(rounded(begin) // BLOCK for begin in node.begin_most)
    report.records_most += sum(rounded(fresh + 1) // BLOCK for fresh in node.next_fresh)
    # counter_store.h: a compaction comes with every R - L records at most; each cut wastes a record
    # at most.
    report.worn_too_much += (
        node.generations > (report.records_most + report.cuts) // (PLACES - SLOTS) + 1
    )
    return report


def run(image: bytes, cuts: int, seed: int = 1, workers: int | None = None) -> Report:
    """Nodes of at most CHAIN cuts each, several at a time; together `cuts`."""
    lengths = [CHAIN] * (cuts // CHAIN) + ([cuts % CHAIN] if cuts % CHAIN else [])
    total = Report()
    workers = workers or os.cpu_count() or 1
    if workers == 1 or len(lengths) == 1:
        reports = [chain(image, length, seed + number) for number, length in enumerate(lengths)]
    else:
        with ProcessPoolExecutor(workers) as pool:
            seeds = range(seed, seed + len(lengths))
            reports = list(pool.map(chain, [image] * len(lengths), lengths, seeds))
    for report in reports:
        total.add(report)
    return total


def main() -> int:
    """Prints the report; exit code 1 if anything is in it that must not be."""
    parser = argparse.ArgumentParser(
        description="cuts the power of an emulated TelosB at random moments"
    )
    parser.add_argument("--cuts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--image", type=Path, default=IMAGE)
    options = parser.parse_args()
    if options.cuts < 1:
        parser.error(f"--cuts {options.cuts}: at least 1")
    if not options.image.is_file():
        parser.error(f"{options.image}: no such file; `make firmware` builds it")
    report = run(options.image.read_bytes(), options.cuts, options.seed)
    sys.stdout.write(
        f"{options.image.name}: {SLOTS} slots, blocks of {BLOCK}, nodes of {CHAIN} cuts, seed "
        f"{options.seed}\n"
    )
    for one in fields(report):
        sys.stdout.write(f"{one.name.replace('_', ' '):20}{getattr(report, one.name):>10}\n")
    return 1 if report.faults() else 0


if __name__ == "__main__":
    sys.exit(main())
