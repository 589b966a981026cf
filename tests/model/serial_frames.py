# SPDX-License-Identifier: BSD-3-Clause
"""Serial frames of TinyOS 1.x, written for reading. It shares nothing with the C."""

from __future__ import annotations

from tests.model.tinysec_model import crc

FLAG, ESCAPE, XOR = 0x7E, 0x7D, 0x20
NO_ACK = 0x42


def frame(message: bytes, begin: bytes = bytes([NO_ACK])) -> bytes:
    """The frame of a message: dst, type, group, length, data."""
    inner = begin + message
    inner += crc(inner).to_bytes(2, "little")
    inner = inner.replace(b"\x7d", b"\x7d\x5d").replace(b"\x7e", b"\x7d\x5e")
    return b"\x7e" + inner + b"\x7e"


def messages(octets: bytes) -> list[bytes]:
    """The messages of frames that follow each other; ValueError if one is no frame."""
    found: list[bytes] = []
    inner = bytearray()
    inside = escaped = False
    for octet in octets:
        if octet == FLAG:
            if inside and inner:
                found.append(_message(bytes(inner)))
            inside, escaped, inner = not (inside and inner), False, bytearray()
        elif not inside:
            raise ValueError(f"0x{octet:02X} between frames")
        elif octet == ESCAPE and not escaped:
            escaped = True
        else:
            inner.append(octet ^ XOR if escaped else octet)
            escaped = False
    if inside:
        raise ValueError("a frame without end")
    return found


def _message(inner: bytes) -> bytes:
    message, check = inner[1:-2], int.from_bytes(inner[-2:], "little")
    if inner[0] != NO_ACK or crc(inner[:-2]) != check or len(message) != 5 + message[4]:
        raise ValueError(f"no frame: {inner.hex()}")
    return message
