# SPDX-License-Identifier: BSD-3-Clause
"""The tool that draws mutants. Its operators change a source as they say, one seed draws the same
mutants each time, a mutant with the object code of its source is passed over, and a defect is
noticed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.mutants import __main__ as command
from tests.mutants.language import Mutant
from tests.mutants.operators import OPERATORS, mutants
from tests.mutants.trial import ROUNDS, Round, Tree, Verdict, sources

PATH = "stack/src/mode/example.c"
SOURCE = """
static WM_NOINLINE wm_status twice(uint8_t *to, size_t len)
{
    uint8_t octet[4];
    if (to == NULL || len > 4u) {
        return WM_ERR_PARAM;
    }
    for (size_t n = 0; n < len; n++) {
        octet[n] = (uint8_t)(to[n] << 1);
    }
    wm_copy(to, octet, len);
    wm_wipe(octet, LONGEST_LEN);
    return WM_OK;
}
"""


def made(source: str, operator: str) -> set[tuple[str, str]]:
    """What an operator puts in the place of what."""
    found = mutants(PATH, source.encode())
    return {(one.old, one.new) for one in found if one.operator == operator}


@pytest.mark.parametrize(
    ("operator", "changes"),
    {
        "relational": {("==", "!="), (">", ">="), (">", "<="), ("<", "<="), ("<", ">=")},
        "bits": {("<<", ">>")},
        "logic": {("||", "&&")},
        "boundary": {("4u", "(4u) + 1"), ("4u", "(4u) - 1"), ("len", "(len) + 1"), ("len", "(len) - 1")},
        "step": {("++", "--")},
        "swapped": {
            ("(to, octet, len)", "(octet, to, len)"),
            ("(to, octet, len)", "(to, len, octet)"),
            ("(octet, LONGEST_LEN)", "(LONGEST_LEN, octet)"),
        },
        "removed": {
            ("octet[n] = (uint8_t)(to[n] << 1);", ";"),
            ("wm_copy(to, octet, len);", ";"),
            ("wm_wipe(octet, LONGEST_LEN);", ";"),
        },
        "early": {("{", "{ return WM_OK;")},
        "constant": {
            ("WM_ERR_PARAM", "WM_OK"),
            ("WM_OK", "WM_ERR_PARAM"),
            ("LONGEST_LEN", "(LONGEST_LEN + 1)"),
            ("LONGEST_LEN", "(LONGEST_LEN - 1)"),
        },
        "number": {("4", "3"), ("4u", "0u"), ("4u", "3u"), ("4u", "5u"), ("0", "1"), ("1", "0"), ("1", "2")},
        "decided": {("(to == NULL || len > 4u)", "(0)"), ("(to == NULL || len > 4u)", "(1)")},
        "one side": {("to == NULL || len > 4u", "(to == NULL)"), ("to == NULL || len > 4u", "(len > 4u)")},
        "negated": {
            ("(to == NULL || len > 4u)", "(!(to == NULL || len > 4u))"),
            ("n < len", "!(n < len)"),
        },
    }.items(),
)  # fmt: skip
def test_operators(operator: str, changes: set[tuple[str, str]]) -> None:
    """Each makes what its name says of a small function, and nothing else."""
    assert made(SOURCE, operator) == changes


def test_every_operator_finds_something() -> None:
    """In the sources there are, and what it finds is told apart by name."""
    found = command.population(sources())
    assert {mutant.operator for mutant in found} == set(OPERATORS)
    assert len({mutant.name for mutant in found}) == len(found)


def test_other_functions_do_not_matter() -> None:
    """A mutant keeps its name when something is put before its function."""
    more = "int one(void) { return 1 < 2; }\n" + SOURCE
    before, after = (mutants(PATH, text.encode()) for text in (SOURCE, more))
    assert {mutant.name for mutant in before} < {mutant.name for mutant in after}


class Fake(Tree):
    """A tree whose compiler drops spaces and knows that 0 is no number of times."""

    def __init__(self, folder: Path, source: str) -> None:
        super().__init__(folder)
        (folder / PATH).parent.mkdir(parents=True)
        (folder / PATH).write_text(source, encoding="utf-8")

    def code(self, path: str) -> bytes | None:
        """All but the spaces of a text."""
        octets = (self.folder / path).read_bytes()
        return None if b"<=" in octets else octets.replace(b"> ", b"").replace(b"- 1", b"+ 1")


def test_a_draw(tmp_path: Path) -> None:
    """A seed draws the same every time; what the compiler refuses, and object code that was there
    before, is passed over."""
    source = "int f(int n) { return n > 1; }\n"
    all_ = [
        one for one in mutants(PATH, source.encode()) if one.operator in ("relational", "boundary")
    ]
    assert {one.new for one in all_} == {">=", "<=", "(1) + 1", "(1) - 1"}
    tree = Fake(tmp_path, source)

    def draw(seed: int, wanted: int) -> list[Mutant]:
        return command.drawn(tree, command.Kept(tmp_path / f"kept-{seed}"), all_, seed, wanted)

    for seed in range(8):
        drawn = draw(seed, 9)
        assert {one.new.replace("-", "+") for one in drawn} == {">=", "(1) + 1"}
        assert draw(seed, 9) == drawn
        assert draw(seed, 1) == drawn[:1]
    assert len({tuple(one.new for one in draw(seed, 9)) for seed in range(8)}) > 1
    assert (tmp_path / PATH).read_text(encoding="utf-8") == source


def test_object_code(tmp_path: Path) -> None:
    """Code that means the same gives the same octets, other code gives others, and what is no C
    gives none; a header is judged by the sources of its room."""
    folder = tmp_path / "stack/src/mode"
    folder.mkdir(parents=True)
    (tmp_path / "build").mkdir()
    (folder / "a.c").write_text('#include "a.h"\nint a(int n) { return n + ONE; }\n')
    tree = Tree(tmp_path)

    def code(source: str) -> bytes | None:
        (folder / "a.h").write_text(source)
        found = tree.code("stack/src/mode/a.h")
        assert found == tree.code("stack/src/mode/a.c")
        return found

    first = code("#define ONE 1")
    assert first is not None
    assert first == code("#define ONE (2 - 1)")
    assert first != code("#define ONE 2")
    assert code("#define ONE ;;;") is None
    assert first == code("#define ONE 1")


def test_a_mutant_left_behind_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A source that a stopped run left with a defect is put right, and is newer than what was
    built of it, for make to see."""
    right = tmp_path / "right"
    (right / "stack").mkdir(parents=True)
    (right / "stack/a.c").write_text("right", encoding="utf-8")
    monkeypatch.setattr("tests.mutants.trial.ROOT", right)
    monkeypatch.setattr("tests.mutants.trial.tracked", lambda: ["stack/a.c"])
    monkeypatch.setattr(Tree, "make", lambda self, what: True)
    tree = Tree(tmp_path / "copy")
    tree.prepare()
    copy = tree.folder / "stack/a.c"
    assert copy.stat().st_mtime == (right / "stack/a.c").stat().st_mtime
    copy.write_text("wrong", encoding="utf-8")
    built = copy.stat().st_mtime_ns
    tree.prepare()
    assert copy.read_text(encoding="utf-8") == "right"
    assert copy.stat().st_mtime_ns > built


def verdicts(rows: Sequence[str]) -> list[tuple[Mutant, Verdict]]:
    """As many mutants as there are rows, with what came of each."""
    all_ = mutants(PATH, SOURCE.encode())
    return [
        (mutant, Verdict("survived" if what == "survived" else "noticed", "", 0.0))
        for mutant, what in zip(all_, rows, strict=False)
    ]


def test_the_sum() -> None:
    """Equivalent mutants are not counted."""
    rows = verdicts(["noticed"] * 18 + ["survived"] * 2)
    argued = {rows[-1][0].name: "it does the same"}
    assert list(command.report(rows, {}, 1))[-1].endswith("18 of 20 noticed: 90.0 %")
    last = list(command.report(rows, argued, 1))
    assert last[-1] == "seed 1: 20 drawn, 1 equivalent, 18 of 19 noticed: 94.7 %"
    assert [line.split(":")[0] for line in last if PATH in line] == ["survived", "equivalent"]


def test_arguments_are_about_mutants_that_are_there() -> None:
    """Every argument names a mutant of the sources as they are, and says why."""
    for what in command.SETS.values():
        there = [mutant for part in what.parts() for mutant in part]
        found = command.equivalent(what.equivalent, there)
        assert all(len(why.split()) >= 8 for why in found.values())


TESTS = """
from pathlib import Path


def test_host():
    source = Path("stack/src/mode/example.c").read_text()
    assert "n > 1" in source, source
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Verdict]:
    """Judges a mutant of a tree with one source, and one test that reads it."""
    tree = Fake(tmp_path, "int f(int n) { return n > 1 && n > 0; }\n")
    tests = tmp_path / "tests/stack/mode/test_example.py"
    tests.parent.mkdir(parents=True)
    tests.write_text(TESTS, encoding="utf-8")
    monkeypatch.setattr(
        Tree, "make", lambda self, what: b"||" not in (self.folder / PATH).read_bytes()
    )

    def judge(new: str) -> Verdict:
        found = mutants(PATH, (tmp_path / PATH).read_bytes())
        return tree.judge(
            next(one for one in found if one.new == new), Round("host", "host", "host")
        )

    return judge


def test_a_verdict(small: Callable[[str], Verdict]) -> None:
    """A defect that a test fails at is noticed by it, one that all pass at survives, and one that
    does not build is none."""
    found = small("<=")
    assert found.what == "noticed"
    assert found.by == "host: tests/stack/mode/test_example.py::test_host"
    assert small("(0) + 1").what == "survived"
    assert small("||").what == "no code"


@pytest.mark.parametrize("turn", ROUNDS, ids=lambda turn: turn.name)
def test_no_round_meets_an_earlier_mutant(
    small: Callable[[str], Verdict], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, turn: Round
) -> None:
    """The library that all tests load is built of the source as it is, whatever was judged in
    another round before."""
    built = {}

    def make(self: Tree, what: str) -> bool:
        built.update(dict.fromkeys(what.split(), (self.folder / PATH).read_bytes()))
        return True

    monkeypatch.setattr(Tree, "make", make)
    assert small("<=").what == "noticed"
    monkeypatch.setattr("tests.mutants.trial.sources", lambda rooms: [PATH])
    monkeypatch.setattr(Tree, "tests", lambda self, turn, path: ("", 0.0))
    Tree(tmp_path).unchanged(turn, "mode")
    assert built["host"] == (tmp_path / PATH).read_bytes()


def test_rounds_are_told_apart() -> None:
    """Each round has a name and builds something of its own."""
    assert (
        len({turn.name for turn in ROUNDS}) == len({turn.build for turn in ROUNDS}) == len(ROUNDS)
    )
