# SPDX-License-Identifier: BSD-3-Clause
"""Frames judged by tshark: a capture of LINKTYPE_IEEE802_15_4_TAP and what its dissector says of
every frame."""

from __future__ import annotations

import json
import struct
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.model.ieee802154_model import fcs

LINKTYPE_TAP = 283
FCS_TLV, CHANNEL_TLV, ASN_TLV = 0, 3, 7


class Captured(NamedTuple):
    """A frame on the air, without FCS."""

    octets: bytes
    """MHR to MIC."""
    channel: int
    """11 to 26."""
    asn: int
    """The slot that it was sent in."""


GUESSES = ("zbee_nwk_gp", "zbee_nwk", "lwm", "6lowpan")
"""What tshark would take a payload for by its first octets; ours are octets alone."""


class Verdict(NamedTuple):
    """What tshark says of one frame."""

    complaints: tuple[str, ...]
    """Its expert messages, none for a frame that it believes."""
    text: str
    """The frame as JSON."""
    data: str
    """The payload that it decrypted, in hexadecimal."""


def tlv(kind: int, value: bytes) -> bytes:
    """One TLV of the TAP header, padded to 4 octets."""
    return struct.pack("<HH", kind, len(value)) + value + bytes(-len(value) % 4)


def write_capture(path: Path, frames: Iterable[Captured]) -> None:
    """Writes a pcap whose every frame says its channel and ASN."""
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, LINKTYPE_TAP)
    for number, frame in enumerate(frames):
        head = tlv(FCS_TLV, b"\1") + tlv(CHANNEL_TLV, struct.pack("<HB", frame.channel, 0))
        head += tlv(ASN_TLV, struct.pack("<Q", frame.asn))
        body = struct.pack("<BBH", 0, 0, 4 + len(head)) + head + frame.octets + fcs(frame.octets)
        out += struct.pack("<IIII", 1, number, len(body), len(body)) + body
    path.write_bytes(out)


def judge(
    program: str, capture: Path, keys: Iterable[tuple[bytes, int]], *options: str
) -> list[Verdict]:
    """Runs tshark with the keys, each under its KeyIndex."""
    command = [program, "-r", str(capture), "-T", "json", "-V"]
    for guess in GUESSES:
        command += ["--disable-protocol", guess]
    for key, index in keys:
        command += ["-o", f'uat:ieee802154_keys:"{key.hex()}","{index}","No hash"']
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [verdict(packet["_source"]["layers"]) for packet in json.loads(done.stdout)]


def verdict(layers: dict[str, object]) -> Verdict:
    """Every expert message in a dissected frame, however deep."""
    complaints: list[str] = []

    def search(node: object) -> None:
        if isinstance(node, dict):
            for name, value in node.items():
                if name == "_ws.expert.message":
                    complaints.append(str(value))
                search(value)
        elif isinstance(node, list):
            for value in node:
                search(value)

    search(layers)
    data = layers.get("data")
    payload = data.get("data.data", "") if isinstance(data, dict) else ""
    return Verdict(tuple(complaints), json.dumps(layers), str(payload).replace(":", ""))
