# SPDX-License-Identifier: BSD-3-Clause
"""Image `tinysec` on MICAz and TelosB: a packet in a frame of IEEE 802.15.4, our own framing."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.model.ieee802154_model import fcs
from tests.model.tinysec_model import Message, Node, ae, auth, standard
from tests.stack.link.tshark import judge
from wardmote.experiments.tinysec.network import (
    AE,
    AUTH,
    DONE,
    GROUP,
    KEY,
    MS,
    PLAIN,
    SENDER,
    STOPPED,
    Network,
    Setup,
)

BOARDS = ("micaz", "telosb")
PAIRS = [(by, to) for by in BOARDS for to in BOARDS]
TYPE_DATA, CHANNEL = 4, 26
BROADCAST = 0xFFFF
OCTET_PS = 32 * MS // 1000
BOOT_MS = 30
"""A TelosB finds its clock first."""


class Motes(Network):
    """Motes of several boards in one medium, whose frames are captured."""

    def __init__(self, image: str, *motes: tuple[str, Setup], seed: int = 1) -> None:
        super().__init__("", b"", (), seed)
        for board, setup in motes:
            elf = (ROOT / f"build/firmware/{board}/tinysec-{image}.elf").read_bytes()
            self.add(board, elf, setup)
        self.simulation.capture()

    def sent(self, mote: int) -> list[bytes]:
        """Frames of a mote, their FCS checked and left off."""
        frames = []
        for sender, _, channel, octets, complete in self.simulation.frames():
            if sender == mote:
                assert (channel, complete, octets[-2:]) == (CHANNEL, True, fcs(octets[:-2]))
                frames.append(octets[:-2])
        return frames


def framed(packet: bytes, sequence: int, src: int = 1, group: int = GROUP) -> bytes:
    """A data frame around a packet."""
    pan, source = group.to_bytes(2, "little"), src.to_bytes(2, "little")
    return bytes([0x41, 0x88, sequence]) + pan + packet[:2] + source + b"\x3d" + packet


def packets(cipher: str, mode: int, octets: int, count: int, src: int = 1) -> list[bytes]:
    """The first packets of a sender, by the model."""
    node, message = Node(KEY, "paper", cipher, src), Message(0, TYPE_DATA, bytes(range(octets)))
    if mode == PLAIN:
        return count * [standard(message, GROUP)]
    if mode == AUTH:
        return count * [auth(node, message)]
    return [ae(node, message, counter) for counter in range(count)]


BY = Setup(1, role=SENDER, packets=4, gap=200)
"""One packet in 83 ms: the first comes before some boards have booted."""
SCHEMES = [("none", PLAIN), ("skipjack", AUTH), ("skipjack", AE), ("rc5", AE)]


@pytest.mark.parametrize(("by", "to"), PAIRS)
@pytest.mark.parametrize(("image", "mode"), SCHEMES)
def test_motes_exchange_packets_in_frames(image: str, mode: int, by: str, to: str) -> None:
    """Octet for octet as the model has them, between boards and with no data, the paper's, the most;
    the receiver gets all that come when it has booted."""
    for octets in (0, 24, 29):
        receiver = Setup(0, mode=PLAIN if mode == PLAIN else AUTH)
        sender = replace(BY, mode=mode, data_octets=octets)
        network = Motes(image, (to, receiver), (by, sender)).run(1000)
        expected = [framed(p, n) for n, p in enumerate(packets(image, mode, octets, 4))]
        assert network.sent(1) == expected
        report = network.report(0)
        assert (report.received in (3, 4), report.refused, report.overrun) == (True, 0, 0)
        assert network.state(1) == DONE
        assert [network.simulation.misuse(mote) for mote in (0, 1)] == [[], []]


def test_four_motes_of_two_boards_hear_each_other() -> None:
    """Two MICAz and two TelosB, each of which broadcasts at its own rate: each hears the three
    others, but for what they send while it boots."""
    motes = [
        (board, replace(BY, address=n, destination=BROADCAST, mode=AE, gap=180 + 15 * n, seed=n))
        for n, board in enumerate(2 * BOARDS, 1)
    ]
    network = Motes("skipjack", *motes).run(1500)
    assert [network.report(mote).sent for mote in range(4)] == 4 * [4]
    for mote in range(4):
        others = [one for other in range(4) if other != mote for one in network.sent(other)]
        assert len(others) == 12
        report = network.report(mote)
        assert 9 <= report.received <= 12
        assert report.refused == 0


@pytest.mark.parametrize("board", BOARDS)
def test_what_a_receiver_does_not_take(board: str) -> None:
    """Frames that are damaged, of others, not ours, too long or too short: the application sees none
    of them, and the next good one is taken."""
    [good] = packets("skipjack", AUTH, 24, 1)
    frame = framed(good, 9)
    wrong = [
        frame[:-1] + bytes([frame[-1] ^ 1]),  # the tag
        framed(good, 9, group=GROUP + 1),
        framed(b"\x05" + good[1:], 9),  # to another
        frame[:9] + b"\x3f" + frame[10:],  # another dispatch
        b"\x61" + frame[1:],  # wants an acknowledgement
        frame[:-9],  # the packet is cut
        frame[:10],  # and there is none
        frame + bytes(70),
        frame[:10] + b"\x07" + frame[11:],  # the packet is for another than the frame
    ]
    network = Motes("skipjack", (board, Setup(0))).run(BOOT_MS)
    simulation = network.simulation
    at = simulation.now_ps
    sent = [*((one, fcs(one)) for one in wrong), (frame, b"\x00\x00"), (frame, fcs(frame))]
    for one, check in sent:
        at += 20 * MS
        simulation.inject(CHANNEL, at, one + check)
    network.run(20 * len(sent) + 20)
    report = network.report(0)
    assert report.received == 1
    assert report.refused == 1
    assert (report.overrun, network.state(0)) == (0, 1)


@pytest.mark.parametrize("board", BOARDS)
def test_frames_that_come_too_fast_are_lost_and_no_more(board: str) -> None:
    """One behind the other, faster than their tags are checked: RXFIFO overflows, and afterwards the
    receiver is what it was."""
    [good] = packets("skipjack", AE, 29, 1)
    frame = framed(good, 0)
    network = Motes("skipjack", (board, Setup(0))).run(BOOT_MS)
    simulation = network.simulation
    at = simulation.now_ps + MS
    for _ in range(40):
        simulation.inject(CHANNEL, at, frame + fcs(frame))
        at += (6 + len(frame) + 2 + 6) * OCTET_PS
    network.run(400)
    lost = network.report(0)
    assert lost.received < 40
    assert lost.overrun > 0
    simulation.inject(CHANNEL, simulation.now_ps + MS, frame + fcs(frame))
    network.run(50)
    assert network.report(0).received == lost.received + 1


@pytest.mark.parametrize("board", BOARDS)
def test_the_channel_is_looked_at_before_a_frame(board: str) -> None:
    """Senders that do not rest share the channel. Frames overlap only where one begins before the
    other can be heard: within the 12 symbol periods from the look to the preamble and the 8 over which
    the radio takes the mean of the power."""
    senders = [
        (board, replace(BY, address=n, mode=PLAIN, packets=0, gap=0, seed=77 * n))
        for n in (1, 2, 3)
    ]
    network = Motes("none", (board, Setup(0, mode=PLAIN)), *senders).run(500)
    reports = [network.report(mote) for mote in range(4)]
    sent = [report.sent for report in reports[1:]]
    assert min(sent) > 0.2 * sum(sent)
    assert all(report.congested > 0 for report in reports[1:])
    assert reports[0].received > 0.5 * sum(sent)
    frames = network.simulation.frames()
    for (_, begin, _, octets, _), (_, after, _, _, _) in pairwise(frames):
        if after < begin + (6 + len(octets)) * OCTET_PS:
            assert after - begin < 21 * OCTET_PS // 2


@pytest.mark.parametrize("board", BOARDS)
def test_a_reset_reuses_no_iv(board: str) -> None:
    """The counter outlives it in EEPROM, or in the information memory."""
    place, octets = {"micaz": (0x81_0000, 4096), "telosb": (0x1000, 256)}[board]
    counters, kept = [], b""
    for _ in range(3):
        network = Motes("skipjack", (board, replace(BY, mode=AE, packets=2, gap=0)))
        if kept:
            network.simulation.write(0, place, kept)
        network.run(700)
        counters += [int.from_bytes(frame[16:18], "little") for frame in network.sent(0)]
        kept = network.simulation.read(0, place, octets)
    assert len(counters) == 6
    assert counters == sorted(set(counters))


@pytest.mark.parametrize("board", BOARDS)
def test_a_setup_out_of_range_stops_the_node(board: str) -> None:
    """As on a Mica2."""
    for image, wrong in (("none", Setup(0, mode=AUTH)), ("skipjack", Setup(0, role=4))):
        assert Motes(image, (board, wrong)).run(BOOT_MS).state(0) == STOPPED


def test_tshark_finds_nothing_wrong(oracle: Callable[[str], str], tmp_path: Path) -> None:
    """Data frames with short addresses, right FCS, and no complaint; what they carry is data."""
    program = oracle("tshark")
    for image, mode in SCHEMES:
        senders = [
            (board, replace(BY, address=n, mode=mode, packets=2, seed=n))
            for n, board in enumerate(BOARDS, 1)
        ]
        network = Motes(image, *senders).run(600)
        capture = tmp_path / f"{image}-{mode}.pcap"
        capture.write_bytes(network.simulation.pcap())
        frames = [octets[:-2] for _, _, _, octets, _ in network.simulation.frames()]
        found = judge(program, capture, [])
        assert len(frames) == len(found) == 4
        for frame, verdict in zip(frames, found, strict=True):
            assert verdict.complaints == ()
            assert frame[9:].hex() == verdict.data
