# SPDX-License-Identifier: BSD-3-Clause
"""The primitives that are measured. One more is one entry more."""

from wardmote.primitives.entry import Primitive
from wardmote.primitives.table.aeads import aeads
from wardmote.primitives.table.ciphers import aes, block_ciphers, stream_ciphers
from wardmote.primitives.table.hashes import hashes
from wardmote.primitives.table.macs import macs
from wardmote.primitives.table.modes import modes

PRIMITIVES: tuple[Primitive, ...] = (
    *aes(),
    *block_ciphers(),
    *stream_ciphers(),
    *hashes(),
    *macs(),
    *modes(),
    *aeads(),
)
