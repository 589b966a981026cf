# SPDX-License-Identifier: BSD-3-Clause
"""The fields of packets and of what frames carry, cut out of their octets."""

from collections.abc import Iterator, Sequence
from typing import TypedDict

from wardmote.call import EmulatedTarget
from wardmote.errors import ImageError
from wardmote.experiments.ipsec.frames import DRAFT, PAPER
from wardmote.experiments.ipsec.node import HEADER, UDP_HEADER
from wardmote.experiments.ipsec.suites import Suite

AH, ESP = 51, 50
TRAILER = 2
IPHC, EH, NHC_AH, NHC_ESP, KIND = 2, 0xEB, 0xD0, 0xE0, 0xF0
NEXT_ELIDED, LENGTH_INLINE = 0x01, 0x08
DATAGRAM = "UDP and data"


class Cut(TypedDict):
    """A field."""

    name: str
    octets: int
    hexadecimal: str


class Knife:
    """Cuts octets from the front."""

    def __init__(self, octets: bytes) -> None:
        self.left, self.cuts = octets, list[Cut]()

    def cut(self, name: str, octets: int) -> bytes:
        """The next field; one without octets is none."""
        found, self.left = self.left[:octets], self.left[octets:]
        if len(found) != octets:
            raise ImageError(f"{octets} octets of {name} are not there")
        if octets:
            self.cuts.append({"name": name, "octets": octets, "hexadecimal": found.hex()})
        return found


def icv_of(target: EmulatedTarget, suite: Suite, *, ah: bool) -> int:
    """Octets of an ICV, as the stack's constants say."""
    name = suite.ah if ah else suite.integrity
    if name:
        return int(_constant(target, "integrity", name)["icv_octets"])
    return int(_constant(target, "encryption", suite.encryption)["icv_octets"])


def _constant(target: EmulatedTarget, kind: str, name: str) -> dict[str, int]:
    record = f"wm_ipsec_{kind}"
    size = target.layout(record).size
    octets = target.read(target.address_of(f"wm_ipsec_{name}"), size)
    return dict(target.unpack(record, octets))


def plain(target: EmulatedTarget, suite: Suite, packet: bytes, data: int) -> list[Cut]:
    """The fields of AH and ESP in a packet, and what they protect."""
    knife = Knife(packet[HEADER:])
    if suite.ah:
        knife.cut("next header", 1)
        words = knife.cut("length", 1)[0]
        for name, octets in (("reserved", 2), ("SPI", 4), ("sequence number", 4)):
            knife.cut(name, octets)
        _icv(knife, icv_of(target, suite, ah=True), 4 * (words - 1))
    _body(target, suite, knife, data, headed=True)
    return knife.cuts


def carried(
    target: EmulatedTarget, suite: Suite, payload: bytes, data: int, layout: int
) -> list[Cut]:
    """The same of what a frame carries, with its headers compressed. Behind a next header in line
    nothing is."""
    knife = Knife(payload)
    knife.cut("IPHC", IPHC)
    ended = False
    for protocol, wanted in ((NHC_AH, suite.ah), (NHC_ESP, suite.encryption)):
        if not wanted or ended:
            continue
        if knife.cut("NHC EH", 1)[0] != EH:
            raise ImageError(f"no extension header in {payload.hex()}")
        flags = knife.cut("NHC AH" if protocol == NHC_AH else "NHC ESP", 1)[0]
        if flags & KIND != protocol:
            raise ImageError(f"neither AH nor ESP: {flags:02x}")
        if protocol == NHC_AH:
            ended = layout == DRAFT or not flags & NEXT_ELIDED
            knife.cut("next header", int(ended))
            knife.cut("length", 1 if layout == PAPER and flags & LENGTH_INLINE else 0)
        spi, number = _inline(flags, layout)
        knife.cut("SPI", spi)
        knife.cut("sequence number", number)
        if protocol == NHC_AH:
            octets = icv_of(target, suite, ah=True)
            _icv(knife, octets, -(-(octets + 12) // 8) * 8 - 12)
    _body(target, suite, knife, data, headed=ended)
    return knife.cuts


def _inline(flags: int, layout: int) -> tuple[int, int]:
    """Octets of SPI and sequence number."""
    if layout == DRAFT:
        return (0, 1, 2, 4)[flags >> 2 & 3], (flags & 3) + 1
    return 4 * (flags >> 2 & 1), 2 + 2 * (flags >> 1 & 1)


def _icv(knife: Knife, octets: int, whole: int) -> None:
    knife.cut("ICV", octets)
    knife.cut("padding of the ICV", whole - octets)


def _body(target: EmulatedTarget, suite: Suite, knife: Knife, data: int, *, headed: bool) -> None:
    """ESP, of which nothing behind the IV can be read: how many octets there are says what is
    padding."""
    if not suite.encryption:
        knife.cut(DATAGRAM, len(knife.left))
        return
    if headed:
        knife.cut("SPI", 4)
        knife.cut("sequence number", 4)
    record = _constant(target, "encryption", suite.encryption)
    knife.cut("IV", record["iv_octets"])
    icv = icv_of(target, suite, ah=False)
    padding = len(knife.left) - UDP_HEADER - data - TRAILER - icv
    if not 0 <= padding < record["block_octets"]:
        raise ImageError(f"{padding} octets of padding")
    knife.cut(DATAGRAM, UDP_HEADER + data)
    knife.cut("padding", padding)
    knife.cut("pad length", 1)
    knife.cut("next header", 1)
    knife.cut("ICV", icv)


def added(cuts: Sequence[Cut], *others: str) -> int:
    """Octets of all fields but these."""
    return sum(one["octets"] for one in cuts if one["name"] not in others)


def octets_of(cuts: Sequence[Cut], name: str) -> int:
    """Octets of a field."""
    return sum(one["octets"] for one in cuts if one["name"] == name)


def names_of(cuts: Sequence[Cut]) -> Iterator[str]:
    """Fields with their octets, as text."""
    return (f"{one['name']} {one['octets']}" for one in cuts)
