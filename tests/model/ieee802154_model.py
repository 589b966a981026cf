# SPDX-License-Identifier: BSD-3-Clause
"""IEEE 802.15.4 frames, their security and TSCH in plain Python: what the C stack is compared with.

Written from the standard (2015 clauses in brackets), sharing nothing with the stack: header fields
are packed from one integer, the whole MAC is computed over one string, AES comes from OpenSSL by
way of `cryptography`.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes

NONE, SHORT, EXT = 0, 2, 3
BEACON, DATA, ACK, COMMAND = range(4)
MIC_OCTETS = {0: 0, 1: 4, 2: 8, 3: 16, 4: 0, 5: 4, 6: 8, 7: 16}
KEY_SOURCE_OCTETS = {0: 0, 1: 0, 2: 4, 3: 8}
HOPPING = (16, 17, 23, 18, 26, 15, 25, 22, 19, 11, 12, 13, 24, 14, 20, 21)
HT1, HT2 = bytes.fromhex("003f"), bytes.fromhex("803f")

NonceForm = Literal["counter", "asn", "asn-2012e"]
"""2012e puts the extended address before the ASN also where the source is short; 2015 has octets
for that."""


@dataclass(frozen=True, slots=True)
class Ash:
    """Auxiliary Security Header [9.4]."""

    level: int
    key_id_mode: int = 1
    counter: int | None = None
    """None: suppressed."""
    asn_in_nonce: bool = False
    key_source: bytes = b""
    key_index: int = 1

    def octets(self) -> bytes:
        """As on the air."""
        control = (
            self.level
            | self.key_id_mode << 3
            | (self.counter is None) << 5
            | self.asn_in_nonce << 6
        )
        counter = b"" if self.counter is None else struct.pack("<I", self.counter)
        source = self.key_source[: KEY_SOURCE_OCTETS[self.key_id_mode]]
        return (
            bytes([control])
            + counter
            + source
            + (bytes([self.key_index]) if self.key_id_mode else b"")
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame in clear. Addresses are most significant octet first; `open_part` and `private_part`
    follow the header IEs, whose octets include their termination."""

    type: int = DATA
    version: int = 2
    seq: int | None = 7
    dst: bytes = b""
    src: bytes = b""
    dst_pan: int = 0xABCD
    src_pan: int = 0xABCD
    compression: bool = False
    pending: bool = False
    ack_request: bool = False
    ash: Ash | None = None
    header_ies: bytes = b""
    open_part: bytes = b""
    private_part: bytes = b""

    def pan_fields(self) -> tuple[bool, bool]:
        """Which PAN identifiers are there [7.2.2.6, table 7-2]."""
        dst, src, short = bool(self.dst), bool(self.src), len(self.dst) == 2 or len(self.src) == 2
        if self.version < 2:
            return dst, src and not self.compression
        table = {
            (False, False, False): (False, False),
            (False, False, True): (True, False),
            (True, False, False): (True, False),
            (True, False, True): (False, False),
            (False, True, False): (False, True),
            (False, True, True): (False, False),
            (True, True, False): (True, short),
            (True, True, True): (short, False),
        }
        return table[dst, src, self.compression]

    def fcf(self) -> int:
        """Frame Control field [7.2.2]."""
        mode = {0: NONE, 2: SHORT, 8: EXT}
        bits = self.type | (self.ash is not None) << 3 | self.pending << 4 | self.ack_request << 5
        bits |= self.compression << 6 | (self.seq is None) << 8 | bool(self.header_ies) << 9
        return bits | mode[len(self.dst)] << 10 | self.version << 12 | mode[len(self.src)] << 14

    def addressing(self) -> bytes:
        """FCF, sequence number and addressing fields."""
        dst_pan, src_pan = self.pan_fields()
        out = struct.pack("<H", self.fcf()) + (b"" if self.seq is None else bytes([self.seq]))
        out += struct.pack("<H", self.dst_pan) if dst_pan else b""
        out += self.dst[::-1]
        out += struct.pack("<H", self.src_pan) if src_pan else b""
        return out + self.src[::-1]

    def mhr(self) -> bytes:
        """MAC header with its ASH and header IEs."""
        return self.addressing() + (self.ash.octets() if self.ash else b"") + self.header_ies

    def clear(self) -> bytes:
        """Whole frame before it is secured, without FCS."""
        return self.mhr() + self.open_part + self.private_part

    def with_ash(self, ash: Ash | None) -> Frame:
        """The same frame with another ASH."""
        return replace(self, ash=ash)


@lru_cache(maxsize=256)
def _encryptor(key: bytes) -> CipherContext:
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor()


def aes(key: bytes, block: bytes) -> bytes:
    """One AES-128 block."""
    return _encryptor(bytes(key)).update(block)


def xor(a: bytes, b: bytes) -> bytes:
    """The shorter length of a xor b."""
    length = min(len(a), len(b))
    number = int.from_bytes(a[:length], "big") ^ int.from_bytes(b[:length], "big")
    return number.to_bytes(length, "big")


def ccm_star(key: bytes, nonce: bytes, a: bytes, m: bytes, mic: int) -> tuple[bytes, bytes]:
    """CCM* with L = 2 [Annex B]: ciphertext and encrypted tag."""
    tag = b""
    if mic:
        flags = (0x40 if a else 0) | (mic - 2) // 2 << 3 | 1
        text = bytes([flags]) + nonce + struct.pack(">H", len(m))
        if a:
            text += struct.pack(">H", len(a)) + a
            text += bytes(-len(text) % 16)
        text += m + bytes(-len(m) % 16)
        mac = bytes(16)
        for at in range(0, len(text), 16):
            mac = aes(key, xor(mac, text[at : at + 16]))
        tag = xor(mac[:mic], aes(key, b"\x01" + nonce + b"\0\0"))
    stream = b"".join(
        aes(key, b"\x01" + nonce + struct.pack(">H", i + 1)) for i in range(-(-len(m) // 16))
    )
    return xor(m, stream), tag


def nonce_of(frame: Frame, form: NonceForm, asn: int, src_ext: bytes | None) -> bytes:
    """13 octets [9.3.3]."""
    assert frame.ash is not None
    if form == "asn" and len(frame.src) == 2:
        return (
            b"\xba\x55\xec\0"
            + struct.pack(">H", frame.src_pan)
            + frame.src
            + asn.to_bytes(5, "big")
        )
    ext = frame.src if len(frame.src) == 8 else src_ext
    assert ext is not None
    if form != "counter":
        return ext + asn.to_bytes(5, "big")
    assert frame.ash.counter is not None
    return ext + struct.pack(">I", frame.ash.counter) + bytes([frame.ash.level])


def secure(
    frame: Frame,
    key: bytes,
    form: NonceForm = "counter",
    asn: int = 0,
    src_ext: bytes | None = None,
) -> bytes:
    """The frame as it goes on the air, without FCS [9.2.2, 9.3.5]."""
    assert frame.ash is not None
    nonce = nonce_of(frame, form, asn, src_ext)
    level = frame.ash.level
    head = frame.mhr() + frame.open_part
    if level < 4:
        return frame.clear() + ccm_star(key, nonce, frame.clear(), b"", MIC_OCTETS[level])[1]
    a = b"" if level == 4 else head
    ciphertext, mic = ccm_star(key, nonce, a, frame.private_part, MIC_OCTETS[level])
    return head + ciphertext + mic


def header_ie(element: int, content: bytes) -> bytes:
    """One header IE [7.4.2]."""
    return struct.pack("<H", len(content) | element << 7) + content


def payload_ie(group: int, content: bytes) -> bytes:
    """One payload IE [7.4.3]."""
    return struct.pack("<H", len(content) | group << 11 | 0x8000) + content


def nested_ie(sub_id: int, content: bytes, *, long: bool = False) -> bytes:
    """One IE nested in the MLME IE [7.4.4]."""
    word = len(content) | (sub_id << 11 | 0x8000 if long else sub_id << 8)
    return struct.pack("<H", word) + content


def time_correction(us: int, *, nack: bool = False) -> bytes:
    """Time Correction IE [7.4.2.7]; `us` beyond 12 bits is cut."""
    return header_ie(0x1E, struct.pack("<H", max(-2048, min(2047, us)) & 0xFFF | nack << 15))


@dataclass(frozen=True, slots=True)
class Timeslot:
    """Timeslot template in microseconds, in the order of the Timeslot IE [7.4.4.4]."""

    cca_offset: int = 1800
    cca: int = 128
    tx_offset: int = 2120
    rx_offset: int = 1020
    rx_ack_delay: int = 800
    tx_ack_delay: int = 1000
    rx_wait: int = 2200
    ack_wait: int = 400
    rx_tx: int = 192
    max_ack: int = 2400
    max_tx: int = 4256
    length: int = 10000

    def octets(self, identifier: int) -> bytes:
        """Content of the IE with the whole template."""
        first = (
            self.cca_offset,
            self.cca,
            self.tx_offset,
            self.rx_offset,
            self.rx_ack_delay,
            self.tx_ack_delay,
        )
        second = (self.rx_wait, self.ack_wait, self.rx_tx, self.max_ack)
        wide = 3 if max(self.max_tx, self.length) > 0xFFFF else 2
        last = self.max_tx.to_bytes(wide, "little") + self.length.to_bytes(wide, "little")
        return struct.pack("<B10H", identifier, *first, *second) + last


@dataclass(frozen=True, slots=True)
class Beacon:
    """IEs of an Enhanced Beacon [6.3.6]."""

    asn: int
    join_metric: int = 0
    slotframe_length: int = 101
    timeslot: bytes = b"\0"
    hopping: bytes = b"\0"
    links: tuple[tuple[int, int, int], ...] = field(default=((0, 0, 0x0A),))

    def payload(self) -> bytes:
        """Payload IEs: one MLME IE."""
        sync = self.asn.to_bytes(5, "little") + bytes([self.join_metric])
        slotframe = struct.pack("<BBHB", 1, 0, self.slotframe_length, len(self.links))
        slotframe += b"".join(struct.pack("<HHB", *link) for link in self.links)
        nested = nested_ie(0x1A, sync) + nested_ie(0x1C, self.timeslot)
        nested += nested_ie(0x9, self.hopping, long=True) + nested_ie(0x1B, slotframe)
        return payload_ie(1, nested)


def channel(asn: int, offset: int = 0) -> int:
    """Channel of a slot [6.2.6.3]."""
    return HOPPING[(asn + offset) % len(HOPPING)]


def fcs(frame: bytes) -> bytes:
    """FCS [7.2.11]: CRC-16 of ITU-T, least significant bit first."""
    crc = 0
    for octet in frame:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return struct.pack("<H", crc)


def fcs32(frame: bytes) -> bytes:
    """FCS of four octets [7.2.11]: the CRC of ANSI X3.66; a frame of fewer than four octets is
    calculated as if zeros followed."""
    return struct.pack("<I", zlib.crc32(frame.ljust(4, b"\0")))
