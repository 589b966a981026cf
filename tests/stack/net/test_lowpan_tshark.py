# SPDX-License-Identifier: BSD-3-Clause
"""What the stack compresses, read by tshark: the same addresses, fields and ports, whole and in
fragments."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from ipaddress import IPv6Address
from pathlib import Path
from random import Random

from tests.model import ipv6_model as ip
from tests.model.ipv6_model import Header
from tests.model.lowpan_model import LINK_LOCAL, SHORT, Net, low
from tests.stack.conftest import target_named
from tests.stack.link.tshark import Captured, write_capture
from tests.stack.net.test_lowpan_fragments import HEADERS, Sender

FIELDS = (
    *("ipv6.src_host", "ipv6.dst_host", "ipv6.tclass", "ipv6.flow", "ipv6.hlim", "ipv6.plen"),
    *("udp.srcport", "udp.dstport", "udp.length", "udp.checksum", "udp.payload"),
)
NET = Net(src=b"\0\1", dst=b"\0\2")
PORTS = (0xF0B0, 0xF0BF, 0xF0C0, 0xF0FF, 5683, 7)
SOURCES = (
    LINK_LOCAL | SHORT | 1,
    LINK_LOCAL | SHORT | 9,
    LINK_LOCAL | 0x1234 << 40,
    0xFD << 120 | 5,
)
TARGETS = (LINK_LOCAL | SHORT | 2, 0xFF02 << 112 | 1, 0xFF05 << 112 | 0x10203, 0xFD << 120 | 7)
PACKETS = 60


def framed(payload: bytes, number: int) -> Captured:
    """A data frame from 1 to 2."""
    return Captured(
        bytes.fromhex("4188") + bytes([number % 256]) + bytes.fromhex("efbe02000100") + payload,
        11,
        0,
    )


def test_tshark_reads_the_same(oracle: Callable[[str], str], tmp_path: Path) -> None:
    """Every field of 60 packets."""
    source, target = Random(1), target_named("host", *HEADERS)
    frames: list[Captured] = []
    wanted: list[tuple[bytes, bytes, Header, tuple[int, int], bytes]] = []
    for tag in range(PACKETS):
        src, dst = low(source.choice(SOURCES), 16), low(source.choice(TARGETS), 16)
        ports = source.choice(PORTS), source.choice(PORTS)
        payload = source.randbytes(source.choice((1, 30, 250)))
        head = Header(
            src,
            dst,
            ip.UDP,
            source.choice((1, 7, 64, 255)),
            source.choice((0, 2, 0xB8)),
            source.choice((0, 0xFFFFF)),
        )
        datagram = ip.udp(src, dst, ports, payload)
        for part in Sender(target, NET).frames(ip.packet(head, datagram), tag, 100):
            frames.append(framed(part, len(frames)))
        wanted.append((src, dst, head, ports, datagram))
    capture = tmp_path / "lowpan.pcap"
    write_capture(capture, frames)
    command = [oracle("tshark"), "-r", str(capture), "-Y", "udp", "-T", "fields"]
    for name in FIELDS:
        command += ["-e", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(lines) == PACKETS

    for line, (src, dst, head, ports, datagram) in zip(lines, wanted, strict=True):
        assert [IPv6Address(line[0]).packed, IPv6Address(line[1]).packed] == [src, dst]
        numbers = [int(value, 0) for value in line[2:10]]
        assert numbers == [
            head.traffic_class,
            head.flow_label,
            head.hop_limit,
            len(datagram),
            *ports,
            len(datagram),
            int.from_bytes(datagram[6:8], "big"),
        ]
        assert bytes.fromhex(line[10]) == datagram[8:]
