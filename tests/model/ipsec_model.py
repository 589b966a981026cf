# SPDX-License-Identifier: BSD-3-Clause
"""AH and ESP in transport mode over IPv6, written for reading: RFC 4302, RFC 4303 and the RFCs of the
algorithms. It shares nothing with the C."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha1, sha256
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.cmac import CMAC

from tests.stack.oracle import block_openssl

HOP_BY_HOP, TCP, UDP, ROUTING, FRAGMENT, ESP, AH, ICMPV6, NONE, DESTINATION = (
    *(0, 6, 17, 43, 44, 50, 51, 58, 59, 60),
)
IN_FRONT = HOP_BY_HOP, ROUTING
CHANGES = 0x20
"""In the kind of an option: its data may change on the way."""


def xcbc(key: bytes, text: bytes) -> bytes:
    """AES-XCBC-MAC, RFC 3566 §4."""
    k1, k2, k3 = (block_openssl(key, bytes([n]) * 16) for n in (1, 2, 3))
    whole = len(text) > 0 and len(text) % 16 == 0
    padded = text if whole else text + b"\x80" + bytes(-(len(text) + 1) % 16)
    state = bytes(16)
    for at in range(0, len(padded), 16):
        block = padded[at : at + 16]
        if at + 16 == len(padded):
            block = xor(block, k2 if whole else k3)
        state = block_openssl(k1, xor(state, block))
    return state


def cmac(key: bytes, text: bytes) -> bytes:
    """AES-CMAC by OpenSSL."""
    made = CMAC(algorithms.AES(key))
    made.update(text)
    return made.finalize()


def xor(one: bytes, other: bytes) -> bytes:
    """Octet by octet."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


@dataclass(frozen=True)
class Integrity:
    """An integrity algorithm."""

    code: Callable[[bytes, bytes], bytes]
    key_octets: int
    icv_octets: int


class Encryption(NamedTuple):
    """An encryption algorithm of ESP."""

    key_octets: int
    iv_octets: int
    block_octets: int
    salt_octets: int = 0
    icv_octets: int = 0
    """Of a combined mode."""


INTEGRITY = {
    "hmac_sha1_96": Integrity(lambda k, t: hmac.digest(k, t, sha1), 20, 12),
    "hmac_sha256_128": Integrity(lambda k, t: hmac.digest(k, t, sha256), 32, 16),
    "aes_xcbc_96": Integrity(xcbc, 16, 12),
    "aes_cmac_96": Integrity(cmac, 16, 12),
}
ENCRYPTION = {
    "null": Encryption(0, 0, 4),
    "aes_cbc": Encryption(16, 16, 16),
    "aes_ctr": Encryption(16, 8, 4, 4),
    "aes_ccm_8": Encryption(16, 8, 4, 3, 8),
    "aes_ccm_16": Encryption(16, 8, 4, 3, 16),
    "aes_ccm_8_iiv": Encryption(16, 0, 4, 3, 8),
}


@dataclass(frozen=True)
class Suite:
    """AH where there is no encryption, else ESP."""

    encryption: str = ""
    integrity: str = ""

    @property
    def is_ah(self) -> bool:
        """Whether it is AH."""
        return not self.encryption

    @property
    def secure(self) -> bool:
        """Whether every packet has an ICV."""
        return bool(self.integrity) or ENCRYPTION[self.encryption].icv_octets != 0

    def __str__(self) -> str:
        return "+".join(("ah" if self.is_ah else self.encryption, self.integrity or "none"))


AHS = tuple(Suite("", name) for name in INTEGRITY)
COMBINED = tuple(Suite(name) for name, made in ENCRYPTION.items() if made.icv_octets)
ESPS = (
    *(Suite(f"aes_{mode}", code) for mode in ("cbc", "ctr") for code in ("aes_xcbc_96", "hmac_sha1_96")),
    *(Suite("null", code) for code in ("aes_xcbc_96", "hmac_sha1_96")),
    *COMBINED,
)  # fmt: skip
STUDY = Suite("aes_cbc"), Suite("aes_ctr")
"""Without an ICV."""


@dataclass(frozen=True)
class Sa:
    """A security association."""

    suite: Suite
    spi: int
    key: bytes = b""
    salt: bytes = bytes(4)
    integrity_key: bytes = b""

    @property
    def encryption(self) -> Encryption:
        """Its encryption algorithm."""
        return ENCRYPTION[self.suite.encryption]

    def icv(self, text: bytes) -> bytes:
        """The ICV of a text."""
        if not self.suite.integrity:
            return b""
        algorithm = INTEGRITY[self.suite.integrity]
        assert len(self.integrity_key) == algorithm.key_octets
        return algorithm.code(self.integrity_key, text)[: algorithm.icv_octets]


def ipv6(
    src: bytes,
    dst: bytes,
    next_header: int,
    payload: bytes,
    front: bytes = b"\x60\x00\x00\x00",
    hops: int = 64,
) -> bytes:
    """A packet; `front` is version, traffic class and flow label."""
    return (
        front + len(payload).to_bytes(2, "big") + bytes([next_header, hops]) + src + dst + payload
    )


def udp(src: bytes, dst: bytes, ports: tuple[int, int], data: bytes) -> bytes:
    """A UDP datagram with its checksum."""
    length = len(data) + 8
    head = b"".join(n.to_bytes(2, "big") for n in (*ports, length, 0))
    pseudo = src + dst + length.to_bytes(4, "big") + bytes([0, 0, 0, UDP])
    text = pseudo + head + data + bytes(length % 2)
    total = sum(int.from_bytes(text[at : at + 2], "big") for at in range(0, len(text), 2))
    folded = total % 0xFFFF
    checksum = (0xFFFF - folded) or 0xFFFF
    return head[:6] + checksum.to_bytes(2, "big") + data


@dataclass(frozen=True)
class Split:
    """A packet where AH or ESP goes in."""

    head: bytes
    """The IPv6 header, and the headers that stay in front."""
    next_at: int
    """Where in it the protocol of the rest is written."""
    rest: bytes

    @property
    def next(self) -> int:
        """Protocol of the rest."""
        return self.head[self.next_at]

    def around(self, protocol: int, octets: bytes) -> bytes:
        """The packet with other octets in the place of the rest."""
        head = bytearray(self.head)
        head[self.next_at] = protocol
        head[4:6] = (len(self.head) - 40 + len(octets)).to_bytes(2, "big")
        return bytes(head) + octets


def split(packet: bytes) -> Split:
    """Destination options stay in front where a routing header follows (RFC 4302 §3.1.1)."""
    at, next_at, inside, inside_at = 40, 6, 40, 6
    while packet[next_at] in (HOP_BY_HOP, ROUTING, DESTINATION):
        kind = packet[next_at]
        next_at, at = at, at + 8 + 8 * packet[at + 1]
        if kind in IN_FRONT:
            inside, inside_at = at, next_at
    return Split(packet[:inside], inside_at, packet[inside:])


def immutable(head: bytes) -> bytes:
    """Headers in front of AH, with zeros in the place of what may change (RFC 4302 §3.3.3.1)."""
    out = bytearray(head)
    out[0:4], out[7] = b"\x60\0\0\0", 0
    at, kind = 40, head[6]
    while at < len(head):
        end = at + 8 + 8 * head[at + 1]
        option = at + 2
        while kind != ROUTING and option < end:
            octets = 1 if head[option] == 0 else 2 + head[option + 1]
            if head[option] & CHANGES:
                out[option + 2 : option + octets] = bytes(octets - 2)
            option += octets
        at, kind = end, head[at]
    return bytes(out)


def ah(
    sa: Sa, packet: bytes, sequence: int, reserved: bytes = bytes(2), pad: bytes | None = None
) -> bytes:
    """The packet with AH. What pads it to 8 octets may be anything (RFC 4302 §2.6)."""
    parts = split(packet)
    icv_octets = INTEGRITY[sa.suite.integrity].icv_octets
    octets = -(-(12 + icv_octets) // 8) * 8
    fixed = bytes([parts.next, octets // 4 - 2]) + reserved
    fixed += sa.spi.to_bytes(4, "big") + sequence.to_bytes(4, "big")
    pad = bytes(octets - 12 - icv_octets) if pad is None else pad
    blank = parts.around(AH, fixed + bytes(icv_octets) + pad + parts.rest)
    at = len(parts.head)
    icv = sa.icv(immutable(blank[:at]) + blank[at:])
    return parts.around(AH, fixed + icv + pad + parts.rest)


def iv_of(sa: Sa, sequence: int) -> bytes:
    """The IV that the stack makes: where it must be unpredictable, an encrypted number."""
    counter = sequence.to_bytes(8, "big")
    if sa.suite.encryption == "aes_cbc":
        return block_openssl(sa.key, sa.salt + sa.spi.to_bytes(4, "big") + counter)
    return counter[: sa.encryption.iv_octets]


def encrypted(sa: Sa, iv: bytes, header: bytes, body: bytes) -> bytes:
    """The body, and the ICV of a combined mode."""
    name, salt = sa.suite.encryption, sa.salt[: sa.encryption.salt_octets]
    if name == "null":
        return body
    if sa.encryption.icv_octets:
        nonce = salt + (iv or b"\0\0\0\0" + header[4:])
        return AESCCM(sa.key, tag_length=sa.encryption.icv_octets).encrypt(nonce, body, header)
    mode = modes.CBC(iv) if name == "aes_cbc" else modes.CTR(salt + iv + b"\0\0\0\1")
    encryptor = Cipher(algorithms.AES(sa.key), mode).encryptor()
    return encryptor.update(body) + encryptor.finalize()


def esp(
    sa: Sa,
    packet: bytes,
    sequence: int,
    iv: bytes | None = None,
    padding: bytes | None = None,
    next_header: int | None = None,
    pad_length: int | None = None,
) -> bytes:
    """The packet with ESP. `padding`, its length octet and the next header may be wrong."""
    parts = split(packet)
    header = sa.spi.to_bytes(4, "big") + sequence.to_bytes(4, "big")
    iv = iv_of(sa, sequence) if iv is None else iv
    if padding is None:
        padding = bytes(range(1, 1 + -(len(parts.rest) + 2) % sa.encryption.block_octets))
    length = len(padding) if pad_length is None else pad_length
    body = parts.rest + padding
    body += bytes([length, parts.next if next_header is None else next_header])
    text = header + iv + encrypted(sa, iv, header, body)
    return parts.around(ESP, text + sa.icv(text))


def secured(sas: tuple[Sa, ...], packet: bytes, sequence: int) -> bytes:
    """The packet under its SAs, from the inmost on."""
    for sa in sas:
        packet = (ah if sa.suite.is_ah else esp)(sa, packet, sequence)
    return packet
