# SPDX-License-Identifier: BSD-3-Clause
"""Image `picture`: what its frames hold, what its receiver takes and drops, and when it stops."""

import dataclasses

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.conftest import ROOT
from tests.model.ieee802154_model import fcs
from wardmote._motes import Simulation
from wardmote.experiments.zigbee import node
from wardmote.experiments.zigbee.node import BLOCK, DONE, KEY, OWN, STOPPED, Setup

BOARD, SENDER = "micaz", 7
BOARDS = ("micaz", "atmega1281-cc2420")
BEGIN, DATA = 0, 1
EEPROM, CELLS = 0x810000, 16
BLOCKS = 5
WAYS = ("small", "tab", "fix", "engine")


def image(name: str, board: str = BOARD) -> bytes:
    """An image's file."""
    return (ROOT / f"build/firmware/{board}/picture-{name}.elf").read_bytes()


def aes(mode: modes.CBC | modes.ECB, octets: bytes) -> bytes:
    """Encrypted by OpenSSL."""
    encryptor = Cipher(algorithms.AES(KEY), mode).encryptor()
    return encryptor.update(octets) + encryptor.finalize()


def invented(blocks: int) -> bytes:
    """What a sender sends that has data of its own."""
    return b"".join(number.to_bytes(BLOCK, "little") for number in range(blocks))


def head(sequence: int, number: int, cluster: int, to: int = 0, by: int = SENDER) -> bytes:
    """Headers of MAC, NWK and APS by hand, from the standards."""
    ends = to.to_bytes(2, "little") + by.to_bytes(2, "little")
    mac = bytes.fromhex("6188") + bytes([sequence]) + node.PAN.to_bytes(2, "little") + ends
    nwk = bytes.fromhex("0800") + ends + bytes([1, number])
    return mac + nwk + bytes([0, 1, cluster, 0, 0xDE, 0xC0, 1, number])


def sent_by(
    way: str, blocks: int = 1, chained: bool = True, cells: bytes = b"", board: str = BOARD
) -> tuple[list[bytes], bytes]:
    """Frames of a sender to a station that acknowledges, and its EEPROM behind them."""
    simulation = Simulation(seed=1)
    setup = Setup(SENDER, source=OWN, octets=BLOCKS * BLOCK, blocks=blocks, chained=chained)
    mote = node.add(simulation, board, image(f"send-{way}", board), setup)
    if cells:
        simulation.write(mote, EEPROM, cells)
    station = simulation.add_station("receiver", pan=node.PAN, short=node.RECEIVER)
    simulation.run_for(200 * node.MS)
    assert node.report(simulation, mote).state == DONE
    frames = [octets for *_, octets, right in simulation.heard(station) if right]
    assert all(one[-2:] == fcs(one[:-2]) for one in frames)
    return [one[:-2] for one in frames], simulation.read(mote, EEPROM, CELLS)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("way", WAYS)
def test_frames_hold_what_openssl_encrypts(way: str, board: str) -> None:
    """The first packet is the encryption of counter and address; the others are one chain of CBC,
    two blocks a packet but for the last."""
    frames, _ = sent_by(way, blocks=2, board=board)
    iv = aes(modes.ECB(), bytes(4) + SENDER.to_bytes(2, "little") + bytes(10))
    chain = aes(modes.CBC(iv), invented(BLOCKS))
    data = [iv] + [chain[at : at + 2 * BLOCK] for at in range(0, len(chain), 2 * BLOCK)]
    assert frames == [head(n, n, DATA if n else BEGIN) + octets for n, octets in enumerate(data)]


def test_without_chaining_equal_blocks_are_equal() -> None:
    """The warning: each block by itself."""
    frames, _ = sent_by("small", chained=False)
    assert b"".join(one[-BLOCK:] for one in frames[1:]) == aes(modes.ECB(), invented(BLOCKS))


def test_no_two_transfers_have_the_same_initialisation_vector() -> None:
    """A reset goes on where the counter in the EEPROM stands."""
    first, cells = sent_by("tab")
    second, _ = sent_by("tab", cells=cells)
    assert first[0][-BLOCK:] != second[0][-BLOCK:]


def crypt_cycles(slower: int, blocks: int) -> int:
    """How long the LED of the cipher is lit for one packet."""
    simulation = Simulation(seed=1)
    setup = Setup(SENDER, slower=slower, blocks=blocks, source=OWN, octets=blocks * BLOCK)
    mote = node.add(simulation, BOARD, image("send-none"), setup)
    simulation.add_station("receiver", pan=node.PAN, short=node.RECEIVER)
    simulation.run_for(200 * node.MS)
    marks = simulation.marks(mote)
    edges = [(level, cycle) for port, bit, level, cycle, _ in marks if (port, bit) == (0, 0)]
    (low, begin), (high, end) = edges[-2:]
    assert not low
    assert high
    return end - begin


@pytest.mark.parametrize("blocks", [1, 6])
def test_a_loop_of_slower_takes_eight_cycles_a_block(blocks: int) -> None:
    """As picture_block.h says; the first one takes two cycles more, to begin. Longer ones have in them
    the alarm that ends the space behind the frame before."""
    bare, one, some, many = (crypt_cycles(slower, blocks) for slower in (0, 1, 1000, 2641))
    assert many - some == 8 * 1641 * blocks
    assert 0 <= one - bare <= 10 * blocks


class Receiver:
    """A mote that takes packets of a station."""

    def __init__(self, way: str = "tab") -> None:
        self.simulation = Simulation(seed=2)
        self.mote = node.add(self.simulation, BOARD, image(f"receive-{way}"), Setup(0))
        self.station = self.simulation.add_station("sender", pan=node.PAN, short=SENDER)
        self.simulation.run_for(20 * node.MS)
        self.sequence = 0

    def take(self, *payloads: bytes) -> node.Report:
        """Sends frames, each with a sequence number of its own in place of its third octet."""
        for frame in payloads:
            self.sequence += 1
            whole = frame[:2] + bytes([self.sequence]) + frame[3:]
            self.simulation.send(self.station, whole)
            self.simulation.run_for(20 * node.MS)
        return node.report(self.simulation, self.mote)

    def gave(self) -> bytes:
        """What came out of its serial line."""
        self.simulation.run_for(20 * node.MS)
        return bytes(octet for *_, octet in self.simulation.serial(self.mote))


IV = bytes(range(BLOCK))
CHAIN = aes(modes.CBC(IV), invented(BLOCKS))


def packet(number: int, blocks: int = 1) -> bytes:
    """A packet of data from block `number` - 1 on."""
    at = (number - 1) * BLOCK
    return head(0, number, DATA) + CHAIN[at : at + blocks * BLOCK]


@pytest.mark.parametrize("way", ["small", "tab"])
def test_a_packet_that_comes_again_is_dropped(way: str) -> None:
    """In a new frame, so that the MAC cannot know it."""
    receiver = Receiver(way)
    report = receiver.take(head(0, 0, BEGIN) + IV, packet(1), packet(1), packet(2), packet(2))
    assert (report.packets, report.duplicates, report.repeated, report.gaps) == (2, 2, 0, 0)
    assert receiver.gave() == invented(2)


def test_behind_a_lost_packet_one_block_is_wrong() -> None:
    """As CBC has it."""
    receiver = Receiver()
    report = receiver.take(head(0, 0, BEGIN) + IV, packet(1), packet(3, 2))
    assert (report.packets, report.gaps) == (2, 1)
    gave = receiver.gave()
    assert (gave[:BLOCK], gave[2 * BLOCK :]) == (invented(1), invented(4)[3 * BLOCK :])
    assert gave[BLOCK : 2 * BLOCK] != invented(3)[2 * BLOCK :]


def test_what_is_none_of_ours_is_refused() -> None:
    """Lengths, addresses, endpoint, cluster and profile; and data of a sender that has not begun."""
    right = packet(1)
    changed = [
        right[:at] + bytes([octet]) + right[at + 1 :]
        for at, octet in (
            (9, 0x09),
            (11, 1),
            (17, 0x40),
            (18, 2),
            (19, 2),
            (20, 1),
            (21, 0),
            (22, 0),
        )
    ]
    lengths = [right[:-1], right + b"\0", right[:25], right[:20]]
    longer = head(0, 0, BEGIN) + IV + IV
    receiver = Receiver()
    report = receiver.take(right, *changed, *lengths, longer)
    assert report.refused == 1 + len(changed) + len(lengths) + 1
    assert receiver.take(head(0, 0, BEGIN) + IV, right).packets == 1
    assert receiver.gave() == invented(1)


@pytest.mark.parametrize(
    "wrong",
    [{"blocks": 0}, {"blocks": 7}, {"octets": 17}, {"seed": 0}, {"source": 2}, {"address": 0xFFFF}],
    ids=str,
)
def test_an_impossible_block_stops_a_sender(wrong: dict[str, int]) -> None:
    """It sends nothing."""
    simulation = Simulation(seed=1)
    setup = dataclasses.replace(Setup(SENDER, source=OWN), **wrong)  # type: ignore[arg-type]
    mote = node.add(simulation, BOARD, image("send-none"), setup)
    simulation.capture()
    simulation.run_for(200 * node.MS)
    assert node.report(simulation, mote).state == STOPPED
    assert not simulation.frames()


def test_a_sender_whose_receiver_is_gone_stops() -> None:
    """When it has sent a packet again often enough."""
    simulation = Simulation(seed=1)
    mote = node.add(simulation, BOARD, image("send-none"), Setup(SENDER, source=OWN))
    simulation.run_for(5000 * node.MS)
    report = node.report(simulation, mote)
    assert (report.state, report.resent, report.packets) == (STOPPED, 100, 0)
