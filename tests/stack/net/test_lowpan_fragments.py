# SPDX-License-Identifier: BSD-3-Clause
"""Packets cut into fragments and put together on every CPU: in any order, twice, overlapping, late,
of several senders, against a model that keeps sets of octets."""

from __future__ import annotations

from random import Random

import pytest

from tests.model import fragments_model as model
from tests.model.ipv6_model import Header, packet, udp
from tests.model.lowpan_model import LINK_LOCAL, SHORT, Net, expand, low
from tests.stack.link.linklib import name_of
from tests.stack.net import packets
from tests.stack.net.lowpanlib import HEADERS as LOWPAN
from tests.stack.net.lowpanlib import Lowpan
from wardmote.call import Target

HEADERS = (*LOWPAN, "lowpan_fragments", "fragments_double")
NET = Net(src=b"\0\1", dst=b"\0\2")
STEPS, MANY = 60, 1000
TIMEOUT = 60
LEAST = 13
"""Octets of a frame that hold the headers of a UDP packet as a first fragment, and a unit."""


def datagram(octets: int, seed: int = 1) -> bytes:
    """A packet with so many octets of UDP payload."""
    src, dst = (low(LINK_LOCAL | SHORT | n, 16) for n in (1, 2))
    payload = Random(seed).randbytes(octets)
    return packet(Header(src, dst, 17), udp(src, dst, (5683, 0xF0B1), payload))


class CutError(Exception):
    """A packet that could not be sent; the status."""


class Sender(Lowpan):
    """Cuts packets."""

    def frames(
        self,
        octets: bytes,
        tag: int,
        room: int,
        *,
        elide: bool = False,
        made: tuple[int, int] | None = None,
    ) -> list[bytes]:
        """What the frames carry. `made`: the packet's octets from the first on are made when they go,
        the second on cannot be."""
        call, pack = self.target.call, self.target.pack
        where = self.target.buffer(octets)
        sending, frame, length = pack("wm_lowpan_sending"), bytearray(room), bytearray(2)
        args = (self.net, self.link, where, len(octets), int(elide), tag, frame, room, length)
        if made is None:
            status = call("wm_lowpan_send", sending, *args).value
        else:
            maker = self.target.buffer(pack("wm_lowpan_maker"))
            call("fragments_double_makes", maker, where, *made)
            status = call("wm_lowpan_send_made", sending, maker, *args).value
        found = []
        while status == 0 and (octets_there := int.from_bytes(length, self.target.model.order)):
            found.append(bytes(frame[:octets_there]))
            status = call("wm_lowpan_send_next", sending, frame, room, length).value
        if status != 0:
            raise CutError(name_of(status))
        return found


class Receiver(Lowpan):
    """Puts packets together."""

    def __init__(self, target: Target, net: Net = NET, count: int = 3, per_sender: int = 1) -> None:
        super().__init__(target, net)
        self.memory = [target.buffer(b"\xa5" * (model.MOST + 1)) for _ in range(count)]
        slots = (target.pack("wm_lowpan_slot", packet=place.address) for place in self.memory)
        self.slots = target.buffer(b"".join(bytes(slot) for slot in slots))
        self.reassembly = target.buffer(
            target.pack(
                "wm_lowpan_reassembly",
                slots=self.slots.address,
                timeout=TIMEOUT,
                size=model.MOST,
                count=count,
                per_sender=per_sender,
            )
        )

    def take(self, octets: bytes, now: int = 0, net: Net | None = None) -> tuple[str, bytes]:
        """A fragment: status, and the packet when it is whole."""
        target = self.target
        link = self.link if net is None else Lowpan.link_of(target, net)
        pointer = bytearray(b"\xa5" * target.model.pointer_octets)
        length = bytearray(b"\xa5" * 2)
        args = (self.reassembly, self.net, link, octets, len(octets), now, pointer, length)
        status = name_of(target.call("wm_lowpan_reassemble", *args).value)
        address = int.from_bytes(pointer, target.model.order)
        if not address:
            assert length == bytes(2), "a caller never sees a length without a packet"
            return status, b""
        (place,) = (place for place in self.memory if place.address == address)
        return status, place.read()[: int.from_bytes(length, target.model.order)]

    def check(self) -> None:
        """Nothing was written behind a slot."""
        assert all(place.read()[model.MOST :] == b"\xa5" for place in self.memory)


@pytest.mark.parametrize("elide", [False, True])
def test_every_length(target: Target, *, elide: bool) -> None:
    """Packets up to 1280 octets in frames of any room, cut and put together, also backwards."""
    host = target.name == "host"
    source = Random(1)
    lengths = [*range(0, 1233, 31 if host else 400), 1231, 1232]
    for length in lengths:
        octets = datagram(length)
        room = source.choice((30, 72, 80, 102))
        frames = Sender(target, NET).frames(octets, 7, room, elide=elide)
        assert all(len(frame) <= room for frame in frames)
        if len(frames) == 1:
            assert expand(frames[0], NET) == octets
            continue
        for order in (frames, frames[::-1]):
            receiver, reference = Receiver(target), model.Reassembly(3, 1, TIMEOUT)
            for frame in order:
                last = receiver.take(frame)
                assert last == reference.take(frame, NET, 0)
            assert last == ("WM_OK", octets)
            receiver.check()


def test_rooms(target: Target) -> None:
    """Each room for a frame: the octets fit, or it is refused because not even the headers do."""
    octets = datagram(60)
    for room in range(1, 60, 1 if target.name == "host" else 9):
        if room < LEAST:
            with pytest.raises(CutError, match="FRAME_TOO_LONG"):
                Sender(target, NET).frames(octets, 1, room)
            continue
        frames = Sender(target, NET).frames(octets, 1, room)
        reference = model.Reassembly(3, 1, TIMEOUT)
        assert [reference.take(frame, NET, 0) for frame in frames][-1] == ("WM_OK", octets)


def test_too_long_to_name(target: Target) -> None:
    """2047 octets have a size, 2048 have none."""
    src = low(LINK_LOCAL | 1, 16)
    for length, right in ((2047, True), (2048, False)):
        octets = packet(Header(src, src, 58), bytes(length - 40))
        if right:
            assert Sender(target, NET).frames(octets, 1, 100)
        else:
            with pytest.raises(CutError, match="FRAME_TOO_LONG"):
                Sender(target, NET).frames(octets, 1, 100)


def damaged(source: Random, frame: bytes, others: list[bytes]) -> bytes:
    """A fragment with another offset, size, tag or length."""
    octets = bytearray(frame)
    kind = source.randrange(6)
    if kind == 0:
        return frame[: source.randrange(len(frame))]
    if kind == 1:
        octets[source.randrange(min(6, len(octets)))] ^= 1 << source.randrange(8)
    elif kind == 2 and len(octets) > 4:
        octets[4] = source.randrange(20)
    elif kind == 3:
        octets += source.randbytes(source.choice((1, 8)))
    elif kind == 4 and len(octets) > 13:
        del octets[-8:]
    else:
        return source.choice(others)
    return bytes(octets)


@pytest.mark.parametrize("per_sender", [1, 2])
def test_any_sequence(target: Target, per_sender: int) -> None:
    """Senders, tags, orders, repetitions, damage and pauses as they come: status and packets are
    the model's."""
    source = Random(per_sender)
    nets = [Net(src=bytes([0, n]), dst=b"\0\2") for n in range(5)]
    sender = Sender(target, NET)
    pool = []
    for net in nets:
        for tag in range(3):
            octets = datagram(source.choice((100, 200, 300)), source.randrange(3))
            sent = Sender(target, net).frames(octets, tag, 102, elide=source.random() < 0.3)
            pool += [(net, frame) for frame in sent]
    assert sender.target is target
    receiver = Receiver(target, per_sender=per_sender)
    reference, now, seen = model.Reassembly(3, per_sender, TIMEOUT), 0, dict[str, int]()
    for _ in range(MANY if target.name == "host" else STEPS):
        at = source.randrange(len(pool))
        for net, frame in pool[at : at + source.choice((1, 1, 3))]:
            if source.random() < 0.15:
                frame = damaged(source, frame, [other for _, other in pool])
            now += source.choice((1, 1, 1, 20))  # oldest is one alone
            expected = reference.take(frame, net, now)
            assert receiver.take(frame, now, net) == expected, frame.hex()
            name = "whole" if expected[1] else expected[0]
            seen[name] = seen.get(name, 0) + 1
    receiver.check()
    wanted = {"whole", "WM_OK", "WM_ERR_MALFORMED", "WM_ERR_STATE"}
    assert wanted <= set(seen), seen


@pytest.mark.parametrize("elide", [False, True])
def test_a_first_fragment_may_be_the_whole_packet(target: Target, *, elide: bool) -> None:
    """It has its UDP checksum, which was left out on the air, once."""
    octets = datagram(30)
    [alone] = Sender(target, NET).frames(octets, 7, 100, elide=elide)
    first = (0xC000 | len(octets)).to_bytes(2, "big") + bytes([0, 7]) + alone
    receiver, reference = Receiver(target), model.Reassembly(3, 1, TIMEOUT)
    assert receiver.take(first) == reference.take(first, NET, 0) == ("WM_OK", octets)


def test_one_sender_cannot_take_all_slots(target: Target) -> None:
    """However many packets it begins, another sender's is put together."""
    other = Net(src=b"\0\7", dst=b"\0\2")
    frames = Sender(target, other).frames(datagram(200), 9, 102)
    first = Sender(target, NET).frames(datagram(200), 0, 102)[0]
    receiver = Receiver(target, count=2, per_sender=1)
    for number, frame in enumerate(frames):
        for tag in range(50 * number, 50 * number + 5):
            begun = first[:2] + tag.to_bytes(2, "big") + first[4:]
            assert receiver.take(begun) == ("WM_OK", b"")
        answer = receiver.take(frame, net=other)
    assert answer == ("WM_OK", datagram(200))


@pytest.mark.parametrize("elide", [False, True])
def test_no_packet_is_made_of_two(target: Target, *, elide: bool) -> None:
    """A sender that was reset uses its tags again while the first fragments of before are kept: no
    packet has octets of both."""
    before, now = datagram(200), datagram(200, seed=2)
    sender = Sender(target, NET)
    old = sender.frames(before, 0, 102, elide=elide)
    new = sender.frames(now, 0, 102, elide=elide)
    for last in range(1, len(old)):
        receiver = Receiver(target)
        for frame in old[:last]:
            assert receiver.take(frame) == ("WM_OK", b"")
        taken = [receiver.take(frame) for frame in new]
        assert taken[0] == ("WM_ERR_MALFORMED", b""), "the place is another packet's"
        assert {octets for _, octets in taken} <= {b"", now}


def test_a_fragment_with_other_octets(target: Target) -> None:
    """It ends its packet, whichever octet is another one; the fragment of before changes nothing."""
    frames = Sender(target, NET).frames(datagram(200), 0, 102)
    every = 1 if target.name == "host" else 17
    for frame, header in ((frames[0], 4), (frames[1], 5)):
        for at in range(len(frame) - 1, header - 1, -every):
            receiver = Receiver(target)
            assert receiver.take(frame) == receiver.take(frame) == ("WM_OK", b"")
            changed = bytearray(frame)
            changed[at] ^= 1 << at % 8
            assert receiver.take(bytes(changed)) == ("WM_ERR_MALFORMED", b""), at


def test_fragments_that_cannot_be(target: Target) -> None:
    """Cut in the header, empty, of no packet, at the end or behind it, past it, or with a length that
    is no multiple of 8: each alone is refused, and takes no slot."""
    first = Sender(target, NET).frames(datagram(150), 1, 102)[0]
    fragn, receiver = model.fragn, Receiver(target, count=2)
    slots = receiver.slots.read()
    for octets in (
        *(fragn(64, 1, 8, b"")[:cut] for cut in range(6)),
        *(first[:cut] for cut in range(5)),
        bytes([first[0] & 0xF8, 0]) + first[2:],
        *(fragn(64, 1, at, bytes(8)) for at in (0, 64, 72, 1280, 2040)),
        fragn(64, 1, 56, bytes(9)),
        fragn(64, 1, 56, bytes(16)),
        fragn(60, 1, 56, bytes(8)),
        fragn(64, 1, 8, bytes(7)),
        fragn(64, 1, 8, bytes(9)),
    ):
        assert receiver.take(octets) == ("WM_ERR_MALFORMED", b""), octets.hex()
        assert receiver.slots.read() == slots
    receiver.check()


def test_time(target: Target) -> None:
    """A packet whose time is over is forgotten, also where the clock wraps; not a moment before."""
    frames = Sender(target, NET).frames(datagram(150), 1, 102)
    begin = (1 << 32) - 10
    for later, whole in ((TIMEOUT - 1, True), (TIMEOUT, False)):
        receiver = Receiver(target)
        for frame in frames[:-1]:
            assert receiver.take(frame, begin) == ("WM_OK", b"")
        status, octets = receiver.take(frames[-1], (begin + later) % (1 << 32))
        assert (status, bool(octets)) == ("WM_OK", whole)


def test_other_headers(target: Target) -> None:
    """Mesh and broadcast headers, compressed packets and anything else are no fragments."""
    receiver = Receiver(target)
    for first in range(256):
        status = receiver.take(bytes([first, 100, 0, 1, 0x7B]) + bytes(16))[0]
        assert (status == "WM_ERR_NOT_FOR_US") == (first >> 3 not in (0x18, 0x1C)), hex(first)


def test_parameters(target: Target) -> None:
    """A table of one slot, or of which one sender may have all, or with longer slots."""
    frame = Sender(target, NET).frames(datagram(150), 1, 102)[0]
    for count, per_sender, size in ((1, 1, 1280), (3, 3, 1280), (3, 0, 1280), (3, 1, 1281)):
        receiver = Receiver(target)
        members = {"slots": receiver.slots.address, "count": count, "per_sender": per_sender}
        packed = target.pack("wm_lowpan_reassembly", size=size, timeout=TIMEOUT, **members)
        receiver.reassembly.write(bytes(packed))
        assert receiver.take(frame)[0] == "WM_ERR_PARAM"


def test_more_than_a_slot(target: Target) -> None:
    """A packet of 1281 octets is refused; so is one that is longer than the caller's slots."""
    receiver = Receiver(target)
    assert receiver.take(model.fragn(1281, 1, 8, bytes(8)))[0] == "WM_ERR_FRAME_TOO_LONG"
    members = {"slots": receiver.slots.address, "count": 3, "per_sender": 1, "timeout": TIMEOUT}
    receiver.reassembly.write(bytes(target.pack("wm_lowpan_reassembly", size=200, **members)))
    assert receiver.take(model.fragn(201, 1, 8, bytes(8)))[0] == "WM_ERR_FRAME_TOO_LONG"
    assert receiver.take(model.fragn(200, 1, 8, bytes(8)))[0] == "WM_OK"


def test_packets_of_every_kind(target: Target) -> None:
    """Chains of headers, with contexts, in fragments."""
    source = Random(9)
    for _ in range(100 if target.name == "host" else 10):
        net = packets.net(source)
        octets = packets.packet(source, net)
        _, covered, compressed = Lowpan(target, net).compress(octets, elide=True)
        if len(octets) - covered < LEAST:
            continue
        frames = Sender(target, net).frames(octets, 3, len(compressed) - 1, elide=True)
        source.shuffle(frames)
        receiver = Receiver(target, net)
        for frame in frames:
            answer = receiver.take(frame)
        assert answer == ("WM_OK", octets)


def test_octets_that_are_made_when_they_go(target: Target) -> None:
    """Each fragment is made just before it goes, and no further than it reaches; the packet that
    arrives is the one that was made."""
    octets = datagram(200)
    wanted = octets[:48] + bytes(octet ^ 0xFF for octet in octets[48:])
    for room in (60, 102, 300):
        frames = Sender(target, NET).frames(octets, 1, room, made=(48, len(octets)))
        assert target.call("fragments_double_made").value == len(octets)
        reference = model.Reassembly(3, 1, TIMEOUT)
        if len(frames) == 1:
            assert expand(frames[0], NET) == wanted
        else:
            assert [reference.take(frame, NET, 0) for frame in frames][-1] == ("WM_OK", wanted)
    plain = Sender(target, NET).frames(octets, 1, 60)
    reached = [int.from_bytes(frame[4:5], "big") * 8 for frame in plain[1:]]
    for most, there in ((reached[1], 2), (reached[1] - 1, 1), (reached[0] - 1, 0)):
        with pytest.raises(CutError, match="ENGINE"):
            Sender(target, NET).frames(octets, 1, 60, made=(48, most))
        made = target.call("fragments_double_made").value
        assert made == ([48, *reached][there] if there else 48), "nothing behind it was made"


def test_what_is_there(target: Target) -> None:
    """The octets without a gap: none before the first fragment, nor while a checksum is missing."""
    octets = datagram(200)
    frames = Sender(target, NET).frames(octets, 1, 60)
    ends = [int.from_bytes(frame[4:5], "big") * 8 for frame in frames[1:]] + [len(octets)]

    def have(receiver: Receiver) -> list[int]:
        size = len(target.pack("wm_lowpan_slot"))
        places = (target.buffer(receiver.slots.read()[n * size :][:size]) for n in range(3))
        return [int(target.call("wm_lowpan_have", place).value or 0) for place in places]

    receiver = Receiver(target)
    for at, frame in enumerate(frames[:-1]):
        receiver.take(frame)
        assert max(have(receiver)) == ends[at]
    receiver.take(frames[-1])
    assert have(receiver) == [0, 0, 0]
    receiver = Receiver(target)
    receiver.take(frames[2])
    assert have(receiver) == [0, 0, 0], "the first one is missing"
    receiver.take(frames[0])
    assert max(have(receiver)) == ends[0]
    receiver.take(frames[1])
    assert max(have(receiver)) == ends[2]
    elided = Sender(target, NET).frames(octets, 1, 60, elide=True)
    receiver = Receiver(target)
    receiver.take(elided[0])
    assert have(receiver) == [0, 0, 0]


def test_who_is_told_of_dropped_packets(target: Target) -> None:
    """Once of each: too late, replaced by another of its sender, or overlapping; not of a whole one."""
    frames = [Sender(target, NET).frames(datagram(200), tag, 60) for tag in range(5)]
    receiver = Receiver(target)
    target.call("fragments_double_wire", receiver.reassembly)

    def dropped() -> int:
        return int(target.call("fragments_double_dropped").value or 0)

    for frame in frames[0]:
        receiver.take(frame)
    assert dropped() == 0
    receiver.take(frames[1][0], 1)
    receiver.take(frames[2][0], 2)
    assert dropped() == 1, "one of a sender at a time"
    target.call("wm_lowpan_expire", receiver.reassembly, 1 + TIMEOUT)
    assert dropped() == 1
    target.call("wm_lowpan_expire", receiver.reassembly, 2 + TIMEOUT)
    assert dropped() == 2
    target.call("wm_lowpan_expire", receiver.reassembly, 9 * TIMEOUT)
    assert dropped() == 2, "there was none"
    receiver.take(frames[3][0], 100)
    receiver.take(frames[4][1], 100 + TIMEOUT)
    assert dropped() == 3, "too late, and another one comes"
    assert receiver.take(frames[4][1][:-8], 100 + TIMEOUT)[0] == "WM_ERR_MALFORMED"
    assert dropped() == 4
