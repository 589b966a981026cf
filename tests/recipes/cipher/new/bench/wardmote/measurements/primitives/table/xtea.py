# SPDX-License-Identifier: BSD-3-Clause
"""XTEA."""

from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.table.ciphers import block_cipher


def entries() -> list[Primitive]:
    """One block, with its key."""
    calls = ["wm_xtea_expand schedule key", "wm_xtea_encrypt"]
    return [block_cipher("xtea", "", "xtea", "wm_xtea", 16, 8, calls)]
