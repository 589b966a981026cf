# SPDX-License-Identifier: BSD-3-Clause
"""A border router on a TUN interface, in a space of networks of its own: a program's datagrams go to
a mote and back. test_border_command.py runs it."""

from __future__ import annotations

import select
import socket
import subprocess
import sys

from tests.bench.border.test_router import HOST, MOTE, SETUP, arrived, mote
from tests.model.ipv6_model import Header, packet, udp
from wardmote.border.router import HOSTS, MOTES, SHORT_IID, Router
from wardmote.border.run import HostSide
from wardmote.border.wire import opened

NAME, PORT, PATIENCE_S = "border0", 7, 20.0
SIZES = (0, 9, 512, 1232)
TARGET = MOTES[SHORT_IID | MOTE]


def ip(*words: str) -> None:
    """Sets up the kernel's side."""
    subprocess.run(["ip", "-6", *words], check=True, timeout=PATIENCE_S)


def main() -> None:
    """Exchanges a datagram of each size."""
    wire = opened(f"tun:{NAME}")
    assert not wire.send(packet(Header(TARGET.packed, HOST.packed, 59), b"")), "it is not up"
    ip("address", "add", f"{HOST}/{HOSTS.prefixlen}", "dev", NAME, "nodad")
    ip("link", "set", "dev", NAME, "mtu", "1280", "up")
    ip("route", "add", str(MOTES), "dev", NAME)
    router, other = Router(SETUP), mote()
    side = HostSide(router, wire, ethernet=False)
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as program:
        program.settimeout(PATIENCE_S)
        program.bind((str(HOST), 0))
        port = program.getsockname()[1]
        for octets in SIZES:
            data = bytes(n & 0xFF for n in range(octets))
            program.sendto(data, (str(TARGET), PORT))
            while not router.link.to_air:
                assert select.select([wire], [], [], PATIENCE_S)[0], "nothing came"
                side.turn(0.0)
            [came] = arrived(router, other)
            assert came[48:] == data
            ports = (PORT, port)
            answer = udp(TARGET.packed, HOST.packed, ports, data)
            other.give(packet(Header(TARGET.packed, HOST.packed, 17), answer), SETUP.short)
            while other.to_air:
                router.from_air(other.to_air.popleft().mpdu, 0.0)
            side.turn(0.0)
            assert program.recvfrom(2048)[:2] == (data, (str(TARGET), PORT, 0, 0))
    sys.stdout.write("exchanged\n")


if __name__ == "__main__":
    main()
