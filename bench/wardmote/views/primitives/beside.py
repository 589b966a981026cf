# SPDX-License-Identifier: BSD-3-Clause
"""Shows a measured function beside primitives of the stack, and of other libraries."""

from wardmote.study.primitives.beside import BesideRow
from wardmote.study.primitives.others import LibraryBesideRow
from wardmote.views.columns import Fields
from wardmote.views.table import Column
from wardmote.views.text import label

_of, _library = Fields(BesideRow), Fields(LibraryBesideRow)


def _times(row: BesideRow | LibraryBesideRow) -> str:
    return "" if row.times is None else f"{row.times:.2f}"


COLUMNS: tuple[Column[BesideRow], ...] = (
    _of.word("cpu", rank=0),
    Column("of the stack", label, text=True, rank=0),
    _of.word("operation", rank=0),
    _of.number("octets", "primitive_octets", rank=1),
    _of.number("a octets", rank=3),
    _of.number("cycles", rank=0),
    Column("yours ×", _times, rank=0),
    _of.number("flash octets", rank=2),
    _of.number("stack octets", rank=2),
    Column("constant time", lambda row: "yes" if row.constant_time else "NO", text=True, rank=1),
)
LIBRARY_COLUMNS: tuple[Column[LibraryBesideRow], ...] = (
    _library.word("cpu", rank=0),
    Column("library", lambda row: f"{row.library} {row.version}", text=True, rank=0),
    _library.word("primitive", rank=0),
    _library.word("variant", rank=1),
    _library.word("operation", rank=0),
    _library.number("octets", "library_octets", rank=1),
    _library.number("cycles", rank=0),
    Column("yours ×", _times, rank=0),
    _library.number("flash octets", rank=2),
    _library.number("stack octets", rank=2),
)
