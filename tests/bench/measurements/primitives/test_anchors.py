# SPDX-License-Identifier: BSD-3-Clause
"""Figures of others beside ours: the data are complete, each comparison is computed, every
primitive has two forms."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from wardmote.campaign.local import Local
from wardmote.campaign.runner import Runner
from wardmote.cli import main
from wardmote.commands.primitives_anchors import frames
from wardmote.cpus import CPU_NAMES
from wardmote.measurements.function.board import boards
from wardmote.measurements.primitives import run
from wardmote.measurements.primitives.campaign import Selection, measure
from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.study.primitives.anchors import (
    HOW,
    UNITS,
    Anchor,
    AnchorRow,
    Figure,
    anchors,
    compare,
    figures,
    forms,
    forms_selection,
    is_frame,
    main_operation,
    pairs,
    selections,
)
from wardmote.views import document
from wardmote.views.primitives import anchors as anchors_view
from wardmote.views.primitives import table as view
from wardmote.views.primitives.anchors import Compared
from wardmote.views.table import to_markdown

# One worker, so measured once.
pytestmark = pytest.mark.xdist_group("anchors")

RUNNER = Runner(Local(2))
"""Two processes, and figures of earlier runs."""
DOCUMENT = "docs/how-fast-is-the-code.md"
NUMBER = re.compile(r"\d+(?:\.\d+)?")
TOLERANCE = 0.05
ANCHORS_OF = {
    **{("msp430", "aes128"): 17, ("avr", "aes128"): 23, ("armv7m", "aes128"): 17},
    **{(cpu, name): 1 for cpu in CPU_NAMES for name in ("ccm", "cbc")},
    **{
        ("msp430", "ctr"): 1,
        ("avr", "ctr"): 1,
        ("armv7m", "ctr"): 2,
        ("avr", "eax"): 1,
        ("armv7m", "eax"): 1,
    },
    **{("avr", "skipjack"): 1, ("msp430", "rc5"): 4, ("avr", "rc5"): 6, ("armv7m", "rc5"): 4},
    **{
        ("avr", "sha1"): 1,
        ("avr", "sha256"): 3,
        ("avr", "blake2s"): 1,
        ("avr", "sha3_256"): 1,
        ("avr", "hmac"): 1,
    },
    **{
        ("armv7m", "sha1"): 1,
        ("armv7m", "sha256"): 2,
        ("armv7m", "blake2s"): 1,
        ("armv7m", "sha3_256"): 1,
    },
    **{
        ("armv7m", "hmac"): 1,
        ("avr", "ascon_aead128"): 2,
        ("armv7m", "ascon_aead128"): 4,
        ("avr", "ascon_hash256"): 1,
    },
    **{("avr", "grain128_aead"): 1, ("armv7m", "grain128_aead"): 1},
}
"""As counted in the sources."""
BLOCK_BOUNDS = {"msp430": 2300, "avr": 2090, "armv7m": 630}
FRAME_BOUNDS = {"msp430": 49_651, "avr": 40_051, "armv7m": 13_760}
TWO_FORMS = (
    *("aes128", "skipjack", "rc5", "trivium", "grain_v1", "grain128_aead", "ccm"),
    *("sha1", "sha256", "blake2s", "sha3_256", "ascon_hash256", "ascon_aead128"),
    *("curupira1_96", "curupira1_144", "curupira1_192", "curupira2", "ketje_sr", "ketje_jr"),
)
"""What has to have a small form."""
ANCHOR = Anchor(
    cpu="avr",
    primitive="sha1",
    variants=(),
    operations=("digest",),
    unit="whole",
    octets=(128,),
    a_octets=0,
    cycles=1000.0,
    how="printed",
    source="Somebody, Table 1",
    certain=True,
    note="in C",
    why="So it is.",
)


def of(cycles: int, **more: object) -> Figure:
    """A made-up figure of ours."""
    given = {
        "cpu": "avr",
        "primitive": "sha1",
        "variant": "",
        "operation": "digest",
        "octets": 128,
        "a_octets": 0,
    }
    return Figure(**{**given, "cycles": cycles, "cycles_low": None, **more})  # type: ignore[arg-type]


def selected(*names: str) -> Selection:
    """What the command measures of these primitives; of all if none is named."""
    chosen = tuple(one for one in PRIMITIVES if not names or one.name in names)
    return Selection(CPU_NAMES, chosen, (128,), boards((), CPU_NAMES), runs=2, seed=1)


@pytest.fixture(scope="module")
def rows() -> list[AnchorRow]:
    """Every anchor with ours."""
    selection, found = selected(), anchors()
    ours = [
        figure
        for one in selections(selection, found)
        for figure in figures(measure(one, RUNNER).rows)
    ]
    return compare(found, [*ours, *frames(selection, found, RUNNER)])


def test_the_data_are_complete() -> None:
    """As many figures as the sources have, each of known kind, with its source, and what is not
    verified says why."""
    found = anchors()
    assert dict(Counter((one.cpu, one.primitive) for one in found)) == ANCHORS_OF
    assert {one.how for one in found} == set(HOW)
    assert {one.unit for one in found} == set(UNITS)
    assert all(one.cycles > 0 and one.source for one in found)
    assert [one for one in found if one.how == "derived" and not one.note] == []
    assert [one for one in found if not one.certain and not one.note] == []
    assert {len(one.octets) for one in found if one.unit == "long octet"} == {2}
    assert {len(one.octets) for one in found if one.unit == "whole"} == {0, 1}
    assert len(set(found)) == len(found)


def test_figures_are_read_as_given(root: Path) -> None:
    """Cycles as printed, microseconds at a clock, and both times something over something; every
    source is used."""
    found = {
        (one.cpu, one.primitive, one.operations, one.how, one.cycles): one for one in anchors()
    }
    assert found["msp430", "aes128", ("encrypt",), "printed", 2112].source.startswith("Buhrow")
    assert found["avr", "sha1", ("digest",), "converted", 349.76].octets == (128, 1024)
    assert found["avr", "rc5", ("encrypt",), "derived", 2631.6].note.startswith("20 rounds")
    assert found["avr", "hmac", ("init", "final"), "converted", 182225.6].variants == ("sha256",)
    assert found["avr", "ascon_aead128", ("crypt",), "measured", 387.5].certain
    assert not found["avr", "sha256", ("digest",), "printed", 335].certain
    data = tomllib.loads((root / "published/anchors.toml").read_text(encoding="utf-8"))
    assert {one["source"] for one in data["anchor"]} == set(data["source"])


def test_every_anchor_means_something_of_ours() -> None:
    """Each figure's primitive, variants and operations are in the table."""
    table = {
        (one.name, one.variant): {operation.name for operation in one.operations}
        for one in PRIMITIVES
    }
    for anchor in anchors():
        variants = anchor.variants or tuple(
            variant
            for name, variant in table
            if name == anchor.primitive and "small" not in variant
        )
        assert all((anchor.primitive, variant) in table for variant in variants), anchor
        assert any(
            set(anchor.operations) <= table[anchor.primitive, variant] for variant in variants
        ), anchor


def test_held_and_not_held() -> None:
    """A bound that is kept is held. A bound that is exceeded gives the reason. A bound without a
    measurement is neither."""
    row = compare(
        [ANCHOR], [of(1000), of(900, cpu="armv7m"), of(800, octets=64), of(700, variant="small")]
    )[0]
    assert (row.held, row.ours_cycles, row.ratio, row.why, row.variant) == (True, 1000, 1.0, "", "")
    row = compare([ANCHOR], [of(1250)])[0]
    assert (row.held, row.ratio, row.why) == (False, 0.8, "So it is.")
    row = compare([ANCHOR], [])[0]
    assert (row.held, row.ours_cycles, row.ratio) == (None, None, None)
    assert "not measured" in row.why
    small = replace(ANCHOR, variants=("small",))
    assert compare([small], [of(100), of(700, variant="small")])[0].ours_cycles == 700


def test_the_slow_end_of_a_band_is_compared() -> None:
    """The best variant is that whose slow end is least; a fast end does not hold anything."""
    row = compare([ANCHOR], [of(1100, cycles_low=900), of(1200, variant="tab", cycles_low=100)])[0]
    assert (row.held, row.ours_cycles, row.ours_cycles_low, row.variant) == (False, 1100, 900, "")


def test_a_rate_is_between_two_lengths() -> None:
    """The cost of an octet leaves out the fixed cost of a message. With one length alone there is
    no cost of an octet."""
    rate = replace(ANCHOR, unit="long octet", octets=(128, 1024), cycles=10.0)
    row = compare([rate], [of(5_000 + 8 * 1024, octets=1024), of(5_000 + 8 * 128)])[0]
    assert (row.ours_cycles, row.ratio, row.held) == (8.0, 1.25, True)
    assert compare([rate], [of(1024)])[0].held is None


def test_operations_are_added() -> None:
    """A figure of two operations is compared with both; one that no length matters to is found
    too."""
    both = replace(ANCHOR, operations=("init", "final"))
    ours = [
        of(300, operation="init", octets=0),
        of(600, operation="final"),
        of(9, operation="final", a_octets=128),
    ]
    assert compare([both], ours)[0].ours_cycles == 900
    assert compare([both], ours[:1])[0].ours_cycles is None


def test_every_figure_is_compared(rows: Sequence[AnchorRow]) -> None:
    """Ours is measured for each, and where it is slower there is a reason; no reason is left where
    it is not."""
    assert [row for row in rows if row.held is None] == []
    assert [row for row in rows if row.held is False and not row.why] == []
    found = anchors()
    assert [one for one, row in zip(found, rows, strict=True) if one.why and row.held] == []
    for row in rows:
        assert row.ours_cycles is not None
        assert row.held == (row.ours_cycles <= row.theirs_cycles)
        assert row.ratio == pytest.approx(row.theirs_cycles / row.ours_cycles, abs=0.001)


def test_bounds_of_aes_and_frames(rows: Sequence[AnchorRow]) -> None:
    """A block of AES-128 stays within its bound, and the longest frame below the best that others
    have, on each CPU."""
    bounds = {row.cpu: row for row in rows if row.how == "bound"}
    assert {cpu: row.theirs_cycles for cpu, row in bounds.items()} == BLOCK_BOUNDS
    assert all(row.held and row.operations == "encrypt" for row in bounds.values())
    sealed = {row.cpu: row for row in rows if row.primitive == "ccm"}
    assert {cpu: row.theirs_cycles for cpu, row in sealed.items()} == FRAME_BOUNDS
    for cpu, row in sealed.items():
        assert (row.octets, row.a_octets) == (86, 35)
        assert row.ours_cycles is not None
        assert 10 * BLOCK_BOUNDS[cpu] / 2 < row.ours_cycles < row.theirs_cycles


def test_listed_primitives_are_not_slower(rows: Sequence[AnchorRow]) -> None:
    """Blocks, hashes, permutations and streams of what is known with certainty: only keys and
    counter mode are ever slower."""
    late = [row for row in rows if row.held is False and row.certain]
    assert {(row.primitive, row.variant, row.operations) for row in late} <= {
        ("aes128", "tab", "init"),
        ("aes128", "fix, two blocks", "init"),
        ("ctr", "aes128-tab", "encrypt"),
        ("rc5", "", "init"),
    }


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_every_primitive_has_a_small_form(cpu: str) -> None:
    """On each CPU both forms are there, with the same operations."""
    found: dict[str, list[tuple[Primitive, Primitive]]] = {}
    for fast, small in pairs():
        found.setdefault(fast.name, []).append((fast, small))
    assert [name for name in TWO_FORMS if name not in found] == []
    for name in TWO_FORMS:
        for fast, small in found[name]:
            assert (run.lacking(cpu, fast), run.lacking(cpu, small)) == ((), ())
            assert [one.name for one in fast.operations] == [one.name for one in small.operations]
            assert main_operation(fast) == main_operation(small)


def test_forms_are_paired() -> None:
    """A small form stands beside the entry that it is one of; an entry without one is left out."""
    labels = {(fast.label, small.label) for fast, small in pairs()}
    assert ("aes128 tab", "aes128 small") in labels
    assert ("aes128 tab inverse", "aes128 small inverse") in labels
    assert ("lettersoup curupira2", "lettersoup curupira2 small") in labels
    assert ("ccm aes128-tab", "ccm aes128-small") in labels
    assert all("small" not in fast and "fix" not in fast for fast, _ in labels)
    alone = [one for one in PRIMITIVES if one.label == "sha1 small"]
    assert pairs(alone) == []


def far(old: str, new: str) -> list[tuple[str, str]]:
    """Numbers that are more than a twentieth apart; the words are the same."""
    assert NUMBER.sub("#", old) == NUMBER.sub("#", new)
    both = zip(NUMBER.findall(old), NUMBER.findall(new), strict=True)
    return [(a, b) for a, b in both if abs(float(a) - float(b)) > TOLERANCE * max(1.0, float(a))]


def test_fast_beside_small(root: Path) -> None:
    """A small form takes less flash and more cycles on each CPU. The rows and the document have the
    same figures."""
    selection = forms_selection(selected("skipjack", "sha1", "ascon_aead128"))
    measured = measure(selection, RUNNER).rows
    found = forms(measured, CPU_NAMES)
    assert [(row.primitive, row.cpu) for row in found] == [
        (name, cpu) for name in ("skipjack", "sha1", "ascon_aead128") for cpu in CPU_NAMES
    ]
    assert {row.operation for row in found} == {"encrypt", "digest", "seal"}
    for row in found:
        assert row.small_flash_octets < row.fast_flash_octets
        assert row.small_cycles > row.fast_cycles
    one = next(
        row
        for row in measured
        if (row.cpu, row.primitive, row.operation) == ("avr", "sha1", "digest")
    )
    form = next(row for row in found if (row.cpu, row.primitive) == ("avr", "sha1"))
    assert (form.fast_cycles, form.fast_flash_octets, form.octets) == (
        one.cycles,
        one.flash_octets,
        128,
    )
    assert form.fast_ram_octets == one.ram_octets + one.static_ram_octets
    assert anchors_view.forms_answer(found).startswith("9 pairs: a small form takes ")
    shown = (root / DOCUMENT).read_text(encoding="utf-8").splitlines(keepends=True)
    for line in to_markdown(found, anchors_view.FORMS).splitlines(keepends=True)[2:]:
        named = line.split("|")[:5]
        assert far(next(old for old in shown if old.split("|")[:5] == named), line) == [], named


def test_words() -> None:
    """The answer counts what could be verified apart; a figure that could not be is marked wherever
    it stands."""
    doubtful = replace(ANCHOR, certain=False, unit="long octet", octets=(128, 1024), cycles=1.0)
    ours = [of(1250), of(1250 + 896 * 2, octets=1024)]
    first, second = compare([ANCHOR, doubtful], ours)
    assert (
        anchors_view.answer([first, second])
        == "0 of 1 anchors held; 0 of 1 that could not be verified."
    )
    assert anchors_view.answer(compare([ANCHOR], [of(1)])) == "1 of 1 anchors held."
    assert (anchors_view.theirs(second), anchors_view.verdict(second)) == ("1.0?", "no?")
    assert anchors_view.what(second) == "digest, an octet from 128 to 1024"
    assert anchors_view.whose(first) == "Somebody"
    assert anchors_view.known(first) == "in C. So it is"
    assert "**sha1** on avr, digest of 128: 1250, Somebody 1000. So it is." in anchors_view.slower(
        [first]
    )
    assert anchors_view.slower([]) == "None.\n"
    assert "| printed | 1 | 0 | 1 |" in anchors_view.counts([first, second])


def test_frames_are_told_from_messages() -> None:
    """Only lengths that the table does not have are measured apart."""
    assert {anchor.primitive for anchor in anchors() if is_frame(anchor)} == {"ccm"}
    assert frames(selected("sha1"), anchors(), RUNNER) == []


def output(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of `wardmote primitives`."""
    code = main(["primitives", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Rows as data with the answer on stderr, and as a table with reasons and the answer below."""
    code, out, err = output(
        capsys, "--anchors", "--only", "ctr", "--cpu", "armv7m", "--format", "json"
    )
    assert code == 0
    assert [row["held"] for row in json.loads(out)] == [True, False]
    assert err == "1 of 2 anchors held.\n"
    code, out, _ = output(capsys, "--anchors", "--only", "ctr", "--cpu", "armv7m")
    assert code == 0
    assert out.splitlines()[-2:] == [
        "ctr aes128-tab, armv7m, encrypt, an octet from 128 to 1024: Theirs is cipher and "
        "counter mode in one piece, "
        "for AES alone; ours calls whatever cipher it is given, block by block.",
        err[:-1],
    ]
    code, out, err = output(capsys, "--forms", "--only", "rc5", "--format", "csv")
    assert (code, out.count("\n"), err[:8]) == (0, 4, "3 pairs:")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--anchors", "--forms"], "--anchors and --forms are different things: give one"),
        (
            ["--anchors", "--cpu", "host32"],
            "--anchors has no host32: possible are " + ", ".join(CPU_NAMES),
        ),
        (["--anchors", "--size", "16"], "give no --size with --anchors"),
        (
            ["--anchors", "--only", "trivium"],
            "no figure of others is known for trivium on " + ", ".join(CPU_NAMES),
        ),
        (["--forms", "--only", "cbc,eax", "--size", "128"], "give no --size with --forms"),
    ],
)
def test_refusals(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An impossible request gives one line on stderr, exit code 2, and no output on stdout."""
    code, out, err = output(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err


@pytest.mark.document
def test_the_document_is_up_to_date(rows: Sequence[AnchorRow], root: Path) -> None:
    """All blocks are there; words are those that the figures give; no figure is more than a
    twentieth away."""
    text = document.opened(root / DOCUMENT, anchors_view.BLOCKS)
    blocks = document.texts(text, view.KIND)
    assert set(blocks) == set(anchors_view.BLOCKS.makes)
    assert anchors_view.BLOCKS.are_in(text)
    compared = Compared(tuple(rows), ())
    for name in (
        "anchors-answer",
        "anchors-slower",
        "anchors-counts",
        "anchors",
        "anchors-sources",
    ):
        assert far(blocks[name], anchors_view.BLOCKS.makes[name](compared)) == [], name
    listed = [
        tuple(cell.strip() for cell in line.split("|")[1:5])
        for line in blocks["forms"].splitlines()[2:]
    ]
    assert listed == [
        (cpu, fast.name, fast.variant, small.variant)
        for fast, small in pairs()
        for cpu in CPU_NAMES
    ]
