# SPDX-License-Identifier: BSD-3-Clause
"""TinySec's packets, written for reading. It shares nothing with the C.

`paper` and `shipped` are the profiles of stack/include/wardmote/tinysec.h.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.model.block_modes_model import CIPHERS, Cipher, cs3_encrypt
from tests.model.ciphers_model import rc5_encrypt, skipjack_encrypt

BLOCK, TAG, MOST = 8, 4, 29
SECURED, ENCRYPTED = 0x80, 0x40
KEYS: dict[str, tuple[Cipher, Callable[[bytes], bytes]]] = {
    "skipjack": (CIPHERS["skipjack"], lambda octets: octets + bytes(2)),
    "rc5": (CIPHERS["rc5"], lambda octets: octets),
}
"""A cipher, and what it takes for a key of 8 octets."""
ENCRYPT = {"skipjack": skipjack_encrypt, "rc5": rc5_encrypt}


@dataclass(frozen=True)
class Node:
    """What two nodes share, and the sender's address."""

    key: bytes
    """16 octets: for encryption, then for the tag."""
    profile: str
    cipher: str
    src: int = 1

    def block(self, half: int, octets: bytes) -> bytes:
        """A block under one of the keys."""
        key = KEYS[self.cipher][1](self.key[8 * half :][:8])
        return ENCRYPT[self.cipher](key, octets)

    def tag(self, octets: bytes) -> bytes:
        """Of header, iv or zeros, and data."""
        shipped = self.profile == "shipped"
        takes = 7 if shipped else 8
        state = bytearray(self.block(1, (len(octets) >> 3).to_bytes(8, "big")))
        for begin in range(0, len(octets), takes):
            piece = octets[begin : begin + takes]
            for i, octet in enumerate(piece):
                state[i] ^= octet
            if len(piece) < takes:
                state[len(piece) + (1 if shipped else 0)] ^= 1
            state = bytearray(self.block(1, bytes(state)))
        return bytes(state[:TAG])


@dataclass(frozen=True)
class Message:
    """What is sent."""

    dst: int
    type: int
    data: bytes

    def header(self, bits: int) -> bytes:
        """dst, type and length."""
        return self.dst.to_bytes(2, "little") + bytes([self.type, bits | len(self.data)])


def auth(node: Node, message: Message) -> bytes:
    """An Auth packet."""
    header = message.header(SECURED)
    return header + message.data + node.tag(header + bytes(4) + message.data)


def ae(node: Node, message: Message, counter: int, filling: bytes = bytes(BLOCK)) -> bytes:
    """An AE packet; `filling` stands behind data of less than a block."""
    header = message.header(SECURED | ENCRYPTED)
    ctr, src = counter.to_bytes(2, "little"), node.src.to_bytes(2, "little")
    shipped = node.profile == "shipped"
    iv = ctr + src if shipped else src + ctr
    first = node.block(0, iv + header if shipped else header + iv)
    data = message.data + filling[: max(0, BLOCK - len(message.data))]
    cipher, whole = KEYS[node.cipher]
    ct = cs3_encrypt(cipher, whole(node.key[:8]), first, data)
    return header + iv + ct + node.tag(header + iv + ct)


def crc(octets: bytes) -> int:
    """x^16 + x^12 + x^5 + 1, most significant bit first."""
    value = 0
    for octet in octets:
        for bit in range(7, -1, -1):
            carried = (value >> 15) ^ (octet >> bit & 1)
            value = (value << 1 & 0xFFFF) ^ 0x1021 * carried
    return value


def plain(message: Message, group: int) -> bytes:
    """A packet with a CRC, in the order of a stack that knows TinySec."""
    octets = message.header(0) + bytes([group]) + message.data
    return octets + crc(octets).to_bytes(2, "little")


def standard(message: Message, group: int) -> bytes:
    """The same, in the order of a stack that does not know TinySec."""
    header = message.header(0)
    octets = header[:3] + bytes([group]) + header[3:] + message.data
    return octets + crc(octets).to_bytes(2, "little")
