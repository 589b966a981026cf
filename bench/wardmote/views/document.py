# SPDX-License-Identifier: BSD-3-Clause
"""Documents with blocks between marks, which a command fills with measured figures.

A block stands between `<!-- KIND: NAME -->` and `<!-- KIND: end -->`.
"""

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TypeVar

from wardmote.errors import UsageError

Found = TypeVar("Found")


def marks(kind: str) -> re.Pattern[str]:
    """Matches a block of a kind: its first mark, its name, its text and its last mark."""
    return re.compile(
        rf"(<!-- {kind}: (?!end)([a-z0-9-]+) -->\n)(.*?)(<!-- {kind}: end -->)", re.DOTALL
    )


def texts(text: str, kind: str) -> dict[str, str]:
    """The blocks of a kind in a document: text by name."""
    return {match[2]: match[3] for match in marks(kind).finditer(text)}


def opened(document: Path, kind: str, possible: Collection[str], what: str) -> str:
    """The text of a document; raises UsageError if it has no block or an unknown one."""
    try:
        text = document.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{document}: cannot be read: {error}") from error
    found = texts(text, kind)
    unknown = [name for name in found if name not in possible]
    if unknown or not found:
        lack = f"no block {unknown[0]!r}" if unknown else "no block"
        raise UsageError(f"{document}: {lack} of {what}: possible are {', '.join(possible)}")
    return text


def filled(text: str, kind: str, blocks: Mapping[str, Callable[[Found], str]], found: Found) -> str:
    """The document with new text in `blocks`; other blocks stay as they are."""
    return marks(kind).sub(
        lambda match: (
            f"{match[1]}{blocks[match[2]](found)}{match[4]}" if match[2] in blocks else match[0]
        ),
        text,
    )
