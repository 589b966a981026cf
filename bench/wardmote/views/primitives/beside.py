# SPDX-License-Identifier: BSD-3-Clause
"""Shows a measured function beside primitives of the stack."""

from wardmote.study.primitives.beside import BesideRow
from wardmote.views.columns import Fields
from wardmote.views.table import Column
from wardmote.views.text import label

_of = Fields(BesideRow)
COLUMNS: tuple[Column[BesideRow], ...] = (
    _of.word("cpu", rank=0),
    Column("of the stack", label, text=True, rank=0),
    _of.word("operation", rank=0),
    _of.number("octets", "primitive_octets", rank=1),
    _of.number("a octets", rank=3),
    _of.number("cycles", rank=0),
    Column("yours ×", lambda row: "" if row.times is None else f"{row.times:.2f}", rank=0),
    _of.number("flash octets", rank=2),
    _of.number("stack octets", rank=2),
    Column("constant time", lambda row: "yes" if row.constant_time else "NO", text=True, rank=1),
)
