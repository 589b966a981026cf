# SPDX-License-Identifier: BSD-3-Clause
"""What makes a figure worse than an earlier one, for every command with `--baseline`."""

import re

from wardmote.errors import UsageError

PERCENT = re.compile(r"(\d{1,6}(?:\.\d+)?)\s*%?", re.ASCII)


def read_tolerance(text: str) -> float:
    """Per cent of `2%` or `2`."""
    if not (match := PERCENT.fullmatch(text.strip())):
        raise UsageError(f"no tolerance {text!r}: write per cent, such as 2%, less than 1000000%")
    return float(match[1])


def percent_of(old: float | None, new: float | None) -> float | None:
    """The change relative to the old value; None if that is 0 or one of the two is unknown."""
    return None if not old or new is None else 100 * (new - old) / old


def is_worse(
    old: float | None, new: float | None, tolerance_percent: float, *, more_is_better: bool = False
) -> bool:
    """Whether a figure got worse by more than the tolerance. One that was zero and no longer is, is
    worse by any tolerance. So is one that is no longer known."""
    if new is None or old is None:
        return new is None and old is not None
    if more_is_better:
        return new * 100 < old * (100 - tolerance_percent)
    return new * 100 > old * (100 + tolerance_percent)
