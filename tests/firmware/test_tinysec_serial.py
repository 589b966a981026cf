# SPDX-License-Identifier: BSD-3-Clause
"""The base's serial line: every packet that it accepts, in a frame of TinyOS 1.x."""

from itertools import pairwise

import pytest

from tests.firmware.test_tinysec_image import Network
from tests.model.serial_frames import FLAG, frame, messages
from wardmote.experiments.tinysec.network import AE, AUTH, BASE, GROUP, PLAIN, SENDER, Setup

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
