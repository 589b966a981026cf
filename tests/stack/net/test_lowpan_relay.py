# SPDX-License-Identifier: BSD-3-Clause
"""What a relay does with a packet in one frame, on every CPU: the next node expands what it sends to
the same packet with one hop less, whatever headers there are."""

from __future__ import annotations

from random import Random

from tests.model import lowpan_model as model
from tests.model.lowpan_model import Net
from tests.stack.link.linklib import name_of
from tests.stack.net import packets
from tests.stack.net.lowpanlib import HEADERS as LOWPAN
from tests.stack.net.lowpanlib import ROOM, Lowpan, modelled
from wardmote.call import Target

HEADERS = LOWPAN
CASES, MANY = 12, 400
HOPS, IP, UNCOMPRESSED = 7, 40, 0x41
SHORT, LONG = b"\xa0\x02", bytes.fromhex("00124b0000000003")


def cases(target: Target) -> int:
    """Emulated CPUs take fewer."""
    return MANY if target.name.startswith("host") else CASES


class Relay(Lowpan):
    """6LoWPAN of a node that got a frame."""

    def read(self, octets: bytes) -> tuple[str, bytes, bytes]:
        """Status, IPv6 header, and what is known of the frame."""
        ip, front = bytearray(IP), self.target.pack("wm_lowpan_front")
        args = (self.net, self.link, octets, len(octets), ip, front)
        status = self.target.call("wm_lowpan_read_front", *args).value
        return name_of(status), bytes(ip), bytes(front)

    def rest(self, octets: bytes, ip: bytes, front: bytes, room: int = ROOM) -> tuple[str, bytes]:
        """Status and packet."""
        out, made = bytearray(ip[:room].ljust(room, b"\0")), self.target.pack("wm_lowpan_expanded")
        args = (self.net, front, octets, len(octets), out, room, made)
        status = name_of(self.target.call("wm_lowpan_expand_rest", *args).value)
        length = self.target.unpack("wm_lowpan_expanded", made)["len"]
        return status, bytes(out[:length]) if status == "WM_OK" else b""

    def write(
        self, onward: Net, octets: bytes, ip: bytes, front: bytes, room: int = ROOM
    ) -> tuple[str, bytes]:
        """Status and what the next frame carries."""
        out, length = bytearray(room), bytearray(2)
        link = self.link_of(self.target, onward)
        args = (self.net, link, ip, front, octets, len(octets), out, room, length)
        status = name_of(self.target.call("wm_lowpan_write_front", *args).value)
        made = int.from_bytes(length, self.target.model.order)
        return status, bytes(out[:made]) if status == "WM_OK" else b""


def one_less(packet: bytes) -> bytes:
    """With one hop less."""
    return packet[:HOPS] + bytes([(packet[HOPS] - 1) & 0xFF]) + packet[HOPS + 1 :]


def test_the_next_node_gets_the_packet(target: Target) -> None:
    """From any legal form; it has the octets of the shortest header and what came behind the old one;
    one octet of room less is refused."""
    source, shorter = Random(41), 0
    for _ in range(cases(target)):
        net, elide = packets.net(source), source.random() < 0.5
        packet, relay = packets.packet(source, net), Relay(target, net)
        octets = model.written(packet, net, source, elide)
        if octets[0] == UNCOMPRESSED:
            assert relay.read(octets)[0] == "WM_ERR_NOT_FOR_US"
            continue
        status, ip, front = relay.read(octets)
        assert status == "WM_OK"
        assert relay.rest(octets, ip, front) == ("WM_OK", packet), octets.hex()
        src, dst = source.sample((b"", SHORT, LONG, net.src), 2)
        onward = Net(net.contexts, src, dst)
        status, made = relay.write(onward, octets, one_less(ip), front)
        assert status == "WM_OK"
        assert modelled(made, onward) == ("WM_OK", one_less(packet)), octets.hex()
        refused = relay.write(onward, octets, one_less(ip), front, len(made) - 1)
        assert refused == ("WM_ERR_FRAME_TOO_LONG", b"")
        assert relay.write(onward, octets, one_less(ip), front, len(made)) == ("WM_OK", made)
        shorter += len(made) < len(octets)
    assert shorter


def test_damaged_octets(target: Target) -> None:
    """What the front does not see, the rest does: together they answer as expansion at once."""
    source, refused = Random(42), 0
    for _ in range(cases(target)):
        net = packets.net(source)
        octets = bytearray(model.written(packets.packet(source, net), net, source, True))
        if source.random() < 0.5:
            del octets[source.randrange(1, len(octets)) :]
        else:
            octets[source.randrange(min(len(octets), 24))] = source.randrange(256)
        if octets[0] == UNCOMPRESSED:
            continue
        relay = Relay(target, net)
        status, ip, front = relay.read(bytes(octets))
        found = relay.rest(bytes(octets), ip, front) if status == "WM_OK" else (status, b"")
        assert found == modelled(bytes(octets), net), octets.hex()
        refused += found[0] != "WM_OK"
    assert refused


def test_refusals(target: Target) -> None:
    """A dispatch of something else, nothing, no network, a front of more octets than there are, and
    no room for a header."""
    net = Net(src=b"\0\1", dst=b"\0\2")
    relay = Relay(target, net)
    octets = bytes.fromhex("7b3b 3b")  # of link-local addresses that the frame has; no next header
    status, ip, front = relay.read(octets[:1] + b"\x33" + octets[2:])
    assert status == "WM_OK"
    for cut in (b"", octets[:1], octets[:2]):
        assert relay.read(cut)[0] == "WM_ERR_MALFORMED"
    for other in (b"\x41" + bytes(40), b"\xc0\x30\0\0", b"\x50", b"\0"):
        assert relay.read(other)[0] == "WM_ERR_NOT_FOR_US"
    for short in (b"", octets[:2]):
        assert relay.write(net, short, ip, front)[0] == "WM_ERR_PARAM"
        assert relay.rest(short, ip, front)[0] == "WM_ERR_PARAM"
    assert relay.rest(octets, ip, front, IP - 1)[0] == "WM_ERR_PARAM"
    bad = Relay(target, net, ipsec=3)
    assert bad.read(octets)[0] == "WM_ERR_PARAM"
    assert bad.write(net, octets, ip, front)[0] == "WM_ERR_PARAM"
    assert bad.rest(octets, ip, front)[0] == "WM_ERR_PARAM"
