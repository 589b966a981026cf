# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote measure --beside`: what the stack and other libraries take on the same CPUs."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.commands.primitives_study import LEAST_RUNS
from wardmote.commands.running import Running
from wardmote.cpus import CPU_NAMES
from wardmote.errors import UsageError
from wardmote.measurements.function.board import boards
from wardmote.measurements.function.rows import MeasureRow
from wardmote.measurements.libraries.named import named
from wardmote.measurements.primitives.campaign import Selection
from wardmote.measurements.primitives.campaign import measure as measure_primitives
from wardmote.measurements.primitives.entry import Primitive
from wardmote.study.primitives.beside import beside
from wardmote.study.primitives.others import LibraryBesideRow, beside_libraries
from wardmote.views.primitives.beside import COLUMNS, LIBRARY_COLUMNS
from wardmote.views.table import Column


@dataclass(frozen=True, slots=True)
class Table:
    """Rows beside those of the function."""

    title: str
    rows: Sequence[Any]
    columns: Sequence[Column[Any]]


def tables_beside(
    rows: Sequence[MeasureRow], primitives: Sequence[Primitive], seed: int
) -> list[Table]:
    """One table of the stack's own figures, and one of other libraries', where there are any."""
    cpus = tuple(cpu for cpu in CPU_NAMES if cpu in {row.cpu for row in rows})
    if not cpus:
        raise UsageError(f"--beside has figures of {', '.join(CPU_NAMES)} alone")
    lengths = {row.octets for row in rows}
    sizes = {
        -(-max(n, one.least, 1) // one.granule) * one.granule for one in primitives for n in lengths
    }
    chosen = Selection(
        cpus,
        tuple(primitives),
        tuple(sorted(sizes)),
        boards((), cpus),
        LEAST_RUNS,
        seed,
        timed=False,
    )
    own = beside(rows, measure_primitives(chosen, Running().runner()).rows)
    tables = [Table("beside the stack's own", own, COLUMNS)]
    if others := _of_libraries(rows, tuple(one.name for one in primitives), cpus):
        tables.append(Table("beside other libraries", others, LIBRARY_COLUMNS))
    return tables


def _of_libraries(
    rows: Sequence[MeasureRow], names: tuple[str, ...], cpus: Sequence[str]
) -> list[LibraryBesideRow]:
    """Figures of the libraries whose sources are here; one line names those that are not."""
    found = named(names)
    if found.missing:
        sys.stderr.write(
            f"wardmote: {', '.join(found.missing)}: `make libraries` fetches them, then they stand "
            "beside too\n"
        )
    if not found.has_others:
        return []
    frames, others = found.rows(cpus, Running().runner())
    return beside_libraries(rows, names, frames, others)
