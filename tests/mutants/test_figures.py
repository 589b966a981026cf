# SPDX-License-Identifier: BSD-3-Clause
"""Mutants of what figures come from: what the operators of each language make of a source, which
tests judge what, and that a test which fails anyway judges nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.mutants import figures, of_data, of_python, of_rust
from tests.mutants.language import Mutant
from tests.mutants.trial import ROOT

RECORD = b"""[board]
cpu = "msp430" # 3 of them
order = 1
band = true

[current.cpu.active]
value = 500
below = { value = 330, supply_v = 2.2 }
source = "p. 27, 4.15 MHz"

[current.cpu.lpm2]
value = 17

[marks]
sec1 = "2.7"
"""
BENCH = b'''
@dataclass(frozen=True)
class Row:
    """A row."""
    cycles: int

def mean(rows: list[Row], more: int = 1) -> float:
    """The mean of rows, 100 %."""
    if not rows and more > 2:
        return 1.5
    total = sum(row.cycles for row in rows if row.cycles)
    print(total)
    return Figures(cycles=total / len(rows), octets=more)
'''
MOTE = b"""
#[derive(Default)]
struct A { b: [u8; 4] }
impl A {
    fn due(&mut self, now: u64) -> Option<u64> {
        debug_assert!(now > 7);
        if self.on && now >= 0x10 { self.stop(now); }
        Some(self.next.min(now + 12))
    }
}
#[cfg(test)]
mod tests { fn f() -> bool { 1 > 2 } }
"""


def made(found: Iterable[Mutant]) -> set[tuple[str, str, str]]:
    """What is put in the place of what."""
    return {(one.operator, one.old, one.new) for one in found}


def test_records() -> None:
    """Numbers, pins and flags change; texts and remarks do not."""
    found = made(of_data.mutants("boards/a.toml", RECORD))
    changes = {one for one in found if one[0] != "swapped"}
    assert changes == {
        ("one more", "1", "2"),
        ("truth", "true", "false"),
        ("5 % more", "500", "525"),
        ("5 % less", "500", "475"),
        ("5 % more", "330", "346"),
        ("5 % less", "330", "314"),
        ("5 % more", "2.2", "2.31"),
        ("5 % less", "2.2", "2.09"),
        ("one more", "17", "18"),
        ("pin", '"2.7"', '"2.0"'),
    }
    swapped = {(old.split()[0], old.split()[-1]) for name, old, _ in found if name == "swapped"}
    assert swapped == {("500", "330"), ("330,", "2.2"), ("2.2", "17")}


def test_the_bench() -> None:
    """Conditions, numbers, arguments and statements change; annotations, decorators, fields that
    are declared and docstrings do not."""
    found = made(of_python.mutants("bench/a.py", BENCH))
    assert {one for one in found if one[0] not in ("early", "swapped")} == {
        ("number", "1", "0"),
        ("number", "1", "2"),
        ("number", "2", "0"),
        ("number", "2", "1"),
        ("number", "2", "3"),
        ("negated", "not rows and more > 2", "not (not rows and more > 2)"),
        ("logic", "and", "or"),
        ("one side", "not rows and more > 2", "(not rows)"),
        ("one side", "not rows and more > 2", "(more > 2)"),
        ("relational", ">", ">="),
        ("relational", ">", "<="),
        ("boundary", "2", "(2) + 1"),
        ("boundary", "2", "(2) - 1"),
        ("figure", "1.5", "1.5750000000000002"),
        ("chosen", "if row.cycles", ""),
        ("arithmetic", "/", "*"),
        ("removed", "print(total)", "pass"),
        ("removed", "total = sum(row.cycles for row in rows if row.cycles)", "pass"),
    }
    assert ("swapped", "(cycles=total / len(rows), octets=more)",
            "(cycles=more, octets=total / len(rows))") in found  # fmt: skip
    assert [new for name, _, new in found if name == "early"] == ["return None"]


def test_the_motes() -> None:
    """As the bench; attributes, macros, lengths of arrays and tests do not change."""
    found = made(of_rust.mutants("motes/a.rs", MOTE))
    assert {one for one in found if one[0] not in ("early", "decided", "negated")} == {
        ("logic", "&&", "||"),
        ("one side", "self.on && now >= 0x10", "(self.on)"),
        ("one side", "self.on && now >= 0x10", "(now >= 0x10)"),
        ("relational", ">=", ">"),
        ("relational", ">=", "<"),
        ("boundary", "0x10", "(0x10) + 1"),
        ("boundary", "0x10", "(0x10) - 1"),
        ("number", "0x10", "0"),
        ("number", "0x10", "15"),
        ("number", "0x10", "17"),
        ("number", "12", "0"),
        ("number", "12", "11"),
        ("number", "12", "13"),
        ("arithmetic", "+", "-"),
        ("other name", "min", "max"),
        ("removed", "self.stop(now);", "{}"),
    }
    assert [new for name, _, new in found if name == "early"] == ["{ None }"]


@pytest.mark.parametrize("path", ["boards/telosb.toml", "bench/wardmote/units.py"])
def test_every_mutant_changes_something(path: str) -> None:
    """And only what it names: the rest of the file stays."""
    source = (ROOT / path).read_bytes()
    for mutant in figures.mutants_of(path):
        changed = mutant.applied(source)
        assert changed != source
        assert len(changed) - len(source) == len(mutant.new.encode()) - len(mutant.old.encode())


def test_every_file_has_tests() -> None:
    """Each file that is changed has a room, and each place of its tests is there."""
    parts = {figures.part_of(path) for path in figures.sources()}
    assert parts == {"data", "motes", "bench"}
    for room in {figures.room_of(path) for path in figures.sources()}:
        assert all((ROOT / place).exists() for place in figures.places_of(room)), room


TESTS = """
from pathlib import Path

import pytest


def test_that_fails_anyway():
    assert False


@pytest.mark.document
def test_document():
    assert "75" in Path("batteries/a.toml").read_text()


def test_value():
    assert float(Path("batteries/a.toml").read_text().split("=")[1]) < 78
"""


def test_a_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that fails without the defect, too, and one that compares documents judge nothing."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\nmarkers = ["document: one"]\n', encoding="utf-8"
    )
    record, tests = tmp_path / "batteries/a.toml", tmp_path / "test_a.py"
    record.parent.mkdir()
    record.write_text("value = 75\n", encoding="utf-8")
    tests.write_text(TESTS, encoding="utf-8")
    monkeypatch.setattr(figures, "FIRST", ("test_a.py",))
    tree = figures.FigureTree(tmp_path)
    monkeypatch.setattr(tree, "use_extension", lambda: None)
    found = {
        mutant.operator: tree.judge(mutant, figures.ROUNDS[0])
        for mutant in of_data.mutants("batteries/a.toml", record.read_bytes())
    }
    assert {name: (one.what, one.by) for name, one in found.items()} == {
        "5 % less": ("survived", ""),
        "5 % more": ("noticed", "data: test_a.py::test_value"),
    }
    assert tree.failing == ["test_a.py::test_that_fails_anyway"]
