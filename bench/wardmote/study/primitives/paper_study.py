# SPDX-License-Identifier: BSD-3-Clause
"""All conclusions from two measurements.

One has the lengths of the paper and times; the other has so many lengths that it shows where curves
cross.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.rows import PrimitiveRow, Result
from wardmote.measurements.system.rows import SystemRow
from wardmote.study.claims.judge import ClaimRow
from wardmote.study.claims.primitives import primitive_claims
from wardmote.study.primitives.choice import (
    SIZES,
    Candidate,
    ChoiceRow,
    CrossingRow,
    SmallestRow,
    candidates,
    choices,
    crossings,
    smallest,
)
from wardmote.study.primitives.choice_paper import (
    AsconRow,
    RecommendationRow,
    ascon_rows,
    recommendations,
)
from wardmote.study.primitives.paper import PaperRow, compared


@dataclass(frozen=True, slots=True)
class Study:
    """The comparison with the paper's tables, the best choices, and the paper's recommendations."""

    papers: tuple[PaperRow, ...]
    found: tuple[Candidate, ...]
    choices: tuple[ChoiceRow, ...]
    crossings: tuple[CrossingRow, ...]
    smallest: tuple[SmallestRow, ...]
    recommendations: tuple[RecommendationRow, ...]
    ascon: tuple[AsconRow, ...]
    rows: tuple[PrimitiveRow | Host32Row, ...]
    """Rows at all lengths, without times of this machine."""
    claims: tuple[ClaimRow, ...]
    events: tuple[SystemRow, ...]
    """Operations by length under an event loop."""
    timed: tuple[Host32Row, ...]
    """Timed rows at the lengths of the paper."""


def study(
    at_papers: Result,
    at_all: Result,
    events: Sequence[SystemRow],
    sizes: tuple[int, ...] = SIZES,
) -> Study:
    """Computes everything from the rows at the paper's lengths, at all lengths, and under an event
    loop."""
    rows: tuple[PrimitiveRow | Host32Row, ...] = (*at_all.rows, *at_all.host32_rows)
    found = candidates(rows, sizes)
    papers = compared(at_papers.rows, at_papers.host32_rows)
    judged = recommendations(found)
    both = (*rows, *at_papers.rows, *at_papers.host32_rows)
    return Study(
        papers=tuple(papers),
        found=tuple(found),
        choices=tuple(choices(found)),
        crossings=tuple(crossings(found)),
        smallest=tuple(smallest(found)),
        recommendations=tuple(judged),
        ascon=tuple(ascon_rows(found)),
        claims=tuple(primitive_claims(papers, both, judged, events)),
        events=tuple(events),
        rows=rows,
        timed=at_papers.host32_rows,
    )
