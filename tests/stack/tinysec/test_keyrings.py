# SPDX-License-Identifier: BSD-3-Clause
"""TinySec under keys of links and of groups (the paper, Table 1): who is heard, what a captured node
gives away, and what trying keys costs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.model.tinysec_model import Message, Node, ae, auth
from tests.stack.conftest import fresh
from tests.stack.link.linklib import name_of
from tests.stack.tinysec import test_tinysec
from tests.stack.tinysec.test_tinysec import AE, ANY, AUTH, BY_GROUP, LINK, STANDARD_CRC, Mote
from wardmote.call import EmulatedTarget, Target

HEADERS = test_tinysec.HEADERS
US, EVERYBODY, NOBODY = 2, 0xFFFF, 0xFFFF
PEERS = (7, 8, 9)
DATA = b"twenty-three octets now"
OUTSIDE = b"a key of nobody!"


def key(number: int) -> bytes:
    """The key shared with a peer, or of a group."""
    return bytes(range(16 * number % 256, 16 * number % 256 + 16))


PAIRS = [(peer, key(peer)) for peer in PEERS]


def made(mode: int, of: bytes, src: int, dst: int = US, counter: int = 0) -> bytes:
    """A packet of `src` under a key."""
    node, message = Node(of, "paper", "skipjack", src), Message(dst, 1, DATA)
    return ae(node, message, counter) if mode == AE else auth(node, message)


@pytest.mark.parametrize("mode", [AUTH, AE])
@pytest.mark.parametrize("keying", [LINK, BY_GROUP])
def test_every_pair_is_found(target: Target, keying: int, mode: int) -> None:
    """A packet under any of the keys is taken, in pieces of any length. Under the key of a link it
    tells its sender, Auth too."""
    node = Mote(target, OUTSIDE, pairs=PAIRS, keying=keying)
    for peer in PEERS:
        for pieces in ((), (1,) * 40, (5, 2, 9)):
            status, got = node.receive(made(mode, key(peer), peer), pieces)
            src = peer if mode == AE or keying == LINK else NOBODY
            assert (status, got["src"], got["mode"]) == ("WM_OK", src, mode)
            assert bytes(got["data"][: got["len"]]) == DATA
    assert node.receive(made(mode, OUTSIDE, 7))[0] == "WM_ERR_SECURITY", "not in the ring"
    assert node.look()["refused"] == 1, "a packet counts once, however many keys were tried"


def test_every_pair_sends(target: Target) -> None:
    """A link's key goes with the destination, a group's with `sends`; one counter serves all."""
    node = Mote(target, OUTSIDE, config={"send": AE}, pairs=PAIRS)
    for counter, peer in enumerate(PEERS):
        packet = node.secure(Message(peer, 1, DATA))
        assert packet == ("WM_OK", made(AE, key(peer), US, peer, counter))
    node = Mote(target, OUTSIDE, pairs=PAIRS, keying=BY_GROUP)
    for number, peer in enumerate(PEERS):
        node.set(keyring=node.ring(PAIRS, sends=number).address)
        assert node.secure(Message(EVERYBODY, 1, DATA))[1] == made(AUTH, key(peer), US, EVERYBODY)


def test_no_broadcast_under_keys_of_links(target: Target) -> None:
    """No key is shared by all that hear it: nothing is sent, no counter is used, and one that comes
    is told by its header."""
    node = Mote(target, OUTSIDE, config={"send": AE}, pairs=PAIRS)
    for dst in (EVERYBODY, 10):
        status, octets = node.secure(Message(dst, 1, DATA))
        assert (status, set(octets)) == ("WM_ERR_UNAVAILABLE_KEY", {test_tinysec.UNTOUCHED})
    assert node.look()["counter"] == 0
    for mode in (AUTH, AE):
        packet = made(mode, key(7), 7, EVERYBODY)
        assert node.receive(packet)[0] == "WM_ERR_UNAVAILABLE_KEY"
        assert asked(node, packet, 4) == 0
    group = Mote(target, OUTSIDE, pairs=PAIRS, keying=BY_GROUP)
    assert group.receive(made(AUTH, key(8), 8, EVERYBODY))[0] == "WM_OK"


def asked(node: Mote, packet: bytes, octets: int) -> int:
    """How many octets the receiver asks for after the first ones."""
    target = node.target
    state = target.buffer(target.pack("wm_tinysec_receiver"))
    target.call("wm_tinysec_receive", state, node.node)
    return int(target.call("wm_tinysec_take", state, packet[:octets], octets).value)


def test_a_stranger_in_ae_is_told_by_its_iv(target: Target) -> None:
    """Eight octets are enough under keys of links, and no block is computed for it."""
    node = Mote(target, OUTSIDE, pairs=PAIRS)
    stranger = made(AE, key(7), 10)
    assert asked(node, stranger, 7) > 0
    assert asked(node, stranger, 8) == 0
    assert node.receive(stranger)[0] == "WM_ERR_UNAVAILABLE_KEY"


@pytest.mark.parametrize("mode", [AUTH, AE])
def test_a_captured_node(target: Target, mode: int) -> None:
    """Whoever has node 7's keys speaks as 7. As 8 he is heard only where they share a key."""
    as_itself, as_8 = made(mode, key(7), 7), made(mode, key(7), 8)
    links = Mote(target, OUTSIDE, pairs=PAIRS)
    assert links.receive(as_itself)[0] == "WM_OK"
    status, got = links.receive(as_8)
    if mode == AE:
        assert status == "WM_ERR_SECURITY"
    else:
        assert (status, got["src"]) == ("WM_OK", 7), "Auth has no source: the key says who it was"
    for keying in ("network", "group"):
        pairs = PAIRS if keying == "group" else ()
        node = Mote(target, key(7), pairs=pairs, keying=BY_GROUP)
        status, got = node.receive(as_8)
        assert (status, got["src"]) == ("WM_OK", 8 if mode == AE else NOBODY)
    other_groups = Mote(target, OUTSIDE, pairs=PAIRS[1:], keying=BY_GROUP)
    assert other_groups.receive(as_8)[0] == "WM_ERR_SECURITY"


def test_keyrings_that_will_not_do(target: Target) -> None:
    """They are refused at the start, and by a change, which then changes nothing."""
    node = Mote(target, OUTSIDE)
    assert node.started == "WM_OK"
    for keying, pairs, members in (
        (LINK, [*PAIRS, PAIRS[0]], {}),
        (LINK, [*PAIRS, (EVERYBODY, key(1))], {}),
        (LINK, PAIRS, {"count": 0}),
        (LINK, PAIRS, {"keys": 0}),
        (BY_GROUP, PAIRS, {"sends": 3}),
        (BY_GROUP, PAIRS, {"keying": 0}),
    ):
        node.keying = keying
        ring = node.ring(pairs, **members)
        changed = target.call("wm_tinysec_change_keyring", node.node, ring)
        assert name_of(changed.value) == "WM_ERR_PARAM", (pairs, members)
        assert (node.look()["keyring"], node.look()["keys_made"]) == (0, 0)
    assert name_of(target.call("wm_tinysec_change_keyring", node.node, 0).value) == "WM_ERR_PARAM"
    node.keying = LINK
    node.set(keyring=node.ring([*PAIRS, PAIRS[0]]).address)
    assert name_of(target.call("wm_tinysec_start", node.node).value) == "WM_ERR_PARAM"
    node.set(keyring=node.ring(PAIRS).address)
    assert name_of(target.call("wm_tinysec_start", node.node).value) == "WM_OK"


def test_new_keyrings(target: Target) -> None:
    """They begin at counter 0, and take the place of the network's key; a new network's key takes
    theirs."""
    node = Mote(target, key(1), config={"send": AE})
    node.secure(Message(7, 1, DATA))
    assert target.call("wm_tinysec_change_keyring", node.node, node.ring(PAIRS)).value == 0
    assert node.secure(Message(7, 1, DATA)) == ("WM_OK", made(AE, key(7), US, 7))
    assert node.receive(made(AUTH, key(1), 7))[0] == "WM_ERR_SECURITY"
    assert target.call("wm_tinysec_change_keys", node.node, *node.keys).value == 0
    assert node.secure(Message(7, 1, DATA)) == ("WM_OK", made(AE, key(1), US, 7))
    assert node.receive(made(AUTH, key(7), 7))[0] == "WM_ERR_SECURITY"


def test_a_group_without_a_key_for_encryption(target: Target) -> None:
    """Its pair is left out of what AE is tried with, and Auth finds it."""
    node = Mote(target, OUTSIDE, pairs=PAIRS, keying=BY_GROUP)
    table = node.look()["keyring"]
    assert table
    ring = node.ring(PAIRS)
    members = target.unpack("wm_tinysec_keyring", bytearray(ring.read()))
    mac_only = target.buffer(
        target.pack("wm_tinysec_keys", peer=0, encryption=0, mac=node.made(key(7)[8:]).address)
    )
    ring.write(
        bytes(
            target.pack("wm_tinysec_keyring", **(members | {"keys": mac_only.address, "count": 1}))
        )
    )
    node.set(keyring=ring.address)
    assert target.call("wm_tinysec_start", node.node).value == 0
    assert node.receive(made(AUTH, key(7), 7))[0] == "WM_OK"
    assert node.receive(made(AE, key(7), 7))[0] == "WM_ERR_UNAVAILABLE_KEY"


def test_an_alarm(target: Target) -> None:
    """More wrong tags than the caller allows in its interval make a message for the base, which
    goes out with a tag; then counting begins anew."""
    node = Mote(target, key(1))
    forged = made(AUTH, OUTSIDE, 7)
    empty = target.pack("wm_tinysec_message", dst=5, type=3)
    for wrong, told in ((3, False), (4, True), (0, False)):
        for _ in range(wrong):
            assert node.receive(forged)[0] == "WM_ERR_SECURITY"
        message = target.buffer(empty)
        assert bool(target.call("wm_tinysec_alarm", node.node, 3, message).value) == told
        if not told:
            assert bytes(message.read()) == bytes(empty)
            continue
        packet, length = bytearray(41), bytearray(1)
        assert target.call("wm_tinysec_secure", node.node, message, packet, 41, length).value == 0
        model = Node(key(1), "paper", "skipjack")
        assert bytes(packet[: length[0]]) == auth(model, Message(5, 3, b"\x02\x00\x04\x00"))


@pytest.fixture
def avr() -> Iterator[EmulatedTarget]:
    """The CPU of the paper's motes."""
    for target in fresh("avr", HEADERS):
        assert isinstance(target, EmulatedTarget)
        yield target


def cycles_of_a_stranger(target: Target, mode: int, keying: int, pairs: int) -> int:
    """Cycles behind the last octet of a packet that fits none of the keys."""
    node = Mote(target, OUTSIDE, pairs=[(7 + i, key(i)) for i in range(pairs)], keying=keying)
    state = target.buffer(target.pack("wm_tinysec_receiver"))
    packet = made(mode, OUTSIDE, 7)
    target.call("wm_tinysec_receive", state, node.node)
    for octet in packet:
        target.call("wm_tinysec_take", state, bytes([octet]), 1)
    answer = target.call(
        "wm_tinysec_accept_packet", node.node, state, target.pack("wm_tinysec_message")
    )
    assert name_of(answer.value) == "WM_ERR_SECURITY"
    assert answer.cycles is not None
    return int(answer.cycles)


@pytest.mark.parametrize(
    ("mode", "keying", "macs"), [(AUTH, LINK, 1), (AE, BY_GROUP, 1), (AE, LINK, 0)]
)
def test_what_a_stranger_costs(avr: EmulatedTarget, mode: int, keying: int, macs: int) -> None:
    """Each further pair costs one MAC, where the source does not tell the keys, and nothing else."""
    node = Mote(avr, OUTSIDE)
    mac = avr.call(
        "wm_tinysec_secure",
        node.node,
        avr.pack("wm_tinysec_message", dst=US, len=len(DATA)),
        bytearray(41),
        41,
        bytearray(1),
    ).cycles
    assert mac is not None
    found = [cycles_of_a_stranger(avr, mode, keying, pairs) for pairs in (1, 2, 3, 8)]
    each = [found[1] - found[0], found[2] - found[1], (found[3] - found[2]) // 5]
    for more in each:
        assert abs(more - macs * mac) < (0.1 * mac if macs else 200), (found, mac)


def test_policies_that_take_no_tags_need_no_keys(target: Target) -> None:
    """A node of a stack without TinySec, and one that takes CRCs, start without keys."""
    for accept, status in ((1, "WM_OK"), (STANDARD_CRC, "WM_OK"), (ANY, "WM_ERR_PARAM")):
        config = {"encryption": 0, "mac": 0, "send": 3, "accept": accept}
        assert Mote(target, OUTSIDE, config=config).started == status
