# SPDX-License-Identifier: BSD-3-Clause
"""The base's serial line: every packet that it accepts, in a frame of TinyOS 1.x."""

from itertools import pairwise

import pytest

from tests.conftest import ROOT
from tests.firmware.test_tinysec_image import Network
from tests.model.serial_frames import FLAG, frame, messages
from wardmote.experiments.tinysec.network import AE, AUTH, BASE, GROUP, PLAIN, SENDER, Setup
from wardmote.experiments.tinysec.network import Network as Motes

TYPE_DATA = 4
CHARACTER_PS = 10 * 10**12 // 57_600
BASE_AT, SENDER_AT = 0x7D7E, 5
"""An address whose octets must be escaped."""


def heard(image: str, octets: int, mode: int = PLAIN) -> tuple[Network, list[tuple[int, int, int]]]:
    """A sender's packets to a base, and what the base says on its line."""
    base = Setup(BASE_AT, role=BASE, mode=mode, profile=1)
    sender = Setup(
        SENDER_AT,
        BASE_AT,
        role=SENDER,
        mode=mode,
        profile=1,
        packets=4,
        gap=250,
        data_octets=octets,
        seed=3,
    )
    network = Network(image, base, sender).run(900)
    return network, network.simulation.serial(0)


def octets_of(line: list[tuple[int, int, int]]) -> bytes:
    """Without times."""
    return bytes(octet for _, _, octet in line)


@pytest.mark.parametrize("octets", [0, 8, 29])
@pytest.mark.parametrize(
    ("image", "mode"), [("none", PLAIN), ("skipjack", AUTH), ("skipjack", AE), ("rc5", AE)]
)
def test_the_base_says_what_it_accepts(image: str, mode: int, octets: int) -> None:
    """One frame a packet, whatever protected it in the air: dst, type, group, length, data."""
    network, line = heard(image, octets, mode)
    message = BASE_AT.to_bytes(2, "little") + bytes([TYPE_DATA, GROUP, octets, *range(octets)])
    received = network.report(0).received
    assert received >= 3
    assert messages(octets_of(line)) == received * [message]
    assert octets_of(line) == received * frame(message)
    assert network.simulation.misuse(0) == []


def test_characters_follow_each_other_at_the_baud_rate() -> None:
    """57 600 baud: no gap within a frame is longer than a tenth of a character."""
    _, line = heard("none", 29)
    gaps = [
        after[0] - before[0]
        for before, after in pairwise(line)
        if (before[2], after[2]) != (FLAG, FLAG)
    ]
    assert len(gaps) > 100
    assert all(CHARACTER_PS - 10**6 <= gap < 1.1 * CHARACTER_PS for gap in gaps)


def test_who_is_no_base_says_nothing() -> None:
    """A receiver's line is silent."""
    network = Network("none", Setup(0, mode=PLAIN), Setup(1, role=SENDER, mode=PLAIN, packets=3))
    assert network.run(300).report(0).received == 3
    assert network.simulation.serial(0) == []


def test_the_decoder_refuses_what_is_no_frame() -> None:
    """A wrong CRC, another protocol, octets outside, a frame without end, a wrong length."""
    good = frame(bytes([1, 0, 4, GROUP, 1, 9]))
    assert messages(good + good) == 2 * [bytes([1, 0, 4, GROUP, 1, 9])]
    for wrong in (
        good.replace(b"\x09", b"\x08"),
        good.replace(b"\x42", b"\x41"),
        b"\x00" + good,
        good[:-1],
        frame(bytes([1, 0, 4, GROUP, 2, 9])),
    ):
        with pytest.raises(ValueError, match=r"frame"):
            messages(wrong)


DATA = bytes([0x7E, 0x7D, *range(6)])
"""Data whose first octets must be escaped."""


def told(dst: int = SENDER_AT, group: int = GROUP, data: bytes = DATA) -> bytes:
    """A message as a computer sends it."""
    return dst.to_bytes(2, "little") + bytes([TYPE_DATA, group, len(data)]) + data


def spoken(board: str, image: str, mode: int, *pieces: bytes, wait: int = 150) -> Motes:
    """A base that a computer sends some octets after the other, and a receiver. Nobody has the address
    to which the base sends its own orders."""
    elf = (ROOT / f"build/firmware/{board}/tinysec-{image}.elf").read_bytes()
    base = Setup(BASE_AT, role=BASE, mode=mode, begin=30, end=30)
    network = Motes(board, elf, [base, Setup(SENDER_AT, mode=mode)], 1)
    network.simulation.capture()
    network.run(300)
    for piece in pieces:
        network.simulation.send_serial(0, piece)
        network.run(wait)
    return network


def taken(network: Motes) -> list[bytes]:
    """The data of plain packets of type TYPE_DATA on the air, in frames or without."""
    found = []
    for _, _, _, octets, _ in network.simulation.frames():
        packet = octets[10:-2] if octets[:2] == b"\x41\x88" else octets[:-4]
        if packet[2] == TYPE_DATA:
            found.append(packet[5:-2])
    return found


@pytest.mark.parametrize("board", ["mica2", "micaz"])
@pytest.mark.parametrize(("image", "mode"), [("none", PLAIN), ("skipjack", AUTH), ("skipjack", AE)])
def test_what_a_computer_sends_goes_onto_the_air(board: str, image: str, mode: int) -> None:
    """Protected as the base protects what it sends; the receiver takes it."""
    frames = [frame(told(data=DATA[:octets])) for octets in (0, 1, 8)] + [
        frame(told(data=bytes(range(0x70, 0x70 + 29))))
    ]
    network = spoken(board, image, mode, *frames)
    assert network.report(1).received == len(frames)
    assert network.report(1).refused == 0
    assert network.simulation.misuse(0) == []
    if mode == PLAIN:
        assert taken(network) == [b"", DATA[:1], DATA, bytes(range(0x70, 0x70 + 29))]


@pytest.mark.parametrize("board", ["mica2", "micaz"])
def test_what_is_no_frame_goes_nowhere(board: str) -> None:
    """Octets outside, damage, another group, lengths that do not fit, too long, an escape before the
    end, another protocol. Each is followed by a good frame, of which none is lost."""
    good = frame(told())
    wrong = [
        b"abc",
        good.replace(b"\x05\x00", b"\x06\x00"),
        frame(told(group=GROUP + 1)),
        frame(told()[:4] + b"\x09" + DATA),
        frame(told()[:4] + b"\x1e" + bytes(30)),
        frame(told(data=bytes(60))),
        frame(told())[:-1] + b"\x7d\x7e",
        b"\x7e\x7e\x7e",
        b"\x7e\x42\x00\x00\x7e",
        frame(told(), bytes([0x43])),
    ]
    network = spoken(board, "none", PLAIN, *(piece + good for piece in wrong))
    assert taken(network) == len(wrong) * [DATA]
    assert network.report(1).received == len(wrong)


def test_a_computer_that_wants_it_is_answered() -> None:
    """As SerialForwarder asks: 0x41 and an octet, which comes back behind 0x40."""
    asked = [
        frame(told(data=bytes([n])), bytes([0x41, token])) for n, token in enumerate((1, 0x7E))
    ]
    network = spoken("mica2", "none", PLAIN, *asked)
    answers = b"".join(frame(b"", bytes([0x40, token])) for token in (1, 0x7E))
    assert octets_of(network.simulation.serial(0)) == answers
    assert taken(network) == [b"\x00", b"\x01"]


def test_a_packet_waits_for_the_channel_and_those_behind_it_are_lost() -> None:
    """Two frames without a gap are both sent; of ten the base loses some, whole ones, and goes on."""
    frames = [frame(told(data=bytes([n, *range(20)]))) for n in range(10)]
    network = spoken("mica2", "none", PLAIN, frames[0] + frames[1], wait=250)
    assert [data[0] for data in taken(network)] == [0, 1]
    network = spoken("mica2", "none", PLAIN, b"".join(frames), frame(told()), wait=600)
    first = [data[0] for data in taken(network)[:-1]]
    assert 2 <= len(first) < 10
    assert first == sorted(set(first))
    assert taken(network)[-1] == DATA
