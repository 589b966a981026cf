# SPDX-License-Identifier: BSD-3-Clause
"""Pieces of which sentences, lists and tables are made."""

from collections.abc import Callable, Hashable, Iterable
from typing import Protocol, TypeVar

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)


class Named(Protocol):
    """A primitive in one of its variants."""

    @property
    def primitive(self) -> str:
        """Name of the primitive."""

    @property
    def variant(self) -> str:
        """Name of the variant; empty if there is one only."""


def label(row: Named) -> str:
    """Name and variant."""
    return f"{row.primitive} {row.variant}".strip()


def by(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, list[Row]]:
    """The rows of each key, in the order in which keys come first."""
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def listed(texts: Iterable[object]) -> str:
    """All texts, each once."""
    return "; ".join(dict.fromkeys(map(str, texts)))


def bullets(lines: Iterable[str]) -> str:
    """A Markdown list."""
    return "".join(f"* {line}\n" for line in lines)


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Names with their values, as a Markdown list."""
    return bullets(f"{name}: {value}" for name, value in pairs)
