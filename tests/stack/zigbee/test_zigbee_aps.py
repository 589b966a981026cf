# SPDX-License-Identifier: BSD-3-Clause
"""APS security of ZigBee on every CPU: frames of others and of the model both ways, refusals and
what they leave behind, which key secures what, counters over a reset."""

from __future__ import annotations

from tests.model.zigbee_model import USUAL, ApsFrame, ApsHeader, Aux, Command, KeyId
from tests.stack.zigbee.apslib import ANYBODY, HEADERS, ApsNode, Link
from tests.stack.zigbee.zigbeelib import ROOM, UNTOUCHED
from tests.vectors import load, named
from vectors.generate_zigbee import OWN, PEER
from vectors.generate_zigbee_aps import JOINER, LINK, commands, kind
from wardmote.call import Target

__all__ = ["HEADERS"]

LINKS = (Link(PEER, LINK),)
OPENED = frozenset({"WM_ERR_SECURITY"})
"""Statuses of frames whose MIC was computed and nothing else."""


def test_every_frame_both_ways(target: Target, stride: int) -> None:
    """A node makes the vector's frame, octet for octet, and the other node takes it."""
    for vector in load("zigbee", "zigbee-aps")[:: 3 * stride]:
        clear, frame = vector.octets("clear"), vector.octets("frame")
        level, key, source = (
            int(vector.parameters["level"]),
            vector.octets("key"),
            vector.octets("source"),
        )
        config, said = {"level": 0 if level == USUAL else level}, vector.number("said")
        with named(f"{vector}, {vector.parameters}"):
            sender = ApsNode(target, (Link(OWN, key),), source, config)
            sender.advance(vector.number("counter"))
            assert sender.secure(clear, OWN, bool(said)) == ("WM_OK", frame)
            assert sender.look()["next"] == vector.number("counter") + 1
            taker = ApsNode(target, (Link(source, key),), OWN, config)
            status, got, told = taker.unsecure(frame, None if said else source)
            assert (status, got) == (vector.members["status"], clear)
            assert bytes(told["aux"]["source"]) == source
            assert told["aux"]["counter"] == vector.number("counter")


def test_every_refusal(target: Target, stride: int) -> None:
    """A frame is refused with its status and teaches the node nothing. It stays as it was, unless a
    MIC was computed: then nothing behind the header is left."""
    for vector in load("zigbee/aps_refusals.json")[:: 9 * stride]:
        with named(str(vector)):
            node = ApsNode(target, LINKS, OWN)
            before, frame = (node.look(), node.table.read()), vector.octets("frame")
            status, left, _ = node.unsecure(frame, vector.octets("source"))
            assert status == vector.members["status"]
            assert (node.look(), node.table.read()) == before
            if status in OPENED:
                header = len(left.rstrip(b"\0"))
                assert frame.startswith(left[:header])
                assert len(frame) - header >= 5 + 4
            else:
                assert left == frame or not any(left[len(left.rstrip(b"\0")) :])
                assert status == "WM_ERR_IMPROPER_KEY_TYPE" or left == frame


def frame_of(counter: int, source: bytes = PEER, payload: bytes = b"payload") -> bytes:
    """A frame under the link key."""
    return ApsFrame(payload=payload).secured(LINK, Aux(KeyId.DATA, counter, source))


def test_headers_are_read(target: Target) -> None:
    """The public reader says what a frame's header is."""
    header = ApsHeader(dst_endpoint=3, src_endpoint=4, cluster=0x1234, profile=0x5678, counter=9)
    for delivery, endpoint, group in ((0, 3, 0), (2, 3, 0), (3, 0, 0xABCD)):
        shaped = ApsHeader(
            delivery=delivery,
            dst_endpoint=3,
            group=group,
            src_endpoint=4,
            cluster=header.cluster,
            profile=header.profile,
            counter=9,
            fragment=(1, 5),
        )
        frame, read = shaped.octets(secured=False), bytearray(64)
        read = bytearray(len(target.pack("wm_zigbee_aps_header")))
        for length in range(len(frame)):
            call = target.call("wm_zigbee_aps_parse", frame[:length], length, read)
            assert call.value == -2
        assert target.call("wm_zigbee_aps_parse", frame, len(frame), read).value == 0
        got = target.unpack("wm_zigbee_aps_header", read)
        assert (got["dst_endpoint"], got["group"]) == (endpoint, group)
        assert (got["cluster"], got["profile"], got["src_endpoint"]) == (0x1234, 0x5678, 4)
        assert (got["counter"], got["fragmentation"], got["block"]) == (9, 1, 5)
        assert (got["len"], bool(got["endpoints_present"])) == (len(frame), True)


def test_a_frame_is_taken_once(target: Target) -> None:
    """Per link, counters grow; a frame with a wrong MIC moves none."""
    node = ApsNode(target, (*LINKS, Link(JOINER, LINK)), OWN)
    for counter, source, status in (
        (4, PEER, "WM_OK"),
        (4, PEER, "WM_ERR_COUNTER"),
        (3, PEER, "WM_ERR_COUNTER"),
        (0, JOINER, "WM_OK"),
        (9, PEER, "WM_OK"),
        (0, JOINER, "WM_ERR_COUNTER"),
        (0xFFFFFFFF, PEER, "WM_ERR_COUNTER"),
        (0xFFFFFFFE, JOINER, "WM_OK"),
        (0xFFFFFFFE, JOINER, "WM_ERR_COUNTER"),
        (5, OWN, "WM_ERR_UNAVAILABLE_DEVICE"),
    ):
        assert node.unsecure(frame_of(counter, source))[0] == status, (counter, source)
    forged = bytearray(frame_of(10))
    forged[-1] ^= 1
    assert node.unsecure(bytes(forged))[0] == "WM_ERR_SECURITY"
    assert node.unsecure(frame_of(10))[0] == "WM_OK"
    loop = ApsNode(target, (Link(OWN, LINK),), OWN)
    assert loop.unsecure(frame_of(5, OWN))[0] == "WM_ERR_COUNTER", "our own frame"


def test_who_sent_it_must_be_known(target: Target) -> None:
    """A frame without source is the NWK sender's; without either nobody's. The source in the frame
    counts before the NWK sender."""
    node = ApsNode(target, LINKS, OWN)
    hidden = ApsFrame(payload=b"x").secured(LINK, Aux(KeyId.DATA, 1, PEER, source_present=False))
    assert node.unsecure(hidden)[0] == "WM_ERR_UNAVAILABLE_DEVICE"
    assert node.unsecure(hidden, JOINER)[0] == "WM_ERR_UNAVAILABLE_DEVICE"
    assert node.unsecure(hidden, PEER)[0] == "WM_OK"
    assert node.unsecure(frame_of(2), JOINER)[0] == "WM_OK", "as a parent forwards it"


def test_each_command_has_its_key(target: Target) -> None:
    """A node secures each command under its kind of key; the other takes it under no other kind,
    and says so before it has learned anything."""
    for name, payload, _ in commands():
        frame = ApsFrame(ApsHeader(1), payload)
        sender = ApsNode(target, (Link(OWN, LINK),), PEER)
        aux = Aux(kind(payload), 0, PEER)
        assert sender.secure(frame.clear(), OWN, said=True) == ("WM_OK", frame.secured(LINK, aux))
        for key_id in KeyId:
            node = ApsNode(target, LINKS, OWN)
            status, left, _ = node.unsecure(frame.secured(LINK, Aux(key_id, 0, PEER)))
            right = key_id == aux.key_id
            assert status == ("WM_OK" if right else "WM_ERR_IMPROPER_KEY_TYPE"), (name, key_id)
            assert node.link()["next"] == int(right)
            if not right and key_id != KeyId.NETWORK:
                assert not any(left[2:]), "nothing was released"
        lacking = ApsNode(target, (Link(PEER, LINK, lacks=("data", "transport", "load")),), OWN)
        assert lacking.unsecure(frame.secured(LINK, aux))[0] == "WM_ERR_UNAVAILABLE_KEY"


def test_what_may_come_in_clear(target: Target) -> None:
    """Nothing, unless policy has it; and even then no command that carries, asks for or confirms a
    key, or sends a device away."""
    data = ApsFrame(payload=b"on").clear()
    node = ApsNode(target, LINKS, OWN)
    assert node.unsecure(data)[0] == "WM_ERR_IMPROPER_SECURITY_LEVEL"
    node.set(accept_clear=1)
    assert node.unsecure(data)[:2] == ("WM_NOT_SECURED", data)
    for name, payload, values in commands():
        status, left, _ = node.unsecure(ApsFrame(ApsHeader(1), payload).clear())
        wanted = values["id"] not in (5, 7, 8, 16)
        assert (status == "WM_NOT_SECURED") == wanted, name
        assert left == ApsFrame(ApsHeader(1), payload).clear()
    loud = ApsFrame().secured(LINK, Aux(KeyId.DATA, 0, PEER, level_bits=5))
    assert node.unsecure(loud)[0] == "WM_ERR_IMPROPER_SECURITY_LEVEL"
    node.set(ignore_level_bits=1)
    assert node.unsecure(loud)[:2] == ("WM_OK", ApsFrame().clear())


def test_a_joining_node_learns_its_trust_center(target: Target) -> None:
    """A link without address takes the first frame that is right under its keys, then its sender's
    alone."""
    node = ApsNode(target, (Link(ANYBODY, LINK),), OWN)
    forged = bytearray(frame_of(7, JOINER))
    forged[-1] ^= 1
    assert node.unsecure(bytes(forged))[0] == "WM_ERR_SECURITY"
    assert bytes(node.link()["address"]) == ANYBODY
    carried = ApsFrame(ApsHeader(1), Command.network_key(bytes(16), 1, OWN, PEER))
    assert node.unsecure(carried.secured(LINK, Aux(KeyId.TRANSPORT, 3, PEER)))[0] == "WM_OK"
    assert bytes(node.link()["address"]) == PEER
    assert node.unsecure(frame_of(8, JOINER))[0] == "WM_ERR_UNAVAILABLE_DEVICE"
    assert node.unsecure(frame_of(3))[0] == "WM_ERR_COUNTER", "one counter for all three keys"
    assert node.unsecure(frame_of(4))[0] == "WM_OK"


def test_counters_outlive_a_reset(target: Target) -> None:
    """After a reset no counter comes again, of the node's own frames nor of a link whose counter is
    kept; a new key begins anew."""
    node = ApsNode(target, (Link(PEER, LINK, slot=1),), OWN)
    clear, sent = ApsFrame(payload=b"on").clear(), []
    for _ in range(3):
        for _ in range(5):
            status, frame = node.secure(clear, PEER)
            assert status == "WM_OK"
            sent.append(int.from_bytes(frame[9:13], "little"))
        assert node.start() == "WM_OK"
    assert sorted(set(sent)) == sent
    assert node.unsecure(frame_of(100))[0] == "WM_OK"
    assert node.start() == "WM_OK"
    assert node.unsecure(frame_of(100))[0] == "WM_ERR_COUNTER"
    assert node.unsecure(frame_of(200))[0] == "WM_OK"
    target.call("wm_zigbee_link_renew", node.table)
    assert node.unsecure(frame_of(0))[0] == "WM_OK"
    assert node.start() == "WM_OK"
    assert node.unsecure(frame_of(0))[0] == "WM_ERR_COUNTER"
    assert node.unsecure(frame_of(20))[0] == "WM_OK"


def test_what_cannot_start(target: Target) -> None:
    """A node that cannot be safe refuses every frame."""
    clear = ApsFrame(payload=b"on").clear()
    for config, status in (({"level": 8}, "WM_ERR_PARAM"), ({"counter": 0}, "WM_ERR_NO_STORE")):
        node = ApsNode(target, LINKS, OWN, config)
        assert node.started == status
        assert node.secure(clear, PEER)[0] == "WM_ERR_UNAVAILABLE_KEY"
        assert node.unsecure(frame_of(1))[0] == "WM_ERR_UNAVAILABLE_DEVICE"
    node = ApsNode(target, LINKS, OWN)
    node.slots[0].write(bytes(len(node.slots[0].read())))
    assert node.start() == "WM_ERR_NO_STORE"
    assert node.secure(clear, PEER)[0] == "WM_ERR_UNAVAILABLE_KEY"


def test_what_cannot_be_secured(target: Target) -> None:
    """A refusal leaves frame and counter as they were."""
    clear = ApsFrame(payload=b"on").clear()
    node = ApsNode(target, LINKS, OWN)
    for frame, to, room, status in (
        (clear, PEER, len(clear) + 8, "WM_ERR_FRAME_TOO_LONG"),
        (clear, JOINER, ROOM, "WM_ERR_UNAVAILABLE_DEVICE"),
        (frame_of(1), PEER, ROOM, "WM_ERR_PARAM"),
        (ApsFrame(ApsHeader(delivery=2)).clear(), PEER, ROOM, "WM_ERR_PARAM"),
        (ApsFrame(ApsHeader(delivery=3)).clear(), PEER, ROOM, "WM_ERR_PARAM"),
        (clear[:7], PEER, ROOM, "WM_ERR_MALFORMED"),
        (ApsFrame(ApsHeader(1)).clear(), PEER, ROOM, "WM_ERR_MALFORMED"),
        (ApsFrame(ApsHeader(1), b"\5").clear(), PEER, ROOM, "WM_ERR_MALFORMED"),
        (ApsFrame(ApsHeader(3)).clear(), PEER, ROOM, "WM_ERR_NOT_FOR_US"),
    ):
        left = frame.ljust(room, bytes([UNTOUCHED]))
        assert node.secure(frame, to, room=room) == (status, left)
    long = ApsFrame(payload=bytes(240)).clear()
    assert node.secure(long, PEER, said=True, room=255)[0] == "WM_ERR_FRAME_TOO_LONG"
    assert node.look()["next"] == 0
    node.set(next=0xFFFFFFFF)
    assert node.secure(clear, PEER)[0] == "WM_ERR_COUNTER"
    node.set(next=0)
    assert node.secure(clear, PEER)[0] == "WM_OK"
    target.call("wm_wipe", node.made[0]["data"], 16)
    assert node.secure(clear, PEER)[0] == "WM_ERR_STATE"
    assert node.unsecure(frame_of(1))[0] == "WM_ERR_STATE"
    node = ApsNode(target, LINKS, OWN)
    node.open_store()
    assert node.secure(clear, PEER)[0] == "WM_OK", "a store that was opened before it was used"
    node.open_store()
    assert node.secure(clear, PEER)[0] == "WM_ERR_STATE", "the node did not start anew"
