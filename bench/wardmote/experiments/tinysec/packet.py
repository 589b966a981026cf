# SPDX-License-Identifier: BSD-3-Clause
"""Packets that were captured on the air: their fields, what protects each, and their time.

Which fields the tag or the CRC protects is tried: a receiver of the stack is given the packet with
a bit changed. Which are encrypted is read off them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypedDict

from wardmote.boards import BOARDS, Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.tinysec import node
from wardmote.experiments.tinysec.network import FLUSH, GROUP, KEY, START_SYMBOL
from wardmote.experiments.tinysec.sending import DESTINATION, USUAL_POWER, Sender, Sent, send
from wardmote.experiments.tinysec.stacks import PAPERS
from wardmote.published import load

LENGTHS = (0, 24, node.DATA_MOST)
PRINTED_OCTETS = 24
"""Data of the paper's Table 2."""
PACKETS = 2
TYPE = 4
"""Of the sender's packets."""
ENCRYPTED_BIT, SECURED_BIT = 0x40, 0x80
REFUSED = {"none": "WM_ERR_FCS", "auth": "WM_ERR_SECURITY", "ae": "WM_ERR_SECURITY"}


class PacketField(TypedDict):
    """A field of a packet, as it was on the air."""

    name: str
    octets: int
    hexadecimal: str
    protected: bool
    """A receiver refuses the packet for its tag, or its CRC, when a bit of the field is changed."""
    encrypted: bool


@dataclass(frozen=True, slots=True)
class PacketRow(Sender):
    """A packet on the air: its fields, its octets, and its time."""

    packet_octets: int
    overhead_octets: int
    """Octets of the packet that are no data."""
    symbol_octets: int
    """Preamble and synchronisation before it."""
    flush_octets: int
    """Behind it, until the transmitter may go off."""
    air_octets: int
    """All three."""
    air_ms: float
    """How long the carrier is on, by the emulated radio."""
    increase: float
    """Part by which that is more than without TinySec for the same data."""
    fields: tuple[PacketField, ...]
    paper_overhead_octets: int | None
    """Whatever the paper counts beside the data."""
    paper_air_octets: int | None
    paper_air_ms: float | None
    paper_increase: float | None
    wardmote: str
    commit: str


def cases(board: Board, seed: int) -> list[Sender]:
    """Each stack of the paper with no data, the paper's, and the most."""
    return [
        Sender(board.name, stack, octets, USUAL_POWER, seed)
        for octets in LENGTHS
        for stack in PAPERS
    ]


def measure(case: Sender, artefacts: Artefacts) -> Figures:
    """The last packet of a sender, and of one without TinySec."""
    sent, bare = (send(one, artefacts, PACKETS)[-1] for one in (case, replace(case, stack="none")))
    printed = load("tinysec")["packet"][case.stack] if case.data_octets == PRINTED_OCTETS else {}
    return {
        "packet_octets": len(sent.octets),
        "overhead_octets": len(sent.octets) - case.data_octets,
        "symbol_octets": START_SYMBOL,
        "flush_octets": FLUSH,
        "air_octets": sent.air_octets,
        "air_ms": round(sent.air_ms, 3),
        "increase": round(sent.air_ms / bare.air_ms - 1, 4),
        "fields": fields_of(case, sent),
        "paper_overhead_octets": printed.get("overhead"),
        "paper_air_octets": printed.get("total"),
        "paper_air_ms": printed.get("transmit_ms"),
        "paper_increase": printed.get("increase"),
    }


def parts(packet: bytes, *, standard: bool) -> Iterator[tuple[str, bytes]]:
    """The fields of a packet, by its length octet; raises ImageError if that does not fit."""
    at = 0

    def take(name: str, octets: int) -> tuple[str, bytes]:
        nonlocal at
        at += octets
        return name, packet[at - octets : at]

    yield take("dst", 2)
    yield take("type", 1)
    if standard:
        yield take("group", 1)
    length = packet[at]
    data = length & ~(SECURED_BIT | ENCRYPTED_BIT)
    yield take("length", 1)
    encrypted, secured = length & ENCRYPTED_BIT, length & SECURED_BIT
    if encrypted:
        yield take("iv", 4)
    yield take("data", max(node.BLOCK, data) if encrypted else data)
    yield take("tag", 4) if secured else take("CRC", 2)
    if at != len(packet):
        raise ImageError(f"a packet of {len(packet)} octets has fields of {at}")


def fields_of(case: Sender, sent: Sent) -> list[PacketField]:
    """The fields of a captured packet; raises ImageError if one is not what was sent."""
    standard = case.stack == "none"
    clear = {
        "dst": DESTINATION.to_bytes(2, "little"),
        "type": bytes([TYPE]),
        "group": bytes([GROUP]),
        "data": bytes(range(case.data_octets)),
    }
    found: list[PacketField] = []
    at = 0
    for name, octets in parts(sent.octets, standard=standard):
        encrypted = name == "data" and case.stack == "ae"
        if name in clear and (octets == clear[name]) == encrypted:
            raise ImageError(f"{name} is {octets.hex()} on the air")
        places = range(at, at + len(octets))
        found.append(
            {
                "name": name,
                "octets": len(octets),
                "hexadecimal": octets.hex(),
                "protected": name not in ("tag", "CRC") and protected(case, sent.octets, places),
                "encrypted": encrypted,
            }
        )
        at += len(octets)
    return found


def protected(case: Sender, packet: bytes, places: range) -> bool:
    """Whether a receiver refuses the packet for its tag or its CRC with any octet there changed. It
    has the address and the group of the changed packet: they refuse nothing."""
    wrong = REFUSED[case.stack]
    return bool(places) and all(
        any(answer(case, flipped(packet, at, bit)) == wrong for bit in range(8)) for at in places
    )


def flipped(packet: bytes, place: int, bit: int) -> bytes:
    """The packet with a bit changed."""
    changed = bytearray(packet)
    changed[place] ^= 1 << bit
    return bytes(changed)


def answer(case: Sender, packet: bytes) -> str:
    """The status of a receiver that has the packet's address and group. More is behind the packet:
    a length that is greater finds octets."""
    target = node.target_of(BOARDS[case.board].cpu)
    target.reset()
    members = {"accept": node.STANDARD, "group": packet[3]} if case.stack == "none" else {}
    address = int.from_bytes(packet[:2], "little")
    party = node.Party(target, KEY, address, members=members)
    return party.take(packet + bytes(node.DATA_MOST), node.PACKET_MOST)[0]
