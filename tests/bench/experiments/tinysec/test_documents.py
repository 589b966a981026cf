# SPDX-License-Identifier: BSD-3-Clause
"""What documents say of runs of hours is what the rows beside them give."""

from pathlib import Path

import pytest

from tests.bench.experiments.tinysec_rows import DOCUMENT, experiment
from wardmote.experiments import placed
from wardmote.experiments.section import beside_documents
from wardmote.study.claims.judge import UNJUDGED
from wardmote.study.claims.tinysec import tinysec_claims
from wardmote.views import claims as view
from wardmote.views.document import texts
from wardmote.views.table import to_markdown

VERBS = sorted(place.verb for place, one in placed().items() if one.beside_documents)


def test_all_of_them_have_rows() -> None:
    """Three verbs about networks."""
    assert sorted(beside_documents("tinysec")) == VERBS == ["latency", "throughput", "turns"]


@pytest.mark.parametrize("verb", VERBS)
def test_the_page_is_made_of_its_rows(verb: str, root: Path) -> None:
    """No cell of it is typed, and the chart beside it is that of the rows."""
    rows, one = beside_documents("tinysec")[verb], experiment(verb)
    assert one.text is not None
    kept = texts((root / DOCUMENT).read_text(encoding="utf-8"), f"tinysec-{verb}")
    assert kept == {"text": one.text(rows)}
    chart = (root / DOCUMENT).with_name(f"tinysec-{verb}.svg").read_text(encoding="utf-8")
    assert chart == one.figure(rows)


def test_claims_on_networks_are_judged_by_them(root: Path) -> None:
    """The list has the verdicts that the rows give."""
    known = beside_documents("tinysec")
    page = (root / "docs/do-the-claims-hold.md").read_text(encoding="utf-8")
    lines = texts(page, "tinysec-claims")["text"].splitlines()
    judged = {row.claim: row for row in tinysec_claims(known)}
    for name in ("figure-3", "figure-4", "figure-5", "equal-length", "overhead-network"):
        assert judged[name].verdict != UNJUDGED
        assert to_markdown([judged[name]], view.DOCUMENT).splitlines()[-1] in lines
