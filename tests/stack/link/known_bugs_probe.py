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

from tests.stack.link.sanitized_link import SanitizedLink


def main() -> None:
    """Reads standard input to its end."""
    link = SanitizedLink()
    for line in sys.stdin:
        octets, claimed = bytes.fromhex(line.split(",")[0]), int(line.split(",")[1])
        with link.placed(octets) as frame:
            found = link.parse(frame, claimed) + link.read_ies(frame, claimed)
            for form in range(4):
                ctypes.memmove(frame, octets, len(octets))
                found.append(link.unsecure(frame, claimed, form))
        print(*found)  # noqa: T201


if __name__ == "__main__":
    main()
