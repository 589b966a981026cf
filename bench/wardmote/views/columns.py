# SPDX-License-Identifier: BSD-3-Clause
"""Makes columns out of the fields of a row. A column whose field has its name, with `_` for blanks,
names it once. A field that a row does not have is refused when the view is imported."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from wardmote.views.table import Column, band, number

Row = TypeVar("Row")


class Fields(Generic[Row]):
    """Columns of rows of one class."""

    def __init__(self, row: type[Row]) -> None:
        """Remembers the class."""
        self._row = row

    def word(self, name: str, field: str = "", rank: int = 1, *, wrap: bool = False) -> Column[Row]:
        """A field as text."""
        value = self._value(name, field)
        return Column(name, lambda row: str(value(row)), text=True, rank=rank, wrap=wrap)

    def words(self, *names: str, rank: int = 1) -> tuple[Column[Row], ...]:
        """A column of text for each name."""
        return tuple(self.word(name, rank=rank) for name in names)

    def number(self, name: str, field: str = "", digits: int = 0, rank: int = 1) -> Column[Row]:
        """A field as a number with so many decimals, or nothing where it is None."""
        value = self._value(name, field)
        return Column(name, lambda row: number(value(row), digits), rank=rank)

    def numbers(self, *names: str, digits: int = 0, rank: int = 1) -> tuple[Column[Row], ...]:
        """A column of numbers for each name."""
        return tuple(self.number(name, digits=digits, rank=rank) for name in names)

    def band(self, name: str, field: str = "", digits: int = 0, rank: int = 1) -> Column[Row]:
        """A field and, where timing is a band, the field `_low` with its other end."""
        high = self._value(name, field)
        low = self._value(name, f"{field or _field(name)}_low")
        return Column(name, lambda row: band(low(row), high(row), digits), rank=rank)

    def _value(self, name: str, field: str) -> Callable[[Row], Any]:
        wanted = field or _field(name)
        if wanted not in getattr(self._row, "__dataclass_fields__", ()) and not hasattr(
            self._row, wanted
        ):
            raise AttributeError(f"{self._row.__name__} has no field {wanted!r}")
        return lambda row: getattr(row, wanted)


def _field(name: str) -> str:
    return name.lower().replace(" ", "_")
