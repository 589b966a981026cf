# SPDX-License-Identifier: BSD-3-Clause
"""ZigBee's NWK and APS security, written for reading. It shares nothing with the C: CCM and AES are
those of PyCryptodome.

Addresses are 8 octets, the most significant first, as they are printed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from Crypto.Cipher import AES

USUAL = 5
"""Security level ENC-MIC-32."""
ENC = 4
"""The level that encrypts and authenticates nothing."""
MIC_OCTETS = (0, 4, 8, 16, 0, 4, 8, 16)
EXTENDED_NONCE = 0x20
NWK_SECURITY, APS_SECURITY = 0x0200, 0x20
Aes = Callable[[bytes], bytes]


class KeyId(IntEnum):
    """Which key secures a frame."""

    DATA = 0
    NETWORK = 1
    TRANSPORT = 2
    LOAD = 3


@dataclass(frozen=True)
class Aux:
    """An auxiliary header."""

    key_id: KeyId
    counter: int
    source: bytes
    """Of the node that secured the frame: in the nonce in any case."""
    sequence: int = 0
    """With the network key."""
    source_present: bool = True
    level_bits: int = 0
    """On the air."""

    def control(self, level: int) -> int:
        """The security control octet."""
        return level | self.key_id << 3 | EXTENDED_NONCE * self.source_present

    def octets(self, level: int) -> bytes:
        """With this level in it."""
        out = bytes([self.control(level)]) + self.counter.to_bytes(4, "little")
        out += self.source[::-1] if self.source_present else b""
        return out + (bytes([self.sequence]) if self.key_id == KeyId.NETWORK else b"")

    def nonce(self, level: int) -> bytes:
        """Source, frame counter, security control with the level in it."""
        return self.source[::-1] + self.counter.to_bytes(4, "little") + bytes([self.control(level)])


@dataclass(frozen=True)
class NwkHeader:
    """A NWK header, of a frame that is to be secured."""

    dst: int = 0
    src: int = 0x1234
    type: int = 0
    radius: int = 30
    sequence: int = 1
    dst_ext: bytes = b""
    src_ext: bytes = b""
    multicast: int | None = None
    relays: tuple[int, ...] | None = None
    version: int = 2
    discover: int = 0

    def octets(self, secured: bool) -> bytes:
        """As it stands on the air."""
        control = self.type | self.version << 2 | self.discover << 6 | NWK_SECURITY * secured
        control |= (self.multicast is not None) << 8 | (self.relays is not None) << 10
        control |= bool(self.dst_ext) << 11 | bool(self.src_ext) << 12
        out = b"".join(n.to_bytes(2, "little") for n in (control, self.dst, self.src))
        out += bytes([self.radius, self.sequence]) + self.dst_ext[::-1] + self.src_ext[::-1]
        out += bytes([self.multicast]) if self.multicast is not None else b""
        if self.relays is not None:
            out += bytes([len(self.relays), 0])
            out += b"".join(relay.to_bytes(2, "little") for relay in self.relays)
        return out


@dataclass(frozen=True)
class NwkFrame:
    """A NWK frame in clear."""

    header: NwkHeader = field(default_factory=NwkHeader)
    payload: bytes = b""

    def clear(self) -> bytes:
        """Without security."""
        return self.header.octets(secured=False) + self.payload

    def secured(self, key: bytes, aux: Aux, level: int = USUAL) -> bytes:
        """Under a network key."""
        return protect(self.header.octets(secured=True), aux, self.payload, key, level)


def protect(header: bytes, aux: Aux, payload: bytes, key: bytes, level: int) -> bytes:
    """Header, auxiliary header, payload and MIC as they stand on the air."""
    a = header + aux.octets(level)
    body, mic = ccm(key, aux.nonce(level), a, payload, level)
    return header + aux.octets(aux.level_bits) + body + mic


def ccm(key: bytes, nonce: bytes, a: bytes, m: bytes, level: int) -> tuple[bytes, bytes]:
    """CCM*: m as it is at this level, and the MIC."""
    if level == ENC:
        # The keystream of CCM: counter blocks 01 nonce i, from i = 1 on.
        stream = AES.new(key, AES.MODE_CTR, nonce=b"\1" + nonce, initial_value=1)
        return stream.encrypt(m), b""
    cipher = AES.new(key, AES.MODE_CCM, nonce=nonce, mac_len=MIC_OCTETS[level])
    cipher.update(a if level > ENC else a + m)
    return (cipher.encrypt(m) if level > ENC else m), cipher.digest()
