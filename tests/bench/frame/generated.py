# SPDX-License-Identifier: BSD-3-Clause
"""Random frames of IEEE 802.15.4-2015, secured by the independent model: every length, level, form
of nonce and KeyIdMode, with header and payload IEs, under keys that change under one name."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from tests.model.ieee802154_model import (
    HT1,
    HT2,
    MIC_OCTETS,
    Ash,
    Frame,
    header_ie,
    payload_ie,
    secure,
    time_correction,
)

LEVELS = (1, 2, 3, 5, 6, 7)
"""Of 2015; level 4 has no MIC that a key could fail."""
FIRST_ASN = 0x0102030405
SENDERS = tuple(bytes.fromhex(f"00124b000000{i:04x}") for i in range(1, 5))
FIRST_OCTET = b"\x17"
"""Of a payload: tshark takes it for no protocol, and shows the payload."""
IE_END = payload_ie(0xF, b"")
SHORTEST, LONGEST = 10, 2047
"""Octets of a PSDU."""


class Name(NamedTuple):
    """What frames call a key."""

    mode: int
    key_index: int
    source: bytes = b""


KEYS: dict[Name, tuple[bytes, ...]] = {
    Name(1, 2): (bytes(range(16)), bytes(range(16, 32)), bytes(range(32, 48))),
    Name(2, 7, bytes.fromhex("cdab0100")): (bytes(range(48, 64)),),
    Name(3, 9, bytes.fromhex("0807060504030201")): (bytes(range(64, 80)), bytes(range(80, 96))),
}
"""The keys of each name, in the order in which the network changed them."""


class Made(NamedTuple):
    """A frame as it is on the air, and what must come out of it."""

    on_air: bytes
    clear: bytes
    payload: bytes
    by_asn: bool
    level: int
    says_pan: bool
    """The frame carries all of its nonce that is not the ASN."""


def keys_file(flipped: int | None = None) -> str:
    """A keys file with all keys; `flipped`: with that bit of each changed."""
    text = '[network]\npan = "abcd"\n'
    for name, keys in KEYS.items():
        for key in keys:
            octets = bytearray(key)
            if flipped is not None:
                octets[flipped // 8] ^= 1 << flipped % 8
            text += f'[[key]]\nmode = {name.mode}\nindex = {name.key_index}\noctets = "{octets.hex()}"\n'
            text += f'source = "{name.source.hex()}"\n' if name.source else ""
    return text


def _draw_header(draw: random.Random, by_asn: bool) -> Frame:
    """Addressing; the source is short only where the nonce does not need the extended address."""
    src = draw.choice(SENDERS)
    dst = draw.choice((b"", b"\x00\x07", b"\xff\xff", bytes.fromhex("00124b00000000ff")))
    if by_asn and draw.random() < 0.4:
        src = src[-2:]
    return Frame(
        seq=draw.choice((None, draw.randrange(256))),
        dst=dst,
        src=src,
        compression=len(dst) == 2 or len(src) == 2 or draw.random() < 0.5,
        pending=draw.random() < 0.3,
    )


def _with_header_ies(draw: random.Random, frame: Frame, room: int, more: bytes) -> Frame:
    """Header IEs that leave room, ended by `more`."""
    ies = b""
    for _ in range(draw.randrange(4)):
        one = time_correction(draw.randrange(-2048, 2048))
        if draw.random() < 0.5:
            one = header_ie(0, draw.randbytes(draw.randrange(3, 120)))
        ies += one if len(ies) + len(one) + 2 <= room else b""
    return replace(frame, header_ies=ies + more)


def _payload_ies(draw: random.Random, room: int) -> bytes:
    ies = b""
    while draw.random() < 0.7 and room - len(ies) > 8:
        content = draw.randbytes(draw.randrange(min(1500, room - len(ies) - 4)))
        ies += payload_ie(draw.choice((0, 2, 3)), content)
    return ies


def make(draw: random.Random, number: int, psdu: int, fcs: int, *, by_asn: bool) -> Made:
    """A frame whose PSDU has `psdu` octets, or the fewest that its header allows."""
    name = draw.choice(tuple(KEYS))
    level = draw.choice(LEVELS)
    counter = None if by_asn else number + 1
    ash = Ash(level, name.mode, counter, by_asn, name.source, name.key_index)
    frame = _draw_header(draw, by_asn)
    room = psdu - fcs - MIC_OCTETS[level] - len(replace(frame, ash=ash).mhr())
    payload_ies = b""
    with_ies = draw.random() < 0.6
    if with_ies and room > 4 and draw.random() < 0.6:
        frame = _with_header_ies(draw, frame, room - 4, HT1)
        payload_ies = _payload_ies(draw, room - len(frame.header_ies) - 2) + IE_END
    elif with_ies and room > 2:
        frame = _with_header_ies(draw, frame, room - 2, HT2)
    left = max(room - len(frame.header_ies) - len(payload_ies), 0)
    payload = (FIRST_OCTET + draw.randbytes(left))[:left]
    frame = replace(frame, ash=ash, private_part=payload_ies + payload)
    key = draw.choice(KEYS[name])
    octets = secure(frame, key, "asn" if by_asn else "counter", FIRST_ASN + number)
    says_pan = len(frame.src) == 8 or any(frame.pan_fields())
    return Made(octets, frame.with_ash(None).clear(), payload, by_asn, level, says_pan)


def frames(seed: int, count: int, most: int, *, asns: bool) -> Iterator[Made]:
    """`count` frames of at most `most` octets without FCS, the shortest and the longest among
    them. `asns`: some with the nonce of TSCH."""
    draw = random.Random(seed)
    fcs = LONGEST - most if most > 125 else 2
    lengths = [
        SHORTEST,
        most + fcs,
        *(draw.randint(SHORTEST, most + fcs) for _ in range(count - 2)),
    ]
    for number, length in enumerate(lengths):
        yield make(draw, number, length, fcs, by_asn=asns and draw.random() < 0.5)
