# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote primitives`: output, refusals, what is kept, and the document."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.bench import refusals
from tests.bench.refusals import check_refused
from wardmote import linked
from wardmote.campaign.local import Local
from wardmote.campaign.runner import Runner, Told
from wardmote.campaign.store import Store
from wardmote.commands.primitives import SIZES
from wardmote.cpus import CPU_NAMES
from wardmote.errors import UsageError
from wardmote.measurements.function.board import boards
from wardmote.measurements.primitives import run
from wardmote.measurements.primitives.campaign import Selection, measure
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.views import document
from wardmote.views.primitives import table as view

DOCUMENT = "docs/what-does-a-primitive-cost.md"
NUMBER = re.compile(r"\d+(?:\.\d+)?")
PATIENCE_S = 120
"""What takes longer will never be."""
TOLERANCE = 0.05
"""Another compiler moves figures a little; a document need not follow."""


def output(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of `wardmote primitives`."""
    return refusals.output(capsys, "primitives", *words)


def until(condition: Callable[[], bool]) -> bool:
    """Waits until the condition holds; False if it did not in good time."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def in_session(leader: int) -> list[int]:
    """Processes of a session that still run."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = place.read_text(encoding="utf-8").rpartition(")")[2].split()[:4]
        except OSError:  # It has ended meanwhile.
            continue
        if int(session) == leader and state != "Z":
            found.append(int(place.parent.name))
    return found


@pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are looked up as Linux lists them"
)
def test_who_is_terminated_leaves_nobody_behind() -> None:
    """Two processes measure what takes long; both are gone with the one that was told to end."""
    words = (
        "--cpu",
        "avr",
        "--only",
        "sha256,sha3_256",
        "--runs",
        "1000",
        "--jobs",
        "2",
        "--seed",
        "99",
    )
    command = [sys.executable, "-m", "wardmote", "primitives", *words]
    with subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        # This one, two that measure, and one that watches what they share.
        began = until(lambda: process.poll() is not None or len(in_session(process.pid)) >= 4)
        process.terminate()
        try:  # One that was only beginning may say why it ends.
            out, _ = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    assert began
    assert (process.returncode, out) == (143, b"")
    # Those that were ended need a moment.
    assert until(lambda: not in_session(process.pid)), in_session(process.pid)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--cpu", "z80"], "no CPU 'z80': possible are " + ", ".join(CPU_NAMES)),
        (["--only", "des"], "no primitive 'des': possible are aes128"),
        (["--size", "many"], "no size 'many': possible are 1 to 1024 octets"),
        (["--size", "12,0"], "no size '0'"),
        (["--size", "1025"], "no size '1025'"),
        (
            ["--only", "cbc", "--size", "13"],
            "for cbc: multiples of 16 octets or multiples of 8 octets or multiples of 12 octets",
        ),
        (["--runs", "1"], "give at least 2"),
        (["--jobs", "0"], "no number of jobs 0: possible are 1 to 1024"),
        (["--report", ""], "no folder ''"),
        (["--report", f"{__file__}/below"], f"{__file__} is no folder"),
        (["--board", "z1"], "no board 'z1'"),
        (
            ["--cpu", "avr", "--board", "telosb"],
            "board telosb has an msp430, which is not measured",
        ),
        (["--format", "xml"], "no format 'xml'"),
        (["--columns", "nothing"], "no column 'nothing': possible are all, cpu"),
        (["--cpu", "host32", "--columns", "cycles"], "no column 'cycles': possible are all, cpu"),
        (["--best", "--columns", "nothing"], "no column 'nothing'"),
        (["--paper", "--columns", "nothing"], "no column 'nothing'"),
        (["--anchors", "--columns", "nothing"], "no column 'nothing'"),
        (["--forms", "--columns", "nothing"], "no column 'nothing'"),
        (["--engine", "slurm"], "no engine 'slurm': possible are local, dask, dask:ADDRESS"),
        (["--document", "no/such.md"], "no/such.md: cannot be read"),
    ],
)
def test_refusals(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An impossible request gives one line on stderr, exit code 2, and no output on stdout."""
    check_refused(capsys, says, "primitives", *words)


def test_formats_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON and CSV hold the same rows. Time and energy are for the board's clock."""
    words = (
        "--cpu",
        "msp430,armv7m",
        "--only",
        "trivium",
        "--size",
        "12,40",
        "--board",
        "telosb@4.19MHz",
        "--runs",
        "2",
    )
    code, out, _ = output(capsys, *words, "--format", "json")
    rows = json.loads(out)
    assert code == 0
    assert [(row["cpu"], row["operation"], row["octets"]) for row in rows] == [
        (cpu, operation, octets)
        for cpu in ("msp430", "armv7m")
        for _variant in ("", "small")
        for operation, octets in (("init", 0), ("encrypt", 12), ("encrypt", 40))
    ]
    first = rows[0]
    assert first["clock_hz"] == 4_194_304
    assert first["time_us"] == pytest.approx(first["cycles"] / 4.194304, abs=0.001)
    assert first["energy_uj"] == pytest.approx(
        first["time_us"] * first["supply_v"] * first["current_ma"] / 1000, rel=1e-4
    )
    table = list(csv.DictReader(io.StringIO(output(capsys, *words, "--format", "csv")[1])))
    assert [int(row["cycles"]) for row in table] == [row["cycles"] for row in rows]
    shown = output(capsys, *words)[1]
    assert "trivium" in shown
    assert "Secrets change nothing in 12 of them" in shown


def selected(**changed: Any) -> Selection:
    """Three entries on one CPU."""
    chosen = tuple(one for one in PRIMITIVES if one.label == "grain_v1" or one.name == "skipjack")
    values = {"sizes": (12,), "runs": 2, "seed": 1, **changed}
    return Selection(("msp430",), chosen, boards=boards((), ("msp430",)), **values)


def test_what_is_known_is_not_measured_again(tmp_path: Path) -> None:
    """A second run gives the same rows from what was kept. Other seeds or operations are measured;
    other sizes are where the primitive has a message; another board is not."""
    told: list[str] = []

    @contextmanager
    def watch(_cases: int, _known: int) -> Iterator[Told]:
        yield lambda label: told.append(label)

    runner = Runner(Local(2), Store(tmp_path), watch)
    first = measure(selected(), runner)
    assert (first.reused, first.measured) == (0, 3)
    assert sorted(told) == ["msp430 grain_v1", "msp430 skipjack", "msp430 skipjack small"]
    again = measure(selected(), runner)
    assert (again.reused, again.measured) == (3, 0)
    assert again.rows == first.rows
    others = (({"seed": 2}, 3), ({"sizes": (13,)}, 1), ({"operations": ("init",)}, 3))
    for changed, fresh in others:
        assert measure(selected(**changed), runner).measured == fresh
    slower = measure(replace(selected(), boards=boards(("telosb@4.19MHz",), ("msp430",))), runner)
    assert slower.measured == 0
    assert slower.rows != first.rows


def test_processes_do_not_show(tmp_path: Path) -> None:
    """Two processes give the rows that one gives."""
    one, two = (Runner(Local(jobs), Store(tmp_path / str(jobs))) for jobs in (1, 2))
    assert measure(selected(), one).rows == measure(selected(), two).rows


def test_what_is_not_built_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without archives there is one line with the command that makes them."""
    monkeypatch.setattr(linked, "BUILD", tmp_path)
    monkeypatch.setattr(linked, "ROOT", tmp_path)
    linked.parts_of.cache_clear()
    with pytest.raises(UsageError, match="build it with `make stack`"):
        measure(selected(), Runner(store=Store(tmp_path)))


def test_what_lacks_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A primitive that an executable does not hold has no rows and stands in the list."""
    lacks = {"grain_v1": ("wm_grain_v1_init",)}
    monkeypatch.setattr(run, "lacking", lambda cpu, primitive: lacks.get(primitive.name, ()))
    result = measure(selected(), Runner(store=Store(tmp_path)))
    assert {row.primitive for row in result.rows} == {"skipjack"}
    assert [view.missing(lack) for lack in result.missing] == [
        "grain_v1 on msp430: libwardmote.a has no wm_grain_v1_init"
    ]


def test_what_lacks_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command names what was not measured on stderr, and exits with 1."""
    monkeypatch.setattr(
        run, "lacking", lambda cpu, primitive: ("wm_x",) if primitive.variant == "small" else ()
    )
    code, out, err = output(
        capsys, "--cpu", "avr", "--only", "skipjack", "--runs", "2", "--format", "csv"
    )
    assert (code, len(out.splitlines())) == (1, 4)
    assert "not measured: skipjack small on avr: libwardmote.a has no wm_x" in err


def test_a_document_without_marks_is_refused(tmp_path: Path) -> None:
    """A file without blocks, or with an unknown block, is refused and not written."""
    path = tmp_path / "page.md"
    for text, says in (
        ("words\n", "no block of"),
        ("<!-- primitives: z80 -->\n<!-- primitives: end -->\n", "'z80'"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match=says):
            document.opened(path, view.BLOCKS)


@pytest.mark.document
@pytest.mark.early
@pytest.mark.turns(3)
def test_the_document_is_up_to_date(root: Path) -> None:
    """Words are those that the figures give; no figure is more than a twentieth away. `make docs`
    writes them."""
    rows: list[PrimitiveRow] = []
    for cpu in CPU_NAMES:
        # The paper's lengths are on one CPU, those of the other tables on all.
        sizes = SIZES if cpu == "msp430" else (16, 64)
        selection = Selection((cpu,), PRIMITIVES, sizes, boards((), (cpu,)), runs=2, seed=1)
        rows += measure(selection, Runner(Local(2))).rows
    text = document.opened(root / DOCUMENT, view.BLOCKS)
    wanted = view.BLOCKS.filled(text, rows)
    assert NUMBER.sub("#", wanted) == NUMBER.sub("#", text)
    far = [
        (old, new)
        for old, new in zip(NUMBER.findall(text), NUMBER.findall(wanted), strict=True)
        if abs(float(old) - float(new)) > TOLERANCE * max(1.0, float(old))
    ]
    assert far == []
