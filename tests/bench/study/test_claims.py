# SPDX-License-Identifier: BSD-3-Clause
"""The lists of claims hold together: what the papers have, what published/ has, and what report and
document show. Verdicts follow from rows."""

import dataclasses
import html
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.footprint.measure import measure
from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.measurements.slot.setting import STRATEGIES
from wardmote.published import load
from wardmote.rows import SlotRow
from wardmote.study.claims import slot
from wardmote.study.claims.expression import BUILT_IN, Scope
from wardmote.study.claims.judge import (
    FAILS,
    HOLDS,
    SETTING,
    UNJUDGED,
    ClaimRow,
    claims,
    much,
    near,
    places,
    same,
)
from wardmote.views import claims as view
from wardmote.views.folder import read_report

# One worker, so computed once.
pytestmark = pytest.mark.xdist_group("compare")

HELD = {
    "tsch_slot": (
        *(f"Table {number}" for number in ("I", "II", "III")),
        *(f"Fig. {number}" for number in range(1, 9)),
    ),
    "primitives": (
        *(f"Table {number}" for number in range(1, 26)),
        *(f"Fig. {number}" for number in range(1, 14)),
    ),
}
"""Tables and figures of each paper, as its pages count them."""
WORDS = {"platform.telosb.cpu", "platform.telosb.radio"}
WORDS |= {"platform.openmote_cc2538.cpu", "platform.openmote_cc2538.radio"}
"""What the paper's file says in words, not in numbers."""
PAPERS = tuple(HELD)


@pytest.fixture(scope="module")
def slots(root: Path) -> list[SlotRow]:
    """The rows of build/report."""
    return read_report(root / "build/report")


@pytest.fixture(scope="module")
def footprints() -> list[FootprintRow]:
    """Footprints of all boards."""
    return [row for name in SLOT_BOARDS for row in measure(name, STRATEGIES, 1)]


@pytest.fixture(scope="module")
def rows(slots: list[SlotRow], footprints: list[FootprintRow]) -> list[ClaimRow]:
    """Every claim of the paper on timeslot length with its verdict."""
    return slot.slot_claims(slots, footprints)


def leaves(table: dict[str, Any], path: str = "") -> Iterator[str]:
    """Places of all figures of a paper's file."""
    for name, value in table.items():
        place = f"{path}.{name}" if path else name
        if isinstance(value, dict):
            yield from leaves(value, place)
        else:
            yield place


def verdicts(rows: list[ClaimRow]) -> dict[str, str]:
    """Verdict by name of the claim."""
    return {row.claim: row.verdict for row in rows}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_table_and_figure_is_in_the_list_once(paper: str) -> None:
    """A claim begins with the table or figure that it is; each has one, and no name is used twice."""
    listed = claims(paper)
    starts = Counter(re.split(r", ", one["at"])[0] for one in listed)
    assert {name: starts[name] for name in HELD[paper]} == dict.fromkeys(HELD[paper], 1)
    assert max(Counter(one["id"] for one in listed).values()) == 1
    assert max(Counter(one["says"] for one in listed).values()) == 1


@pytest.mark.parametrize("paper", ["tsch_slot"])
def test_every_printed_figure_belongs_to_a_claim(paper: str) -> None:
    """No figure of the paper's file is without a claim, and no claim names one that is not there."""
    named = {place for one in claims(paper) for place in places(one)}
    assert named == set(leaves(load(paper))) - WORDS


def test_every_printed_table_is_judged() -> None:
    """Every table, figure and recommendation of published/primitives.toml has its claim; a table of
    times of the TelosB is judged by its own number."""
    printed, listed = load("primitives"), {one["id"]: one for one in claims("primitives")}
    for kind in ("table", "figure"):
        for one in printed[kind]:
            assert f"{kind}-{one['number']}" in listed
    for one in printed["table"]:
        typed = str(listed[f"table-{one['number']}"])
        place = f"{one['board']}.{one['section']}"
        assert f"_x({one['number']})" in typed or place in typed or one["number"] == 6, place
    judged = [one["holds"] for one in listed.values() if one["id"].startswith("recommended-")]
    assert judged == [f"recommended({n})" for n in range(len(printed["recommendation"]))]


@pytest.mark.parametrize("paper", PAPERS)
def test_what_cannot_be_judged_says_why_once(paper: str) -> None:
    """A reason is used, and what is used is there. A setting is never judged, and what is judged has
    figures of ours."""
    reasons = set(load(f"{paper}_claims")["reason"]) - {"not_measured"}
    listed = claims(paper)
    assert {one["cannot"] for one in listed if "cannot" in one} == reasons
    for one in listed:
        assert one.get("basis") != SETTING or one["cannot"] == "setting", one["id"]
        assert "cannot" in one or one["ours"], one["id"]
        assert "cannot" in one or "holds" in one or set(one["printed"]) <= set(one["ours"])


def test_what_does_not_hold_says_why(rows: list[ClaimRow]) -> None:
    """One sentence at least; what holds needs none."""
    for row in rows:
        assert bool(row.why) == (row.verdict != HOLDS), row.claim
        assert not row.why or row.why.endswith("."), row.claim
        assert not row.note or row.note.endswith("."), row.claim


@pytest.mark.document
def test_report_and_document_have_each_claim_once(rows: list[ClaimRow], root: Path) -> None:
    """The page of the report and the document show each claim of the list once, and no other."""
    page = html.unescape((root / "build/report/index.html").read_text(encoding="utf-8"))
    page = page[page.index("What the paper claims, and our verdicts") :]
    text = (root / "docs/do-the-claims-hold.md").read_text(encoding="utf-8")
    block = text[text.index("<!-- wardmote: claims -->") :].partition("<!-- wardmote: end -->")[0]
    assert block.count("\n| ") == len(rows) + 2 == len(claims("tsch_slot")) + 2
    for row in rows:
        assert page.count(f">{row.says}<") == 1, row.claim
        assert text.count(f"| {row.says} |") == 1, row.claim


@pytest.mark.document
@pytest.mark.parametrize("paper", PAPERS)
def test_the_document_has_the_list(paper: str, root: Path) -> None:
    """Each claim of both papers is a line of the document, and it has no other."""
    text = (root / "docs/do-the-claims-hold.md").read_text(encoding="utf-8")
    block = text.split(" claims -->")[1 + PAPERS.index(paper)]
    lines = block.partition(": end -->")[0].count("\n| ")
    assert lines == len(claims(paper)) + 2
    for one in claims(paper):
        assert block.count(f"| {one['at']} | {one['says']} |") == 1, one["id"]


def test_what_is_shown_is_there(rows: list[ClaimRow], root: Path) -> None:
    """The document exists, or the report has a section of that title."""
    page = html.unescape((root / "build/report/index.html").read_text(encoding="utf-8"))
    for row in rows:
        title = row.shown.removeprefix("report: ")
        found = (root / row.shown).is_file() if title == row.shown else f"<h2>{title}</h2>" in page
        assert found, f"{row.claim}: {row.shown}"


def test_verdicts_follow_the_rows(slots: list[SlotRow], footprints: list[FootprintRow]) -> None:
    """With the printed 88 ms in the row, what the paper says of it holds, and what follows from it
    too; with a shorter slot it does not."""

    def at(us: float) -> dict[str, str]:
        changed = [
            dataclasses.replace(row, ts_slot_duration_us=us)
            if (row.board, row.strategy, row.level) == ("telosb", "software", 5)
            else row
            for row in slots
        ]
        return verdicts(slot.slot_claims(changed, footprints))

    printed, short = at(88_000.0), at(12_000.0)
    assert {printed[name] for name in ("telosb-software", "ten-times", "aes-gains-most")} == {HOLDS}
    assert {short[name] for name in ("telosb-software", "ten-times", "aes-gains-most")} == {FAILS}


def test_acks_are_longer_with_security(rows: list[ClaimRow]) -> None:
    """An acknowledgment without security has 30 octets less than one with a MIC of 16 and a header of
    14, at 32 µs each."""
    ours = {
        one.name: (one.value, one.to)
        for row in rows
        if row.claim == "radio-sends-more"
        for one in row.ours
    }
    assert set(ours) == {"telosb acks", "openmote acks"}
    for least, most in ours.values():
        assert most is not None
        assert most - least == pytest.approx(30 * 32, abs=1)


def test_no_verdict_without_rows(slots: list[SlotRow], footprints: list[FootprintRow]) -> None:
    """A report of one board judges nothing of the other, and says that it was not measured."""
    own = [row for row in slots if row.board == "telosb"]
    found = {row.claim: row for row in slot.slot_claims(own, footprints)}
    assert found["openmote-hardware"].verdict == found["ten-times"].verdict == UNJUDGED
    assert found["ten-times"].why == load("tsch_slot_claims")["reason"]["not_measured"]
    assert found["telosb-software"].verdict == FAILS


def test_a_claim_without_a_verdict_of_its_own_is_compared() -> None:
    """Within 20 per cent of a printed figure, or of the nearer end of a range; formats may differ
    by 2 per cent."""
    assert near(100, 81, "measured")
    assert not near(100, 79, "measured")
    assert near([2, 3], 3.5, "measured")
    assert not near([2, 3], 1.5, "measured")
    assert not near(100, 97, "format")


def test_the_same_and_much() -> None:
    """Figures of ours that differ by 5 per cent at most; twice as much or more."""
    assert same(104.9, 100)
    assert not same(105.1, 100)
    assert much(2.0)
    assert not much(1.99)


def test_expressions_compute_and_refuse() -> None:
    """Arithmetic and comparisons; nothing that reaches into objects, and no name that is not
    given."""
    scope = Scope({**BUILT_IN, "twice": lambda x: 2 * x}, {"a": 3})
    assert scope.value("max([a, twice(a)]) / 2 - 1") == 2
    assert scope.value("1 < a <= 3 and a > 2") is True
    assert scope.value("a < 1 or a == 3") is True
    for text in ("a.real", "__import__('os')", "b", "[x for x in [1]]", "a if a else 1"):
        with pytest.raises(ValueError, match="no part of an expression"):
            scope.value(text)


def test_words(rows: list[ClaimRow]) -> None:
    """The answer counts verdicts, those of measurements apart; figures have unit and range."""
    counts = Counter((row.verdict, row.basis == "measured") for row in rows)
    unjudged = counts[UNJUDGED, True] + counts[UNJUDGED, False]
    other = counts[HOLDS, False] + counts[FAILS, False]
    assert sum(counts.values()) == len(rows)
    assert view.answer(rows) == (
        f"Of {len(rows)} claims of the paper, tables and figures included, {counts[HOLDS, True]} hold "
        f"by our measurements and {counts[FAILS, True]} do not. {other} are about formats and "
        f"settings, which no measurement decides: {counts[HOLDS, False]} of them agree with ours and "
        f"{counts[FAILS, False]} do not. {unjudged} cannot be judged."
    )
    assert {view.basis_text(row) for row in rows} == {"", "measured", "format"}
    assert all(bool(view.basis_text(row)) == (row.verdict != UNJUDGED) for row in rows)
    found = {row.claim: row for row in rows}
    assert view.figures_text(found["header-range"].printed) == "header 5 to 14 octets"
    assert view.figures_text(found["ten-times"].printed).endswith("hardware 10 times")
