# SPDX-License-Identifier: BSD-3-Clause
"""Choices, crossings and recommendations on rows that are made up, and the page of measured
ones."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable
from functools import partial
from operator import mul
from pathlib import Path

import pytest

from wardmote.boards import EVENT_BOARDS
from wardmote.campaign.local import Local
from wardmote.campaign.runner import Runner
from wardmote.cli import main
from wardmote.measurements.function.board import boards
from wardmote.measurements.primitives import host32
from wardmote.measurements.primitives.campaign import PLACES, Selection, measure
from wardmote.measurements.primitives.host32_rows import Host32Row
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.measurements.system.campaign import Selection as Loop
from wardmote.measurements.system.campaign import measure as measure_loop
from wardmote.measurements.system.lengths import AT_LENGTHS, FIGURES, SITUATION
from wardmote.study.claims.judge import UNJUDGED
from wardmote.study.claims.primitives import primitive_claims
from wardmote.study.primitives.choice import (
    NEEDED,
    SETS,
    UNSOUND,
    Candidate,
    candidates,
    choices,
    crossings,
    kind_of,
    runs,
    smallest,
)
from wardmote.study.primitives.choice_paper import ascon_rows, ranges_of, recommendations
from wardmote.study.primitives.curves import curves, figures, loop_curves
from wardmote.study.primitives.paper import compared, entries
from wardmote.study.primitives.paper_study import Study
from wardmote.views import document
from wardmote.views.primitives import choice as choice_view
from wardmote.views.primitives import page as page
from wardmote.views.primitives import paper as paper_view
from wardmote.views.primitives import table as view
from wardmote.views.primitives.figures import draw

RUNNER = Runner(Local(2))
"""Two processes, and figures of earlier runs."""
SIZES = (12, 16, 32, 36, 64, 128)
DOCUMENTS = (
    "docs/which-primitive-should-i-use.md",
    "docs/how-do-we-compare-with-the-paper-on-primitives.md",
    "docs/do-the-claims-hold.md",
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
TOLERANCE = 0.05
CHECKED_OCTETS = (16, 64, 128)


def made(
    name: str, variant: str, kind: str, cost: Callable[[int], int], **more: object
) -> Candidate:
    """A candidate on an MSP430 with a made-up cost."""
    given = {
        "cpu": "msp430",
        "init": 0,
        "constant_time": False,
        "flash_octets": 1000,
        "begins_anew": False,
        **more,
    }
    costs = {size: cost(size) for size in SIZES}
    return Candidate(kind=kind, primitive=name, variant=variant, costs=costs, **given)  # type: ignore[arg-type]


CTR = made("ctr", "aes128-tab", "encryption", lambda n: 100 * -(-n // 16), init=50)
TRIVIUM = made(
    "trivium", "", "encryption", lambda n: 3 * n, init=300, begins_anew=True, constant_time=True
)
RC5 = made("ctr", "rc5", "encryption", lambda _: 1)


def test_what_takes_least_depends_on_what_is_counted() -> None:
    """A stream cipher begins anew with each message; alone it wins, with its init it wins late or
    never."""
    rows = [row for row in choices([CTR, TRIVIUM]) if row.allowed == "all"]
    found = {
        regime: [
            (row.from_octets, row.to_octets, row.primitive) for row in rows if row.regime == regime
        ]
        for regime in ("operation", "message", "key")
    }
    assert found["operation"] == [(12, 128, "trivium")]
    assert found["message"] == [(12, 64, "ctr"), (128, 128, "trivium")]
    assert found["key"] == [(12, 64, "ctr"), (128, 128, "trivium")]
    first = next(row for row in rows if row.regime == "message")
    assert (first.cost_from, first.cost_to, first.second, first.second_cost_to) == (
        100,
        400,
        "trivium",
        492,
    )
    assert {row.primitive for row in choices([CTR, TRIVIUM]) if row.allowed == "constant time"} == {
        "trivium"
    }


def test_who_is_near_stays() -> None:
    """A difference of two per cent does not change the winner; one of three does."""
    other = made("cbc", "aes128-tab", "encryption", lambda n: CTR.costs[n] - (2 if n > 64 else 0))
    far = made("cbc", "aes128-tab", "encryption", lambda n: CTR.costs[n] - (30 if n > 64 else 0))
    for one, names in ((other, ["ctr"]), (far, ["ctr", "cbc"])):
        rows = [
            row for row in choices([CTR, one]) if (row.allowed, row.regime) == ("all", "operation")
        ]
        assert [row.primitive for row in rows] == names


def test_what_is_unsound_is_not_chosen() -> None:
    """Neither under a name nor under a variant, and each has its reason."""
    assert not any(SETS[name](RC5) for name in ("all", "constant time", "without Ascon"))
    assert {row.variant for row in choices([CTR, RC5])} == {"aes128-tab"}
    assert all(UNSOUND.values())
    names = {one.name for one in PRIMITIVES}
    assert set(UNSOUND) <= names
    assert "rc5: " in choice_view.unsound()


def test_crossings() -> None:
    """Where two curves cross, with the ratio at both ends; what is unsound does not count."""
    rows = [row for row in crossings([CTR, TRIVIUM, RC5]) if row.regime == "message"]
    assert [(row.from_octets, row.to_octets, row.less) for row in rows] == [
        (12, 64, "ctr"),
        (128, 128, "trivium"),
    ]
    assert (rows[0].ratio_from, rows[1].ratio_to) == (3.36, round(684 / 800, 3))
    assert [f"{choice_view.sizes(row)}: {row.less}" for row in rows] == [
        "12–64: ctr",
        "128: trivium",
    ]


def test_what_is_small() -> None:
    """Least flash beside least cycles, among all and among what shows nothing."""
    small = made(
        "grain_v1", "small", "encryption", lambda n: 50 * n, flash_octets=500, constant_time=True
    )
    rows = smallest([CTR, TRIVIUM, small])
    assert [(row.allowed, row.primitive, row.fastest) for row in rows] == [
        ("all", "grain_v1", "ctr aes128-tab"),
        ("constant time", "grain_v1", "trivium"),
    ]
    assert (rows[0].flash_octets, rows[0].cycles_64) == (500, 3200)


def test_recommendations_hold_or_not() -> None:
    """Each is judged over its own lengths against three sets; where it does not hold the worst
    length is named."""
    letter = made("lettersoup", "curupira2", "aead", lambda n: 10 * n)
    soup = made("ocb3", "curupira2", "aead", lambda n: 8 * n + 50)
    hosted = [made("ctr", "aes128-tab", "encryption", lambda n: 10 * n, cpu=host32.CPU)]
    hosted.append(made("trivium", "", "encryption", lambda n: 5 * n + 180, cpu=host32.CPU))
    rows = recommendations([letter, soup, *hosted])
    telosb = next(
        row
        for row in rows
        if row.board == "telosb" and row.allowed == "paper" and row.regime == "message"
    )
    assert (telosb.holds, telosb.held, telosb.sizes, telosb.sizes_held) == (False, "12 to 16", 6, 2)
    assert (telosb.at_octets, telosb.recommended_cost, telosb.other_cost) == (128, 1280, 1074)
    assert telosb.other == "ocb3 curupira2"
    aes, trivium = (
        next(
            row
            for row in rows
            if row.board == "edison" and row.recommended == name and row.regime == "operation"
        )
        for name in ("ctr aes128-tab", "trivium")
    )
    assert (aes.holds, aes.from_octets, aes.to_octets) == (True, 12, 32)
    assert (trivium.holds, trivium.from_octets, trivium.held) == (True, 36, "36 to 128")
    words = paper_view.recommendations_answer(rows)
    assert "Edison, cipher, up to 32 octets: AES: against what the paper measured it holds" in words
    assert "TelosB, authenticated encryption, no associated data: LetterSoup: against" in words
    assert "it does not hold" in words
    assert "it is not among what shows no secret" in words


def test_a_recommendation_stands_beside_what_it_names() -> None:
    """The TelosB's encryption mode beside the other mode alone, where only what the paper measured
    counts; beside all of ours Trivium counts too."""
    own = (("ctr", "aes128-tab", 10), ("cbc", "aes128-tab", 11), ("trivium", "", 5))
    rows = recommendations(
        [made(name, variant, "encryption", partial(mul, x)) for name, variant, x in own]
    )
    found = {row.allowed: row for row in rows if row.regime == "operation"}
    assert (found["paper"].holds, found["paper"].other) == (True, "cbc aes128-tab")
    assert (found["all"].holds, found["all"].other) == (False, "trivium")


def test_short_keys_are_said() -> None:
    """A primitive with a key of less than 128 bits says so in the line that recommends it, under a
    mode too."""
    rows = choices([CTR, TRIVIUM, made("ctr", "curupira2", "encryption", lambda _: 5, cpu="avr")])
    words = choice_view.short(rows)
    assert "ctr aes128-tab (no secret shows: trivium, key of 80 bits)" in words
    assert "ctr curupira2, key of 96 bits." in words


def test_ascon_stands_beside_the_others() -> None:
    """Beside CCM, LetterSoup, and the best one without tables; above 1 it takes more."""
    ascon = made(
        "ascon_aead128", "", "aead", lambda n: 20 * n, constant_time=True, flash_octets=2000
    )
    found = [ascon, made("ccm", "aes128-tab", "aead", lambda n: 10 * n)]
    found.append(made("ccm", "aes128-fix", "aead", lambda n: 40 * n, constant_time=True))
    rows = [row for row in ascon_rows(found) if row.octets == 64]
    assert [(row.other, row.ratio, row.ascon_flash_octets) for row in rows] == [
        ("ccm aes128-tab", 2.0, 2000),
        ("ccm aes128-fix", 0.5, 2000),
    ]


def test_ranges() -> None:
    """Sizes in ranges, and in words."""
    assert runs([(1, "a"), (2, "a"), (3, "b"), (4, "a")]) == [("a", [1, 2]), ("b", [3]), ("a", [4])]
    assert ranges_of([1, 2, 5], [1, 2, 3, 4, 5, 6]) == "1 to 2, 5"
    assert choice_view.joined([(str(n), "ab"[n % 2]) for n in range(8)]) == (
        "0, 2, 4, 6: a; 1, 3, 5, 7: b"
    )


def test_kinds() -> None:
    """Every entry is a block cipher alone or is for something; a mode is no hash."""
    kinds = {one.label: kind_of(one) for one in PRIMITIVES}
    assert kinds["aes128 tab"] == ()
    assert kinds["trivium"] == ("encryption",)
    assert kinds["blake2s"] == ("hash",)
    assert kinds["cmac aes128-tab"] == ("mac",)
    assert kinds["ccm aes128-tab"] == ("aead", "aead with a")


def measured(
    *cpus: str, sizes: tuple[int, ...], only: tuple[str, ...] = ()
) -> tuple[PrimitiveRow | Host32Row, ...]:
    """Rows as `--best` has them."""
    chosen = tuple(one for one in PRIMITIVES if not only or one.name in only)
    boarded = boards((), [cpu for cpu in cpus if cpu != host32.CPU])
    selection = Selection(
        cpus, chosen, sizes, boarded, runs=2, seed=1, timed=False, operations=NEEDED
    )
    result = measure(selection, RUNNER)
    return (*result.rows, *result.host32_rows)


def test_candidates_are_made_of_rows() -> None:
    """A code is its update and final; what fills up costs what whole blocks do; the host takes the
    others' verdict."""
    rows = measured("msp430", host32.CPU, sizes=(12, 16), only=("cbc", "cmac", "sha256", "trivium"))
    found = {(one.cpu, one.label): one for one in candidates(rows, (12, 16))}
    cbc, cmac = found["msp430", "cbc aes128-tab"], found["msp430", "cmac aes128-tab"]
    assert cbc.costs[12] == cbc.costs[16]
    parts = {
        row.operation: row.cycles
        for row in rows
        if isinstance(row, PrimitiveRow)
        and (row.primitive, row.variant) == ("cmac", "aes128-tab")
        and row.octets != 16
    }
    assert (cmac.init, cmac.costs[12]) == (parts["init"], parts["update"] + parts["final"])
    assert found["msp430", "trivium"].begins_anew
    assert not cbc.begins_anew
    assert not found[host32.CPU, "cbc aes128-tab"].constant_time
    assert found[host32.CPU, "cbc aes128-fix"].constant_time
    assert found[host32.CPU, "sha256"].flash_octets is None
    assert candidates(rows, (12, 64)) == []


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`--best` shows ranges in every format."""
    words = [
        "primitives",
        "--best",
        "--cpu",
        "msp430",
        "--only",
        "trivium,grain_v1",
        "--size",
        "12,64",
        "--runs",
        "2",
    ]
    assert main([*words, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["cpu"] for row in rows} == {"msp430"}
    assert {(row["from_octets"], row["to_octets"]) for row in rows} <= {
        (12, 12),
        (12, 64),
        (64, 64),
    }
    assert main([*words, "--format", "csv"]) == 0
    assert len(list(csv.DictReader(io.StringIO(capsys.readouterr().out)))) == len(rows)
    assert main([*words]) == 0
    assert "Never chosen" in capsys.readouterr().out


def small_study() -> Study:
    """What can be concluded from three lengths of all entries, and from the paper's lengths of its
    own."""
    rows = measured(*PLACES, sizes=CHECKED_OCTETS)
    lengths = (12, 16, 32, 36, 60, 64, 84, 96, 108, 128)
    cpus, boarded = ("msp430", host32.CPU), boards((), ("msp430",))
    selection = Selection(cpus, entries(), lengths, boarded, runs=2, seed=1, timed=False)
    papers = measure(selection, RUNNER)
    found = candidates(rows, CHECKED_OCTETS)
    judged = tuple(compared(papers.rows, papers.host32_rows))
    advice = tuple(recommendations(found))
    both = (*rows, *papers.rows, *papers.host32_rows)
    loop = Loop(
        {"telosb": EVENT_BOARDS["telosb"].clock_hz}, tuple(AT_LENGTHS), (SITUATION,), 1.0, 1
    )
    events = measure_loop(loop, RUNNER).rows
    claimed = tuple(primitive_claims(judged, both, advice, events))
    return Study(
        papers=judged,
        found=tuple(found),
        choices=tuple(choices(found)),
        crossings=tuple(crossings(found)),
        smallest=tuple(smallest(found)),
        recommendations=advice,
        ascon=tuple(ascon_rows(found)),
        rows=rows,
        claims=claimed,
        events=events,
        timed=papers.host32_rows,
    )


def assert_claims_are_shown(study: Study, table: str, shown: Path, root: Path) -> None:
    """Every claim is once on the page and in the document's table, and the place that shows its
    figures exists."""
    page_text = html.unescape(shown.read_text(encoding="utf-8"))
    titles = re.findall("<h2>(.*)</h2>", page_text)
    assert len(study.claims) == table.count("\n| ") - 2
    for row in study.claims:
        assert page_text.count(f">{row.says}<") == 1, row.claim
        [line] = [line for line in table.splitlines() if f"| {row.says} |" in line]
        # Recommendations are for all lengths; few are measured here.
        if row.verdict != UNJUDGED and not row.claim.startswith("recommended-"):
            assert f"| {row.verdict} |" in line, row.claim
        title = row.shown.removeprefix("report: ")
        found = [one for one in titles if one.startswith(f"{title}: ")]
        assert (root / row.shown).is_file() if title == row.shown else found, row.claim
    assert sum(row.verdict == UNJUDGED for row in study.claims) < len(study.claims) / 2


@pytest.mark.document
@pytest.mark.early
@pytest.mark.turns(3)
def test_page_and_document(root: Path, tmp_path: Path) -> None:
    """The page has 13 figures, the same each time; the document's tables of few lengths are those
    of a fresh measurement within a twentieth, and no time of a machine is among them. `make docs`
    writes it."""
    study = small_study()
    written = page.write(tmp_path, study, [("a", "b")])
    assert [path.name for path in written][-1] == "primitives.html"
    assert (
        (tmp_path / "primitives.html").read_text(encoding="utf-8").count("<svg")
        == len(figures())
        == 13
    )
    for figure in figures():
        cpu = "msp430" if figure.board == "telosb" else host32.CPU
        shown = curves(figure, study.rows, cpu)
        assert len([curve for curve in shown if curve.papers]) >= 2, figure
        assert all(curve.points for curve in shown)
    # Whole hashes and codes: update alone is other work from one implementation to another.
    msp430 = [row for row in study.rows if isinstance(row, PrimitiveRow) and row.cpu == "msp430"]
    of = {(row.primitive, row.variant, row.operation, row.octets): row.cycles for row in msp430}
    hashed = {one.label: dict(one.points) for one in curves(figures()[1], study.rows, "msp430")}
    assert hashed["sha3_256"][128] == of["sha3_256", "", "digest", 128]
    coded = {one.label: dict(one.points) for one in curves(figures()[2], study.rows, "msp430")}
    parts = [of["hmac", "sha256", name, 64] for name in ("update", "final")]
    assert coded["hmac sha256"][64] == sum(parts)
    # Under the loop the same functions run; the marks around them cost nothing.
    alone = {row.operation: row.bare_cycles for row in study.events}
    assert set(alone) == {one.name for own in FIGURES.values() for c in own.values() for one in c}
    assert alone["sha3_256 128"] == pytest.approx(of["sha3_256", "", "digest", 128], rel=0.01)
    assert alone["aes128-blocks 128"] == pytest.approx(
        8 * of["aes128", "tab", "encrypt", 16], rel=0.03
    )
    for number in FIGURES:
        figure = figures()[number - 1]
        assert figure.under_loop
        for field in ("cycles_mean", "bare_cycles"):
            assert [one.label for one in loop_curves(figure, study.events, field)] == [
                *FIGURES[number]
            ]
    assert draw(figures()[3], study.rows, study.timed, study.events) == (
        tmp_path / "figure-4.svg"
    ).read_text(encoding="utf-8")
    documents = [document.opened(root / name, page.BLOCKS) for name in DOCUMENTS]
    assert all(map(page.BLOCKS.are_in, documents))
    blocks = {
        name: text for shown in documents for name, text in document.texts(shown, view.KIND).items()
    }
    assert sorted(blocks) == sorted(page.BLOCKS.makes)
    assert_claims_are_shown(study, blocks["claims"], tmp_path / "primitives.html", root)
    for name in ("ascon", "smallest", "telosb", "edison", "figures", "unsound"):
        wanted = page.BLOCKS.makes[name](study)
        assert NUMBER.sub("#", wanted) == NUMBER.sub("#", blocks[name]), name
        pairs = zip(NUMBER.findall(blocks[name]), NUMBER.findall(wanted), strict=True)
        assert [
            (a, b) for a, b in pairs if abs(float(a) - float(b)) > TOLERANCE * max(1.0, float(a))
        ] == [], name
