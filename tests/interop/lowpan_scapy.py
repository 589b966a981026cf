# SPDX-License-Identifier: BSD-3-Clause
"""A program of its own: reads and writes 6LoWPAN by scapy.

Standard input has a list of objects: `frames`, MAC frames without FCS that carry one packet between
them, and `macOctets`, the length of their headers; `packet`, an IPv6 packet; `iphc`, fields of
LOWPAN_IPHC; `udp`, those of LOWPAN_NHC for UDP, or null; `cuts`, where fragments of the packet
begin, and their `tag`. Standard output has a list of objects: `read`, the packet that scapy takes
out of the frames; `written`, what it puts into frames for the packet.
"""

import json
import sys
from itertools import pairwise
from typing import Any

from scapy.config import conf
from scapy.layers.dot15d4 import Dot15d4
from scapy.layers.inet6 import IPv6
from scapy.layers.sixlowpan import (
    LoWPAN_IPHC,
    LoWPAN_NHC,
    LoWPAN_NHC_UDP,
    LoWPANFragmentationFirst,
    LoWPANFragmentationSubsequent,
)


def joined(frames: list[bytes], mac: int) -> bytes:
    """One frame with what the fragments carry. scapy itself drops the headers of a first fragment
    when it puts fragments together."""
    if len(frames) == 1:
        return frames[0]
    first, *others = (frame[mac:] for frame in frames)
    head = LoWPANFragmentationFirst(first)
    heads = [LoWPANFragmentationSubsequent(octets) for octets in others]
    named = {(one.datagramSize, one.datagramTag) for one in (head, *heads)}
    if len(named) != 1:
        raise ValueError(f"fragments of several packets: {named}")
    begins = [8 * one.datagramOffset for one in heads] + [head.datagramSize]
    lengths = [len(octets) - 5 for octets in others]
    if lengths != [end - begin for begin, end in pairwise(begins)]:
        raise ValueError(f"fragments at {begins} have {lengths} octets")
    return frames[0][:mac] + first[4:] + b"".join(octets[5:] for octets in others)


def read(case: dict[str, Any]) -> str:
    """The packet in a case's frames."""
    frames = [bytes.fromhex(frame) for frame in case["frames"]]
    frame = Dot15d4(joined(frames, case["macOctets"]))
    return bytes(frame[IPv6]).hex() if IPv6 in frame else repr(frame)


def written(case: dict[str, Any]) -> list[str]:
    """What carries a case's packet."""
    packet = bytes.fromhex(case["packet"])
    udp = LoWPAN_NHC(exts=[LoWPAN_NHC_UDP(**case["udp"])]) / IPv6(packet) if case["udp"] else None
    octets = bytes(LoWPAN_IPHC(**case["iphc"]) / (udp or IPv6(packet)))
    if not case["cuts"]:
        return [octets.hex()]
    named = {"datagramSize": len(packet), "datagramTag": case["tag"]}
    end = len(octets) - (len(packet) - case["cuts"][0])
    out = [bytes(LoWPANFragmentationFirst(**named) / octets[:end])]
    for begin, end in pairwise([*case["cuts"], len(packet)]):
        head = LoWPANFragmentationSubsequent(datagramOffset=begin // 8, **named)
        out.append(bytes(head / packet[begin:end]))
    return [one.hex() for one in out]


def main() -> None:
    """Every case both ways."""
    conf.dot15d4_protocol = "sixlowpan"  # type: ignore[assignment]
    cases = json.load(sys.stdin)
    answers = [{"read": read(case), "written": written(case)} for case in cases]
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
