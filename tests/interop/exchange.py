# SPDX-License-Identifier: BSD-3-Clause
"""What Linux and a mote of the stack say to each other."""

from __future__ import annotations

from ipaddress import IPv6Address
from random import Random

from tests.interop.linux_host import GOT_PONG, GOT_UDP
from tests.interop.network import Network
from tests.interop.stack_mote import ASKS_FROM, PORTS
from tests.model.ipsec_model import ICMPV6, UDP
from wardmote.border import packets


def exchange(net: Network, sizes: tuple[int, ...], random: Random) -> None:
    """UDP and pings of these sizes, asked by either side."""
    [mote] = net.motes
    to = mote.party.address
    for place, octets in enumerate(map(random.randbytes, sizes)):
        mote.udp(octets, PORTS[place % 2])
        net.until(lambda: bool(mote.heard))
        protocol, message = mote.heard.popleft()
        assert (protocol, message[8:]) == (UDP, octets)
        assert int.from_bytes(message[2:4], "big") == ASKS_FROM
        mote.ping(octets)
        net.until(lambda: bool(mote.heard))
        protocol, message = mote.heard.popleft()
        assert (protocol, message[0], message[4:]) == (ICMPV6, packets.ECHO_REPLY, octets)
        linux_asks(net, to, octets, PORTS[place % 2])


def linux_asks(net: Network, to: IPv6Address, octets: bytes, port: int) -> None:
    """Linux sends an echo request and a datagram to a mote, and gets both again."""
    linux = net.guest
    for kind in (GOT_PONG, GOT_UDP):
        if kind == GOT_PONG:
            linux.ping(to, octets)
        else:
            linux.udp(to, port, octets)
        found: list[object] = []

        def came(kind: int = kind, found: list[object] = found) -> bool:
            found.extend(linux.answers(kind))
            return bool(found)

        net.until(came)
        assert found == [(to, octets)]
