# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/ipsec/*.json: packets of every suite of IPsec, and packets to be refused.

Everything is computed by tests/model/ipsec_model.py. Run from the root of the repository:
`python -m vectors.generate_ipsec`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.model.ipsec_model import (
    AHS,
    DESTINATION,
    ENCRYPTION,
    ESP,
    ESPS,
    FRAGMENT,
    HOP_BY_HOP,
    ICMPV6,
    INTEGRITY,
    NONE,
    ROUTING,
    STUDY,
    UDP,
    Sa,
    Suite,
    ah,
    esp,
    ipv6,
    secured,
    split,
    udp,
)
from vectors.inputs import flipped, octets
from vectors.making import Group, Test, made_by, text, write

OURS = bytes.fromhex("fd00000000000000000000000000000a")
PEER = bytes.fromhex("fd00000000000000000000000000000b")
PORTS = 4000, 7
VALID = {"result": "valid", "status": "WM_OK"}
BOTH = Suite("", "aes_xcbc_96"), Suite("aes_ctr", "aes_xcbc_96")
HOP_OPTIONS = bytes.fromhex("1101050200003e040a0b0c0d1e010100")
"""A header of hop-by-hop options for UDP: router alert, one whose data change on the way, one of
one octet, Pad1."""
DESTINATION_OPTIONS = bytes.fromhex("11003e0201020100")
ROUTED = bytes.fromhex("1100000000000000")
"""A routing header at its end."""
LENGTHS = (0, 1, 2, 3, 4, 5, 9, 13, 14, 16, 17, 30, 31, 46, 64, 200)


def sa_of(suite: Suite, spi: int, label: str = "") -> Sa:
    """A SA whose keys follow from suite and label."""
    key = octets(
        f"{suite} {label} encryption",
        ENCRYPTION[suite.encryption].key_octets if suite.encryption else 0,
    )
    code = octets(
        f"{suite} {label} code", INTEGRITY[suite.integrity].key_octets if suite.integrity else 0
    )
    return Sa(suite, spi, key, octets(f"{suite} {label} salt", 4), code)


def clear(length: int, front: bytes = b"\x60\0\0\0", hops: int = 64) -> bytes:
    """A UDP packet from the peer."""
    return ipv6(PEER, OURS, UDP, udp(PEER, OURS, PORTS, octets(f"{length}", length)), front, hops)


def with_headers(*headers: tuple[int, bytes]) -> bytes:
    """The same behind extension headers, each with its protocol."""
    whole = udp(PEER, OURS, PORTS, b"burglar alarm")
    following = UDP
    for protocol, header in reversed(headers):
        whole = bytes([following]) + header[1:] + whole
        following = protocol
    return ipv6(PEER, OURS, following, whole)


def parameters(*suites: Suite) -> dict[str, str]:
    """Algorithms of a group: of ESP, and of AH."""
    names = {"ah": "", "encryption": "", "integrity": ""}
    for suite in suites:
        if suite.is_ah:
            names["ah"] = suite.integrity
        else:
            names |= {"encryption": suite.encryption, "integrity": suite.integrity}
    return names


def keys(sas: tuple[Sa, ...]) -> Test:
    """SPI, keys and salt of each, by its protocol."""
    found: Test = {}
    for sa in sas:
        name = "ah" if sa.suite.is_ah else "esp"
        found |= {f"{name}Spi": sa.spi, f"{name}IntegrityKey": sa.integrity_key.hex()}
        if name == "esp":
            found |= {"espKey": sa.key.hex(), "espSalt": sa.salt.hex()}
    return found


def case(comment: str, sas: tuple[Sa, ...], packet: bytes, sequence: int = 1) -> Test:
    """The vector of a packet."""
    out = secured(sas, packet, sequence).hex()
    whole = {"sequence": sequence, "clear": packet.hex(), "packet": out}
    return {"comment": comment} | keys(sas) | whole | VALID


def headers_in_front() -> Iterator[tuple[str, bytes]]:
    """Packets with extension headers."""
    hop, routed = (HOP_BY_HOP, HOP_OPTIONS), (ROUTING, ROUTED)
    destination = (DESTINATION, DESTINATION_OPTIONS)
    yield "hop-by-hop options", with_headers(hop)
    yield "destination options", with_headers(destination)
    yield "hop-by-hop and destination options", with_headers(hop, destination)
    yield "routing header", with_headers(routed)
    yield "all, destination options twice", with_headers(hop, destination, routed, destination)


def generated() -> str:
    """Lengths around every block, headers in front, high sequence numbers."""
    groups = []
    for suites in (*((suite,) for suite in (*AHS, *ESPS)), (BOTH[1], BOTH[0])):
        sas = tuple(sa_of(suite, 0x100 + 0x100 * at) for at, suite in enumerate(suites))
        tests = [case(f"{length} octets", sas, clear(length)) for length in LENGTHS]
        tests += [case(comment, sas, packet) for comment, packet in headers_in_front()]
        tests.append(case("class, flow, hops", sas, clear(9, b"\x6a\xbc\xde\xf0", 3)))
        tests.append(case("sequence number 2^32 - 1", sas, clear(9), 0xFFFFFFFF))
        groups.append(Group("ipsec", tests, parameters(*suites)))
    for suite in STUDY:
        sas = (sa_of(suite, 0x100),)
        tests = [case(f"{length} octets", sas, clear(length)) for length in LENGTHS[::4]]
        groups.append(Group("ipsec", tests, parameters(suite)))
    return text(
        "IPsec", made_by("generate_ipsec", "tests/model/ipsec_model.py", "ipsec.h"), *groups
    )


def refused(comment: str, sas: tuple[Sa, ...], packet: bytes, status: str) -> Test:
    """A packet that must be refused."""
    members = {"packet": packet.hex(), "result": "invalid", "status": status}
    return {"comment": comment} | keys(sas) | members


def damages(sa: Sa) -> Iterator[tuple[str, bytes, str]]:
    """A bit in every part of a packet, and lengths that are wrong."""
    packet = secured((sa,), clear(13), 1)
    icv = (
        INTEGRITY[sa.suite.integrity].icv_octets if sa.suite.integrity else sa.encryption.icv_octets
    )
    parts = {"SPI": (44 if sa.suite.is_ah else 40, "WM_ERR_UNAVAILABLE_KEY")}
    parts["sequence number"] = (parts["SPI"][0] + 4, "WM_ERR_SECURITY")
    if sa.suite.is_ah:
        parts["payload length"] = (41, "WM_ERR_MALFORMED")
        parts["reserved"] = (42, "WM_ERR_SECURITY")
        parts["next header"] = (40, "WM_ERR_SECURITY")
        parts["ICV"] = (52, "WM_ERR_SECURITY")
        parts["source"] = (8 + 15, "WM_ERR_SECURITY")
        parts["destination"] = (24 + 15, "WM_ERR_SECURITY")
        if icv == 16:
            parts["padding of the ICV"] = (52 + 16, "WM_ERR_SECURITY")
    else:
        parts["ICV"] = (len(packet) - icv, "WM_ERR_SECURITY")
        parts["pad length"] = (len(packet) - icv - 2, "WM_ERR_SECURITY")
        if sa.encryption.iv_octets:
            parts["IV"] = (48, "WM_ERR_SECURITY")
    parts["payload"] = (len(packet) - icv - 9, "WM_ERR_SECURITY")
    parts["last octet"] = (len(packet) - 1, "WM_ERR_SECURITY")
    for name, (at, status) in parts.items():
        yield f"{name}: one bit", flipped(packet, 8 * at + 7), status
    shortest = 12 if sa.suite.is_ah else 8
    for length in (0, shortest - 1):
        cut = split(packet).around(packet[6], packet[40:][:length])
        yield f"{length} octets of the header", cut, "WM_ERR_UNAVAILABLE_KEY"
    least = (24 + 8 * (icv == 16)) if sa.suite.is_ah else 8 + sa.encryption.iv_octets + icv
    for length in (shortest, least - 1):
        cut = split(packet).around(packet[6], packet[40:][:length])
        yield f"{length} octets", cut, "WM_ERR_MALFORMED"
    yield "an octet less than it says", packet[:-1], "WM_ERR_MALFORMED"
    yield "version 4", bytes([0x40]) + packet[1:], "WM_ERR_MALFORMED"
    yield "sequence number 0", secured((sa,), clear(13), 0), "WM_ERR_COUNTER"


def wrong_trailers(sa: Sa) -> Iterator[tuple[str, bytes, str]]:
    """What only the holder of the key can make."""
    block = sa.encryption.block_octets
    packet = clear(14)
    yield (
        "padding is not 1, 2, 3",
        esp(sa, packet, 1, padding=bytes(-24 % block or block)),
        "WM_ERR_MALFORMED",
    )
    yield "more padding than octets", esp(sa, packet, 1, pad_length=255), "WM_ERR_MALFORMED"
    yield "a dummy packet", esp(sa, packet, 1, next_header=NONE), "WM_ERR_NOT_FOR_US"
    yield "a fragment inside", esp(sa, packet, 1, next_header=FRAGMENT), "WM_ERR_MALFORMED"
    yield "ESP inside", esp(sa, packet, 1, next_header=ESP), "WM_ERR_IMPROPER_SECURITY_LEVEL"
    if block == 16:
        short = split(esp(sa, packet, 1))
        less = short.rest[:-16]
        yield "no whole block", short.around(ESP, less[:-4] + sa.icv(less[:-4])), "WM_ERR_MALFORMED"


def wrong_headers(sas: tuple[Sa, ...]) -> Iterator[tuple[str, bytes, str]]:
    """Headers in front of AH or ESP."""
    malformed = "WM_ERR_MALFORMED"
    on_the_way = bytes.fromhex("1100000100000000")
    for comment, headers in {
        "a routing header before its end": [(ROUTING, on_the_way)],
        "a fragment header": [(FRAGMENT, bytes(8))],
        "hop-by-hop options twice": [(HOP_BY_HOP, HOP_OPTIONS), (HOP_BY_HOP, HOP_OPTIONS)],
        "an option past the end": [(HOP_BY_HOP, bytes.fromhex("11003e0501020304"))],
        "an option without length": [(DESTINATION, bytes.fromhex("110001020000003e"))],
    }.items():
        whole = secured(sas, clear(13), 1)
        body, following = whole[40:], whole[6]
        for protocol, header in reversed(headers):
            body, following = bytes([following]) + header[1:] + body, protocol
        yield comment, ipv6(PEER, OURS, following, body), malformed
    whole = secured(sas, clear(13), 1)
    yield "to a group", whole[:24] + b"\xff" + whole[25:], "WM_ERR_UNAVAILABLE_KEY"


def wrong_policies(sas: tuple[Sa, ...]) -> Iterator[tuple[str, bytes, str]]:
    """Whole packets that a policy refuses."""
    improper, unnamed = "WM_ERR_IMPROPER_SECURITY_LEVEL", "WM_ERR_UNAVAILABLE_SECURITY_LEVEL"
    yield "in clear", clear(13), improper
    stranger = PEER[:-1] + b"\x0c"
    packet = ipv6(stranger, OURS, UDP, udp(stranger, OURS, PORTS, b"whose?"))
    yield "of a stranger in clear", packet, unnamed
    yield "of a stranger under our SA", secured(sas, packet, 1), unnamed
    yield (
        "what goes in clear, but secured",
        secured(sas, ipv6(PEER, OURS, ICMPV6, b"\x87" + bytes(23)), 1),
        improper,
    )
    yield (
        "UDP without ports",
        secured(sas, ipv6(PEER, OURS, UDP, b"\x0f\xa0\0"), 1),
        "WM_ERR_MALFORMED",
    )
    if len(sas) == 2:
        yield "ESP without AH", secured(sas[:1], clear(13), 1), improper
        yield "AH without ESP", secured(sas[1:], clear(13), 1), improper
        yield "AH in ESP", esp(sas[0], ah(sas[1], clear(13), 1), 1), improper
        yield "AH twice", ah(sas[1], secured(sas, clear(13), 1), 2), improper
        inner = bytearray(secured(sas, clear(13), 1))
        yield "ESP's payload, one bit", flipped(bytes(inner), 8 * 100), "WM_ERR_SECURITY"


def refusals() -> str:
    """One thing wrong in each."""
    groups = []
    for suites in (*((suite,) for suite in (*AHS, *ESPS)), (BOTH[1], BOTH[0])):
        sas = tuple(sa_of(suite, 0x100 + 0x100 * at) for at, suite in enumerate(suites))
        found = [] if len(sas) == 2 else list(damages(sas[0]))
        if not suites[0].is_ah and len(sas) == 1:
            found += wrong_trailers(sas[0])
        found += [*wrong_headers(sas), *wrong_policies(sas)]
        tests = [refused(comment, sas, packet, status) for comment, packet, status in found]
        groups.append(Group("ipsec-refusal", tests, parameters(*suites)))
    return text(
        "IPsec", made_by("generate_ipsec", "tests/model/ipsec_model.py", "ipsec.h"), *groups
    )


def files() -> dict[str, str]:
    """Every file that this script writes."""
    return {"ipsec/generated.json": generated(), "ipsec/refusals.json": refusals()}


if __name__ == "__main__":
    write(files())
