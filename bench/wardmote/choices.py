# SPDX-License-Identifier: BSD-3-Clause
"""Values by name: upper and lower case are the same, and a misspelt name gets a suggestion."""

from collections.abc import Iterable, Sequence

from wardmote.errors import UsageError


def choice(what: str, text: str, possible: Sequence[str], more: str = "") -> str:
    """The possible value that `text` names; raises UsageError with those there are, and `more`."""
    by_case = {one.lower(): one for one in possible}
    found = by_case.get(text.strip().lower())
    if found is not None:
        return found
    from difflib import get_close_matches

    # A number next to the one that was asked for is no misspelling of it.
    named = text.strip()[:1].isalpha()
    near = get_close_matches(text.strip().lower(), list(by_case), n=1) if named else []
    hint = f"did you mean {by_case[near[0]]}? " if near else ""
    raise UsageError(f"no {what} {text!r}: {hint}possible are {', '.join(possible)}{more}")


def parts(texts: str | Iterable[str]) -> list[str]:
    """The parts between commas."""
    given = [texts] if isinstance(texts, str) else texts
    return [part.strip() for text in given for part in text.split(",")]


def choices(what: str, texts: str | Iterable[str], possible: Sequence[str]) -> tuple[str, ...]:
    """The possible values that are named, in the usual order; all if none is."""
    named = {choice(what, part, possible) for part in parts(texts)}
    return tuple(one for one in possible if not named or one in named)
