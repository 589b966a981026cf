# SPDX-License-Identifier: BSD-3-Clause
"""The frames that other programs are to read.

Every combination of version, frame type, level, KeyIdMode and nonce form that can be secured, each
with several choices of addressing, IEs, payload length, sequence number suppression and flags,
taken so that every two values that can meet do meet; and unsecured frames of every version, type
and addressing. Same seed, same frames.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, BEACON, COMMAND, DATA, Ash, Frame, NonceForm

SEED = 1
CHOICES, CANDIDATES = 15, 40
"""Frames of one core combination, and how many are drawn for each of them."""
MAX_FRAME = 125
PAN, OTHER_PAN = 0xABCD, 0x1234
ADDRESS = {
    "none": b"",
    "short": bytes.fromhex("0a0b"),
    "extended": bytes.fromhex("00124b0000000001"),
}
PEER = {"none": b"", "short": bytes.fromhex("0c0d"), "extended": bytes.fromhex("00124b0000000002")}
KEY_SOURCE = bytes.fromhex("c0ffee0123456789")
KEYS = {
    0: bytes(range(0x40, 0x50)),
    1: b"6TiSCH minimal15",
    2: bytes.fromhex("deadbeeffacecafedeadbeeffacecafe"),
    255: bytes.fromhex("000102030405060708090a0b0c0d0e0f"),
}
"""Key by KeyIndex; 0 stands for KeyIdMode 0, which has none."""
COMMAND_ID = 0x40
"""Reserved: nobody reads a meaning into what follows it."""
VENDOR = bytes.fromhex("998877") + b"payload IE"
"""A payload IE of a vendor: OUI and content."""
BEACON_FIELDS = (
    bytes.fromhex("55cf0000"),
    bytes.fromhex("55cf820301020304050612") + bytes(range(1, 13)),
)
"""Open part of a beacon before version 2: nothing pending; two GTS descriptors, two short
addresses, one extended."""
IE_FORMS = (
    "none",
    "list",
    "HT2",
    "list, HT2",
    "HT1, IEs",
    "HT1, IEs, termination",
    "list, HT1, IEs, termination",
)
WITHOUT_PAYLOAD = ("list", "HT1, IEs")
SOURCES = ("none", "short", "short", "short", "extended", "extended", "extended", "extended")
"""Frames without a source are rare in the field, and few programs can tell their nonce."""
LENGTHS = ("0", "1", "15", "16", "17", "33", "max - 1", "max")
TYPES = {BEACON: "beacon", DATA: "data", ACK: "ack", COMMAND: "command"}


@dataclass(frozen=True, slots=True)
class Shape:
    """One choice in every dimension. Level 0 is a frame without security: its KeyIdMode and form
    mean nothing."""

    version: int
    type: int
    level: int
    mode: int
    form: NonceForm
    dst: str
    src: str
    compression: bool
    ies: str
    length: str
    suppressed: bool = False
    flags: int = 0

    def values(self) -> tuple[tuple[str, object], ...]:
        """Every dimension with its value."""
        return tuple((name, getattr(self, name)) for name in self.__slots__)

    def pairs(self) -> set[tuple[object, object]]:
        """Every two of them."""
        return set(combinations(self.values(), 2))


@dataclass(frozen=True, slots=True)
class Case:
    """A frame in clear and what securing it needs besides."""

    number: int
    shape: Shape
    frame: Frame
    asn: int
    key: bytes
    payload_at: int
    """Where in the private part IEs and command identifier end."""

    @property
    def src_ext(self) -> bytes:
        """The sender's extended address where the nonce wants it and the frame has none."""
        needless = self.shape.src == "extended" or (
            self.shape.form == "asn" and self.shape.src == "short"
        )
        return b"" if needless else ADDRESS["extended"]

    @property
    def payload(self) -> bytes:
        """What is behind payload IEs and command identifier."""
        return self.frame.private_part[self.payload_at :]

    @property
    def secured(self) -> bool:
        """Whether it has security at all."""
        return self.frame.ash is not None


def possible(shape: Shape) -> bool:
    """Whether the standard has a frame of this shape."""
    old = shape.version < 2
    if shape.level and (shape.version == 0 or (old and shape.type == ACK)):
        return False
    if old and (shape.form == "asn" or shape.ies != "none" or shape.suppressed):
        return False
    if old and shape.compression and "none" in (shape.dst, shape.src):
        return False
    if old and shape.type == ACK and (shape.dst, shape.src, shape.length) != ("none", "none", "0"):
        return False
    if not old and shape.type == BEACON and shape.level >= 4:
        return False
    if shape.ies in WITHOUT_PAYLOAD and (shape.type == COMMAND or shape.length != "0"):
        return False
    # The nonce of a short address holds the PAN identifier, which this addressing leaves out.
    return (shape.form, shape.dst, shape.src, shape.compression) != ("asn", "none", "short", True)


def cores() -> Iterator[tuple[int, int, int, int, NonceForm]]:
    """Version, type, level, KeyIdMode and nonce form of every frame that can be secured."""
    forms: tuple[NonceForm, ...] = ("counter", "asn")
    for core in product((1, 2), TYPES, range(1, 8), range(4), forms):
        if possible(Shape(*core, "extended", "extended", False, "none", "0")):
            yield core


ADDRESSING = tuple(product(ADDRESS, ADDRESS, (False, True)))


def feasible_pairs() -> set[tuple[object, object]]:
    """Every two values that some possible frame has. KeyIdMode and flags are free of the rest; the
    others are tried in all combinations, lengths by one that carries a payload and the one that
    does not."""
    found: set[tuple[object, object]] = set()
    for version, type_, level, _, form in {(*core[:3], 0, core[4]) for core in cores()}:
        for ies, (dst, src, compression), suppressed in product(
            IE_FORMS, ADDRESSING, (False, True)
        ):
            for length in ("0", "1"):
                shape = Shape(
                    version, type_, level, 0, form, dst, src, compression, ies, length, suppressed
                )
                if possible(shape):
                    found |= shape.pairs()
    for name, standing_for, values in (
        ("mode", 0, range(1, 4)),
        ("flags", 0, range(1, 4)),
        ("length", "1", LENGTHS[2:]),
    ):
        for pair in list(found):
            if (name, standing_for) in pair:
                found |= {
                    tuple((name, v) if x == (name, standing_for) else x for x in pair)  # type: ignore[misc]
                    for v in values
                }
    return found


@cache
def shapes() -> tuple[Shape, ...]:
    """The secured frames' shapes: for each core the candidates that bring most pairs not met
    before."""
    source, chosen, met = random.Random(SEED), list[Shape](), set[tuple[object, object]]()
    for core in cores():
        candidates = [shape for _ in range(CANDIDATES) if possible(shape := _drawn(source, core))]
        fresh = [shape.pairs() for shape in candidates]
        for _ in range(CHOICES):
            best = max(range(len(candidates)), key=lambda i: len(fresh[i] - met))
            chosen.append(candidates[best])
            met |= fresh[best]
            del candidates[best], fresh[best]
    return tuple(chosen)


def _drawn(source: random.Random, core: tuple[int, int, int, int, NonceForm]) -> Shape:
    dst, _, compression = source.choice(ADDRESSING)
    src = source.choice(SOURCES)
    old = core[0] < 2
    ies = "none" if old else source.choice(IE_FORMS)
    if old and "none" in (dst, src):
        compression = False
    length = "0" if ies in WITHOUT_PAYLOAD else source.choice(LENGTHS)
    return Shape(
        *core,
        dst,
        src,
        compression,
        ies,
        length,
        not old and source.random() < 0.3,
        source.randrange(4),
    )


def unsecured_shapes() -> Iterator[Shape]:
    """One frame without security of every version, type and addressing."""
    for version, type_, (dst, src, compression) in product(range(3), TYPES, ADDRESSING):
        length = "0" if type_ == ACK and version < 2 else "17"
        shape = Shape(version, type_, 0, 0, "counter", dst, src, compression, "none", length)
        if possible(shape):
            yield shape


@cache
def cases() -> tuple[Case, ...]:
    """All of them."""
    source = random.Random(SEED)
    return tuple(
        _case(number, shape, source)
        for number, shape in enumerate((*shapes(), *unsecured_shapes()))
    )


def _case(number: int, shape: Shape, source: random.Random) -> Case:
    asn = source.randrange(1 << 40)
    index = source.choice((1, 2, 255)) if shape.mode else 0
    ash = None
    if shape.level:
        counter = source.randrange(0xFFFFFFFF) if shape.form == "counter" else None
        key_source = KEY_SOURCE[: model.KEY_SOURCE_OCTETS[shape.mode]]
        ash = Ash(shape.level, shape.mode, counter, shape.form == "asn", key_source, index or 1)
    frame = Frame(
        shape.type, shape.version, None if shape.suppressed else number & 0xFF, PEER[shape.dst], ADDRESS[shape.src],
        PAN, OTHER_PAN, shape.compression, bool(shape.flags & 1), bool(shape.flags & 2), ash,
        _header_ies(shape, source),
    )  # fmt: skip
    has_dst_pan, has_src_pan = frame.pan_fields()
    dst_pan = PAN if has_dst_pan else 0
    frame = replace(frame, dst_pan=dst_pan, src_pan=OTHER_PAN if has_src_pan else dst_pan)
    frame = _with_open_and_ies(frame, shape, asn, source)
    at = len(frame.private_part)
    frame = replace(
        frame, private_part=frame.private_part + source.randbytes(_payload_octets(frame, shape))
    )
    return Case(number, shape, frame, asn, KEYS[index], at)


def _header_ies(shape: Shape, source: random.Random) -> bytes:
    """Header IEs of the form, their termination included."""
    listed = model.time_correction(source.randrange(-2048, 2048)) if "list" in shape.ies else b""
    return listed + (model.HT1 if "HT1" in shape.ies else model.HT2 if "HT2" in shape.ies else b"")


def _payload_ies(shape: Shape, asn: int) -> bytes:
    """Payload IEs of the form: what an Enhanced Beacon says, elsewhere one IE of a vendor."""
    if "HT1" not in shape.ies:
        return b""
    ies = model.Beacon(asn).payload() if shape.type == BEACON else model.payload_ie(2, VENDOR)
    return ies + (model.payload_ie(15, b"") if "termination" in shape.ies else b"")


def _with_open_and_ies(frame: Frame, shape: Shape, asn: int, source: random.Random) -> Frame:
    """The open part, or what of the private part comes before the payload."""
    open_part, private = b"", _payload_ies(shape, asn)
    if shape.type == COMMAND:
        identifier = bytes([COMMAND_ID])
        open_part, private = (
            (identifier, private) if shape.version < 2 else (b"", private + identifier)
        )
    elif shape.type == BEACON and shape.version < 2:
        open_part = source.choice(BEACON_FIELDS)
    return replace(frame, open_part=open_part, private_part=private)


def _payload_octets(frame: Frame, shape: Shape) -> int:
    """How long the payload of a frame is that has everything else already."""
    room = MAX_FRAME - len(frame.clear()) - (model.MIC_OCTETS[shape.level] if shape.level else 0)
    if shape.length.startswith("max"):
        return room - (shape.length != "max")
    return int(shape.length)
