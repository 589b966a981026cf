# SPDX-License-Identifier: BSD-3-Clause
"""TinySec on every CPU: packets of the archived code and of the model both ways, in pieces of any
length, and what a refusal leaves behind."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest

from tests.model.tinysec_model import MOST, Message, Node, ae, auth, plain, standard
from tests.stack.link.linklib import name_of
from tests.vectors import Vector, load, named, thinned
from wardmote.call import Target

HEADERS = (
    *("tinysec", "tinysec_packet", "tinysec_replay", "tinysec_receive", "skipjack", "rc5", "cbc"),
    *("counter_slot", "counter_store", "counter_double", "ct"),
)
AUTH, AE, PLAIN, STANDARD = range(4)
LINK, BY_GROUP = range(2)
KEYING = {LINK: "wm_tinysec_link", BY_GROUP: "wm_tinysec_group"}
MODES = {"auth": AUTH, "ae": AE}
PROFILES = {"paper": 0, "shipped": 1}
ANY, STANDARD_CRC, SLOT, GROUP, BLOCK = 2, 3, 1, 0x7D, 16
PORT = "counter_double_two"
UNTOUCHED = 0xA5


@dataclass
class Mote:
    """A node in the target's memory, which holds nothing else."""

    target: Target
    key: bytes
    cipher: str = "skipjack"
    config: dict[str, Any] = field(default_factory=dict)
    senders: int = 0
    """Room of the table of senders; 0: none."""
    pairs: Sequence[tuple[int, bytes]] = ()
    """Peer and key of each pair of the keyring; none: the network's key."""
    keying: int = LINK

    def __post_init__(self) -> None:
        """Makes keys, store and node, and starts."""
        self.target.reset()
        pack, buffer = self.target.pack, self.target.buffer
        self.keys = [self.made(self.key[:8]), self.made(self.key[8:])]
        self.medium = buffer(pack("counter_double", segment_octets=64, octet=b"\xff" * 288, unit=2))
        self.store, self.limits = buffer(pack("wm_counter_store")), buffer(bytes(8))
        port = self.target.address_of(PORT)
        if not self.target.call("wm_counter_store_create", port, self.medium).value:
            self.open_store()
        self.table = buffer(bytes(4 * max(1, self.senders)))
        self.receiver = buffer(pack("wm_tinysec_receiver"))
        replay = buffer(
            pack("wm_tinysec_replay", senders=self.table.address, capacity=self.senders)
        )
        self.slot = buffer(pack("wm_counter_slot"))
        self.target.call("wm_counter_slot_init", self.slot, self.store, SLOT)
        self.node = buffer(
            pack(
                "wm_tinysec",
                **{
                    "encryption": self.keys[0].address,
                    "mac": self.keys[1].address,
                    "keyring": self.ring(self.pairs).address if self.pairs else 0,
                    "store": self.slot.address,
                    "replay": replay.address if self.senders else 0,
                    "address": 2,
                    "group": GROUP,
                }
                | self.config,
            )
        )
        self.started = name_of(self.target.call("wm_tinysec_start", self.node).value)

    def made(self, octets: bytes) -> Any:
        """A key for both directions."""
        target = self.target
        key = target.buffer(target.pack(f"wm_{self.cipher}_key"))
        if self.cipher == "skipjack":
            target.call("wm_skipjack_init_both", key, octets + bytes(2))
        else:
            assert target.call("wm_rc5_init_both", key, octets, len(octets)).value == 0
        return key

    def ring(self, pairs: Sequence[tuple[int, bytes]], **members: int) -> Any:
        """A keyring in the target's memory."""
        pack, table = self.target.pack, b""
        for peer, key in pairs:
            one, other = self.made(key[:8]), self.made(key[8:])
            table += bytes(
                pack("wm_tinysec_keys", peer=peer, encryption=one.address, mac=other.address)
            )
        at = self.target.buffer(table).address
        how = self.target.address_of(KEYING[self.keying])
        all_members = {"keys": at, "count": len(pairs), "keying": how} | members
        return self.target.buffer(pack("wm_tinysec_keyring", **all_members))

    def open_store(self) -> None:
        """Reads the store, as after a reset."""
        port = self.target.address_of(PORT)
        opened = self.target.call(
            "wm_counter_store_open", self.store, port, self.medium, self.limits, 2, BLOCK
        )
        assert opened.value == 0

    def look(self) -> dict[str, Any]:
        """The node's members."""
        return self.target.unpack("wm_tinysec", bytearray(self.node.read()))

    def set(self, **changed: Any) -> None:
        """Changes members of the node."""
        self.node.write(bytes(self.target.pack("wm_tinysec", **(self.look() | changed))))

    def secure(
        self, message: Message, filling: bytes = bytes(8), room: int = 41
    ) -> tuple[str, bytes]:
        """Status, and the packet, or all the room there was."""
        target = self.target
        octets = bytearray([UNTOUCHED]) * room
        length = bytearray([UNTOUCHED])
        members = {
            "dst": message.dst,
            "type": message.type,
            "len": len(message.data),
            "data": (message.data + filling).ljust(MOST, b"\0")[:MOST],
        }
        given = target.pack("wm_tinysec_message", **members)
        status = target.call("wm_tinysec_secure", self.node, given, octets, room, length).value
        return name_of(status), bytes(octets[: length[0]] if status >= 0 else octets)

    def receive(self, packet: bytes, pieces: Sequence[int] = ()) -> tuple[str, dict[str, Any]]:
        """Status and message of a packet that comes in pieces; then one octet more than it has."""
        target = self.target
        receiver = self.receiver
        wanted = target.call("wm_tinysec_receive", receiver, self.node).value
        assert wanted == (5 if self.look()["accept"] == STANDARD_CRC else 4)
        at = 0
        for piece in (*pieces, 255):
            part = packet[at : at + piece]
            at += len(part)
            wanted = target.call("wm_tinysec_take", receiver, part, len(part)).value
        before = bytes([UNTOUCHED]) * len(target.pack("wm_tinysec_message"))
        message = bytearray(before)
        status = target.call("wm_tinysec_accept_packet", self.node, receiver, message).value
        assert not any(receiver.read()), "a receiver is wiped"
        if status < 0:
            assert bytes(message) == before, "a refusal releases nothing"
            return name_of(status), {}
        assert wanted == 0
        return name_of(status), target.unpack("wm_tinysec_message", message)


def mote(target: Target, vector: Vector, **config: Any) -> Mote:
    """A node with the vector's key, cipher and profile."""
    profile = PROFILES[vector.parameters["profile"]]
    cipher = vector.parameters["cipher"]
    return Mote(target, vector.octets("key"), cipher, {"profile": profile} | config)


def message_of(vector: Vector) -> Message:
    """What the vector's packet carries."""
    return Message(vector.number("dst"), vector.number("type"), vector.octets("data"))


def test_every_packet_both_ways(target: Target, stride: int) -> None:
    """The sender makes the vector's packet, octet for octet; the receiver takes it, in one piece
    and octet by octet."""
    for vector in thinned(load("tinysec", "tinysec"), stride * 2):
        mode, want = MODES[vector.parameters["mode"]], vector.octets("packet")
        counter, message = vector.number("counter"), message_of(vector)
        config = {"send": mode, "address": vector.number("src")}
        with named(f"{vector}, {vector.parameters}"):
            sender = mote(target, vector, **config)
            if counter:
                sender.set(counter=counter)
                advanced = target.call("wm_counter_store_advance", sender.store, SLOT, counter)
                assert advanced.value == 0
            assert sender.secure(message, vector.octets("filling")) == ("WM_OK", want)
            for pieces in ((), (1,) * len(want)):
                status, got = mote(target, vector).receive(want, pieces)
                assert status == "WM_OK"
                assert bytes(got["data"][: got["len"]]) == message.data
                src = vector.number("src") if mode == AE else 0xFFFF
                assert (got["dst"], got["type"]) == (message.dst, message.type)
                assert (got["src"], got["mode"]) == (src, mode)


def test_every_refusal(target: Target, stride: int) -> None:
    """A packet is refused with its status, and only a wrong tag counts as an attack."""
    for vector in thinned(load("tinysec/refusals.json"), 1)[:: 4 * stride]:
        with named(f"{vector}, {vector.parameters}"):
            receiver = mote(target, vector, accept=vector.number("accept"))
            status, _ = receiver.receive(vector.octets("packet"))
            assert status == vector.members["status"]
            assert receiver.look()["refused"] == (status == "WM_ERR_SECURITY")


def test_pieces_of_any_length(target: Target) -> None:
    """However a packet is cut, it is taken in the same way."""
    source = random.Random("tinysec pieces")
    key = source.randbytes(16)
    node = Node(key, "paper", "skipjack")
    for length in (0, 7, 8, 9, 16, 17, 24, 29):
        message = Message(2, 3, source.randbytes(length))
        receiver = Mote(target, key)
        for packet in (auth(node, message), ae(node, message, length)):
            pieces = [source.randrange(1, 9) for _ in range(12)]
            status, got = receiver.receive(packet, pieces)
            assert (status, bytes(got["data"][:length])) == ("WM_OK", message.data), pieces


def test_octets_behind_a_packet_are_left_alone(target: Target) -> None:
    """More octets than the header asks for change nothing, nor does a length of 256 and more."""
    key = bytes(range(16))
    packet = auth(Node(key, "paper", "skipjack"), Message(2, 1, b"burglar"))
    for behind in (20, 256, 300):
        assert Mote(target, key).receive(packet + bytes(behind), (300,))[0] == "WM_OK"


def test_a_packet_for_another_is_told_by_its_header(target: Target) -> None:
    """Four octets are enough to let the radio sleep."""
    key = bytes(range(16))
    packet = ae(Node(key, "paper", "skipjack"), Message(3, 1, bytes(29)), 0)
    receiver = Mote(target, key)
    state = target.buffer(target.pack("wm_tinysec_receiver"))
    target.call("wm_tinysec_receive", state, receiver.node)
    assert target.call("wm_tinysec_take", state, packet[:3], 3).value == 1
    assert target.call("wm_tinysec_take", state, packet[3:4], 1).value == 0


def test_an_empty_packet_of_the_alarm_ends(target: Target) -> None:
    """An Auth packet without data, which stopped the archived receiver for ever, is accepted."""
    key = bytes(range(16))
    packet = auth(Node(key, "shipped", "skipjack"), Message(0xFFFF, 1, b""))
    receiver = Mote(target, key, config={"profile": 1})
    assert receiver.receive(packet, (1,) * 8)[0] == "WM_OK"
    assert receiver.receive(packet, (1,) * 8)[0] == "WM_OK"


def test_counters_survive_a_reset(target: Target) -> None:
    """After a reset no IV is used again, which the archived code does from its first packet on."""
    node = Mote(target, bytes(range(16)), config={"send": AE})
    ivs = set()
    for _ in range(3):
        for _ in range(BLOCK + 2):
            status, packet = node.secure(Message(3, 1, b"reading"))
            assert status == "WM_OK"
            ivs.add(packet[4:8])
        node.open_store()
        assert target.call("wm_tinysec_start", node.node).value == 0
    assert len(ivs) == 3 * (BLOCK + 2)


def test_a_node_that_did_not_start_sends_nothing_in_ae(target: Target) -> None:
    """Its counter may have been used."""
    node = Mote(target, bytes(range(16)), config={"send": AE})
    assert node.secure(Message(3, 1, b""))[0] == "WM_OK"
    node.open_store()
    node.set(counter=0)
    status, octets = node.secure(Message(3, 1, b""))
    assert (status, set(octets)) == ("WM_ERR_STATE", {UNTOUCHED})
    node.set(store=0)
    assert node.secure(Message(3, 1, b""))[0] == "WM_ERR_NO_STORE"


@pytest.mark.parametrize(("reuse", "status"), [(0, "WM_ERR_COUNTER"), (1, "WM_OK")])
def test_counters_end(target: Target, reuse: int, status: str) -> None:
    """After 65 536 packets nothing is sent in AE, unless IVs may come again, and then one does."""
    config = {"send": AE, "profile": 1, "reuse_ivs_when_used_up": reuse}
    node = Mote(target, bytes(range(16)), config=config)
    first = node.secure(Message(3, 1, b""))[1]
    assert target.call("wm_counter_store_advance", node.store, SLOT, 65535).value == 0
    node.set(counter=65535)
    last = node.secure(Message(3, 1, b""))
    assert (last[0], last[1][4:6]) == ("WM_OK", b"\xff\xff")
    after, packet = node.secure(Message(3, 1, b""))
    assert after == status
    assert (packet == first) == bool(reuse)
    node.set(send=AUTH)
    assert node.secure(Message(3, 1, b""))[0] == "WM_OK", "Auth has no counter"


def test_a_store_that_fails_sends_nothing(target: Target) -> None:
    """A counter that is not stored is not used."""
    node = Mote(target, bytes(range(16)), config={"send": AE})
    members = target.unpack("counter_double", bytearray(node.medium.read()))
    node.medium.write(bytes(target.pack("counter_double", **(members | {"off": 1}))))
    status, octets = node.secure(Message(3, 1, b"reading"))
    assert (status, set(octets)) == ("WM_ERR_STORAGE", {UNTOUCHED})


def test_a_packet_that_was_prepared_needs_no_store(target: Target) -> None:
    """Its IV is the one it would have had, it is used once, and a reset does not give it back."""
    message = Message(3, 1, b"reading")
    unprepared = Mote(target, bytes(range(16)), config={"send": AE}).secure(message)
    node = Mote(target, bytes(range(16)), config={"send": AE})
    for _ in range(2):
        assert target.call("wm_tinysec_prepare", node.node).value == 0
    members = target.unpack("counter_double", bytearray(node.medium.read()))
    node.medium.write(bytes(target.pack("counter_double", **(members | {"off": 1}))))
    first = node.secure(message)
    assert first == unprepared
    node.medium.write(bytes(target.pack("counter_double", **members)))
    node.open_store()
    assert target.call("wm_tinysec_start", node.node).value == 0
    assert target.call("wm_tinysec_prepare", node.node).value == 0
    node.open_store()
    assert target.call("wm_tinysec_start", node.node).value == 0
    status, packet = node.secure(message)
    assert (status, len({first[1][4:8], packet[4:8]})) == ("WM_OK", 2)
    assert node.look()["counter"] > 2 * BLOCK


def test_what_cannot_be_prepared(target: Target) -> None:
    """What secure refuses for its counter is refused before; Auth and plain packets need none."""
    node = Mote(target, bytes(range(16)), config={"send": AE})
    members = target.unpack("counter_double", bytearray(node.medium.read()))
    node.medium.write(bytes(target.pack("counter_double", **(members | {"off": 1}))))
    assert name_of(target.call("wm_tinysec_prepare", node.node).value) == "WM_ERR_STORAGE"
    assert node.secure(Message(3, 1, b""))[0] == "WM_ERR_STORAGE"
    for mode in (AUTH, PLAIN):
        node.set(send=mode)
        assert target.call("wm_tinysec_prepare", node.node).value == 0
    node = Mote(target, bytes(range(16)), config={"send": AE})
    assert target.call("wm_counter_store_advance", node.store, SLOT, 65536).value == 0
    node.set(counter=65536)
    assert name_of(target.call("wm_tinysec_prepare", node.node).value) == "WM_ERR_COUNTER"
    node.set(counter=0)
    assert name_of(target.call("wm_tinysec_prepare", node.node).value) == "WM_ERR_STATE"
    node.set(store=0)
    assert name_of(target.call("wm_tinysec_prepare", node.node).value) == "WM_ERR_NO_STORE"


def test_what_cannot_be_sent(target: Target) -> None:
    """Too much data and too little room are refused before a counter is used."""
    for mode, need in ((AUTH, 4 + 9 + 4), (AE, 8 + 9 + 4), (PLAIN, 5 + 9 + 2)):
        node = Mote(target, bytes(range(16)), config={"send": mode})
        message = Message(3, 1, bytes(9))
        status, octets = node.secure(message, room=need - 1)
        assert (status, set(octets)) == ("WM_ERR_FRAME_TOO_LONG", {UNTOUCHED})
        assert node.look()["counter"] == 0
        assert len(node.secure(message, room=need)[1]) == need
        given = target.pack("wm_tinysec_message", len=30)
        answer = target.call("wm_tinysec_secure", node.node, given, bytearray(41), 41, bytearray(1))
        assert name_of(answer.value) == "WM_ERR_PARAM"


def test_plain_packets(target: Target) -> None:
    """They have a CRC, and the status says that nobody vouches for them."""
    node = Mote(target, bytes(range(16)), config={"send": PLAIN, "accept": ANY})
    for length in (0, 1, 29):
        message = Message(2, 200, bytes(range(length)))
        status, packet = node.secure(message)
        assert (status, packet) == ("WM_NOT_SECURED", plain(message, GROUP))
        status, got = node.receive(packet, (1,) * len(packet))
        assert (status, got["mode"], got["len"]) == ("WM_NOT_SECURED", PLAIN, length)


def test_packets_of_a_stack_without_tinysec(target: Target) -> None:
    """Group stands before length. A node that takes them takes no others, and the other way round."""
    data = bytes(range(24))
    printed = {PLAIN: f"ffff04187d{data.hex()}e6a3", STANDARD: f"ffff047d18{data.hex()}61c6"}
    for mode, accept in ((PLAIN, 1), (STANDARD, STANDARD_CRC)):
        node = Mote(target, bytes(range(16)), config={"send": mode, "accept": accept})
        octets = bytes.fromhex(printed[mode])
        assert node.secure(Message(0xFFFF, 4, data)) == ("WM_NOT_SECURED", octets)
        for pieces in ((), (1,) * len(octets)):
            status, got = node.receive(octets, pieces)
            assert (status, got["mode"], got["len"]) == ("WM_NOT_SECURED", mode, 24)
            assert (bytes(got["data"][:24]), got["src"]) == (data, 0xFFFF)
    own, other = standard(Message(2, 1, b"x"), GROUP), standard(Message(2, 1, b"x"), GROUP ^ 1)
    assert node.receive(own)[0] == "WM_NOT_SECURED"
    assert node.receive(other)[0] == "WM_ERR_NOT_FOR_US"
    assert node.receive(own[:-1] + bytes([own[-1] ^ 1]))[0] == "WM_ERR_FCS"
    assert node.receive(own[:4] + b"\x1e" + bytes(40))[0] == "WM_ERR_MALFORMED"
    assert node.receive(own[:4] + b"\x41" + own[5:])[0] == "WM_ERR_MALFORMED", "no bits of a mode"
    assert node.receive(own[:4])[0] == "WM_ERR_MALFORMED"
    assert node.receive(printed_auth(4))[0] != "WM_OK"
    for accept in range(3):
        node.set(accept=accept)
        assert node.receive(own, (1,) * len(own))[0] not in ("WM_OK", "WM_NOT_SECURED")


def printed_auth(length: int) -> bytes:
    """An Auth packet under the zero key."""
    return auth(Node(bytes(16), "paper", "skipjack"), Message(2, 1, bytes(length)))


def test_keys_that_will_not_do(target: Target) -> None:
    """A key that is missing or not made, or of long blocks, is refused at the start, and so are two
    that are equal: under one key ciphertexts are parts of tags."""
    key = bytes(range(16))
    for cipher, config in product(("skipjack", "rc5"), ({}, {"send": AE}, {"accept": ANY})):
        assert Mote(target, 2 * key[:8], cipher, config).started == "WM_ERR_PARAM", config
    unused = {"send": PLAIN, "accept": 1}
    assert Mote(target, 2 * key[:8], config=unused).started == "WM_OK"
    for config, status in (
        ({"mac": 0}, "WM_ERR_PARAM"),
        ({"encryption": 0}, "WM_OK"),
        ({"encryption": 0, "send": AE}, "WM_ERR_PARAM"),
        ({"store": 0}, "WM_OK"),
        ({"store": 0, "send": AE}, "WM_ERR_NO_STORE"),
        ({"encryption": 0, "mac": 0, "send": PLAIN, "accept": 1}, "WM_OK"),
    ):
        assert Mote(target, key, config=config).started == status, config
    node = Mote(target, key, config={"send": AE})
    node.slot.write(bytes(len(node.slot.read())))
    assert name_of(target.call("wm_tinysec_start", node.node).value) == "WM_ERR_NO_STORE"
    assert node.secure(Message(3, 1, b""))[0] == "WM_ERR_NO_STORE"
    node = Mote(target, key)
    node.keys[1].write(bytes(len(node.keys[1].read())))
    assert name_of(target.call("wm_tinysec_start", node.node).value) == "WM_ERR_STATE"
    assert node.secure(Message(3, 1, b""))[0] == "WM_ERR_STATE"
    packet = auth(Node(key, "paper", "skipjack"), Message(2, 1, b""))
    assert node.receive(packet)[0] == "WM_ERR_STATE"


def test_a_key_that_only_encrypts_opens_nothing(target: Target) -> None:
    """Where AE may come, the key for encryption is one for both directions."""
    sender = Mote(target, bytes(range(16)), config={"send": AE, "address": 3})
    made = [sender.secure(Message(2, 1, bytes(octets))) for octets in (0, 8, 16, 29)]
    packets = [packet for status, packet in made if status == "WM_OK"]
    assert len(packets) == len(made)
    node = Mote(target, bytes(range(16)))
    target.call("wm_skipjack_init", node.keys[0], bytes(10))
    assert name_of(target.call("wm_tinysec_start", node.node).value) == "WM_ERR_PARAM"
    node.set(accept=1)
    assert name_of(target.call("wm_tinysec_start", node.node).value) == "WM_OK"
    node.set(accept=ANY)  # and not started again
    for packet in packets:
        assert node.receive(packet)[0] == "WM_ERR_IMPROPER_SECURITY_LEVEL"


def test_new_keys(target: Target) -> None:
    """They begin at counter 0; a packet under way is refused, and so is one under the old keys."""
    old, new = bytes(range(16)), bytes(range(16, 32))
    node = Mote(target, old, config={"send": AE})
    node.secure(Message(3, 1, b""))
    packet = auth(Node(old, "paper", "skipjack"), Message(2, 1, b"before"))
    state = target.buffer(target.pack("wm_tinysec_receiver"))
    target.call("wm_tinysec_receive", state, node.node)
    target.call("wm_tinysec_take", state, packet[:7], 7)
    keys = [node.made(new[:8]), node.made(new[8:])]
    assert target.call("wm_tinysec_change_keys", node.node, *keys).value == 0
    target.call("wm_tinysec_take", state, packet[7:], len(packet) - 7)
    message = bytearray(len(target.pack("wm_tinysec_message")))
    answer = target.call("wm_tinysec_accept_packet", node.node, state, message)
    assert (name_of(answer.value), any(message)) == ("WM_ERR_STATE", False)
    assert node.receive(packet)[0] == "WM_ERR_SECURITY"
    model = Node(new, "paper", "skipjack", 2)
    sent = Message(3, 1, b"first of the new")
    assert node.secure(sent) == ("WM_OK", ae(model, sent, 0))


def test_replays(target: Target) -> None:
    """With a table a counter is taken once, from as many senders as there is room for; without,
    again and again."""
    key = bytes(range(16))
    message = Message(2, 1, b"open the gate")

    def packet(src: int, counter: int) -> bytes:
        return ae(Node(key, "paper", "skipjack", src), message, counter)

    careless = Mote(target, key)
    assert [careless.receive(packet(7, 4))[0] for _ in range(2)] == ["WM_OK"] * 2
    node = Mote(target, key, senders=2)
    for src, counter, status in (
        (7, 4, "WM_OK"),
        (7, 4, "WM_ERR_COUNTER"),
        (7, 3, "WM_ERR_COUNTER"),
        (7, 9, "WM_OK"),
        (8, 0, "WM_OK"),
        (9, 0, "WM_ERR_UNAVAILABLE_DEVICE"),
        (7, 65535, "WM_ERR_COUNTER"),
        (8, 65534, "WM_OK"),
        (8, 65534, "WM_ERR_COUNTER"),
    ):
        assert node.receive(packet(src, counter))[0] == status, (src, counter)
    forged = bytearray(packet(7, 10))
    forged[-1] ^= 1
    assert node.receive(bytes(forged))[0] == "WM_ERR_SECURITY"
    assert node.receive(packet(7, 10))[0] == "WM_OK", "a forged counter is not believed"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("senders", [0, 2])
def test_a_packet_that_is_sent_back(target: Target, profile: str, senders: int) -> None:
    """A node refuses its own AE packet, with a table of senders and without. Auth does not tell who
    made a packet."""
    config = {"send": AE, "profile": PROFILES[profile]}
    node = Mote(target, bytes(range(16)), config=config, senders=senders)
    own = node.secure(Message(0xFFFF, 1, b"open the gate"))[1]
    assert node.receive(own)[0] == "WM_ERR_COUNTER"
    assert node.look()["refused"] == 0
    forged = own[:-1] + bytes([own[-1] ^ 1])
    assert (node.receive(forged)[0], node.look()["refused"]) == ("WM_ERR_SECURITY", 1)
    other = ae(Node(bytes(range(16)), profile, "skipjack", 7), Message(0xFFFF, 1, b"reading"), 0)
    assert node.receive(other)[0] == "WM_OK"
    node.set(send=AUTH)
    assert node.receive(node.secure(Message(0xFFFF, 1, b"open the gate"))[1])[0] == "WM_OK"


def test_new_keys_leave_the_senders_in_the_table(target: Target) -> None:
    """Who was put there or was heard is heard, from counter 0; there is room for nobody else."""
    old, new = bytes(range(16)), bytes(range(16, 32))
    node = Mote(target, old, senders=2)
    node.table.write(bytes(target.pack("wm_tinysec_sender", src=11)) + bytes(4))
    members = {"senders": node.table.address, "capacity": 2, "heard": 1}
    replay = target.buffer(target.pack("wm_tinysec_replay", **members))
    node.set(replay=replay.address)

    def packet(key: bytes, src: int, counter: int) -> bytes:
        return ae(Node(key, "paper", "skipjack", src), Message(2, 1, b"reading"), counter)

    assert node.receive(packet(old, 12, 9))[0] == "WM_OK"
    keys = [node.made(new[:8]), node.made(new[8:])]
    assert target.call("wm_tinysec_change_keys", node.node, *keys).value == 0
    for src, status in (
        (77, "WM_ERR_UNAVAILABLE_DEVICE"),
        (11, "WM_OK"),
        (12, "WM_OK"),
        (12, "WM_ERR_COUNTER"),
    ):
        assert node.receive(packet(new, src, 0))[0] == status, src


def test_tags_in_the_papers_manner(target: Target) -> None:
    """Blocks of 8 octets over packets of the archived code: tags computed by a program of their
    own."""
    key = bytes.fromhex("6d524d67f24f178b0a69933fdd6c6f7b")
    tags = {8: "b8654846", 16: "15f6fc36", 24: "46485290", 29: "9e8fc3e9"}
    for length, tag in tags.items():
        node = Mote(target, key)
        _, packet = node.secure(Message(0xFFFF, 4, bytes(range(length))))
        assert packet[-4:].hex() == tag
    shipped = Node(key, "shipped", "skipjack")
    for length, counter, tag in (
        (8, 0, "c2c0cb9c"),
        (16, 0, "ea5174a3"),
        (24, 0x100, "31e587c5"),
        (29, 0, "c1e369ad"),
    ):
        octets = ae(shipped, Message(2, 4, bytes(range(length))), counter)[:-4]
        node = Mote(target, key)
        state = target.buffer(target.pack("wm_tinysec_mac"))
        target.call("wm_tinysec_mac_init", state, node.keys[1], 0, len(octets))
        target.call("wm_tinysec_mac_update", state, octets, len(octets))
        given = bytearray(4)
        assert target.call("wm_tinysec_mac_final", state, given).value == 0
        assert given.hex() == tag
        assert not any(state.read())
