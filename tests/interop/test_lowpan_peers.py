# SPDX-License-Identifier: BSD-3-Clause
"""scapy reads what the stack compresses and cuts, and the stack reads what scapy compresses and
cuts.

scapy has no contexts and no extension headers, gives the two fields of a traffic class each other's
place, takes 7F for the ESC of RFC 4944, which RFC 6282 has moved, and takes a payload that begins with
E0 to F7 for one more compressed header: the packets here have none of these.
"""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import Any

from tests.model import ipv6_model as ip
from tests.model.ipv6_model import Header
from tests.model.lowpan_model import (
    HOPS,
    Form,
    Net,
    address_forms,
    ports_forms,
    traffic_forms,
)
from tests.stack.conftest import target_named
from tests.stack.net import packets
from tests.stack.net.test_lowpan_fragments import HEADERS, Receiver, Sender
from tests.vectors import named

CASES = 150
ROOM = 80
"""Octets that a frame carries: longer packets go in fragments."""
LENGTHS = (1, 9, 40, 200, 500)
MODES = {2: 2, 8: 3}
ONLY_CONTEXT = 4
"""A form without octets that names no context: the unspecified address."""


def mac(net: Net, number: int) -> bytes:
    """The header of a data frame."""
    control = 0x41 | MODES[len(net.dst)] << 10 | MODES[len(net.src)] << 14
    addresses = b"\xef\xbe" + net.dst[::-1] + net.src[::-1]
    return control.to_bytes(2, "little") + bytes([number % 256]) + addresses


def packet_of(source: Random, net: Net) -> tuple[Header, tuple[int, int] | None, bytes]:
    """A header, the ports of UDP, and the whole packet."""
    made = packets.header(source, net)
    ports = source.choice(packets.PORTS), source.choice(packets.PORTS)
    payload = b"\0" + source.randbytes(source.choice(LENGTHS) - 1)
    following, data = ip.UDP, ip.udp(made.src, made.dst, ports, payload)
    if source.random() < 0.3:
        following, data = ip.ICMPV6, b"\x80\0" + payload
    hops = made.hop_limit % 255 if following == ip.UDP else made.hop_limit  # no 7F
    header = Header(made.src, made.dst, following, hops, 0, made.flow_label)
    return header, ports if following == ip.UDP else None, ip.packet(header, data)


def fields(source: Random, header: Header, net: Net, *, udp: bool) -> dict[str, int]:
    """LOWPAN_IPHC in any form."""

    def known(form: Form) -> bool:
        return form.mode != ONLY_CONTEXT

    sources, targets = address_forms(header, net.iids(), net)
    src = source.choice([form for form in sources if known(form)])
    dst = source.choice(targets)
    hops = [0, *(mode for mode, limit in HOPS.items() if limit == header.hop_limit)]
    return {
        "tf": source.choice(sorted(traffic_forms(header))),
        "nh": int(udp),
        "hlim": source.choice(hops),
        "sac": src.mode >> 2 & 1,
        "sam": src.mode & 3,
        "m": dst.mode >> 3,
        "dac": dst.mode >> 2 & 1,
        "dam": dst.mode & 3,
    }


def test_scapy_both_ways() -> None:
    """150 packets with addresses in every form without a context, whole and in fragments."""
    source, target = Random(6), target_named("host", *HEADERS)
    cases: list[dict[str, Any]] = []
    nets = []
    for number in range(CASES):
        net = Net(src=source.randbytes(source.choice((2, 8))), dst=source.randbytes(2))
        header, ports, packet = packet_of(source, net)
        sent = Sender(target, net).frames(packet, number, ROOM, elide=source.random() < 0.5)
        front = mac(net, number)
        cut = source.randrange(56, len(packet), 8) if len(packet) > 200 else 0
        udp = None if ports is None else {"P": source.choice(sorted(ports_forms(*ports)))}
        if udp is not None and not cut:
            udp["C"] = source.randrange(2)
        cases.append({
            "frames": [(front + octets).hex() for octets in sent],
            "macOctets": len(front),
            "packet": packet.hex(),
            "iphc": fields(source, header, net, udp=udp is not None),
            "udp": udp,
            "cuts": list(range(cut, len(packet), cut)) if cut else [],
            "tag": number,
        })  # fmt: skip
        nets.append(net)
    program = [sys.executable, "-m", "tests.interop.lowpan_scapy"]
    given = json.dumps(cases)
    done = subprocess.run(program, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    cut_by = {"stack": 0, "scapy": 0}
    for case, net, answer in zip(cases, nets, json.loads(done.stdout), strict=True):
        with named(f"{case}"):
            assert answer["read"] == case["packet"]
            receiver, written = Receiver(target, net), answer["written"]
            if len(written) == 1:
                assert receiver.expand(bytes.fromhex(written[0]))[1].hex() == case["packet"]
            else:
                taken = [receiver.take(bytes.fromhex(octets)) for octets in written]
                assert taken[-1][1].hex() == case["packet"]
        cut_by["stack"] += len(case["frames"]) > 1
        cut_by["scapy"] += len(written) > 1
    assert min(cut_by.values()) > CASES // 10, cut_by
