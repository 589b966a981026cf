# SPDX-License-Identifier: BSD-3-Clause
"""The rows of a group of experiments, by which the claims of a paper are judged."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from wardmote.study.claims.judge import ClaimRow
from wardmote.study.claims.register import first

Rows = Mapping[str, Sequence[Any]]
"""Rows by the sub-verb that measured them."""


class Judge(NamedTuple):
    """What judges the claims of a paper by the rows of its group of experiments."""

    paper: str
    """The file of published/ without `_claims.toml`, and the group of verbs."""
    subject: str
    """What the paper is on, in words."""
    claims: Callable[[Rows], list[ClaimRow]]
    note: str = ""
    """What its command has to say beside what all have."""


def the(rows: Rows, verb: str, **wanted: object) -> Any:
    """The first row of a sub-verb with these values; raises NotMeasuredError if there is none."""
    return first(
        row
        for row in rows.get(verb, ())
        if all(getattr(row, name) == value for name, value in wanted.items())
    )
