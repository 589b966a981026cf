# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong in link security where tables, counters and policy decide: for each error that
was found in some stack, the very input that it mishandles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, BEACON, COMMAND, DATA, Beacon, Frame
from tests.model.ieee802154_read import read
from tests.stack.link.editions import E2006, E2011, E2015, EDITIONS
from tests.stack.link.frames import ash, behind_ash, data
from tests.stack.link.linklib import TARGETS, link_target
from tests.stack.link.peers import KEY, OTHER_KEY, OWN, OWN_SHORT, PEER, PEER_SHORT, THIRD
from tests.stack.link.pib import Device, Key, KeyDevice, Level, Lookup, Params, Pib
from tests.stack.link.securitylib import Node
from tests.stack.link.simulation import flip
from wardmote.call import Target

LEVELS = (1, 2, 3, 5, 6, 7)
REFUSED, COUNTER = "WM_ERR_IMPROPER_SECURITY_LEVEL", "WM_ERR_COUNTER"
ASN = 0x0102030405
ENH_ACK = Frame(ACK, 2, 7, OWN, PEER, header_ies=model.time_correction(5))


@pytest.fixture(params=TARGETS)
def target(request: pytest.FixtureRequest) -> Target:
    """Each target, without buffers of an earlier test."""
    found = link_target(request.param)
    found.reset()
    return found


def v2(**members: Any) -> Frame:
    """A data frame of version 2 from PEER to OWN."""
    return data(**{"version": 2, "compression": False, **members})


def beacon(asn: int = ASN) -> Frame:
    """An Enhanced Beacon under K1."""
    head = Frame(
        BEACON, 2, 1, b"\xff\xff", PEER, compression=True, ash=ash(1, None), header_ies=model.HT1
    )
    return replace(head, private_part=Beacon(asn).payload())


# Levels.


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("level", LEVELS)
def test_any_level_but_zero_passes_the_table(target: Target, edition: int, level: int) -> None:
    """A check that refuses a level outside the table only if it is 0 lets the sender choose. Here
    one level is allowed; the others come with their right MIC and are refused, in 2006, where there
    is a minimum, those below it."""
    minimum = 6
    node = Node(target, Pib(edition, levels=(Level(DATA, allowed=(minimum,), minimum=minimum),)))
    before = node.memory()
    answer = node.unsecure(model.secure(data(ash=ash(level)), KEY))
    if level == minimum or (edition == E2006 and level == 7):
        assert answer.status == "WM_OK"
    else:
        assert answer.status == REFUSED
        assert node.memory() == before


@pytest.mark.parametrize("version", [1, 2])
def test_level_of_command_0_for_every_command(target: Target, version: int) -> None:
    """A level table that is asked about command 0 whatever the command is: one needs ENC-MIC-64,
    the others nothing."""
    table = (Level(COMMAND, (6,), command=4), Level(COMMAND, (0, 1, 5, 6)))
    identifier = {"open_part": b"\4"} if version == 1 else {"private_part": b"\4"}
    common: dict[str, Any] = {"type": COMMAND, "private_part": b"", **identifier}
    for level, status in ((5, REFUSED), (6, "WM_OK")):
        frame = (data if version == 1 else v2)(ash=ash(level), **common)
        answer = Node(target, Pib(levels=table)).unsecure(model.secure(frame, KEY))
        assert (answer.status, level) == (status, level)
    frame = (data if version == 1 else v2)(ash=None, **common)
    assert Node(target, Pib(levels=table)).unsecure(frame.clear()).status == REFUSED
    other = frame.clear()[:-1] + b"\7"
    assert Node(target, Pib(levels=table)).unsecure(other).status == "WM_NOT_SECURED"


@pytest.mark.parametrize("edition", EDITIONS)
def test_unsecured_frame_accepted_where_security_is_on(target: Target, edition: int) -> None:
    """With security on and no exception in the tables a frame in clear is refused, whoever it
    claims to be from."""
    for frame in (
        data(),
        data(src=PEER_SHORT, dst=OWN_SHORT),
        data(type=COMMAND, open_part=b"\4", private_part=b""),
    ):
        answer = Node(target, Pib(edition)).unsecure(frame.clear())
        assert (answer.status, answer.octets) == (REFUSED, frame.clear())
        assert Node(target, Pib(edition, levels=())).unsecure(frame.clear()).status != "WM_OK"


@pytest.mark.parametrize("edition", [E2011, E2015])
def test_level_table_of_zeros_allows_level_0(target: Target, edition: int) -> None:
    """A set of allowed levels that was never filled is empty. A zero in it does not mean that level
    0 is allowed."""
    node = Node(target, Pib(edition, levels=(Level(DATA, allowed=()),)))
    assert node.unsecure(data().clear()).status == REFUSED


def test_enh_ack_in_clear_for_a_secured_frame(target: Target) -> None:
    """An Enh-Ack with IEs answers a secured frame: in clear it is refused even where acks may be in
    clear, else anybody moves our clock. Secured it is taken."""
    pib = Pib(levels=(Level(ACK, (0, 5)),))
    sent = model.secure(Frame(DATA, 2, 7, PEER, OWN, ack_request=True, ash=ash(5, 1)), KEY)
    assert Node(target, pib).ack(sent, ENH_ACK.clear()).status == REFUSED
    secured = model.secure(replace(ENH_ACK, ash=ash()), KEY)
    assert Node(target, pib).ack(sent, secured).status == "WM_OK"
    in_clear = Frame(DATA, 2, 7, PEER, OWN, ack_request=True).clear()
    assert Node(target, pib).ack(in_clear, ENH_ACK.clear()).status == "WM_NOT_SECURED"


# Keys and senders.


def test_received_key_index_and_source_ignored(target: Target) -> None:
    """A key chosen by frame type alone opens a frame that names another: the identifier in the
    frame decides."""
    source = bytes(range(8))
    node = Node(
        target,
        Pib(keys=(Key(lookups=(Lookup(1, 1), Lookup(2, 1, source[:4]), Lookup(3, 1, source))),)),
    )
    wrong = [ash(index=2), ash(mode=2, source=b"\0\1\2\4"), ash(mode=3, source=source[:7] + b"\0")]
    wrong += [ash(mode=3, index=2, source=source), ash(mode=0)]
    for other in wrong:
        assert node.unsecure(model.secure(data(ash=other), KEY)).status == "WM_ERR_UNAVAILABLE_KEY"
    for number, right in enumerate(
        (ash(), ash(mode=2, source=source[:4]), ash(mode=3, source=source))
    ):
        frame = data(ash=replace(right, counter=10 + number))
        assert node.unsecure(model.secure(frame, KEY)).status == "WM_OK"


def test_network_key_for_every_frame_type(target: Target) -> None:
    """The public key of beacons must not open data."""
    node = Node(target, Pib(keys=(Key(usage=((BEACON, 0),)),)))
    assert node.unsecure(model.secure(data(ash=ash()), KEY)).status == "WM_ERR_IMPROPER_KEY_TYPE"


@pytest.mark.parametrize("edition", EDITIONS)
def test_nonce_of_a_short_source_without_the_device_table(target: Target, edition: int) -> None:
    """The nonce of a short source holds the extended address that the device table has for it: not
    octets behind the short one, not our own, and nothing for a stranger."""
    frame = data(src=PEER_SHORT, dst=OWN_SHORT, ash=ash())
    node = Node(target, Pib(edition))
    over_read = frame.mhr()[behind_ash(frame) - 8 : behind_ash(frame)]
    for address in (over_read, over_read[::-1], OWN, bytes(8)):
        assert node.unsecure(model.secure(frame, KEY, src_ext=address)).status == "WM_ERR_SECURITY"
    assert node.unsecure(model.secure(frame, KEY, src_ext=PEER)).status == "WM_OK"
    stranger = replace(frame, src=b"\x7f\x7f")
    assert (
        node.unsecure(model.secure(stranger, KEY, src_ext=PEER)).status
        == "WM_ERR_UNAVAILABLE_DEVICE"
    )


# Counters.


@pytest.mark.parametrize("edition", EDITIONS)
def test_counter_of_a_frame_that_does_not_authenticate_is_kept(
    target: Target, edition: int
) -> None:
    """A forged frame with a counter far ahead mutes a peer if its counter is kept before the MIC is
    checked."""
    node = Node(target, Pib(edition))
    before = node.memory()
    forged = flip(-1)(model.secure(data(ash=ash(counter=0xFFFFFFFE)), KEY))
    assert node.unsecure(forged).status == "WM_ERR_SECURITY"
    assert (
        node.unsecure(model.secure(data(ash=ash(counter=0xFFFFFFFE)), OTHER_KEY)).status
        == "WM_ERR_SECURITY"
    )
    assert node.memory() == before
    assert node.unsecure(model.secure(data(ash=ash(counter=7)), KEY)).status == "WM_OK"
    assert node.incoming_counter() == 8


@pytest.mark.parametrize("edition", [E2006, E2011])
def test_counter_of_a_frame_without_mic_is_kept(target: Target, edition: int) -> None:
    """Where level 4 is allowed anybody can send a frame with a counter far ahead: it mutes no frame
    that has a MIC."""
    node = Node(target, Pib(edition, levels=(Level(DATA, (4, 5), minimum=4),)))
    unproven = node.unsecure(model.secure(data(ash=ash(4, 0xFFFFFFFE)), KEY))
    assert unproven.status == "WM_NOT_AUTHENTICATED"
    assert node.incoming_counter() == 0
    assert node.unsecure(model.secure(data(ash=ash(5, 7)), KEY)).status == "WM_OK"


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_replay_protection(target: Target, edition: int) -> None:
    """A frame that came once, or is older than one that came, is refused; the next one is not."""
    node = Node(target, Pib(edition))
    frames = {counter: model.secure(data(ash=ash(counter=counter)), KEY) for counter in (6, 7, 8)}
    assert [node.unsecure(frames[counter]).status for counter in (7, 7, 6, 8)] == [
        "WM_OK",
        COUNTER,
        COUNTER,
        "WM_OK",
    ]


def test_data_and_acks_share_a_nonce(target: Target) -> None:
    """Frames of every type take their counter from one place: no two of them have the same
    nonce."""
    node = Node(target, Pib(counter=5))
    frames = [
        Frame(DATA, 2, 1, PEER, OWN),
        replace(ENH_ACK, dst=PEER, src=OWN),
        Frame(DATA, 1, 2, PEER, OWN),
    ]
    sent = [node.secure(frame.clear()) for frame in frames * 2]
    assert {answer.status for answer in sent} == {"WM_OK"}
    counters = [counter_of(answer.octets) for answer in sent]
    assert counters == list(range(5, 11))


def counter_of(octets: bytes) -> int:
    """The frame counter of a frame on the air."""
    found = read(octets)[0].ash
    assert found is not None
    assert found.counter is not None
    return found.counter


def test_two_frames_in_one_slot_share_a_nonce(target: Target) -> None:
    """In TSCH the nonce is the ASN: a second frame in the same slot, such as a retransmission, is
    refused until the ASN goes on, and the ASN does not go back."""
    node = Node(target, Pib(asn_form=True, asn=ASN))
    frame = Frame(DATA, 2, 1, PEER, OWN, private_part=b"payload").clear()
    assert node.secure(frame).status == "WM_OK"
    assert node.secure(frame).status == COUNTER
    assert (node.set_asn(ASN - 1), node.secure(frame).status) == (COUNTER, COUNTER)
    assert (node.set_asn(ASN + 1), node.secure(frame).status) == ("WM_OK", "WM_OK")


def test_counter_wraps_around(target: Target) -> None:
    """The last counter is all ones less one: after it nothing is sent, rather than counting from 0
    again."""
    node = Node(target, Pib(counter=0xFFFFFFFE))
    frame = Frame(DATA, 1, 1, PEER, OWN).clear()
    assert [node.secure(frame).status for _ in range(3)] == ["WM_OK", COUNTER, COUNTER]
    forged = model.secure(data(ash=ash(counter=0xFFFFFFFF)), KEY)
    assert Node(target, Pib()).unsecure(forged).status == COUNTER


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("level", LEVELS)
def test_ash_and_mic_not_counted_in_the_frame_length(target: Target, mode: int, level: int) -> None:
    """A payload that fits in clear, and not with ASH and MIC: the frame stays as it was and no
    counter is spent."""
    source = bytes(model.KEY_SOURCE_OCTETS[mode])
    lookup = {0: Lookup(0, 0, PEER), 1: Lookup()}.get(mode, Lookup(mode, 1, source))
    node = Node(target, Pib(keys=(Key(lookups=(lookup,)),)))
    parameters = Params(level, mode, 1, source)
    head = Frame(DATA, 1, 1, PEER, OWN, compression=True)
    more = len(ash(level, 0, mode, 1, source).octets()) + model.MIC_OCTETS[level]
    room = 125 - len(head.clear()) - more
    for extra in (1, more):
        frame = replace(head, private_part=bytes(room + extra)).clear()
        answer = node.secure(frame, parameters)
        assert (answer.status, answer.octets, node.counter()) == ("WM_ERR_FRAME_TOO_LONG", frame, 0)
    answer = node.secure(replace(head, private_part=bytes(room)).clear(), parameters)
    assert (answer.status, len(answer.octets), node.counter()) == ("WM_OK", 125, 1)


# What a refused frame leaves behind, and joining.


def test_plaintext_left_when_policy_refuses_after_decryption(target: Target) -> None:
    """The identifier of an encrypted command is known only when it is in clear: refused then,
    nothing of it is left and its counter does not count."""
    table = (Level(COMMAND, (6,), command=4), Level(COMMAND, (5,)))
    node = Node(target, Pib(levels=table))
    before = node.memory()
    frame = v2(type=COMMAND, private_part=b"\4secret", ash=ash(5))
    answer = node.unsecure(model.secure(frame, KEY))
    kept = behind_ash(frame)
    assert answer.status == REFUSED
    assert answer.octets == frame.mhr()[:kept] + bytes(len(answer.octets) - kept)
    assert node.memory() == before


def test_asn_of_an_unverified_beacon_is_kept(target: Target) -> None:
    """Who joins must believe an ASN to check it: with a wrong MIC, without the key or without any
    security, even where the tables let beacons come in clear, it is forgotten again."""
    pib = Pib(asn_form=True, asn=0, levels=(Level(BEACON, (0, 1)),))
    forged = flip(-1)(model.secure(beacon(), KEY, "asn", ASN))
    for node, frame, status in (
        (Node(target, pib), forged, "WM_ERR_SECURITY"),
        (
            Node(target, replace(pib, keys=())),
            model.secure(beacon(), KEY, "asn", ASN),
            "WM_ERR_UNAVAILABLE_KEY",
        ),
        (Node(target, pib), replace(beacon(), ash=None).clear(), REFUSED),
    ):
        before = node.memory()
        assert node.join(frame).status == status
        assert node.memory() == before
    node = Node(target, pib)
    assert node.join(model.secure(beacon(), KEY, "asn", ASN)).status == "WM_OK"
    assert int.from_bytes(node.state()["asn"], "big") == ASN


def test_replayed_beacon_brings_old_nonces_back(target: Target) -> None:
    """An authentic Enhanced Beacon from an earlier slot: its ASN has secured frames already."""
    node = Node(target, Pib(asn_form=True, asn=ASN))
    assert node.join(model.secure(beacon(ASN - 1), KEY, "asn", ASN - 1)).status == COUNTER
    assert int.from_bytes(node.state()["asn"], "big") == ASN
    assert (
        node.unsecure(model.secure(beacon(ASN - 1), KEY, "asn", ASN - 1)).status
        == "WM_ERR_SECURITY"
    )


def test_per_device_counter_of_another_device_moves(target: Target) -> None:
    """Two senders under one key: what one of them sends leaves the other's counter alone."""
    pib = Pib(
        keys=(Key(devices=(KeyDevice(0), KeyDevice(1))),),
        devices=(Device(), Device(THIRD, b"\0\3")),
    )
    node = Node(target, pib)
    assert node.unsecure(model.secure(data(ash=ash(counter=1000)), KEY)).status == "WM_OK"
    assert node.unsecure(model.secure(data(src=THIRD, ash=ash(counter=1)), KEY)).status == "WM_OK"
    assert (node.incoming_counter(0, 0), node.incoming_counter(0, 1)) == (1001, 2)
