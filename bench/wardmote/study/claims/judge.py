# SPDX-License-Identifier: BSD-3-Clause
"""Judges each claim of a paper by an expression over our rows.

published/<paper>_claims.toml says what each key means.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wardmote.published import load
from wardmote.study.claims.expression import BUILT_IN, NotMeasuredError, Scope
from wardmote.study.why import WHY

HOLDS, FAILS, UNJUDGED = "holds", "does not hold", "cannot be judged"
MEASURED, SETTING, FORMAT = "measured", "setting", "format"
TOLERANCE = {MEASURED: 0.2, FORMAT: 0.02, SETTING: 0.02}
"""How far ours may be from a printed value that it is compared with."""
SAME = 0.05
"""Two figures of ours are the same if they differ by no more."""
MUCH = 2.0
"""A figure of ours is much more than another if it is at least this many times as large."""
UNITS = {
    "ms": "ms",
    "us": "µs",
    "uj": "µJ",
    "j": "J",
    "ma": "mA",
    "mw": "mW",
    "mhz": "MHz",
    "hz": "Hz",
    "kib": "KiB",
    "percent": "%",
    "bit": "bit",
    "bits": "bits",
    "octets": "octets",
    "mbps": "Mbit/s",
    "x": "times",
    "years": "years",
    "months": "months",
    "days": "days",
    "uah": "µAh",
}
"""The unit of a figure by the last word of its name."""
NOT_MEASURED = "not_measured"
PRINTED = re.compile(r"paper\('([^']+)'\)")
"""An expression names a printed figure by its place in the paper's file."""
Functions = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class ClaimFigure:
    """One figure: its name without the unit, the unit, and its value; both ends of a range."""

    name: str
    unit: str
    value: float
    to: float | None = None


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim of a paper with our verdict."""

    paper: str
    """The file of published/ without `_claims.toml`."""
    claim: str
    """Its name in that file."""
    at: str
    """Table, figure or section."""
    says: str
    printed: tuple[ClaimFigure, ...]
    ours: tuple[ClaimFigure, ...]
    basis: str
    """measured, setting or format, as in the comparison of figures. What follows from the cases that
    we chose to measure counts as format."""
    verdict: str
    why: str
    """Why it does not hold, or cannot be judged."""
    note: str
    """What a reader has to know about ours, whatever the verdict is."""
    shown: str
    """The document, or the section of the report, with the figures."""


def claims(paper: str) -> list[dict[str, Any]]:
    """The claims of a paper as they are typed."""
    return list(load(f"{paper}_claims")["claim"])


def judged(paper: str, functions: Functions, words: Mapping[str, Any]) -> list[ClaimRow]:
    """All claims of a paper with their verdicts, in the order of the file.

    Its expressions may use the names in `functions` and `words`, besides BUILT_IN, same, much and
    paper.
    """
    reasons = load(f"{paper}_claims")["reason"]
    of_all: Functions = {
        **BUILT_IN,
        "same": same,
        "much": much,
        "paper": lambda place: _printed(paper, place),
    }
    scope = Scope({**of_all, **functions}, words)
    return [_row(paper, one, scope, reasons) for one in claims(paper)]


def same(one: float, other: float) -> bool:
    """Whether two of our figures are nearly equal."""
    return abs(one / other - 1) <= SAME


def much(times: float) -> bool:
    """Whether a ratio of two of our figures is what we call much."""
    return times >= MUCH


def near(printed: float | list[float], ours: float, basis: str) -> bool:
    """Whether ours is as printed, or as the nearer end of a printed range."""
    ends = printed if isinstance(printed, list) else [printed]
    nearest = min(max(ours, min(ends)), max(ends))
    return bool(abs(ours - nearest) <= TOLERANCE[basis] * abs(nearest))


def places(claim: Mapping[str, Any]) -> list[str]:
    """The places of the paper's file that a claim names."""
    texts = [one for one in claim.get("printed", {}).values() if isinstance(one, str)]
    return [place for text in texts for place in PRINTED.findall(text)]


def _printed(paper: str, place: str) -> Any:
    found: Any = load(paper)
    for word in place.split("."):
        found = found[word]
    return found


def _row(paper: str, one: dict[str, Any], scope: Scope, reasons: Mapping[str, str]) -> ClaimRow:
    basis = one.get("basis", MEASURED)
    printed = {
        name: scope.value(text) if isinstance(text, str) else text
        for name, text in one.get("printed", {}).items()
    }
    ours: dict[str, Any] = {}
    reason, holds = one.get("cannot", ""), None
    try:
        for name, text in one.get("ours", {}).items():
            ours[name] = scope.value(text)
        if not reason:
            holds = _holds(one, printed, Scope(scope.functions, {**scope.names, **ours}), basis)
    except NotMeasuredError:
        reason, holds = NOT_MEASURED, None
    verdict = UNJUDGED if holds is None else HOLDS if holds else FAILS
    own = WHY[one["why_of"]] if "why_of" in one else one.get("why", "")
    why = {UNJUDGED: reasons.get(reason, ""), HOLDS: "", FAILS: own}[verdict]
    return ClaimRow(
        paper=paper,
        claim=one["id"],
        at=one["at"],
        says=one["says"],
        printed=tuple(_figure(name, found) for name, found in printed.items()),
        ours=tuple(_figure(name, found) for name, found in ours.items()),
        basis=basis,
        verdict=verdict,
        why=why,
        note=one.get("note", ""),
        shown=one["shown"],
    )


def _holds(one: Mapping[str, Any], printed: Mapping[str, Any], scope: Scope, basis: str) -> bool:
    """The value of `holds`. Without `holds`: whether our value is near every printed value of the
    same name."""
    if "holds" in one:
        return bool(scope.value(one["holds"]))
    return all(near(found, scope.names[name], basis) for name, found in printed.items())


def _figure(name: str, found: Any) -> ClaimFigure:
    words = name.split("_")
    unit = UNITS.get(words[-1], "")
    text = " ".join(words[:-1] if unit else words)
    if not isinstance(found, list):
        return ClaimFigure(text, unit, round(float(found), 4))
    least, most = round(float(min(found)), 4), round(float(max(found)), 4)
    return ClaimFigure(text, unit, least, None if least == most else most)
