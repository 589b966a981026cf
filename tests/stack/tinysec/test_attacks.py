# SPDX-License-Identifier: BSD-3-Clause
"""Attackers of TinySec (the paper, sections 3.1, 5.2 and 6): what they learn and what they achieve.

Each test plays one on the host and on the CPU of the paper's motes. The attacker has packets and no
key, unless his test says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from tests.model.tinysec_model import MOST, Message, Node, ae, auth
from tests.stack.conftest import fresh
from tests.stack.link.linklib import name_of
from tests.stack.tinysec import test_tinysec
from tests.stack.tinysec.test_tinysec import AE, BY_GROUP, LINK, SLOT, UNTOUCHED, Mote
from wardmote.call import Target

HEADERS = (*test_tinysec.HEADERS, "ctr", "cbc")
BLOCK, HEADER, IV, TAG = 8, 4, 4, 4
BODY = HEADER + IV
KEY = bytes(range(0x30, 0x40))
IVS = 1 << 16
MINUTES_A_DAY = 24 * 60


@pytest.fixture(params=["host", "avr"])
def place(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Where an attack is played."""
    yield from fresh(request.param, HEADERS)


def xor(one: bytes, other: bytes) -> bytes:
    """Octet by octet."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def rebooted(place: Target, data: bytes, profile: str = "shipped") -> bytes:
    """The first packet of a node that forgot its counter: every one has the same IV, as in the
    shipped code after each reset."""
    config = {"send": AE, "profile": test_tinysec.PROFILES[profile]}
    status, packet = Mote(place, KEY, config=config).secure(Message(7, 1, data))
    assert status == "WM_OK"
    return packet


def blocks(packet: bytes) -> list[bytes]:
    """Ciphertext of 29 octets in the order of the plaintext's blocks: CBC-CS3 exchanges the last
    two, and cuts the last but one."""
    body = packet[BODY:-TAG]
    return [body[:8], body[8:16], body[24:], body[16:24]]


@pytest.mark.parametrize("profile", ["paper", "shipped"])
def test_a_reused_iv_under_cbc(place: Target, profile: str) -> None:
    """Two packets with one IV tell how many blocks their plaintexts begin with in common. They tell
    neither octets of a block that differs nor what is equal behind it."""
    data = Random("cbc").randbytes(MOST)
    of_first = blocks(rebooted(place, data, profile))
    assert blocks(rebooted(place, data, profile)) == of_first
    for differs in (0, 6, 7, 8, 15, 16, 23, 24, 28):
        changed = bytearray(data)
        changed[differs] ^= 1
        of_second = blocks(rebooted(place, bytes(changed), profile))
        equal = [a == b for a, b in zip(of_first, of_second, strict=True)]
        common = differs // BLOCK
        assert equal == [True] * common + [False] * (4 - common), differs


def test_a_reused_iv_under_ctr(place: Target) -> None:
    """The same two messages in counter mode: the attacker has the xor of the plaintexts, and with
    one of them the other."""
    source = Random("ctr")
    plain, other = source.randbytes(MOST), source.randbytes(MOST)
    node = Mote(place, KEY)

    def crypt(data: bytes) -> bytes:
        state, octets = place.buffer(place.pack("wm_ctr")), bytearray(data)
        assert place.call("wm_ctr_init", state, node.keys[0], bytes(8)).value == 0
        assert place.call("wm_ctr_crypt", state, octets, len(octets)).value == 0
        return bytes(octets)

    assert xor(crypt(plain), crypt(other)) == xor(plain, other)
    one, two = (rebooted(place, data)[BODY:-TAG] for data in (plain, other))
    assert not any(a == b for a, b in zip(xor(one, two), xor(plain, other), strict=True)), (
        "under CBC no octet of the xor shows"
    )


def test_an_iv_that_counts(place: Target) -> None:
    """Under CBC with a counter as IV, plaintexts that follow the counter give equal ciphertexts: the
    attacker knows P1 xor P1' without a key. Under the IV of a packet, which is encrypted before,
    they differ."""
    first = bytes.fromhex("00000100070001d8")
    second = bytes.fromhex("01000100070001d8")
    plain = Random("iv").randbytes(24)
    follows = xor(plain[:8], xor(first, second)) + plain[8:]
    node = Mote(place, KEY)

    def cbc(iv: bytes, data: bytes) -> bytes:
        octets = bytearray(data)
        call = place.call("wm_cbc_encrypt", node.keys[0], bytearray(iv), octets, len(octets))
        assert call.value == 0
        return bytes(octets)

    assert cbc(first, plain) == cbc(second, follows)
    node = Mote(place, KEY, config={"send": AE, "profile": 1, "address": 1})
    packets = [node.secure(Message(7, 1, data))[1] for data in (plain, follows)]
    assert packets[0][4:8] + packets[0][:4] == first, "the IV that was attacked above"
    assert packets[1][4:8] + packets[1][:4] == second
    one, two = (packet[BODY:-TAG] for packet in packets)
    assert [one[i : i + 8] == two[i : i + 8] for i in (0, 8, 16)] == [False] * 3


def test_a_payload_that_is_moved(place: Target) -> None:
    """Cut and paste: a payload for node 7 is sent to node 2, which has the same key. Without a tag
    it opens to what node 7 was told, but for the first block, whose IV has the destination. With the
    tag the packet is refused, and releases nothing."""
    data = bytes(8) + b"open the gate, now!!!"
    packet = ae(Node(KEY, "paper", "skipjack"), Message(7, 1, data), 5)
    moved = (2).to_bytes(2, "little") + packet[2:]
    receiver = Mote(place, KEY)
    opened = without_tag(place, receiver, moved)
    assert (opened[:8] != data[:8], opened[8:]) == (True, data[8:])
    assert receiver.receive(moved)[0] == "WM_ERR_SECURITY"
    assert receiver.receive(packet)[0] == "WM_ERR_NOT_FOR_US"


def without_tag(place: Target, node: Mote, packet: bytes) -> bytes:
    """What a receiver that checks no tag makes of an AE packet in profile PAPER."""
    iv, body = bytearray(packet[:8]), bytearray(packet[BODY:-TAG])
    assert place.call("wm_cbc_encrypt", node.keys[0], bytearray(8), iv, 8).value == 0
    call = place.call("wm_cbc_cs3_decrypt", node.keys[0], bytes(iv), body, len(body))
    assert call.value == 0
    return bytes(body)


def test_bits_that_are_flipped(place: Target) -> None:
    """Without a tag a flipped bit of the ciphertext flips that bit of the next block. With it, no bit
    of a packet can change, header, iv and tag included."""
    data = bytes(range(24))
    packet = ae(Node(KEY, "paper", "skipjack"), Message(2, 1, data), 5)
    receiver = Mote(place, KEY)
    flipped = bytearray(packet)
    flipped[BODY] ^= 0x80
    assert xor(without_tag(place, receiver, bytes(flipped))[8:16], data[8:16])[0] == 0x80
    for octet in range(len(packet)):
        flipped = bytearray(packet)
        flipped[octet] ^= 1 << octet % 8
        assert receiver.receive(bytes(flipped))[0] != "WM_OK", octet


@pytest.mark.early
def test_the_life_of_a_key() -> None:
    """65 536 real packets in PAPER, each with an IV of its own; then AE is refused, and goes on under
    new keys. At a packet a minute that is after 45 days. SHIPPED can be told to go round silently:
    test_counters_end."""
    for place in fresh("host", HEADERS):
        node = Mote(place, KEY, config={"send": AE})
        given = place.pack("wm_tinysec_message", dst=7, type=1)
        packet, length = bytearray(41), bytearray(1)
        ivs = set()
        for _ in range(IVS):
            call = place.call("wm_tinysec_secure", node.node, given, packet, 41, length)
            assert call.value == 0
            ivs.add(bytes(packet[:BODY]))
        assert len(ivs) == IVS
        for _ in range(3):
            assert node.secure(Message(7, 1, b""))[0] == "WM_ERR_COUNTER"
        keys = [node.made(KEY[8:]), node.made(KEY[:8])]
        assert place.call("wm_tinysec_change_keys", node.node, *keys).value == 0
        new = Node(KEY[8:] + KEY[:8], "paper", "skipjack", 2)
        assert node.secure(Message(7, 1, b"")) == ("WM_OK", ae(new, Message(7, 1, b""), 0))
    assert 45 < IVS / MINUTES_A_DAY < 46


NEW = bytes(range(0x50, 0x60))


def changed(node: Mote, keying: int | None, *halves: bytes) -> str:
    """The answer to new keys: the network's, or a keyring's with this pair behind a new one."""
    if keying is None:
        keys = [node.made(half) for half in halves]
        return name_of(node.target.call("wm_tinysec_change_keys", node.node, *keys).value)
    node.keying = keying
    ring = node.ring([(8, bytes(range(0x70, 0x80))), (7, b"".join(halves))])
    return name_of(node.target.call("wm_tinysec_change_keyring", node.node, ring).value)


@pytest.mark.parametrize("keying", [None, LINK, BY_GROUP])
def test_a_key_that_stays(place: Target, keying: int | None) -> None:
    """Who changes one of two keys, as the code of TinyOS 1.x lets him, would have the IVs of the other
    again, or take old packets again. Nothing changes: the next IV is the next one. A keyring in which
    a pair stays is refused too, and one whose keys for both uses are equal."""
    node = Mote(place, KEY, config={"send": AE})
    before = node.secure(Message(7, 1, b"one"))[1]
    refused = ((KEY[:8], NEW[8:]), (NEW[:8], KEY[8:]), (KEY[:8], KEY[8:]), (NEW[:8], NEW[:8]))
    for halves in refused:
        assert changed(node, keying, *halves) == "WM_ERR_PARAM"
    status, after = node.secure(Message(7, 1, b"one"))
    assert (status, after[HEADER:BODY]) == ("WM_OK", bytes([2, 0, 1, 0])), "src 2, counter 1"
    assert before[:BODY] != after[:BODY]
    assert changed(node, keying, NEW[:8], NEW[8:]) == "WM_OK"
    status, first = node.secure(Message(7, 1, b"one"))
    assert (status, first[HEADER:BODY]) == ("WM_OK", bytes([2, 0, 0, 0]))
    if keying is not None:
        for halves in ((NEW[:8], KEY[8:]), (KEY[:8], NEW[8:])):
            assert changed(node, None, *halves) == "WM_ERR_PARAM", "the keyring's second pair"
            assert changed(node, keying, *halves) == "WM_ERR_PARAM"
        assert changed(node, None, KEY[:8], KEY[8:]) == "WM_OK"


def power(node: Mote, **members: int) -> None:
    """Changes the medium of the store."""
    was: dict[str, Any] = node.target.unpack("counter_double", bytearray(node.medium.read()))
    node.medium.write(bytes(node.target.pack("counter_double", **(was | members))))


def test_a_power_cut_at_each_write(place: Target) -> None:
    """Power fails at the first write of the store, at the second, and so on to a whole compaction, all
    in one life of the keys. Whatever is on the air has an IV of its own."""
    node = Mote(place, KEY, config={"send": AE})
    ivs: list[bytes] = []
    cuts = 0
    for fuse in range(1, 25):
        power(node, fuse=fuse, operations=0, seed=fuse)
        for _ in range(3 * test_tinysec.BLOCK):
            status, packet = node.secure(Message(7, 1, b"reading"))
            if status != "WM_OK":
                assert (status, set(packet)) == ("WM_ERR_STORAGE", {UNTOUCHED})
                cuts += 1
                break
            ivs.append(packet[HEADER:BODY])
        power(node, off=0, fuse=0)
        node.open_store()
        assert place.call("wm_tinysec_start", node.node).value == 0
    assert cuts >= 8
    assert len(set(ivs)) == len(ivs) >= 3 * test_tinysec.BLOCK
    counters = [int.from_bytes(iv[2:], "little") for iv in ivs]
    assert all(one < other for one, other in pairwise(counters))


def test_a_table_of_senders_that_is_filled(place: Target) -> None:
    """25 senders, 100 octets: an attacker who replays the packets of 25 others fills the table. A
    newcomer is shut out then, but no old packet comes back; one who was put into the table before
    is heard."""
    node = Mote(place, KEY, senders=25)
    assert len(place.pack("wm_tinysec_sender")) == 4

    def packet(src: int, counter: int) -> bytes:
        return ae(Node(KEY, "paper", "skipjack", src), Message(2, 1, b"hello"), counter)

    table = place.pack("wm_tinysec_sender", src=500, next=0)
    node.table.write(bytes(table) + bytes(96))
    replay = place.buffer(
        place.pack("wm_tinysec_replay", senders=node.table.address, capacity=25, heard=1)
    )
    node.set(replay=replay.address)
    recorded = [packet(100 + src, 9) for src in range(24)]
    for old in recorded:
        assert node.receive(old)[0] == "WM_OK"
    for old in recorded:
        assert node.receive(old)[0] == "WM_ERR_COUNTER"
    assert node.receive(packet(200, 0))[0] == "WM_ERR_UNAVAILABLE_DEVICE"
    assert node.receive(packet(500, 0))[0] == "WM_OK"
    assert node.receive(recorded[0])[0] == "WM_ERR_COUNTER"


def test_auth_is_replayed(place: Target) -> None:
    """A table does not help Auth, which has no counter: the alarm of yesterday rings again."""
    packet = auth(Node(KEY, "paper", "skipjack"), Message(2, 1, b""))
    node = Mote(place, KEY, senders=25)
    assert [node.receive(packet)[0] for _ in range(3)] == ["WM_OK"] * 3


def test_headers_that_stop_no_receiver(place: Target) -> None:
    """Four octets of a stranger stopped the archived receiver for ever. Here any header ends, at the
    latest after the octets it announces, and the next packet is heard."""
    good = auth(Node(KEY, "shipped", "skipjack"), Message(2, 1, b"next"))
    node = Mote(place, KEY, config={"profile": 1, "accept": 2})
    for length in (0x00, 0x40, 0x80, 0x81, 0x9D, 0x9E, 0xBF, 0xC0, 0xDD, 0xDE, 0xFF):
        header = bytes([2, 0, 1, length])
        state = place.buffer(place.pack("wm_tinysec_receiver"))
        wanted = place.call("wm_tinysec_receive", state, node.node).value
        octets = 0
        for octet in header + bytes(64):
            if not wanted:
                break
            wanted = place.call("wm_tinysec_take", state, bytes([octet]), 1).value
            octets += 1
        assert not wanted, hex(length)
        assert octets <= 41
        assert node.receive(header + bytes(60), (1,) * 64)[0] not in ("WM_OK", "WM_NOT_SECURED")
        assert node.receive(good)[0] == "WM_OK"


def test_one_octet_of_a_tag_is_not_enough(place: Target) -> None:
    """A comparison that ends early tells by its time how many octets of a guess are right, and the
    tag is found in 4 × 256 tries. Here all four count, and a refusal takes the same time wherever the
    guess is wrong."""
    packet = auth(Node(KEY, "paper", "skipjack"), Message(2, 1, b"alarm"))
    node, times = Mote(place, KEY), set()
    for octet in range(TAG):
        guess = bytearray(packet)
        guess[-1 - octet] ^= 1
        state = place.buffer(place.pack("wm_tinysec_receiver"))
        place.call("wm_tinysec_receive", state, node.node)
        place.call("wm_tinysec_take", state, bytes(guess), len(guess))
        message = place.pack("wm_tinysec_message")
        answer = place.call("wm_tinysec_accept_packet", node.node, state, message)
        assert name_of(answer.value) == "WM_ERR_SECURITY"
        times.add(getattr(answer, "cycles", None))
    assert len(times) == 1


def test_shipped_macs_have_an_octet_that_takes_no_data(place: Target) -> None:
    """The archived CBC-MAC takes 7 octets a block, and its padding leaves one out; PAPER takes 8. So
    29 octets cost a block more, and tags of the two have nothing in common."""
    model = {name: Node(KEY, name, "skipjack") for name in ("paper", "shipped")}
    for length in (5, 6, 7, 8, 29):
        message = Message(7, 1, bytes(range(length)))
        tags = set()
        for name, node in model.items():
            config = {"profile": test_tinysec.PROFILES[name]}
            packet = Mote(place, KEY, config=config).secure(message)[1]
            assert packet == auth(node, message)
            tags.add(packet[-TAG:])
        assert len(tags) == 2


def test_a_refused_packet_leaves_no_plaintext(place: Target) -> None:
    """The archived receiver had decrypted into the application's buffer when it found the tag wrong.
    Here the message is as it was, and the receiver is wiped."""
    data = b"what nobody may read at all!!"
    packet = bytearray(ae(Node(KEY, "paper", "skipjack"), Message(2, 1, data), 0))
    packet[-1] ^= 1
    node = Mote(place, KEY)
    state = place.buffer(place.pack("wm_tinysec_receiver"))
    place.call("wm_tinysec_receive", state, node.node)
    place.call("wm_tinysec_take", state, bytes(packet), len(packet))
    assert data[:8] in bytes(state.read()), "it was decrypted on the way"
    message = bytearray([UNTOUCHED]) * len(place.pack("wm_tinysec_message"))
    place.call("wm_tinysec_accept_packet", node.node, state, message)
    assert set(message) == {UNTOUCHED}
    assert not any(state.read())


def test_nothing_answers_by_itself(place: Target) -> None:
    """The archived stack acknowledged packets before it knew their tag. Here a receiver only takes:
    neither a right packet nor a forged one makes it use its counter, or write a packet."""
    packet = ae(Node(KEY, "paper", "skipjack"), Message(2, 1, b"x"), 0)
    node = Mote(place, KEY, config={"send": AE})
    before = node.look()
    node.receive(packet)
    node.receive(packet[:-1] + bytes([packet[-1] ^ 1]))
    assert node.look() == before | {"refused": 1}
    limit = place.call("wm_counter_store_limit", node.store, SLOT).value
    assert limit == 0
