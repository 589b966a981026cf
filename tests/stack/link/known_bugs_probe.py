# SPDX-License-Identifier: BSD-3-Clause
"""Gives frames to the library that was built with the sanitizers; run by test_known_bugs_memory.py
in a process of its own.

Reads lines of `hexadecimal octets, length that is claimed` and puts each frame at the end of its
own piece of heap, so that the sanitizer sees one octet read too many. Prints the statuses of
parsing, of reading as an Enhanced Beacon and as header IEs, and of unsecuring with either nonce in
either profile.
"""

from __future__ import annotations

import ctypes
import sys

from tests.stack.link.linklib import link_target
from wardmote.paths import BUILD


def main() -> None:
    """Reads standard input to its end."""
    library = ctypes.CDLL(str(BUILD / "stack/host/libwardmote-sanitized.so"))
    memory = ctypes.CDLL(None)
    memory.malloc.restype, memory.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    memory.free.argtypes = [ctypes.c_void_p]
    layouts = {
        name: link_target("host").layout(name)
        for name in ("wm_mhr", "wm_frame_map", "wm_security", "wm_eb")
    }
    room = {name: ctypes.create_string_buffer(layout.size) for name, layout in layouts.items()}
    key = ctypes.create_string_buffer(link_target("host").layout("wm_aes128").size)
    library.wm_aes128_expand(key, bytes(16))
    cipher = ctypes.addressof(ctypes.c_char.in_dll(library, "wm_aes128_small"))
    forms = [
        layouts["wm_security"].pack(
            cipher=cipher, key=ctypes.addressof(key), profile=form % 2, nonce_form=form // 2
        )
        for form in range(4)
    ]
    for line in sys.stdin:
        octets, claimed = bytes.fromhex(line.split(",")[0]), int(line.split(",")[1])
        at = memory.malloc(len(octets))
        frame = ctypes.c_void_p(at)
        ctypes.memmove(at, octets, len(octets))
        asn, us, nack = ctypes.create_string_buffer(5), ctypes.c_int16(), ctypes.c_bool()
        found = [library.wm_frame_parse(frame, claimed, room["wm_mhr"], room["wm_frame_map"])]
        found.append(
            library.wm_frame_parse_clear(frame, claimed, room["wm_mhr"], room["wm_frame_map"])
        )
        found.append(library.wm_eb_parse(frame, claimed, room["wm_eb"]))
        found.append(library.wm_eb_asn(frame, claimed, asn))
        found.append(
            library.wm_time_correction_parse(frame, claimed, ctypes.byref(us), ctypes.byref(nack))
        )
        for form in forms:
            ctypes.memmove(at, octets, len(octets))
            found.append(
                library.wm_frame_unsecure(form, frame, ctypes.byref(ctypes.c_uint8(claimed)))
            )
        memory.free(at)
        print(*found)  # noqa: T201


if __name__ == "__main__":
    main()
