# SPDX-License-Identifier: BSD-3-Clause
"""Images `tinysec-ccm` and `tinysec-ascon`: an AEAD of today in TinySec's place."""

from dataclasses import replace

import pytest

from tests.firmware.test_tinysec_frames import CHANNEL, TYPE_DATA, Motes, framed
from tests.firmware.test_tinysec_image import BY, Network
from tests.model.ieee802154_model import fcs
from tests.model.tinysec_aead_model import packet
from tests.model.tinysec_model import Message
from wardmote.experiments.tinysec.network import (
    AE,
    AUTH,
    BOOT_MS,
    KEY,
    MS,
    PLAIN,
    STOPPED,
    Report,
    Setup,
)

SCHEMES = ("ccm", "ascon")
RECEIVER = Setup(0, mode=AE)
SENDER = replace(BY, mode=AE)


def made(scheme: str, octets: int, counter: int = 0, dst: int = 0, src: int = 1) -> bytes:
    """A sender's packet, by the model."""
    return packet(scheme, KEY, src, Message(dst, TYPE_DATA, bytes(range(octets))), counter)


@pytest.mark.parametrize("octets", [0, 24, 29])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_packets_on_the_air_are_those_of_the_model(scheme: str, octets: int) -> None:
    """Octet for octet, and the receiver takes them. They are ready when their start symbol ends."""
    network = Network(scheme, RECEIVER, replace(SENDER, data_octets=octets)).run(900)
    assert network.packets(1) == [made(scheme, octets, counter) for counter in range(3)]
    assert network.report(0) == Report(0, 3, *8 * [0])
    assert (network.report(1).sent, network.report(1).late) == (3, 0)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_another_key_and_another_address(scheme: str) -> None:
    """Packets under another key are refused, those for others left alone."""
    for receiver, refused in (
        (replace(RECEIVER, key=bytes(16)), 3),
        (replace(RECEIVER, address=7), 0),
    ):
        network = Network(scheme, receiver, SENDER).run(900)
        assert network.report(0) == Report(0, 0, refused, *7 * [0])


@pytest.mark.parametrize("mode", [AUTH, PLAIN])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_there_is_one_mode(scheme: str, mode: int) -> None:
    """A block that asks for another stops the node."""
    assert Network(scheme, Setup(0, mode=mode)).run(5).state(0) == STOPPED


@pytest.mark.parametrize(("by", "to"), [("micaz", "telosb"), ("telosb", "micaz")])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_packets_in_frames(scheme: str, by: str, to: str) -> None:
    """Between boards, octet for octet."""
    network = Motes(scheme, (to, RECEIVER), (by, replace(SENDER, gap=200, data_octets=29)))
    network.run(800)
    assert network.sent(1) == [framed(made(scheme, 29, n), n) for n in range(3)]
    assert (network.report(0).received in (2, 3), network.report(0).refused) == (True, 0)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_a_receiver_refuses(scheme: str) -> None:
    """A packet with one octet changed, in each of its fields behind dst; too long a length; our own
    packet that somebody sends back. One that is cut is given up when the next begins. What comes
    behind them is taken."""
    good = made(scheme, 24)
    wrong = [
        good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1 :]
        for at in (2, 4, 6, 8, 31, len(good) - 1)
    ]
    wrong += [good[:3] + b"\x1e" + good[4:], made(scheme, 24, src=0)]
    cut = [good[:-1], good[:9]]
    network = Motes(scheme, ("micaz", RECEIVER)).run(BOOT_MS)
    at = network.simulation.now_ps
    for number, one in enumerate([*wrong, *cut, good]):
        at += 20 * MS
        frame = framed(one, number)
        network.simulation.inject(CHANNEL, at, frame + fcs(frame))
    network.run(20 * len([*wrong, *cut]) + 40)
    assert network.report(0) == Report(0, 1, len(wrong), *7 * [0])
