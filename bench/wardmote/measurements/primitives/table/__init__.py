# SPDX-License-Identifier: BSD-3-Clause
"""The primitives that are measured. One more is one entry more."""

from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.table.aeads import aeads
from wardmote.measurements.primitives.table.ciphers import aes, block_ciphers, stream_ciphers
from wardmote.measurements.primitives.table.hashes import hashes
from wardmote.measurements.primitives.table.macs import macs
from wardmote.measurements.primitives.table.modes import modes

PRIMITIVES: tuple[Primitive, ...] = (
    *aes(),
    *block_ciphers(),
    *stream_ciphers(),
    *hashes(),
    *macs(),
    *modes(),
    *aeads(),
)
