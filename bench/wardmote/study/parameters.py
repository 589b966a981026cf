# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of the boards' records: results depend on them and on the program."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.boards import board_data, untouched

ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """One number with its source."""

    board: str
    parameter: str
    """Its place in the board's record, for example timing.cc2538.key_write."""
    value: float
    unit: str
    kind: str
    """datasheet, measured or assumed"""
    source: str


def parameter_rows(boards: Sequence[str]) -> list[ParameterRow]:
    """All numbers of the records, in their order."""
    return [row for board in boards for row in _rows(board, "", board_data(board))]


def assumed(boards: Sequence[str]) -> list[ParameterRow]:
    """Numbers that no available datasheet prints, of parts that a slot uses."""
    rows = (row for row in parameter_rows(boards) if row.kind == ASSUMED)
    return [row for row in rows if untouched(row.board).isdisjoint(row.parameter.split("."))]


def _rows(board: str, path: str, table: dict[str, Any]) -> Iterator[ParameterRow]:
    if "value" in table:
        yield ParameterRow(
            board, path, float(table["value"]), table["unit"], table["kind"], table["source"]
        )
        return
    for name, inner in table.items():
        if isinstance(inner, dict):
            yield from _rows(board, f"{path}.{name}" if path else name, inner)
