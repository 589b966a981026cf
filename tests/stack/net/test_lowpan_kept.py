# SPDX-License-Identifier: BSD-3-Clause
"""A packet in fragments that a relay keeps as it came, on every CPU: the next node puts it together to
the same packet with one hop less, and nothing but its first fragment is looked at."""

from __future__ import annotations

from random import Random

import pytest

from tests.model import fragments_model as model
from tests.model.ipv6_model import Header
from tests.model.ipv6_model import packet as ip_packet
from tests.model.lowpan_model import Net
from tests.stack.link.linklib import name_of
from tests.stack.net import packets
from tests.stack.net.lowpanlib import Lowpan
from tests.stack.net.test_lowpan_fragments import (
    HEADERS,
    NET,
    TIMEOUT,
    Receiver,
    Sender,
    damaged,
    datagram,
)
from tests.stack.net.test_lowpan_relay import LONG, SHORT, one_less
from wardmote.call import Target

__all__ = ["HEADERS"]
ROOM, HEADER, NEXT = 110, 4, 0xA5A5
ONWARD = Net(src=b"\0\2", dst=b"\0\3")


class Relay(Receiver):
    """Keeps packets, and sends them on."""

    def __init__(
        self, target: Target, net: Net = NET, onward: Net = ONWARD, room: int = ROOM
    ) -> None:
        super().__init__(target, net)
        self.room = room
        self.packet = target.buffer(bytes(model.MOST))
        kept_net, link = (target.buffer(part) for part in (self.net, self.link_of(target, onward)))
        args = (self.reassembly, kept_net, link, room - HEADER)
        target.call("fragments_double_passes", *args)

    def kept(self) -> dict[str, int]:
        """Of the slot whose packet began last, or was whole."""
        size = len(self.target.pack("wm_lowpan_slot"))
        octets = self.slots.read()
        slots = (
            self.target.unpack("wm_lowpan_slot", octets[n * size :][:size])
            for n in range(len(self.memory))
        )
        return dict(next(slot["kept"] for slot in slots if slot["kept"]["first"]))

    def onward(self, packet: bytes, tag: int = 9, room: int = 0) -> list[bytes]:
        """What the frames carry that go to the next hop; the status, if none does."""
        pack, call, room = self.target.pack, self.target.call, room or self.room
        self.packet.write(packet)
        kept = pack("wm_lowpan_kept", **self.kept())
        sending, frame, length = pack("wm_lowpan_sending"), bytearray(room), bytearray(2)
        args = (sending, self.packet, len(packet), kept, tag, frame, room, length)
        status = call("wm_lowpan_send_kept", *args).value
        found = []
        while status == 0 and (octets := int.from_bytes(length, self.target.model.order)):
            found.append(bytes(frame[:octets]))
            status = call("wm_lowpan_send_next", sending, frame, room, length).value
        return found or [name_of(status).encode()]


def arrived(frames: list[bytes], net: Net) -> tuple[str, bytes]:
    """What the next node makes of them."""
    reference = model.Reassembly(3, 1, TIMEOUT)
    return [reference.take(frame, net, 0) for frame in frames][-1]


def passed(relay: Relay, frames: list[bytes]) -> bytes:
    """The packet as it is kept, when the last fragment is there."""
    for frame in frames[:-1]:
        assert relay.take(frame) == ("WM_OK", b"")
    status, packet = relay.take(frames[-1])
    assert status == "WM_OK"
    return packet


@pytest.mark.parametrize("elide", [False, True])
def test_the_next_node_gets_the_packet(target: Target, *, elide: bool) -> None:
    """Of every length, cut for frames of any room; no frame could carry more, and each but the tag is
    what a node would send that puts packets together."""
    source = Random(3)
    for length in range(70, 1233, 31 if target.name == "host" else 290):
        octets = datagram(length)
        frames = Sender(target, NET).frames(octets, 7, source.choice((72, 80, 102)), elide=elide)
        if len(frames) == 1:
            continue
        relay = Relay(target)
        packet = passed(relay, frames)
        assert len(packet) == len(octets)
        assert relay.kept()["next"] == NEXT
        onward = relay.onward(packet)
        assert all(len(frame) <= ROOM for frame in onward)
        assert arrived(onward, ONWARD) == ("WM_OK", one_less(octets))
        relay.check()
        anew = Sender(target, ONWARD).frames(one_less(octets), 9, ROOM, elide=elide)
        if len(anew) > 1:
            assert onward == anew


def test_packets_of_every_kind(target: Target) -> None:
    """Chains of headers, with contexts: if the relay kept it, the next node has the packet. Else the
    first fragment did not fit any more, and the relay has the packet itself."""
    source, seen = Random(10), [0, 0]
    for _ in range(200 if target.name == "host" else 10):
        net = packets.net(source)
        octets = packets.packet(source, net)
        _, covered, compressed = Lowpan(target, net).compress(octets, elide=True)
        if len(octets) - covered < 13 or octets[7] == 0:
            continue
        frames = Sender(target, net).frames(octets, 3, len(compressed) - 1, elide=True)
        src, dst = source.sample((b"", SHORT, LONG, net.src), 2)
        onward = Net(net.contexts, src, dst)
        relay = Relay(target, net, onward, source.choice((len(compressed) - 1, 130)))
        packet = passed(relay, frames)
        kept = packet[:8] != octets[:8]
        seen[kept] += 1
        if kept:
            assert arrived(relay.onward(packet), onward) == ("WM_OK", one_less(octets))
        else:
            assert packet == octets
    assert seen[1]
    assert seen[0] or target.name != "host"


def test_a_first_fragment_that_comes_late(target: Target) -> None:
    """Fragments that came before it lie where it would: the packet is put together."""
    octets = datagram(300)
    frames = Sender(target, NET).frames(octets, 1, 102)
    assert passed(Relay(target), [*frames[1:], frames[0]]) == octets
    assert passed(Relay(target), [frames[1], frames[0], *frames[2:]]) == octets
    relay = Relay(target)
    packet = passed(relay, [frames[0], *frames[:0:-1]])
    assert arrived(relay.onward(packet), ONWARD) == ("WM_OK", one_less(octets)), "any other order"


def test_what_ends_a_packet(target: Target) -> None:
    """Another first fragment, one that lies over the first one or over another, other octets, one cut:
    nothing of it is kept. The same again changes nothing."""
    frames = Sender(target, NET).frames(datagram(300), 1, 102)
    other = Sender(target, NET).frames(datagram(300, seed=2), 1, 102)
    size = int.from_bytes(frames[0][:2], "big") & 2047
    over = model.fragn(size, 1, 8, bytes(8))
    shifted = model.fragn(size, 1, int(frames[1][4]) * 8 + 8, bytes(8))
    for bad in (other[0], other[1], over, shifted, frames[1][:-8]):
        relay = Relay(target)
        for frame in (*frames[:2], *frames[:2]):
            assert relay.take(frame) == ("WM_OK", b"")
        assert relay.take(bad) == ("WM_ERR_MALFORMED", b""), bad.hex()
        taken = [relay.take(frame) for frame in frames[1:]]
        assert {packet for _, packet in taken} == {b""}
        relay.check()


def test_time_and_senders(target: Target) -> None:
    """A packet that is kept has its slot like any other: its time ends, a sender has one of them, and
    every slot may be taken."""
    frames = Sender(target, NET).frames(datagram(300), 1, 102)
    for later, whole in ((TIMEOUT - 1, True), (TIMEOUT, False)):
        relay = Relay(target)
        for frame in frames[:-1]:
            relay.take(frame, 5)
        assert bool(relay.take(frames[-1], 5 + later)[1]) == whole
    relay = Relay(target)
    for tag in range(20):
        begun = frames[0][:2] + tag.to_bytes(2, "big") + frames[0][4:]
        assert relay.take(begun) == ("WM_OK", b""), "one sender, one slot"
    for number in range(2):
        assert relay.take(frames[0], net=Net(src=bytes([1, number]), dst=b"\0\2"))[0] == "WM_OK"
    assert relay.take(frames[0], net=Net(src=b"\1\7", dst=b"\0\2")) == ("WM_ERR_STATE", b"")
    for frame in frames[1:]:
        assert relay.take(frame) == ("WM_OK", b""), "its first fragment made place for a later one"


def test_what_is_missing(target: Target) -> None:
    """Without the first fragment, without the last one, or with nothing behind the first one it is
    not whole; a fragment that comes alone makes none."""
    frames = Sender(target, NET).frames(datagram(300), 1, 102)
    relay = Relay(target)
    for order in (frames[1:], frames[:-1], frames[:1]):
        relay = Relay(target)
        for frame in (*order, *order):
            assert relay.take(frame) == ("WM_OK", b"")
    whole = model.frag1(48, 1, frames[0][4:40])
    assert relay.take(whole) == ("WM_OK", b""), "a size that is a multiple of 8"


def test_a_fragment_of_64_octets_is_missed(target: Target) -> None:
    """The least that a frame has room for, with the longest header of its link. Behind a header that
    nothing compresses, all but the second one are no packet; with it they are, in any order."""
    src, dst = datagram(0)[8:24], datagram(0)[24:40]
    octets = ip_packet(Header(src, dst, 58), Random(4).randbytes(300))
    first, second, *others = Sender(target, NET).frames(octets, 1, 72)
    assert len(second) == 64 + 5
    relay = Relay(target)
    for frame in (first, *others):
        assert relay.take(frame) == ("WM_OK", b"")
    status, packet = relay.take(second)
    assert status == "WM_OK"
    assert arrived(relay.onward(packet), ONWARD) == ("WM_OK", one_less(octets))


def test_rooms(target: Target) -> None:
    """The next hop's frames are shorter or longer; a first fragment that does not fit is not sent."""
    octets = datagram(300)
    frames = Sender(target, NET).frames(octets, 1, 80)
    relay = Relay(target, room=130)
    packet = passed(relay, frames)
    first = relay.kept()["first"] + HEADER
    for room in range(first, 400, 1 if target.name == "host" else 37):
        onward = relay.onward(packet, room=room)
        assert len(onward) > 1
        assert arrived(onward, ONWARD) == ("WM_OK", one_less(octets)), room
    assert relay.onward(packet, room=first - 1) == [b"WM_ERR_FRAME_TOO_LONG"]


def test_damaged_fragments(target: Target) -> None:
    """Whatever comes, nothing is written behind a slot, and what is kept can be sent."""
    source = Random(11)
    pool = [
        frame
        for tag in range(4)
        for frame in Sender(target, NET).frames(datagram(source.choice((90, 200, 333))), tag, 80)
    ]
    relay, seen = Relay(target), set[str]()
    for _ in range(3000 if target.name == "host" else 60):
        frame = source.choice(pool)
        if source.random() < 0.3:
            frame = damaged(source, frame, pool)
        status, packet = relay.take(frame, source.randrange(3))
        seen.add(status)
        if packet and packet[:1] != b"\x60":
            assert all(len(one) <= ROOM for one in relay.onward(packet))
    relay.check()
    assert {"WM_OK", "WM_ERR_MALFORMED"} <= seen
