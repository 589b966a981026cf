# SPDX-License-Identifier: BSD-3-Clause
"""An Enh-Ack counts only if the device made it that the acknowledged frame went to."""

import itertools

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, DATA, Frame
from tests.stack.link.editions import E2012E, E2015
from tests.stack.link.frames import ash
from tests.stack.link.peers import KEY, OWN, PAN, PEER, THIRD
from tests.stack.link.pib import Device, Key, KeyDevice, Pib
from tests.stack.link.securitylib import Node
from wardmote.call import Target

OTHER_PAN = 0xBBBB
SHORT, OWN_SHORT = bytes.fromhex("1234"), bytes.fromhex("0001")
DEVICES = (Device(PEER, SHORT, PAN), Device(THIRD, SHORT, OTHER_PAN))
"""Two neighbours with one short address, each in a PAN of its own."""
ENTRIES = (KeyDevice(0), KeyDevice(1))
ASN = Pib().asn
SOURCES = ("short", "extended", "none")


def sent_to(device: Device, *, short: bool, own_short: bool, tsch: bool) -> bytes:
    """Our frame to a neighbour, which may be in another PAN."""
    frame = Frame(
        DATA,
        seq=9,
        dst=device.short if short else device.ext,
        src=OWN_SHORT if own_short else OWN,
        dst_pan=device.pan,
        src_pan=PAN,
        ack_request=True,
        ash=ash(5, None if tsch else 3),
        private_part=b"payload",
    )
    return model.secure(frame, KEY, "asn" if tsch else "counter", ASN, OWN)


def ack_of(
    device: Device, source: str, *, dst: bytes, dst_pan: int, compression: bool, tsch: bool
) -> bytes:
    """What a neighbour says in answer to a frame with sequence number 9."""
    octets = {"short": device.short, "extended": device.ext, "none": b""}[source]
    frame = Frame(
        ACK,
        seq=9,
        dst=dst,
        src=octets,
        dst_pan=dst_pan,
        src_pan=dst_pan if compression else device.pan,
        compression=compression,
        ash=ash(5, None if tsch else 77),
        header_ies=model.time_correction(-5),
    )
    return model.secure(frame, KEY, "asn" if tsch else "counter", ASN, device.ext)


@pytest.mark.parametrize("to", range(2))
@pytest.mark.parametrize("tsch", [False, True], ids=["counter", "tsch"])
def test_only_the_receiver_answers(target: Target, tsch: bool, to: int) -> None:
    """Whatever addresses an answer carries: if it is taken, the frame's receiver made it."""
    accepted = 0
    pib = Pib(E2015, tsch, keys=(Key(devices=ENTRIES),), devices=DEVICES)
    cases = itertools.product(range(2), SOURCES, (OWN, OWN_SHORT), (PAN, OTHER_PAN), (False, True))
    for maker, source, dst, dst_pan, compression in cases:
        if tsch and compression and source == "short" and dst_pan != DEVICES[maker].pan:
            continue  # It claims the other's PAN, and nothing else is in the nonce of TSCH.
        for short in (False, True):
            target.reset()
            node = Node(target, pib)
            sent = sent_to(DEVICES[to], short=short, own_short=len(dst) == 2, tsch=tsch)
            answer = ack_of(
                DEVICES[maker],
                source,
                dst=dst,
                dst_pan=dst_pan,
                compression=compression,
                tsch=tsch,
            )
            before = node.memory()
            found = node.ack(sent, answer)
            if found.status == "WM_OK":
                accepted += 1
                assert (maker, found.result["device"]) == (to, to), (source, dst_pan, compression)
            else:
                assert node.memory() == before
    assert accepted > 0


@pytest.mark.parametrize("short", [False, True], ids=["to extended", "to short"])
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("to", range(2))
def test_the_receiver_is_heard(target: Target, to: int, source: str, short: bool) -> None:
    """The right answer is taken in every form that says who it is from, from the other PAN too."""
    device = DEVICES[to]
    node = Node(target, Pib(E2015, keys=(Key(devices=ENTRIES),), devices=DEVICES))
    sent = sent_to(device, short=short, own_short=False, tsch=False)
    answer = ack_of(device, source, dst=OWN, dst_pan=PAN, compression=False, tsch=False)
    found = node.ack(sent, answer)
    assert (found.status, found.result["device"]) == ("WM_OK", to)


@pytest.mark.parametrize(
    ("maker", "pan", "status"),
    [
        (SHORT, PAN, "WM_NOT_SECURED"),
        (SHORT, OTHER_PAN, "WM_ERR_NOT_FOR_US"),
        (bytes.fromhex("1235"), PAN, "WM_ERR_NOT_FOR_US"),
        (bytes.fromhex("1334"), PAN, "WM_ERR_NOT_FOR_US"),
    ],
    ids=["the receiver", "of another PAN", "first octet", "second octet"],
)
def test_an_answer_without_tables(target: Target, maker: bytes, pan: int, status: str) -> None:
    """No table links a short address to a device: it is the receiver's in its PAN alone, and every
    octet of it counts."""
    node = Node(target, Pib(E2015, enabled=False, keys=(), devices=(), levels=()))
    sent = Frame(DATA, 2, 9, SHORT, OWN, PAN, PAN, ack_request=True, private_part=b"x")
    answer = Frame(ACK, 2, 9, OWN, maker, PAN, pan, compression=False)
    found = node.ack(sent.clear(), answer.clear())
    assert found.status == status


@pytest.mark.parametrize(
    ("sent_seq", "ack_seq", "status"),
    [
        (0, 0, "WM_NOT_SECURED"),
        (None, None, "WM_NOT_SECURED"),
        (0, None, "WM_ERR_NOT_FOR_US"),
        (None, 0, "WM_ERR_NOT_FOR_US"),
        (0, 1, "WM_ERR_NOT_FOR_US"),
    ],
)
def test_no_sequence_number_is_not_number_0(
    target: Target, sent_seq: int | None, ack_seq: int | None, status: str
) -> None:
    """An answer without a sequence number is for a frame without one alone."""
    node = Node(target, Pib(E2015, enabled=False, keys=(), devices=(), levels=()))
    sent = Frame(DATA, 2, sent_seq, PEER, OWN, PAN, PAN, ack_request=True, private_part=b"x")
    answer = Frame(ACK, 2, ack_seq, OWN, PEER, PAN, PAN, compression=False)
    assert node.ack(sent.clear(), answer.clear()).status == status


def test_a_link_key_names_its_device(target: Target) -> None:
    """2012e: the device of a link key does not answer for another device, although the answer has
    no address."""
    first, second = Device(PEER, b"\0\x02", PAN), Device(THIRD, b"\0\x03", PAN)
    keys = (Key(devices=(KeyDevice(0, unique=True),)),)
    answer = Frame(ACK, 2, 9, compression=True, ash=ash(5, 77), private_part=b"y" * 8)
    secured = model.secure(answer, KEY, "counter", 0, first.ext)
    for device, status in ((first, "WM_OK"), (second, "WM_ERR_NOT_FOR_US")):
        target.reset()
        node = Node(target, Pib(E2012E, keys=keys, devices=(first, second)))
        sent = Frame(DATA, 2, 9, device.short, OWN, ack_request=True, private_part=b"x")
        assert node.ack(sent.clear(), secured).status == status
