# SPDX-License-Identifier: BSD-3-Clause
"""The link layer of the library that was built with the sanitizers, for a process of its own.

Each frame lies in its own piece of heap, so that the sanitizer sees one octet read too many.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

from tests.stack.link.linklib import link_target
from wardmote.paths import BUILD


class SanitizedLink:
    """The library, room for what its functions write, and one key."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(str(BUILD / "stack/host/libwardmote-sanitized.so"))
        self._heap = ctypes.CDLL(None)
        self._heap.malloc.restype = ctypes.c_void_p
        self._heap.malloc.argtypes = [ctypes.c_size_t]
        self._heap.free.argtypes = [ctypes.c_void_p]
        layout = link_target("host").layout
        self._mhr, self._places, self._eb, self._key = (
            ctypes.create_string_buffer(layout(name).size)
            for name in ("wm_mhr", "wm_frame_map", "wm_eb", "wm_aes128_small_key")
        )
        self._security = layout("wm_security")
        self.library.wm_aes128_small_init(self._key, bytes(16))
        self._src_ext = ctypes.create_string_buffer(bytes(8), 8)

    @contextmanager
    def placed(self, octets: bytes) -> Iterator[ctypes.c_void_p]:
        """The octets in a piece of heap as long as they are, at least one octet."""
        at = self._heap.malloc(max(1, len(octets)))
        ctypes.memmove(at, octets, len(octets))
        yield ctypes.c_void_p(at)
        self._heap.free(at)

    def parse(self, frame: ctypes.c_void_p, length: int) -> list[int]:
        """Statuses of parsing the frame as it is on air, and as it is in clear."""
        return [
            function(frame, length, self._mhr, self._places)
            for function in (self.library.wm_frame_parse, self.library.wm_frame_parse_clear)
        ]

    def read_ies(self, octets: ctypes.c_void_p, length: int) -> list[int]:
        """Statuses of reading the octets as an Enhanced Beacon, for its ASN alone, and as a Time
        Correction IE."""
        asn, us, nack = ctypes.create_string_buffer(5), ctypes.c_int16(), ctypes.c_bool()
        return [
            self.library.wm_eb_parse(octets, length, self._eb),
            self.library.wm_eb_asn(octets, length, asn),
            self.library.wm_time_correction_parse(
                octets, length, ctypes.byref(us), ctypes.byref(nack)
            ),
        ]

    def unsecure(
        self, frame: ctypes.c_void_p, length: int, form: int, *, src_ext: bool = False
    ) -> int:
        """Status of unsecuring; `form` is 0 to 3: profile, and twice the nonce form."""
        security = self._security.pack(
            cipher=ctypes.addressof(self._key),
            profile=form % 2,
            nonce_form=form // 2,
            src_ext=ctypes.addressof(self._src_ext) if src_ext else 0,
        )
        length_now = ctypes.c_uint8(length)
        return int(self.library.wm_frame_unsecure(security, frame, ctypes.byref(length_now)))
