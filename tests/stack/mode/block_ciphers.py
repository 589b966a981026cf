# SPDX-License-Identifier: BSD-3-Clause
"""The block ciphers that modes run over: keys, by name."""

from __future__ import annotations

from tests.stack.calls import bound
from wardmote.call import Buffer, Target

HEADERS = ("aes128", "skipjack", "rc5", "curupira1", "curupira2")
SHORTER_BLOCKS = ("skipjack", "rc5", "curupira1_96", "curupira2")


def key_of(target: Target, name: str, key: bytes, both: bool = False) -> Buffer:
    """A key of a cipher as the tests take it throughout: of AES-128 by `small`."""
    return bound(target, "aes128_small" if name == "aes128" else name, key, both)
