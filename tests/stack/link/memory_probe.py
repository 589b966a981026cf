# SPDX-License-Identifier: BSD-3-Clause
"""Feeds frames to the library that was built with the sanitizers; run by test_memory.py in a
process of its own.

Every frame lies in its own piece of heap of exactly its length, so that the sanitizer sees one
octet read too many. Prints how many frames were parsed and how many were accepted.
"""

from __future__ import annotations

import ctypes
import random
import sys
from collections.abc import Iterator

from tests.model import ieee802154_model as model
from tests.stack.link.linklib import link_target
from tests.vectors import load
from wardmote.paths import BUILD


def frames(seed: int, count: int) -> Iterator[bytes]:
    """Every vector cut at every length, then random octets and damaged vectors."""
    known = [v.octets("frame") for v in load("ieee802154")]
    known += [
        v.octets("secured")
        for f in ("link_security", "tsch")
        for v in load(f)
        if v.type == "frame-security"
    ]
    for frame in known:
        for length in range(len(frame) + 1):
            yield frame[:length]
    source = random.Random(seed)
    for _ in range(count):
        if source.random() < 0.3:
            yield source.randbytes(source.randrange(128))
        else:
            damaged = bytearray(source.choice(known)[:127])
            for _ in range(source.randrange(1, 4)):
                if damaged:
                    damaged[source.randrange(min(len(damaged), 40))] = source.randrange(256)
            yield bytes(damaged)


def main() -> None:
    """Parses, unsecures, and reads the IEs of every frame."""
    library = ctypes.CDLL(str(BUILD / "stack/host/libwardmote-sanitized.so"))
    memory = ctypes.CDLL(None)
    memory.malloc.restype = ctypes.c_void_p
    memory.malloc.argtypes = [ctypes.c_size_t]
    memory.free.argtypes = [ctypes.c_void_p]
    layouts = {
        name: link_target("host").layout(name)
        for name in ("wm_mhr", "wm_frame_map", "wm_security", "wm_eb")
    }
    room = {name: ctypes.create_string_buffer(layout.size) for name, layout in layouts.items()}
    key = ctypes.create_string_buffer(link_target("host").layout("wm_aes128").size)
    library.wm_aes128_expand(key, bytes(16))
    src_ext = ctypes.create_string_buffer(bytes(8), 8)
    cipher = ctypes.addressof(ctypes.c_char.in_dll(library, "wm_aes128_small"))
    parsed = accepted = 0
    for number, frame in enumerate(frames(int(sys.argv[1]), int(sys.argv[2]))):
        at = memory.malloc(max(1, len(frame)))
        pointer = ctypes.c_void_p(at)
        ctypes.memmove(at, frame, len(frame))
        if len(frame) == 0:
            memory.free(at)
            continue
        parsed += 1
        for function in ("wm_frame_parse", "wm_frame_parse_clear"):
            accepted += (
                getattr(library, function)(
                    pointer, len(frame), room["wm_mhr"], room["wm_frame_map"]
                )
                == 0
            )
        library.wm_eb_parse(pointer, len(frame), room["wm_eb"])
        library.wm_eb_asn(pointer, len(frame), ctypes.create_string_buffer(5))
        us, nack = ctypes.c_int16(), ctypes.c_bool()
        library.wm_time_correction_parse(pointer, len(frame), ctypes.byref(us), ctypes.byref(nack))
        security = layouts["wm_security"].pack(
            cipher=cipher, key=ctypes.addressof(key), profile=number % 2, nonce_form=number // 2 % 2,
            src_ext=ctypes.addressof(src_ext) if number % 3 else 0,
        )  # fmt: skip
        library.wm_frame_unsecure(security, pointer, ctypes.byref(ctypes.c_uint8(len(frame))))
        memory.free(at)
    assert model.channel(0) == library.wm_hopping_channel(0)
    print(parsed, accepted)  # noqa: T201


if __name__ == "__main__":
    main()
