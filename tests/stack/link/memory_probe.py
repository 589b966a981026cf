# SPDX-License-Identifier: BSD-3-Clause
"""Feeds frames to the library that was built with the sanitizers; run by test_memory.py in a
process of its own.

Every frame lies in its own piece of heap of exactly its length, so that the sanitizer sees one
octet read too many. Prints how many frames were parsed and how many were accepted.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

from tests.model import ieee802154_model as model
from tests.stack.link.sanitized_link import SanitizedLink
from tests.vectors import load


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
    link = SanitizedLink()
    parsed = accepted = 0
    for number, octets in enumerate(frames(int(sys.argv[1]), int(sys.argv[2]))):
        if not octets:
            continue
        length = len(octets)
        parsed += 1
        with link.placed(octets) as frame:
            accepted += link.parse(frame, length).count(0)
            link.read_ies(frame, length)
            link.unsecure(frame, length, number % 4, src_ext=number % 3 != 0)
    assert model.channel(0) == link.library.wm_hopping_channel(0)
    print(parsed, accepted)  # noqa: T201


if __name__ == "__main__":
    main()
