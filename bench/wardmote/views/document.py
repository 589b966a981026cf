# SPDX-License-Identifier: BSD-3-Clause
"""Documents with blocks between marks, which a command fills with measured figures.

A block stands between `<!-- KIND: NAME -->` and `<!-- KIND: end -->`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from wardmote.errors import UsageError

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Blocks(Generic[Found]):
    """The blocks of one kind that a measurement fills."""

    kind: str
    makes: Mapping[str, Callable[[Found], str]]
    """The text of each block, made of what was found."""

    def filled(self, text: str, found: Found) -> str:
        """The document with new text in these blocks; others stay as they are."""

        def new(match: re.Match[str]) -> str:
            make = self.makes.get(match[2])
            return match[0] if make is None else f"{match[1]}{make(found)}{match[4]}"

        return marks(self.kind).sub(new, text)

    def are_in(self, text: str) -> bool:
        """Whether a document has one of these blocks."""
        return any(name in self.makes for name in texts(text, self.kind))


def marks(kind: str) -> re.Pattern[str]:
    """Matches a block of a kind: its first mark, its name, its text and its last mark."""
    return re.compile(
        rf"(<!-- {kind}: (?!end)([a-z0-9-]+) -->\n)(.*?)(<!-- {kind}: end -->)", re.DOTALL
    )


def texts(text: str, kind: str) -> dict[str, str]:
    """The blocks of a kind in a document: text by name."""
    return {match[2]: match[3] for match in marks(kind).finditer(text)}


def opened(document: Path, *blocks: Blocks[Any]) -> str:
    """The text of a document. Raises UsageError if it has no block of a kind, or one that none of
    these `blocks` has."""
    kind, possible = blocks[0].kind, [name for one in blocks for name in one.makes]
    try:
        text = document.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{document}: cannot be read: {error}") from error
    found = texts(text, kind)
    unknown = [name for name in found if name not in possible]
    if unknown or not found:
        lack = f"no block {unknown[0]!r}" if unknown else "no block"
        raise UsageError(
            f"{document}: {lack} of `wardmote {kind}`: possible are {', '.join(possible)}"
        )
    return text
