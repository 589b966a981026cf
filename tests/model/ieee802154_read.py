# SPDX-License-Identifier: BSD-3-Clause
"""Reading and unsecuring frames: the other direction of ieee802154_model.

Written from the standard, with a cursor over the octets that refuses to pass their end; what it
finds are the values of `Frame`. CCM* is OpenSSL's CCM by way of `cryptography`, where it has a tag;
the building direction computes its own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

from tests.model.ieee802154_model import (
    ACK,
    BEACON,
    COMMAND,
    KEY_SOURCE_OCTETS,
    MIC_OCTETS,
    Ash,
    Frame,
    NonceForm,
    nonce_of,
)

ADDRESS_OCTETS = {0: 0, 2: 2, 3: 8}
LEGACY_VERSION, RESERVED_VERSION, RESERVED_TYPE = 0, 3, 4
HT1_ID, HT2_ID = 0x7E, 0x7F
GROUP_TERMINATION = 0xF
ENCRYPTED = 4
MAX_FRAME = 125


class FrameError(Exception):
    """A frame that is not to be used; `status` is the stack's name for the reason."""

    status: ClassVar[str]

    def __init_subclass__(cls, status: str) -> None:
        cls.status = status


class MalformedError(FrameError, status="WM_ERR_MALFORMED"):
    """Its octets contradict each other, or a field has a reserved value."""


class TooLongError(FrameError, status="WM_ERR_FRAME_TOO_LONG"):
    """Longer than aMaxPhyPacketSize."""


class OtherFrameError(FrameError, status="WM_ERR_NOT_FOR_US"):
    """A frame type whose FCF is another one: multipurpose, fragment, extended."""


class LegacyError(FrameError, status="WM_ERR_UNSUPPORTED_LEGACY"):
    """Secured by the rules of 2003, before there was an ASH."""


class UnsupportedError(FrameError, status="WM_ERR_UNSUPPORTED_SECURITY"):
    """No edition secures such a frame at this level, or the ASH claims another nonce than was
    agreed."""


class NoSenderError(FrameError, status="WM_ERR_PARAM"):
    """The nonce needs an address that neither the frame nor the receiver has."""


class CounterExhaustedError(FrameError, status="WM_ERR_COUNTER"):
    """Frame counter or ASN is all ones."""


class WrongMicError(FrameError, status="WM_ERR_SECURITY"):
    """It does not authenticate."""


class Cursor:
    """Octets that are taken from the front."""

    def __init__(self, octets: bytes) -> None:
        self.rest = octets

    def take(self, count: int) -> bytes:
        """The next octets."""
        if count > len(self.rest):
            raise MalformedError(f"{count} octets wanted, {len(self.rest)} left")
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def number(self, count: int) -> int:
        """The next octets as a number, least significant octet first."""
        return int.from_bytes(self.take(count), "little")


@dataclass(frozen=True, slots=True)
class Ie:
    """One Information Element of any list."""

    id: int
    content: bytes
    long: bool = False


def _fcf(word: int) -> Frame:
    """The values of a Frame Control field; addresses are zeros of the right length, `seq` 0 or
    None."""
    kind, version = word & 7, word >> 12 & 3
    if kind > COMMAND:
        raise (MalformedError if kind == RESERVED_TYPE else OtherFrameError)(f"frame type {kind}")
    dst, src = word >> 10 & 3, word >> 14 & 3
    if version == RESERVED_VERSION or 1 in (dst, src):
        raise MalformedError("reserved version or addressing mode")
    if version < 2 and word & 0x300:
        raise MalformedError("sequence number suppression and IEs belong to version 2")
    if version == LEGACY_VERSION and word >> 3 & 1:
        raise LegacyError("the security of 2003")
    compression = bool(word >> 6 & 1)
    if version < 2 and compression and 0 in (dst, src):
        raise MalformedError("PAN ID compression takes two addresses before version 2")
    return Frame(
        kind,
        version,
        None if word >> 8 & 1 else 0,
        bytes(ADDRESS_OCTETS[dst]),
        bytes(ADDRESS_OCTETS[src]),
        0,
        0,
        compression,
        bool(word >> 4 & 1),
        bool(word >> 5 & 1),
    )


def _addressing(cursor: Cursor) -> tuple[Frame, bool, bool]:
    """FCF to source address; whether Security Enabled and IE Present are set."""
    word = cursor.number(2)
    frame = _fcf(word)
    if frame.seq is not None:
        frame = replace(frame, seq=cursor.number(1))
    has_dst_pan, has_src_pan = frame.pan_fields()
    dst_pan = cursor.number(2) if has_dst_pan else 0
    dst = cursor.take(len(frame.dst))[::-1]
    src_pan = cursor.number(2) if has_src_pan else dst_pan
    src = cursor.take(len(frame.src))[::-1]
    frame = replace(frame, dst_pan=dst_pan, dst=dst, src_pan=src_pan, src=src)
    return frame, bool(word >> 3 & 1), bool(word >> 9 & 1)


def _ash(cursor: Cursor, version: int) -> Ash:
    """Auxiliary Security Header [9.4]."""
    control = cursor.number(1)
    if version < 2 and control & 0x60:
        raise MalformedError("bits 5 and 6 are reserved before version 2")
    mode = control >> 3 & 3
    counter = None if control & 0x20 else cursor.number(4)
    source = cursor.take(KEY_SOURCE_OCTETS[mode])
    index = cursor.number(1) if mode else 1
    if index == 0:
        raise MalformedError("KeyIndex 0")
    return Ash(control & 7, mode, counter, bool(control & 0x40), source, index)


def _header_ies(cursor: Cursor) -> bytes:
    """The header IEs with their termination, or all there is if none comes."""
    taken = b""
    while cursor.rest:
        descriptor = cursor.take(2)
        (word,) = struct.unpack("<H", descriptor)
        if word >> 15:
            raise MalformedError("a payload IE among header IEs")
        taken += descriptor + cursor.take(word & 0x7F)
        if word >> 7 & 0xFF in (HT1_ID, HT2_ID):
            if word & 0x7F:
                raise MalformedError("a header termination with content")
            break
    return taken


def _open_part(cursor: Cursor, frame: Frame) -> bytes:
    """What is authenticated and not encrypted behind the header, before version 2 [2011 5.2.2.1,
    5.2.2.4]."""
    if frame.version >= 2:
        return b""
    if frame.type == COMMAND:
        return cursor.take(1)
    if frame.type != BEACON:
        return b""
    fields = cursor.take(3)
    fields += cursor.take(1 + 3 * (fields[2] & 7)) if fields[2] & 7 else b""
    pending = cursor.take(1)
    return fields + pending + cursor.take((pending[0] & 7) * 2 + (pending[0] >> 4 & 7) * 8)


def read(octets: bytes, *, on_air: bool = True) -> tuple[Frame, bytes]:
    """A frame without FCS and its MIC; in clear if not `on_air`, else `private_part` is what the
    air carries."""
    if len(octets) > MAX_FRAME:
        raise TooLongError(f"{len(octets)} octets")
    cursor = Cursor(octets)
    frame, secured, has_ies = _addressing(cursor)
    mic = b""
    if secured:
        ash = _ash(cursor, frame.version)
        frame = replace(frame, ash=ash)
        length = MIC_OCTETS[ash.level] if on_air else 0
        if length > len(cursor.rest):
            raise MalformedError("no room for the MIC")
        end = len(cursor.rest) - length
        cursor.rest, mic = cursor.rest[:end], cursor.rest[end:]
    ies = _header_ies(cursor) if has_ies else b""
    open_part = _open_part(cursor, frame)
    return replace(frame, header_ies=ies, open_part=open_part, private_part=cursor.rest), mic


def open_ccm(key: bytes, nonce: bytes, a: bytes, c: bytes, tag: bytes) -> bytes:
    """The plaintext of CCM* [Annex B], or WrongMicError."""
    if not tag:
        decryptor = Cipher(
            algorithms.AES(key), modes.CTR(b"\x01" + nonce + b"\x00\x01")
        ).decryptor()
        return decryptor.update(c) + decryptor.finalize()
    try:
        return AESCCM(key, tag_length=len(tag)).decrypt(nonce, c + tag, a)
    except InvalidTag:
        raise WrongMicError("CCM* tag") from None


def _check_agreed(frame: Frame, ash: Ash, form: NonceForm, level_4: bool) -> None:
    """The level exists for this frame, and the ASH claims the nonce form of the receiver [9.2.4,
    6.3.6, 9.3.3]."""
    if (
        ash.level == 0
        or (ash.level == ENCRYPTED and not level_4)
        or (frame.version < 2 and frame.type == ACK)
    ):
        raise UnsupportedError(f"frame type {frame.type} at level {ash.level}")
    if frame.version >= 2 and frame.type == BEACON and ash.level >= ENCRYPTED:
        raise UnsupportedError("an Enhanced Beacon is never encrypted")
    if (ash.counter is None, ash.asn_in_nonce) != (
        (False, False) if form == "counter" else (True, True)
    ):
        raise UnsupportedError("bits 5 and 6 claim another nonce")


def _check_nonce(frame: Frame, ash: Ash, form: NonceForm, asn: int, src_ext: bytes | None) -> None:
    """There is a sender to put into the nonce, and a number that may be used."""
    if form == "asn" and len(frame.src) == 2:
        if not any(frame.pan_fields()):
            raise NoSenderError("no PAN identifier beside a short address")
    elif len(frame.src) != 8 and src_ext is None:
        raise NoSenderError("no extended address")
    if ash.counter == 0xFFFFFFFF if form == "counter" else asn == (1 << 40) - 1:
        raise CounterExhaustedError


def unsecure(
    octets: bytes,
    key: bytes,
    form: NonceForm,
    asn: int = 0,
    src_ext: bytes | None = None,
    *,
    level_4: bool = False,
) -> Frame:
    """The frame in clear of a secured frame without FCS [9.2.4, 9.3.5]; one without security
    passes. Level 4 ended with the edition of 2011."""
    frame, mic = read(octets)
    if frame.ash is None:
        return frame
    _check_agreed(frame, frame.ash, form, level_4)
    _check_nonce(frame, frame.ash, form, asn, src_ext)
    nonce = nonce_of(frame, form, asn, src_ext)
    if frame.ash.level < ENCRYPTED:
        open_ccm(key, nonce, octets[: len(octets) - len(mic)], b"", mic)
        return frame
    head = octets[: len(octets) - len(mic) - len(frame.private_part)]
    a = b"" if frame.ash.level == ENCRYPTED else head
    return replace(frame, private_part=open_ccm(key, nonce, a, frame.private_part, mic))


def header_ies(octets: bytes) -> Iterator[Ie]:
    """Every header IE [7.4.2], terminations included."""
    cursor = Cursor(octets)
    while cursor.rest:
        word = cursor.number(2)
        yield Ie(word >> 7 & 0xFF, cursor.take(word & 0x7F))


def payload_ies(octets: bytes) -> tuple[list[Ie], bytes]:
    """The payload IEs [7.4.3] without their termination, and the payload behind it."""
    cursor, found = Cursor(octets), list[Ie]()
    while cursor.rest:
        word = cursor.number(2)
        if not word >> 15:
            raise MalformedError("a header IE among payload IEs")
        content = cursor.take(word & 0x7FF)
        if word >> 11 & 0xF == GROUP_TERMINATION:
            if content:
                raise MalformedError("a payload termination with content")
            break
        found.append(Ie(word >> 11 & 0xF, content))
    return found, cursor.rest


def nested_ies(octets: bytes) -> Iterator[Ie]:
    """Every IE nested in an MLME IE [7.4.4]."""
    cursor = Cursor(octets)
    while cursor.rest:
        word = cursor.number(2)
        if word >> 15:
            yield Ie(word >> 11 & 0xF, cursor.take(word & 0x7FF), long=True)
        else:
            yield Ie(word >> 8 & 0x7F, cursor.take(word & 0xFF))
