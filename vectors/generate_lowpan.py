# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/lowpan/*.json: headers in any legal form, AH and ESP in both layouts, fragments, and
what must be refused.

Everything is computed by tests/model/lowpan_model.py, lowpan_ipsec_model.py and fragments_model.py.
Run from the root of the repository: `python -m vectors.generate_lowpan`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.model import fragments_model as fragments
from tests.model import ipv6_model as ip
from tests.model import lowpan_ipsec_model as ipsec
from tests.model import lowpan_model as model
from tests.model.ipv6_model import Header
from tests.model.lowpan_model import LINK_LOCAL, SHORT, ForeignError, Net, RefusedError, low
from tests.stack.net import packets
from vectors.making import Group, Test, made_by, text, write

LAYOUTS = {"none": 0, "paper": ipsec.PAPER, "draft": ipsec.DRAFT}
CASES = 60
LONGEST = 150
"""Octets of a packet that is kept."""
PAIR = Net(src=b"\0\1", dst=b"\0\2")
SRC, DST = (low(LINK_LOCAL | SHORT | n, 16) for n in (1, 2))
EH = 0xEB
TIMEOUT, SLOTS = 60, 3
VALID = {"result": "valid", "status": "WM_OK"}


def known(net: Net) -> Test:
    """What both sides know, and the addresses of the frame."""
    contexts = [{"prefix": low(one.prefix, 16).hex(), "bits": one.bits} for one in net.contexts]
    return {"contexts": contexts, "src": net.src.hex(), "dst": net.dst.hex()}


def refused(comment: str, net: Net, octets: bytes, status: str) -> Test:
    """Octets that no packet comes out of."""
    members = {"octets": octets.hex(), "result": "invalid", "status": status}
    return {"comment": comment} | known(net) | members


def status_of(octets: bytes, net: Net) -> str:
    """The model's answer."""
    try:
        model.expand(octets, net)
    except RefusedError:
        return "WM_ERR_MALFORMED"
    except ForeignError:
        return "WM_ERR_NOT_FOR_US"
    return "WM_OK"


def headers() -> tuple[list[Test], list[Test]]:
    """Chains of headers with any addresses, each in a form that chance chose; and each damaged once,
    where the model refuses that."""
    source, good, bad = Random(1), list[Test](), list[Test]()
    while len(good) < CASES:
        net = packets.net(source)
        packet = packets.packet(source, net)
        octets = model.written(packet, net, source, True)
        if len(packet) > LONGEST:
            continue
        members = {"octets": octets.hex(), "packet": packet.hex()}
        least = {"least": model.least(packet, net, True)}
        good.append({"comment": f"{len(packet)} octets"} | known(net) | members | least | VALID)
        at = source.randrange(len(octets))
        for comment, wrong in {
            f"{at} of {len(octets)} octets": octets[:at],
            "another dispatch": bytes([octets[0] ^ 0x80]) + octets[1:],
            "another second octet": octets[:1] + bytes([octets[1] ^ 0x48]) + octets[2:],
        }.items():
            if (status := status_of(wrong, net)) != "WM_OK":
                bad.append(refused(comment, net, wrong, status))
    return good, bad


def protected(layout: int) -> tuple[list[Test], list[Test]]:
    """Each octet that may stand behind that of EID 5, whole and cut."""
    good, bad = list[Test](), list[Test]()
    behind = bytes(range(4, 44))
    for nhc in range(256):
        for cut in (len(behind), 5):
            front, reader = bytes([0x7E, 0x33, EH]), model.Reader(bytes([nhc]) + behind[:cut])
            octets, comment = front + reader.octets, f"{nhc:02X} and {cut} octets"
            try:
                found = ipsec.read(layout, reader)
            except RefusedError:
                found = None
            if found is None or found.more:  # what follows is no LOWPAN_NHC
                if nhc >> 4 in (0xD, 0xE) or nhc % 16 == cut % 16:
                    bad.append(refused(comment, PAIR, octets, "WM_ERR_MALFORMED"))
                continue
            payload = found.octets + reader.octets[reader.at :]
            packet = ip.packet(Header(SRC, DST, found.protocol), payload)
            members = {"octets": octets.hex(), "packet": packet.hex()}
            good.append({"comment": comment} | known(PAIR) | members | VALID)
    return good, bad


def cut(packet: bytes, source: Random, tag: int) -> list[bytes]:
    """The packet in fragments of any sizes."""
    octets = model.written(packet, PAIR, source, False)
    first = source.randrange(96, len(packet) - 16, 8)
    out = [fragments.frag1(len(packet), tag, octets[: len(octets) - (len(packet) - first)])]
    while first < len(packet):
        more = source.choice((8, 40, 64))
        out.append(fragments.fragn(len(packet), tag, first, packet[first : first + more]))
        first += more
    return out


def ways(frames: list[bytes], others: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """Orders in which fragments may come, and what may come between them."""
    twice = [frame for frame in frames for _ in "12"]
    yield "in order", frames
    yield "backwards", frames[::-1]
    yield "each twice", twice[:-1]
    yield "two packets", [one for pair in zip(frames, others, strict=False) for one in pair]
    size, tag = int.from_bytes(frames[0][:2], "big") & 2047, int.from_bytes(frames[0][2:4], "big")
    yield "none behind the first", [frames[0], frames[1][:5], *frames[1:]]
    yield "one that overlaps", [frames[1], fragments.fragn(size, tag, 8, bytes(size - 8))]
    yield "past the end", [frames[0], fragments.fragn(size, tag, 8 * (size // 8), bytes(16))]
    yield "no whole units", [frames[0], frames[1][:-3], *frames[2:]]
    yield "another first one", [*frames[:2], frames[0] + bytes(8)]
    yield "of no packet", [bytes([0xC0, 0, 0, tag % 256, 0x7B]), *frames]
    yield "longer than a packet may be", [fragments.fragn(1281, tag, 8, bytes(8))]
    yield "a mesh header", [bytes([0x80]) + frames[0], frames[0]]


def series() -> tuple[list[Test], list[Test]]:
    """Fragments of a sender one after the other, with the answer to each."""
    source, good, bad = Random(2), list[Test](), list[Test]()
    for octets in (200, 500, 900):
        made = [
            ip.packet(
                Header(SRC, DST, ip.UDP), ip.udp(SRC, DST, (5683, port), source.randbytes(octets))
            )
            for port in (7, 9)
        ]
        frames, others = (cut(packet, source, tag) for tag, packet in enumerate(made))
        for comment, order in ways(frames, others):
            node = fragments.Reassembly(SLOTS, 1, TIMEOUT)
            calls: list[Test] = []
            for frame in order:
                status, packet = node.take(frame, PAIR, 0)
                calls.append({"octets": frame.hex(), "status": status, "packet": packet.hex()})
            wrong = next((one["status"] for one in calls if one["status"] != "WM_OK"), "WM_OK")
            result = "valid" if wrong == "WM_OK" else "invalid"
            members = {"calls": calls, "result": result, "status": wrong}
            (good if wrong == "WM_OK" else bad).append({"comment": comment} | known(PAIR) | members)
    return good, bad


def files() -> dict[str, str]:
    """Every file that this script writes."""
    good, bad = headers()
    groups = [Group("lowpan", good, {"layout": "none"})]
    refusals = [Group("lowpan-refusal", bad, {"layout": "none"})]
    for name in ("paper", "draft"):
        good, bad = protected(LAYOUTS[name])
        groups.append(Group("lowpan", good, {"layout": name}))
        refusals.append(Group("lowpan-refusal", bad, {"layout": name}))
    good, bad = series()
    groups.append(Group("lowpan-fragments", good))
    refusals.append(Group("lowpan-fragments", bad))
    clause = "RFC 6282; RFC 4944 §5.3; docs/which-definitions-are-ours.md for AH and ESP"
    source = made_by("generate_lowpan", "tests/model/lowpan_model.py", clause)
    return {
        "lowpan/generated.json": text("6LoWPAN", source, *groups),
        "lowpan/refusals.json": text("6LoWPAN", source, *refusals),
    }


if __name__ == "__main__":
    write(files())
