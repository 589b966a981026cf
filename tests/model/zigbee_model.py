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


@dataclass(frozen=True)
class ApsHeader:
    """An APS header, of a frame that is to be secured."""

    type: int = 0
    """0 data, 1 command, 2 ack."""
    delivery: int = 0
    dst_endpoint: int = 1
    src_endpoint: int = 2
    group: int = 0
    cluster: int = 6
    profile: int = 0x0104
    counter: int = 77
    ack_format: bool = False
    ack_request: bool = False
    fragment: tuple[int, int] | None = None
    """Extended header: 0 and nothing, or 1 or 2 and the block."""

    def octets(self, secured: bool) -> bytes:
        """As it stands on the air."""
        control = self.type | self.delivery << 2 | self.ack_format << 4 | APS_SECURITY * secured
        control |= self.ack_request << 6 | (self.fragment is not None) << 7
        out = bytes([control])
        if self.type == 0 or (self.type == 2 and not self.ack_format):
            group = self.delivery == 3
            out += self.group.to_bytes(2, "little") if group else bytes([self.dst_endpoint])
            out += self.cluster.to_bytes(2, "little") + self.profile.to_bytes(2, "little")
            out += bytes([self.src_endpoint])
        out += bytes([self.counter])
        if self.fragment is not None:
            kind, block = self.fragment
            out += bytes([kind, block] if kind else [kind])
            out += b"\xff" if kind and self.type == 2 else b""
        return out


@dataclass(frozen=True)
class ApsFrame:
    """An APS frame in clear."""

    header: ApsHeader = field(default_factory=ApsHeader)
    payload: bytes = b""

    def clear(self) -> bytes:
        """Without security."""
        return self.header.octets(secured=False) + self.payload

    def secured(self, link_key: bytes, aux: Aux, level: int = USUAL) -> bytes:
        """Under that of the keys made from a link key which the auxiliary header names."""
        key = {KeyId.TRANSPORT: transport_key, KeyId.LOAD: load_key}.get(aux.key_id, bytes)(
            link_key
        )
        return protect(self.header.octets(secured=True), aux, self.payload, key, level)


def mmo(message: bytes) -> bytes:
    """Matyas, Meyer and Oseas over AES-128, of a message of up to 8191 octets."""
    padded = message + b"\x80" + bytes(-(len(message) + 3) % 16)
    padded += (8 * len(message)).to_bytes(2, "big")
    value = bytes(16)
    for at in range(0, len(padded), 16):
        block = padded[at : at + 16]
        out = AES.new(value, AES.MODE_ECB).encrypt(block)
        value = bytes(a ^ b for a, b in zip(out, block, strict=True))
    return value


def hmac(key: bytes, message: bytes) -> bytes:
    """HMAC over that hash, whose blocks have 16 octets."""
    inner, outer = (bytes(octet ^ pad for octet in key) for pad in (0x36, 0x5C))
    return mmo(outer + mmo(inner + message))


def transport_key(link_key: bytes) -> bytes:
    """The key-transport key."""
    return hmac(link_key, b"\0")


def load_key(link_key: bytes) -> bytes:
    """The key-load key."""
    return hmac(link_key, b"\2")


def verify_hash(link_key: bytes) -> bytes:
    """The hash in a Verify-Key command."""
    return hmac(link_key, b"\3")


def install_crc(code: bytes) -> bytes:
    """CRC-16/X-25 of a code, as it stands behind it: a division of polynomials, bit by bit."""
    bits = "".join(f"{octet:08b}"[::-1] for octet in code) + 16 * "0"
    value = int(bits, 2) ^ (0xFFFF << len(bits) - 16)
    for at in range(len(bits) - 1, 15, -1):
        if value >> at & 1:
            value ^= 0x11021 << at - 16
    return int(f"{value ^ 0xFFFF:016b}"[::-1], 2).to_bytes(2, "little")


class Command:
    """APS commands, by the arguments they have."""

    @staticmethod
    def network_key(key: bytes, sequence: int, destination: bytes, source: bytes) -> bytes:
        """Transport-Key with a network key."""
        return b"\x05\x01" + key + bytes([sequence]) + destination[::-1] + source[::-1]

    @staticmethod
    def center_key(key: bytes, destination: bytes, source: bytes) -> bytes:
        """Transport-Key with a Trust Center link key."""
        return b"\x05\x04" + key + destination[::-1] + source[::-1]

    @staticmethod
    def application_key(key: bytes, partner: bytes, initiator: bool) -> bytes:
        """Transport-Key with an application link key."""
        return b"\x05\x03" + key + partner[::-1] + bytes([initiator])

    @staticmethod
    def update_device(device: bytes, address: int, status: int) -> bytes:
        """Update-Device."""
        return b"\x06" + device[::-1] + address.to_bytes(2, "little") + bytes([status])

    @staticmethod
    def remove_device(device: bytes) -> bytes:
        """Remove-Device."""
        return b"\x07" + device[::-1]

    @staticmethod
    def request_key(partner: bytes = b"") -> bytes:
        """Request-Key: an application link key with a partner, or a new Trust Center link key."""
        return (b"\x08\x02" + partner[::-1]) if partner else b"\x08\x04"

    @staticmethod
    def switch_key(sequence: int) -> bytes:
        """Switch-Key."""
        return bytes([9, sequence])

    @staticmethod
    def tunnel(destination: bytes, frame: bytes) -> bytes:
        """Tunnel."""
        return b"\x0e" + destination[::-1] + frame

    @staticmethod
    def verify_key(source: bytes, proof: bytes, key_type: int = 4) -> bytes:
        """Verify-Key."""
        return bytes([0x0F, key_type]) + source[::-1] + proof

    @staticmethod
    def confirm_key(status: int, destination: bytes, key_type: int = 4) -> bytes:
        """Confirm-Key."""
        return bytes([0x10, status, key_type]) + destination[::-1]


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
