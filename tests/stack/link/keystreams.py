# SPDX-License-Identifier: BSD-3-Clause
"""An instrument beside nodes that work ahead of the slot. It sees each block that their AES encrypts
and each octet that is loaded into their radios, and says to which key and nonce the keystream of
each frame belongs. The code under test is not asked.

A frame is one of this machine's key and nonce if CCM* of tests/model, over OpenSSL's AES, gives its
MIC. A frame that was loaded in part has met keystream if its payload, xored with a block that AES
made, gives octets that count up, as port_double.c makes them.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from tests.model.ieee802154_model import aes, ccm_star, xor

BLOCK = ctypes.CFUNCTYPE(None, ctypes.c_uint8, ctypes.c_uint8, ctypes.c_void_p, ctypes.c_void_p)
LOAD = ctypes.CFUNCTYPE(
    ctypes.c_bool, ctypes.c_uint8, ctypes.c_uint8, ctypes.c_void_p, ctypes.c_uint8
)
ADDRESSES_END, BEACON, DATA = 21, 0, 1
ASH_LEN = {0: 0, 1: 1, 2: 5, 3: 9}
ASN_IN_NONCE = 0x40
MIC_LEN = (0, 4, 8, 16, 0, 4, 8, 16)
RECENT = 40
"""Nonces that a node may still hold."""
RUN = 6
"""Octets that count up: no chance of it among keystream that a run makes."""

Owner = tuple[bytes, bytes]
"""Key and nonce of a keystream."""


class Eye(ctypes.Structure):
    """ahead_double_eye."""

    _fields_ = (("block", BLOCK), ("load", LOAD))


@dataclass(slots=True)
class Loaded:
    """A frame that a radio was given, whole or in part."""

    node: int
    length: int
    asn: int
    octets: bytearray
    seen: bool = False
    """It is in the ledger."""


@dataclass(slots=True)
class Ledger:
    """Every keystream that was made, and every frame that used one. `keys` are those of the slots of
    each node. `underflow` says of octets that come late whether the radio has run empty."""

    keys: list[list[bytes]]
    counted: bool
    """The ASH has a frame counter."""
    underflow: Callable[[int], bool] = lambda node: False
    asn: Callable[[int], int] | None = None
    """Of the slot of a node; None: not looked at."""
    made: dict[Owner, int] = field(default_factory=dict)
    blocks: dict[bytes, Owner] = field(default_factory=dict)
    """Each block of keystream that was made, and whose it is."""
    uses: dict[Owner, list[bytes]] = field(default_factory=dict)
    unknown: list[bytes] = field(default_factory=list)
    """Whole frames that no keystream explains."""
    foreign: list[bytes] = field(default_factory=list)
    """Frames whose keystream has the nonce of another frame."""
    wrong: int = 0
    """Blocks that AES made wrong."""
    recent: list[deque[Owner]] = field(
        default_factory=lambda: [deque(maxlen=RECENT), deque(maxlen=RECENT)]
    )
    last: list[Loaded | None] = field(default_factory=lambda: [None, None])

    def eye(self) -> Eye:
        """For ahead_double_watch. Keep it as long as the library may call it."""
        return Eye(BLOCK(self.block), LOAD(self.load))

    def block(self, node: int, slot: int, before: int, after: int) -> None:
        """AES made a block."""
        given, made = ctypes.string_at(before, 16), ctypes.string_at(after, 16)
        key = self.keys[node][slot]
        if aes(key, given) != made:
            self.wrong += 1
        owner = key, given[1:14]
        if given[0] == 1:  # A_i: L - 1 [B.4.1.3]
            self.made[owner] = self.made.get(owner, 0) + 1
            self.blocks[made] = owner
            if owner in self.recent[node]:
                self.recent[node].remove(owner)
            self.recent[node].append(owner)

    def load(self, node: int, length: int, octets: int, count: int) -> bool:
        """Octets are loaded into a radio."""
        if length:
            self.enter(node)
            asn = self.asn(node) if self.asn else 0
            self.last[node] = Loaded(node, length - 2, asn, bytearray())
        elif count and self.underflow(node):
            return False
        last = self.last[node]
        assert last is not None
        last.octets += ctypes.string_at(octets, count)
        return True

    def enter(self, node: int) -> None:
        """What is in a radio goes into the ledger."""
        last = self.last[node]
        if last is None or last.seen:
            return
        last.seen = True
        octets = bytes(last.octets)
        if not octets[0] & 8:  # not secured
            return
        whole = len(octets) == last.length
        owner = self.owner(node, octets, whole=whole)
        if owner is not None:
            self.uses.setdefault(owner, []).append(octets)
            if self.asn and owner[1] != self.nonce(last):
                self.foreign.append(octets)
        elif whole and self.header(node, octets)[1:] != (0, len(octets)):
            self.unknown.append(octets)

    def nonce(self, loaded: Loaded) -> bytes:
        """What the standard says of a frame's nonce [9.3.3]."""
        source = ADDRESS_TAIL[loaded.node][::-1]
        at = self.control(loaded.node, loaded.octets)
        if loaded.octets[at] & ASN_IN_NONCE:
            return source + loaded.asn.to_bytes(5, "big")
        return source + loaded.octets[at + 4 : at : -1] + bytes([loaded.octets[at] & 7])

    @staticmethod
    def control(node: int, octets: bytes | bytearray) -> int:
        """Where Security Control is."""
        return ADDRESSES_END if octets[0] & 7 != BEACON else octets.index(ADDRESS_TAIL[node]) + 8

    def header(self, node: int, octets: bytes) -> tuple[int, int, int]:
        """Octets of the header, of the MIC, and of all that is not encrypted before the MIC."""
        kind = octets[0] & 7
        control = self.control(node, octets)
        level = octets[control] & 7
        header = control + 1 + (4 if self.counted else 0) + ASH_LEN[octets[control] >> 3 & 3]
        mic = MIC_LEN[level]
        return header, mic, len(octets) - mic if kind != DATA or level < 4 else header

    def owner(self, node: int, octets: bytes, *, whole: bool) -> Owner | None:
        """Whose keystream a frame has met; None: nobody's that is known."""
        header, mic, clear = self.header(node, octets)
        for owner in reversed(self.recent[node]):
            if whole and mic:
                _, tag = self.opened(owner, octets, clear, mic)
                if tag == octets[-mic:]:
                    return owner
            elif clear == header and len(octets) >= header + RUN:
                begin = xor(octets[header : header + 16], stream(owner, 1))
                if all((b - a) & 255 == 1 for a, b in pairwise(begin[:RUN])):
                    return owner
        return None

    @staticmethod
    def opened(owner: Owner, octets: bytes, clear: int, mic: int) -> tuple[bytes, bytes]:
        """Payload and MIC of a frame under a key and a nonce."""
        key, nonce = owner
        body = octets[clear : len(octets) - mic]
        m = b"".join(
            xor(body[at : at + 16], stream(owner, 1 + at // 16)) for at in range(0, len(body), 16)
        )
        return m, ccm_star(key, nonce, octets[:clear], m, mic)[1]

    @property
    def twice(self) -> list[Owner]:
        """Key and nonce of each keystream that more than one frame has met."""
        return [owner for owner, frames in self.uses.items() if len(frames) > 1]


ADDRESS_TAIL = (
    bytes.fromhex("00124b0000000001")[::-1],
    bytes.fromhex("00124b0000000002")[::-1],
)
"""Source addresses as on the air."""


def stream(owner: Owner, number: int) -> bytes:
    """S_i."""
    key, nonce = owner
    return aes(key, b"\x01" + nonce + number.to_bytes(2, "big"))
