# SPDX-License-Identifier: BSD-3-Clause
"""Image `picture` with coprocessors: on the serial lines, so that no mote has a picture in clear or the
key, and as a peripheral of each mote."""

from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.conftest import ROOT
from wardmote._motes import Simulation
from wardmote.experiments.zigbee import node, transfer, wiring
from wardmote.experiments.zigbee.node import BLOCK, DONE, KEY, OWN, RUNNING, STOPPED, Setup
from wardmote.experiments.zigbee.transfer import HEAD
from wardmote.experiments.zigbee.wiring import Wiring

BOARD = "atmega1281-cc2420"
CYCLE_PS = 125_000
RAM, RAM_OCTETS, EEPROM, EEPROM_OCTETS = 0x800200, 0x2000, 0x810000, 0x1000
SEEN = 6
"""Octets of a picture in a row that are no accident."""
FIRST = bytes(range(0xA0, 0xB0))
PICTURE = Cipher(algorithms.AES(bytes(16)), modes.ECB()).encryptor().update(bytes(range(64)))
"""Octets of which no six come twice."""


def image(name: str) -> bytes:
    """An image's file."""
    return (ROOT / f"build/firmware/{BOARD}/picture-{name}.elf").read_bytes()


def aes(mode: modes.CBC | modes.ECB, octets: bytes) -> bytes:
    """Encrypted by OpenSSL."""
    return Cipher(algorithms.AES(KEY), mode).encryptor().update(octets)


def shown(memory: bytes, secret: bytes) -> bool:
    """Whether a memory has a part of a secret."""
    return any(secret[at : at + SEEN] in memory for at in range(len(secret) - SEEN + 1))


class Study:
    """A sender and a receiver with computers, and an eavesdropper."""

    def __init__(self, way: str) -> None:
        self.simulation = Simulation(seed=1)
        self.wires = Wiring(BOARD, way, FIRST)
        send, receive = transfer.WAYS[way]
        self.to = node.add(
            self.simulation, BOARD, image(f"receive-{receive}"), Setup(0, key=self.wires.key)
        )
        setup = Setup(1, octets=len(PICTURE), key=self.wires.key)
        self.by = node.add(self.simulation, BOARD, image(f"send-{send}"), setup)
        self.spy = self.simulation.add_station("spy")
        self.wires.fit(self.simulation, self.to, "behind")
        self.wires.fit(self.simulation, self.by, "before")
        self.simulation.run_for(transfer.BOOT_MS * node.MS)
        self.wires.begin(self.simulation, self.by, self.to)

    def send(self, look: Callable[[], None]) -> bytes:
        """Sends the picture, looking at every cycle; what the receiver's computer has."""
        asked = 0
        while node.report(self.simulation, self.by).state == RUNNING:
            now = node.report(self.simulation, self.by).asked
            if now != asked:
                chunk = PICTURE[asked * node.CHUNK : now * node.CHUNK]
                self.simulation.send_serial(self.by, chunk, baud=node.BAUD[BOARD])
                asked = now
            for _ in range(200):
                self.simulation.run_for(CYCLE_PS)
                look()
        for _ in range(800):
            self.simulation.run_for(100 * CYCLE_PS)
            look()
        return self.wires.taken(transfer.said(self.simulation, self.to))

    def frames(self) -> list[bytes]:
        """Data of the frames on the air, the vector first."""
        heard = [octets for *_, octets, right in self.simulation.heard(self.spy) if right]
        return [octets[HEAD:-2] for octets in heard if len(octets) > HEAD + 2]


def watched(study: Study, secrets: tuple[bytes, ...]) -> tuple[set[tuple[int, int]], bytes]:
    """Which motes' RAM had which secret after any cycle; and what was received."""
    last: dict[int, bytes] = {}
    found: set[tuple[int, int]] = set()

    def look() -> None:
        for mote in (study.by, study.to):
            memory = study.simulation.read(mote, RAM, RAM_OCTETS)
            if last.get(mote) != memory:
                last[mote] = memory
                found.update((mote, n) for n, one in enumerate(secrets) if shown(memory, one))

    return found, study.send(look)


@pytest.mark.early
def test_no_mote_ever_has_the_picture_or_the_key() -> None:
    """In no octet of RAM after any cycle from the first octet to the last, in no frame, not in flash
    or EEPROM. The picture arrives, and its frames are what OpenSSL encrypts."""
    study = Study(wiring.LINES)
    found, received = watched(study, (PICTURE, KEY))
    assert received == PICTURE
    assert not found
    iv = aes(modes.ECB(), FIRST)
    frames = b"".join(study.frames())
    assert frames == iv + aes(modes.CBC(iv), PICTURE)
    for mote in (study.by, study.to):
        assert not study.simulation.misuse(mote)
        kept = study.simulation.read(mote, EEPROM, EEPROM_OCTETS)
        assert not shown(kept, PICTURE + KEY)
        at, octets = study.simulation.symbol(mote, node.SETUP_SYMBOL)
        assert not shown(study.simulation.read(mote, at, octets), KEY)


@pytest.mark.early
def test_the_search_finds_what_is_there() -> None:
    """With AES in software the same search finds picture and key in both motes."""
    study = Study("AES tab")
    found, received = watched(study, (PICTURE, KEY))
    assert received == PICTURE
    assert found == {(mote, secret) for mote in (study.by, study.to) for secret in (0, 1)}


def run(way: str, setup: Setup, *, fitted: bool = True) -> tuple[node.Report, list[bytes]]:
    """What becomes of a sender with a peripheral, and its frames' data."""
    simulation = Simulation(seed=1)
    mote = node.add(simulation, BOARD, image(f"send-{way}"), setup)
    if fitted:
        Wiring(BOARD, wiring.PERIPHERAL, FIRST).fit(simulation, mote, "peripheral")
    station = simulation.add_station("receiver", pan=node.PAN, short=node.RECEIVER)
    simulation.run_for(400 * node.MS)
    heard = [octets for *_, octets, right in simulation.heard(station) if right]
    return node.report(simulation, mote), [octets[HEAD:-2] for octets in heard]


@pytest.mark.parametrize("blocks", [1, 2, 6])
def test_a_peripheral_encrypts_as_openssl_does(blocks: int) -> None:
    """Each block is an instruction; the chain is the mote's."""
    octets = 7 * BLOCK
    report, frames = run("peripheral", Setup(7, source=OWN, octets=octets, blocks=blocks))
    assert report.state == DONE
    iv = aes(modes.ECB(), bytes(4) + (7).to_bytes(2, "little") + bytes(10))
    data = b"".join(number.to_bytes(BLOCK, "little") for number in range(7))
    assert b"".join(frames) == iv + aes(modes.CBC(iv), data)


def test_without_its_peripheral_a_sender_stops() -> None:
    """Nothing is sent: not in clear, either."""
    report, frames = run("peripheral", Setup(7, source=OWN, octets=32), fitted=False)
    assert (report.state, frames) == (STOPPED, [])


@pytest.mark.parametrize("statuses", ["0001", "f500", "00ff"])
def test_a_coprocessor_that_refuses_stops_the_sender(statuses: str) -> None:
    """What it says comes over the line; here a computer says it."""
    simulation = Simulation(seed=1)
    mote = node.add(simulation, BOARD, image("send-line"), Setup(1, octets=32))
    station = simulation.add_station("receiver", pan=node.PAN, short=node.RECEIVER)
    simulation.run_for(transfer.BOOT_MS * node.MS)
    said = bytes.fromhex(statuses) + bytes(BLOCK)
    simulation.send_serial(mote, said, baud=node.BAUD[BOARD])
    simulation.run_for(50 * node.MS)
    assert node.report(simulation, mote).state == STOPPED
    assert (simulation.heard(station), transfer.said(simulation, mote)) == ([], b"")


def test_before_the_vector_is_there_nothing_is_asked_for() -> None:
    """A sender waits for statuses and vector, and asks for data behind them."""
    simulation = Simulation(seed=1)
    mote = node.add(simulation, BOARD, image("send-line"), Setup(1, octets=32))
    simulation.add_station("receiver", pan=node.PAN, short=node.RECEIVER)
    simulation.run_for(transfer.BOOT_MS * node.MS)
    for octets, asks in ((bytes(2 + BLOCK - 1), b""), (b"\x01", bytes([node.ASK]))):
        simulation.send_serial(mote, octets, baud=node.BAUD[BOARD])
        simulation.run_for(50 * node.MS)
        assert transfer.said(simulation, mote) == asks
    assert node.report(simulation, mote).state == RUNNING
