# SPDX-License-Identifier: BSD-3-Clause
"""IPv6 on every CPU: the header both ways, lengths of extension headers, checksums."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.model import ipv6_model as model
from tests.stack.link.linklib import name_of
from wardmote.call import Target

HEADERS = ("ipv6",)
CASES = 40
OF_EIGHT = (model.HOP_BY_HOP, model.ROUTING, model.DESTINATION, model.MOBILITY)


def header(source: Random) -> model.Header:
    """Any values."""
    return model.Header(
        src=source.randbytes(16),
        dst=source.randbytes(16),
        next_header=source.randrange(256),
        hop_limit=source.randrange(256),
        traffic_class=source.randrange(256),
        flow_label=source.randrange(1 << 20),
    )


def values(of: model.Header, payload: int) -> dict[str, Any]:
    """The same as a wm_ipv6_header."""
    return {
        "flow_label": of.flow_label,
        "payload_len": payload,
        "traffic_class": of.traffic_class,
        "next_header": of.next_header,
        "hop_limit": of.hop_limit,
        "src": of.src,
        "dst": of.dst,
    }


def parsed(target: Target, octets: bytes, length: int | None = None) -> tuple[str, dict[str, Any]]:
    """Status and values."""
    found = target.pack("wm_ipv6_header")
    status = target.call("wm_ipv6_parse", octets, len(octets) if length is None else length, found)
    return name_of(status.value), target.unpack("wm_ipv6_header", found)


def test_headers_both_ways(target: Target) -> None:
    """Octets give values, and values the octets; octets may stand behind the packet."""
    source = Random(1)
    for _ in range(CASES):
        wanted, payload = header(source), source.randrange(20)
        octets = wanted.octets(payload)
        behind = payload + source.randrange(3)
        assert parsed(target, octets + bytes(behind)) == ("WM_OK", values(wanted, payload))
        built = bytearray(40)
        target.call(
            "wm_ipv6_build", target.pack("wm_ipv6_header", **values(wanted, payload)), built
        )
        assert built == octets


def test_a_flow_label_has_20_bits(target: Target) -> None:
    """Further bits do not reach the traffic class."""
    built = bytearray(40)
    label = target.pack("wm_ipv6_header", flow_label=0xFFF00001, traffic_class=0)
    target.call("wm_ipv6_build", label, built)
    assert built[:4] == bytes.fromhex("60000001")


def test_refusals(target: Target) -> None:
    """A header that is cut, of another version, or that promises more than there is."""
    octets = model.packet(header(Random(2)), bytes(9))
    for length in range(len(octets)):
        assert parsed(target, octets[:length])[0] == "WM_ERR_MALFORMED", length
    for version in range(16):
        other = bytes([version << 4 | octets[0] & 15]) + octets[1:]
        wanted = "WM_OK" if version == 6 else "WM_ERR_MALFORMED"
        assert parsed(target, other)[0] == wanted, version


def test_extension_lengths(target: Target) -> None:
    """Each kind in its own units; a header that passes the end, and what has no such length."""
    for protocol in range(256):
        for units, left in ((0, 8), (0, 7), (1, 16), (1, 12), (1, 11), (1, 15), (255, 2048)):
            at = bytes([59, units]).ljust(left, b"\0")
            octets = 0
            if protocol in OF_EIGHT:
                octets = 8 * (units + 1)
            elif protocol == model.AH:
                octets = 4 * (units + 2)
            elif protocol == model.FRAGMENT:
                octets = 8
            wanted = octets if octets <= left and left >= 8 else 0
            found = target.call("wm_ipv6_extension_len", protocol, at, left).value
            assert found == wanted, (protocol, units, left)


@pytest.mark.parametrize("protocol", [model.UDP, model.ICMPV6])
def test_checksums(target: Target, protocol: int) -> None:
    """The model's, over any octets and over those that carry most; in place it gives 0."""
    source = Random(3)
    lengths = [*range(8, 20), 100, 1240]
    for length in lengths:
        for fill in (None, 0, 0xFF):
            src, dst = (source.randbytes(16) if fill is None else bytes([fill] * 16) for _ in "sd")
            data = bytearray(source.randbytes(length) if fill is None else [fill] * length)
            data[6:8] = bytes(2)
            wanted = model.checksum(src, dst, protocol, bytes(data))
            for checksum, left in ((0, wanted), (wanted, 0)):
                data[6:8] = checksum.to_bytes(2, "big")
                args = (src, dst, protocol, bytes(data), length)
                found = target.call("wm_ipv6_checksum", *args).value
                assert found == left, (length, fill)
