# SPDX-License-Identifier: BSD-3-Clause
"""The short and the full form of an experiment in a network, and its seeds."""

from collections.abc import Iterable
from typing import Annotated

from wardmote import options
from wardmote.choices import parts
from wardmote.commands.records import Texts, option
from wardmote.errors import UsageError

MOST_SEEDS = 100
FullOption = Annotated[
    bool,
    option(
        "Everything that the paper measured, for hours. Default: the short form.", name="--full"
    ),
]
SeedsOption = Annotated[
    int | None, option("How many seeds, from --seed on. Default: 1, or those of the full form.")
]


def seeds_of(asked: int | None, first: int, default: int) -> range:
    """The seeds of an experiment."""
    count = default if asked is None else options.positive("number of seeds", asked, MOST_SEEDS)
    return range(first, first + count)


def numbers(
    what: str, texts: Texts, default: Iterable[int], least: int, most: int
) -> tuple[int, ...]:
    """Whole numbers between commas, each once, in ascending order."""
    if not texts:
        return tuple(default)
    found = set()
    for part in parts(texts):
        if not part.isascii() or not part.isdigit() or len(part) > 9:
            raise UsageError(f"no {what} {part!r}: write whole numbers, such as {least},{most}")
        found.add(options.whole(what, int(part), least, most))
    return tuple(sorted(found))
