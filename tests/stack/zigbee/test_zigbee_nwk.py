# SPDX-License-Identifier: BSD-3-Clause
"""NWK security of ZigBee on every CPU: frames of others and of the model both ways, refusals and
what they leave behind, counters over a reset."""

from __future__ import annotations

from dataclasses import replace

from tests.model.zigbee_model import USUAL, Aux, KeyId, NwkFrame, NwkHeader
from tests.stack.link.linklib import name_of
from tests.stack.zigbee.zigbeelib import HEADERS, ROOM, UNTOUCHED, Node, Sender
from tests.vectors import load, named, thinned
from vectors.generate_zigbee import AUX, KEY, OWN, PEER, SEQUENCE
from wardmote.call import Target

__all__ = ["HEADERS"]

OPENED = frozenset({"WM_ERR_SECURITY"})
"""Statuses of frames whose MIC was computed."""


def level_of(level: str) -> int:
    """As the node has it: the usual one is 0."""
    return 0 if int(level) == USUAL else int(level)


def test_every_frame_both_ways(target: Target, stride: int) -> None:
    """A node makes the vector's frame, octet for octet, and takes it."""
    for vector in thinned(load("zigbee", "zigbee-nwk"), stride * 2):
        clear, frame = vector.octets("clear"), vector.octets("frame")
        config = {"level": level_of(vector.parameters["level"])}
        key, sequence, source = (
            vector.octets("key"),
            vector.number("sequence"),
            vector.octets("source"),
        )
        with named(f"{vector}, {vector.parameters}"):
            sender = Node(target, key, sequence, source, config)
            sender.advance(vector.number("counter"))
            assert sender.secure(clear) == ("WM_OK", frame)
            assert sender.look()["next"] == vector.number("counter") + 1
            status, got, told = Node(target, key, sequence, OWN, config).unsecure(frame)
            assert (status, got) == (vector.members["status"], clear)
            assert bytes(told["aux"]["source"]) == source
            assert told["aux"]["counter"] == vector.number("counter")
            assert not told["newer"]


def test_every_refusal(target: Target, stride: int) -> None:
    """A frame is refused with its status and teaches the node nothing. It stays as it was, unless a
    MIC was computed: then nothing behind the header is left."""
    for vector in thinned(load("zigbee/nwk_refusals.json"), 1)[:: 4 * stride]:
        with named(str(vector)):
            node = Node(target, vector.octets("key"), vector.number("sequence"), OWN)
            before, frame = node.look(), vector.octets("frame")
            status, left, _ = node.unsecure(frame)
            assert status == vector.members["status"]
            assert node.look() == before
            assert not any(node.table.read())
            if status in OPENED:
                kept = len(frame) - len(left.lstrip(b"\0")) if not left[0] else 0
                header = len(left.rstrip(b"\0"))
                assert kept == 0
                assert frame.startswith(left[:header])
                assert len(frame) - header >= AUX + 4
            else:
                assert left == frame


def test_headers_are_read(target: Target) -> None:
    """The public readers say what a frame's headers are, and refuse what is cut off."""
    header = NwkHeader(2, 3, 1, 4, 5, OWN, PEER)
    frame = NwkFrame(header, b"payload").secured(KEY, Aux(KeyId.NETWORK, 6, PEER, SEQUENCE))
    read = bytearray(len(target.pack("wm_zigbee_nwk_header")))
    assert target.call("wm_zigbee_nwk_parse", frame, len(frame), read).value == 0
    got = target.unpack("wm_zigbee_nwk_header", read)
    assert [got[name] for name in ("dst", "src", "type", "radius", "sequence")] == [2, 3, 1, 4, 5]
    assert (bytes(got["dst_ext"]), bytes(got["src_ext"]), got["len"]) == (OWN, PEER, 24)
    for short in (b"", b"\x03"):  # 3 in the first octet of two: an inter-PAN frame
        cut = target.call("wm_zigbee_nwk_parse", short, len(short), read).value
        assert name_of(cut) == "WM_ERR_MALFORMED"
    aux = bytearray(len(target.pack("wm_zigbee_aux")))
    parts = frame[24 : 24 + AUX]
    for length in range(AUX):
        assert target.call("wm_zigbee_aux_parse", parts[:length], length, aux).value == 0
    assert target.call("wm_zigbee_aux_parse", parts, AUX, aux).value == AUX
    told = target.unpack("wm_zigbee_aux", aux)
    assert (told["counter"], bytes(told["source"]), told["sequence"]) == (6, PEER, SEQUENCE)
    octets = [target.call("wm_zigbee_mic_len", level).value for level in range(8)]
    assert octets == [0, 4, 8, 16, 0, 4, 8, 16]


def frame_of(counter: int, source: bytes = PEER, sequence: int = SEQUENCE) -> bytes:
    """A frame under the node's key."""
    aux = Aux(KeyId.NETWORK, counter, source, sequence)
    return NwkFrame(payload=b"payload").secured(KEY, aux)


def test_a_frame_is_taken_once(target: Target) -> None:
    """Per sender, counters grow; a frame with a wrong MIC moves none; a full table takes nobody
    else."""
    node = Node(target, KEY, SEQUENCE, OWN, capacity=2)
    other, third = PEER[:7] + b"\1", PEER[:7] + b"\2"
    for source, counter, status in (
        (PEER, 4, "WM_OK"),
        (PEER, 4, "WM_ERR_COUNTER"),
        (PEER, 3, "WM_ERR_COUNTER"),
        (PEER, 9, "WM_OK"),
        (other, 0, "WM_OK"),
        (third, 0, "WM_ERR_UNAVAILABLE_DEVICE"),
        (PEER, 0xFFFFFFFF, "WM_ERR_COUNTER"),
        (other, 0xFFFFFFFE, "WM_OK"),
        (other, 0xFFFFFFFE, "WM_ERR_COUNTER"),
    ):
        assert node.unsecure(frame_of(counter, source))[0] == status, (source, counter)
    forged = bytearray(frame_of(10))
    forged[-1] ^= 1
    assert node.unsecure(bytes(forged))[0] == "WM_ERR_SECURITY"
    assert node.unsecure(frame_of(10))[0] == "WM_OK"


def test_policy(target: Target) -> None:
    """Frames in clear and level bits are taken only where the node says so."""
    clear = NwkFrame(payload=b"beacon").clear()
    node = Node(target, KEY, SEQUENCE, OWN, {"accept_clear": 1})
    assert node.unsecure(clear)[:2] == ("WM_NOT_SECURED", clear)
    loud = NwkFrame(payload=b"x").secured(KEY, Aux(KeyId.NETWORK, 0, PEER, SEQUENCE, level_bits=5))
    assert node.unsecure(loud)[0] == "WM_ERR_IMPROPER_SECURITY_LEVEL"
    node.set(ignore_level_bits=1)
    assert node.unsecure(loud)[:2] == ("WM_OK", NwkFrame(payload=b"x").clear())


def test_counters_outlive_a_reset(target: Target) -> None:
    """After a reset no counter comes again, of the node's own frames nor of a sender's whose counter
    is kept."""
    node = Node(target, KEY, SEQUENCE, OWN, known=[Sender(PEER, 1)])
    clear, sent = NwkFrame(payload=b"on").clear(), []
    for _ in range(3):
        for _ in range(BETWEEN):
            status, frame = node.secure(clear)
            assert status == "WM_OK"
            sent.append(int.from_bytes(frame[9:13], "little"))
        assert node.start() == "WM_OK"
    assert sorted(set(sent)) == sent
    assert node.unsecure(frame_of(100))[0] == "WM_OK"
    assert node.start() == "WM_OK"
    assert node.unsecure(frame_of(100))[0] == "WM_ERR_COUNTER"
    assert node.unsecure(frame_of(200))[0] == "WM_OK"


BETWEEN = 5
"""Frames between two resets."""


def test_what_cannot_start(target: Target) -> None:
    """A node that cannot be safe refuses every frame."""
    clear = NwkFrame(payload=b"on").clear()
    for config, known, status in (
        ({"level": 8}, (), "WM_ERR_PARAM"),
        ({"counter": 0}, (), "WM_ERR_NO_STORE"),
        ({"capacity": 0}, (Sender(PEER),), "WM_ERR_PARAM"),
    ):
        node = Node(target, KEY, SEQUENCE, OWN, config, known)
        assert node.started == status
        assert node.secure(clear)[0] == "WM_ERR_UNAVAILABLE_KEY"
        assert node.unsecure(frame_of(1))[0] == "WM_ERR_UNAVAILABLE_KEY"
    for slot in (0, 1):
        node = Node(target, KEY, SEQUENCE, OWN, known=(Sender(PEER, slot=1),))
        node.slots[slot].write(bytes(len(node.slots[slot].read())))
        assert node.start() == "WM_ERR_NO_STORE"
        assert node.secure(clear)[0] == "WM_ERR_UNAVAILABLE_KEY"
    node = Node(target, KEY, SEQUENCE, OWN)
    blank = target.buffer(target.pack("wm_aes128_tab_key"))
    assert node.start(key=blank) == "WM_ERR_STATE"


def test_what_cannot_be_secured(target: Target) -> None:
    """A refusal leaves frame and counter as they were."""
    clear = NwkFrame(payload=b"on").clear()
    node = Node(target, KEY, SEQUENCE, OWN)
    secured = frame_of(1)
    for frame, room, status in (
        (clear, len(clear) + AUX + 3, "WM_ERR_FRAME_TOO_LONG"),
        (secured, ROOM, "WM_ERR_PARAM"),
        (clear[:7], ROOM, "WM_ERR_MALFORMED"),
        (clear[:1], ROOM, "WM_ERR_MALFORMED"),
        (replace(NwkFrame(), header=NwkHeader(version=3)).clear(), ROOM, "WM_ERR_NOT_FOR_US"),
        (bytes(UNTOUCHED for _ in range(240)), 255, "WM_ERR_NOT_FOR_US"),
    ):
        assert node.secure(frame, room) == (status, frame.ljust(room, bytes([UNTOUCHED])))
    long = NwkFrame(payload=bytes(240)).clear()
    assert node.secure(long, 255)[0] == "WM_ERR_FRAME_TOO_LONG"
    assert node.look()["next"] == 0
    node.target.call("wm_wipe", node.made, 16)
    assert node.secure(clear)[0] == "WM_ERR_STATE"
    assert node.unsecure(secured) == ("WM_ERR_STATE", secured, {})
    assert node.unsecure(frame_of(1, OWN))[0] == "WM_ERR_COUNTER", "looked at before the key"
    node = Node(target, KEY, SEQUENCE, OWN)
    node.set(next=0xFFFFFFFF)
    assert node.secure(clear)[0] == "WM_ERR_COUNTER"
    node.set(next=0)
    assert node.secure(clear)[0] == "WM_OK"
    node.open_store()
    assert node.secure(clear)[0] == "WM_ERR_STATE", "the node did not start anew"
