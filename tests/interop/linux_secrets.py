# SPDX-License-Identifier: BSD-3-Clause
"""What the two ends share, and how it is named: keys, Key Sources, levels, counters."""

PAYLOAD = b"wardmote calls Linux"
COMMON_KEY = bytes(range(0xC0, 0xD0))
ANOTHER_KEY = bytes(range(0xA0, 0xB0))
LEVELS = (1, 2, 3, 5, 6, 7)
KEY_SOURCES = {0: b"", 1: b"", 2: bytes.fromhex("efbe0100"), 3: bytes.fromhex("0807060504030201")}
GREATEST = 0xFFFFFFFE
"""The greatest frame counter that a frame may have."""
