# SPDX-License-Identifier: BSD-3-Clause
"""What an emulated mote holds while it works ahead of the slot. The leaf has another data key than
the root, so all its data frames are forged. What the root decrypts them to is arbitrary octets that
nobody has authenticated, and this module knows them. It looks for them in the whole RAM of the root,
its stack included, in the registers of its CPU, and in the memory of its radio: at many moments of a
slot, and when the frame was refused. Only the engine's buffer of received frames may hold them, and
only until then. A CC2420 that does CCM* whole decrypts in its RXFIFO: then that is the buffer, and
RAM holds nothing.

It also looks for keystream of frames that are over, and for a nonce that two frames on the air have.

    .venv/bin/python -m tests.firmware.ahead_memory --slots 200
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import track

from tests.model.ieee802154_model import xor
from tests.stack.link.keystreams import DATA, Ledger, Owner, stream
from wardmote._motes import Simulation
from wardmote.boards import BOARDS
from wardmote.measurements.slot import block
from wardmote.measurements.slot.block import DATA_KEY, LEAF_EUI64, LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import AHEAD, ASH_FORMS, all_settings
from wardmote.measurements.slot.timing import Timing
from wardmote.paths import slot_image
from wardmote.units import ticks_to_ps

CONSOLE = Console(highlight=False)
LEVEL, SEED = 5, 1
TIMINGS = {"telosb": Timing(47, 30, 22), "openmote-cc2538": Timing(45, 17, 3)}
"""A little longer than the shortest, so that a frame is not late."""
RAM = {"telosb": (0x1100, 10 * 1024), "openmote-cc2538": (0x2000_0000, 32 * 1024)}
STATIC_REGISTERS = {"telosb": 4, "openmote-cc2538": 0}
"""PC, SP, SR and the constant generator are none that a program keeps data in."""
REGISTER_OCTETS = {"telosb": 2, "openmote-cc2538": 4}
OTHER_KEY = bytes(range(0x40, 0x50))
MIC_LEN = 4
RUN = 6
"""Octets of plaintext or keystream: chance gives fewer than one of 10^6 runs so many."""
RX_FRAME = 10
AIR_US = 4000
MUCH = 40
"""Octets of a frame that stops: some of its payload has come."""
PS_PER_US = 1_000_000
WHOLE = "ahead-hardware"
"""The engine does CCM* whole."""
IN_RADIO = {("telosb", WHOLE)}
"""A CC2420 decrypts in its own memory: there and not in RAM is the engine's buffer."""
CASES = tuple((board, strategy) for board in TIMINGS for strategy in AHEAD)
FAULTS = ("plaintext", "in registers", "in the radio", "in the buffer", "keystream", "used twice",
          "unknown")  # fmt: skip
"""What no run may count."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A mote at a time."""

    ram: bytes
    registers: tuple[int, ...]
    radio: dict[str, bytes]


def parts_of(octets: bytes) -> list[bytes]:
    """Each run of octets by which they are found again."""
    return [octets[at : at + RUN] for at in range(len(octets) - RUN + 1)]


def owner_of(frame: bytes, asn: int, key: bytes) -> tuple[Owner, int]:
    """Key and nonce of a data frame [9.3.3], and where its payload begins."""
    control = frame[21]
    counted = not control & 0x20
    header = 22 + (4 if counted else 0) + (0, 1, 5, 9)[control >> 3 & 3]
    if control & 0x40:
        return (key, LEAF_EUI64 + asn.to_bytes(5, "big")), header
    return (key, LEAF_EUI64 + frame[25:21:-1] + bytes([control & 7])), header


def sent_under(psdu: bytes, asn: int, key: bytes) -> Owner | None:
    """Key and nonce that open a data frame: those that the standard says, or of a slot near it."""
    for back in (0, 1, -1, 2, 3):
        owner, header = owner_of(psdu, asn - back, key)
        _, mic = Ledger.opened(owner, psdu[:-2], header, MIC_LEN)
        if mic == psdu[-2 - MIC_LEN : -2]:
            return owner
    return None


@dataclass(slots=True)
class Search:
    """A root and a leaf. `forged`: the leaf has another data key."""

    board: str
    strategy: str
    ash: str = "6tisch"
    forged: bool = True
    image: bytes | None = None
    seed: int = SEED
    counts: Counter[str] = field(default_factory=Counter)
    network: Network = field(init=False)
    random: random.Random = field(init=False)
    over: list[bytes] = field(default_factory=list)
    """Runs of keystream of the latest frames that are over."""

    def __post_init__(self) -> None:
        """Boots both, until the leaf has joined."""
        clock = BOARDS[self.board].clock_hz
        (setting,) = all_settings(
            self.board, (self.strategy,), (LEVEL,), ASH_FORMS[self.ash], clock
        )
        image = self.image or slot_image(self.board, self.strategy).read_bytes()
        timing = TIMINGS[self.board]
        self.random = random.Random(self.seed)
        self.network = Network(setting, image, timing, self.seed)
        if self.forged:
            layout = block.headers().layout("slot_block", setting.record.model)
            leaf = self.network.index(LEAF_MOTE.name)
            at = self.simulation.symbol(leaf, "slot_block_address")[0] + layout.offset("key[1]")
            self.simulation.write(leaf, at, OTHER_KEY)
        assert self.network.join(), self.network.why_not_joined()
        self.write_message()

    def write_message(self) -> None:
        """What the leaf sends is arbitrary: where it were zeros, ciphertext would be keystream."""
        leaf = self.network.index(LEAF_MOTE.name)
        at, octets = self.simulation.symbol(leaf, "message")
        self.simulation.write(leaf, at, self.random.randbytes(octets))

    @property
    def simulation(self) -> Simulation:
        """Of the network."""
        return self.network.simulation

    @property
    def _root(self) -> int:
        return self.network.index(ROOT_MOTE.name)

    @property
    def _slot_ps(self) -> int:
        return ticks_to_ps(self.network.timing.slot_duration)

    def buffer(self) -> tuple[int, int]:
        """Where in RAM the engine's buffer of received frames begins and ends."""
        layout = block.node_layout(self.network.setting.record.model)
        at = self.simulation.symbol(self._root, "slot_node")[0] + layout.offset("rx_frame")
        begin = at - RAM[self.board][0]
        return begin, begin + layout.sizeof("rx_frame")

    def look(self) -> Moment:
        """All that the root holds now."""
        inside = self.simulation.inside(self._root)
        return Moment(
            bytes(self.simulation.read(self._root, *RAM[self.board])),
            tuple(inside["registers"][STATIC_REGISTERS[self.board] :]),
            inside["radio"],
        )

    def apart(self, moment: Moment) -> tuple[bytes, bytes, list[bytes]]:
        """The engine's buffer, the rest of RAM, and the rest of the radio's memory."""
        if (self.board, self.strategy) in IN_RADIO:
            radio = dict(moment.radio)
            return radio.pop("RXFIFO"), moment.ram, list(radio.values())
        begin, end = self.buffer()
        outside = moment.ram[:begin] + bytes(RUN) + moment.ram[end:]
        return moment.ram[begin:end], outside, list(moment.radio.values())

    def judge(self, moment: Moment, plain: bytes, *, refused: bool) -> None:
        """Looks for plaintext that nobody has authenticated."""
        buffer, ram, radio = self.apart(moment)
        parts = parts_of(plain)
        self.counts["moments"] += 1
        self.counts["plaintext"] += sum(part in ram for part in parts)
        held = sum(part in buffer for part in parts)
        self.counts["in the buffer" if refused else "decrypted"] += held
        self.counts["in the radio"] += sum(part in octets for octets in radio for part in parts)
        if refused:
            self.counts["in registers"] += self.in_registers(moment, plain)

    def in_registers(self, moment: Moment, plain: bytes) -> int:
        """Octets of plaintext in registers, four that are neighbours at least: in one register, or
        in two of 16 bits."""
        octets = REGISTER_OCTETS[self.board]
        held = {value.to_bytes(4, "little")[:octets] for value in moment.registers}
        held |= {one[::-1] for one in held}
        return sum(
            all(plain[at + i : at + i + octets] in held for i in range(0, 4, octets))
            for at in range(len(plain) - 3)
        )

    def search_keystream(self, moment: Moment) -> None:
        """Of frames that are over, in RAM and radio of both motes."""
        leaf = self.network.index(LEAF_MOTE.name)
        held = [moment.ram, *moment.radio.values()]
        held.append(bytes(self.simulation.read(leaf, *RAM[self.board])))
        held.extend(self.simulation.inside(leaf)["radio"].values())
        self.counts["keystream"] += sum(part in octets for octets in held for part in self.over)

    def slots(self, number: int, every_us: float = 60) -> Counter[str]:
        """So many slots; the root is looked at about so often."""
        known, used = len(self.simulation.frames()), dict[Owner, bytes]()
        moments: list[Moment] = []
        asn = self.network.asn(ROOT_MOTE.name)
        done = 0
        while done < number:
            self.simulation.run_for(round(self.random.uniform(0.2, 1.8) * every_us * PS_PER_US))
            moments.append(self.look())
            now = self.network.asn(ROOT_MOTE.name)
            if now == asn:
                continue
            frames = self.simulation.frames()
            for _, _, _, psdu, _ in frames[known:]:
                if psdu[:1] and psdu[0] & 7 == DATA:
                    self.frame(psdu, asn, moments, used)
            known, asn, moments = len(frames), now, moments[-1:]
            done += 1
        return self.counts

    def frame(self, psdu: bytes, asn: int, moments: list[Moment], used: dict[Owner, bytes]) -> None:
        """A data frame of the slot that has ended; the last moment is behind it."""
        owner, header = owner_of(psdu, asn, DATA_KEY)
        body = psdu[header : len(psdu) - 6]
        blocks = [stream(owner, 1 + n) for n in range((len(body) + 15) // 16)]
        self.counts["frames"] += 1
        air = sent_under(psdu, asn, OTHER_KEY if self.forged else DATA_KEY)
        self.counts["unknown"] += air is None
        if air is not None:
            self.counts["used twice"] += used.get(air, psdu) != psdu
            used[air] = psdu
        if self.forged:
            plain = xor(body, b"".join(blocks)[: len(body)])
            for moment in moments:
                self.judge(moment, plain, refused=moment is moments[-1])
        sent = [stream(air or owner, 1 + n) for n in range(len(blocks))]
        self.over = [part for each in {*blocks, *sent} for part in parts_of(each)]
        self.search_keystream(moments[-1])

    def stops(self, cuts: int) -> Counter[str]:
        """The leaf's power fails while its frame is on the air, at arbitrary moments: the root has
        part of a frame, and waits for the rest. It is looked at until the slot is over."""
        for _ in range(cuts):
            self.simulation.run_for(round(self.random.uniform(0.5, 1) * self._slot_ps))
            while self.network.number(ROOT_MOTE.name, "state") != RX_FRAME:
                self.simulation.run_for(100 * PS_PER_US)
            self._stop(self.simulation.copy())
        return self.counts

    def _stop(self, copy: Simulation) -> None:
        leaf, known = self.network.index(LEAF_MOTE.name), len(copy.frames())
        at = copy.now_ps + round(self.random.random() * AIR_US * PS_PER_US)
        copy.power_cut(leaf, self.random.randrange(1 << 30), at_ps=at)
        own, self.network.simulation = self.simulation, copy
        moments: list[tuple[int, Moment]] = []
        while copy.now_ps < at + 2 * self._slot_ps:
            copy.run_for(round(self.random.uniform(50, 250) * PS_PER_US))
            moments.append((self.network.asn(ROOT_MOTE.name), self.look()))
        found = [one for one in copy.frames()[known:] if one[3][:1] and one[3][0] & 7 == DATA]
        self.network.simulation = own
        if not found or found[-1][4] or len(found[-1][3]) < MUCH:
            return  # little of its payload had left, or all of it
        self.counts["frames that stopped"] += 1
        psdu, asn = found[-1][3], moments[0][0]
        owner, header = owner_of(psdu, asn, DATA_KEY)
        body = psdu[header:]
        blocks = b"".join(stream(owner, 1 + n) for n in range((len(body) + 15) // 16))
        for when, moment in moments:
            self.judge(moment, xor(body, blocks[: len(body)]), refused=when > asn)


def main() -> int:
    """Prints what was found on each board and strategy; 1 if anything was that must not be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--slots", type=int, default=200)
    given = parser.parse_args()
    total = Counter[str]()
    cases = [(*case, ash) for case in CASES for ash in ASH_FORMS]
    for board, strategy, ash in track(cases, "motes", console=CONSOLE, transient=True):
        counts = Search(board, strategy, ash).slots(given.slots)
        if board == "telosb":
            counts += Search(board, strategy, ash).stops(max(1, given.slots // 4))
        CONSOLE.print(f"{board} {strategy} {ash}:")
        for name in dict.fromkeys((*counts, *FAULTS)):
            CONSOLE.print(f"{counts[name]:>12} {name}")
        total += counts
    return int(any(total[fault] for fault in FAULTS))


if __name__ == "__main__":
    raise SystemExit(main())
