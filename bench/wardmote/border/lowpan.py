# SPDX-License-Identifier: BSD-3-Clause
"""6LoWPAN by the library of bench/native (border.h), through ctypes."""

from __future__ import annotations

import ctypes
import enum
from collections.abc import Sequence
from ctypes import POINTER, c_char_p, c_int, c_uint8, c_uint16, c_uint32, c_void_p
from ipaddress import IPv6Network

from wardmote.frame.native import library, memory

CONTEXTS, PREFIX_OCTETS, DATAGRAM_MAX = 16, 16, 1280
TIMEOUT_MS = 60_000
"""RFC 4944 5.3: at most 60 s."""
FRAME_ROOM = 128


class Layout(enum.IntEnum):
    """How AH and ESP are compressed: wm_lowpan_ipsec_layout."""

    NONE = 0
    PAPER = 1
    DRAFT = 2


class Status(enum.IntEnum):
    """Why the stack refused something: some of wm_status, by the words of the statistics."""

    OK = 0
    NOT_A_PACKET = -1
    MALFORMED = -2
    TOO_LONG = -3
    NO_SLOT = -11
    UNKNOWN_FORM = -13

    @property
    def words(self) -> str:
        """In plain words."""
        return self.name.lower().replace("_", " ")


class RefusedError(Exception):
    """The stack refused a packet or a frame; its argument is the status."""

    @property
    def words(self) -> str:
        """Why."""
        number = int(self.args[0])
        known = {status.value: status.words for status in Status}
        return known.get(number, f"status {number}")


class Setup(ctypes.Structure):
    """border_setup."""

    _fields_ = (
        ("prefix", (c_uint8 * PREFIX_OCTETS) * CONTEXTS),
        ("prefix_len", c_uint8 * CONTEXTS),
        ("context_count", c_uint8),
        ("ipsec", c_uint8),
        ("spare", c_uint16),
        ("timeout_ms", c_uint32),
    )

    @classmethod
    def agreed(cls, contexts: Sequence[IPv6Network], layout: Layout) -> Setup:
        """With these contexts, by number."""
        made = cls(context_count=len(contexts), ipsec=layout, timeout_ms=TIMEOUT_MS)
        for place, network in enumerate(contexts):
            made.prefix[place][:] = network.network_address.packed
            made.prefix_len[place] = network.prefixlen
        return made


class Link(ctypes.Structure):
    """border_link: the source, then the destination."""

    _fields_ = (("octets", (c_uint8 * 8) * 2), ("lengths", c_uint8 * 2))

    @classmethod
    def between(cls, src: bytes, dst: bytes) -> Link:
        """Of addresses of 2 or 8 octets, most significant first."""
        made = cls()
        for end, address in enumerate((src, dst)):
            made.octets[end][: len(address)] = address
            made.lengths[end] = len(address)
        return made


def _declared() -> ctypes.CDLL:
    found = library()
    found.border_octets.restype = c_uint32
    found.border_start.argtypes = [c_void_p, POINTER(Setup)]
    found.border_start.restype = None
    link, length = POINTER(Link), POINTER(c_uint16)
    found.border_expand.argtypes = [
        *(c_void_p, link, c_char_p, c_uint16, c_uint32, c_void_p, length)
    ]
    found.border_compress.argtypes = [
        *(c_void_p, link, c_char_p, c_uint16, c_uint16, c_void_p, c_uint16, length)
    ]
    found.border_compress_next.argtypes = [c_void_p, c_void_p, c_uint16, length]
    for function in (found.border_expand, found.border_compress, found.border_compress_next):
        function.restype = c_int
    return found


class Lowpan:
    """What one side of the air keeps of 6LoWPAN."""

    def __init__(self, contexts: Sequence[IPv6Network], layout: Layout = Layout.PAPER) -> None:
        setup = Setup.agreed(contexts, layout)
        self._library = _declared()
        self._state = memory(self._library.border_octets())
        self._packet = (c_uint8 * DATAGRAM_MAX)()
        self._frame = (c_uint8 * FRAME_ROOM)()
        self._length = c_uint16()
        self._library.border_start(self._state, ctypes.byref(setup))

    def expand(self, src: bytes, dst: bytes, payload: bytes, now_ms: int) -> bytes:
        """The packet that is whole with this frame; empty while fragments are missing. Raises
        RefusedError."""
        link = Link.between(src, dst)
        self._check(
            self._library.border_expand(
                self._state,
                ctypes.byref(link),
                payload,
                len(payload),
                now_ms & 0xFFFF_FFFF,
                self._packet,
                ctypes.byref(self._length),
            )
        )
        return bytes(self._packet[: self._length.value])

    def compress(self, src: bytes, dst: bytes, packet: bytes, tag: int, room: int) -> list[bytes]:
        """The payloads of the frames that carry a packet, `room` octets each at most. Raises
        RefusedError."""
        link, length = Link.between(src, dst), ctypes.byref(self._length)
        if len(packet) > 0xFFFF:
            raise RefusedError(Status.TOO_LONG)
        status = self._library.border_compress(
            self._state, ctypes.byref(link), packet, len(packet), tag, self._frame, room, length
        )
        found: list[bytes] = []
        while self._check(status) and self._length.value:
            found.append(bytes(self._frame[: self._length.value]))
            status = self._library.border_compress_next(self._state, self._frame, room, length)
        return found

    @staticmethod
    def _check(status: int) -> bool:
        if status != Status.OK:
            raise RefusedError(status)
        return True
