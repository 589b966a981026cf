# SPDX-License-Identifier: BSD-3-Clause
"""Mutants of what figures come from: the records of boards, CPUs and batteries, the emulated
devices, and the bench; and the copy in which they are built and tested.

Tests that compare documents with figures do not judge: whoever writes the documents anew would
bless the mutant.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Literal

from tests.mutants import of_data, of_python, of_rust
from tests.mutants.language import Mutant
from tests.mutants.trial import ENDED, ROOT, Round, Tree, TrialError, Verdict, ended, tracked

DATA = ("boards", "cpus", "batteries")
CRATES = ("device", "board", "air", "mote")
"""Crates of motes/crates that are changed: each is tested before those behind it, which use it."""
BENCH = "bench/wardmote"
EXTENSION = f"{BENCH}/_motes.abi3.so"
LEFT_OUT = (
    f"{BENCH}/measurements/libraries",
    f"{BENCH}/study/libraries.py",
    f"{BENCH}/views/libraries.py",
    f"{BENCH}/campaign",
    f"{BENCH}/frame",
    f"{BENCH}/views/frame.py",
    f"{BENCH}/commands/frame.py",
)
"""Parts of the bench in which no figure is made: other projects' sources, workers, captures."""
ROUNDS = (
    Round("data", "nothing", "the numbers against their second copy"),
    Round("crates", "crates", "cargo's tests"),
    Round("bench", "extension", "pytest"),
)
PROFILE = {
    "CARGO_INCREMENTAL": "1",
    "CARGO_PROFILE_DEV_OPT_LEVEL": "2",
    "CARGO_PROFILE_DEV_DEBUG": "0",
    "CARGO_PROFILE_DEV_DEBUG_ASSERTIONS": "false",
    "CARGO_PROFILE_DEV_OVERFLOW_CHECKS": "false",
}
"""How the copy is compiled: as for a release, but crate by crate, and what did not change is kept."""
TEST_LIMIT_S = 120
LIMIT_S = 900.0
"""What a test, or those of a crate, and all of a round may take."""
NO_CODE = "no code"
FIRST = (
    "tests/bench/test_board_data.py",
    "tests/bench/test_board_layout.py",
    "tests/bench/test_records.py",
)
MOTES = "tests/motes"
SLOT = "tests/bench/measurements/slot"
QUICK = re.compile(r"made_up|row_fields|board_data|board_layout")
"""Test files that run nothing: they begin."""
DEVICES: dict[str, tuple[str, ...]] = {
    "/call": (f"{MOTES}/test_call.py", f"{MOTES}/test_call_avr.py"),
    "atmega128": (f"{MOTES}/test_atmega128.py",),
    "cc2538": (f"{MOTES}/test_openmote.py", f"{MOTES}/test_mixed_boards.py", SLOT),
    "": (
        f"{MOTES}/test_radio.py",
        f"{MOTES}/test_simulation.py",
        f"{MOTES}/test_power_cut.py",
        f"{MOTES}/test_mixed_boards.py",
        SLOT,
    ),
}
"""Tests of the motes by a part of the path of what is changed; the last are for all others."""
STUDY = (
    "tests/bench/study",
    "tests/bench/test_published.py",
    "tests/bench/test_study_commands.py",
    "tests/bench/test_report.py",
)
PRIMITIVES = ("tests/bench/measurements/primitives",)
SCREENS = ("tests/bench/test_screens.py",)
PLACES: dict[str, tuple[str, ...]] = {
    f"{BENCH}/study/primitives": PRIMITIVES,
    f"{BENCH}/study/claims": ("tests/bench/study", *PRIMITIVES),
    f"{BENCH}/study": STUDY,
    f"{BENCH}/measurements/footprint": ("tests/bench/measurements/footprint",),
    f"{BENCH}/measurements/function": ("tests/bench/measurements/function",),
    f"{BENCH}/measurements/needs": ("tests/bench/measurements/footprint",),
    f"{BENCH}/measurements/primitives": PRIMITIVES,
    f"{BENCH}/measurements/slot": (SLOT, "tests/bench/test_report.py"),
    f"{BENCH}/measurements/system": ("tests/bench/measurements/system",),
    f"{BENCH}/views/primitives": (*PRIMITIVES, *SCREENS),
    f"{BENCH}/views": ("tests/bench/views", *SCREENS, *STUDY, "tests/bench/measurements/system"),
    f"{BENCH}/call": (f"{MOTES}/test_call.py", f"{MOTES}/test_call_avr.py", "tests/bench/call",
                      "tests/bench/measurements/function"),
    f"{BENCH}/prototypes": (f"{MOTES}/test_prototypes.py", "tests/bench/measurements/function"),
    f"{BENCH}/commands": ("tests/bench/test_command_line.py", "tests/bench/test_study_commands.py",
                          "tests/bench/test_options.py", *SCREENS, SLOT,
                          "tests/bench/measurements/system", *PRIMITIVES),
    BENCH: (*FIRST, *STUDY, *SCREENS,
            "tests/bench/test_schemas.py", "tests/bench/test_options.py",
            "tests/bench/test_command_line.py", "tests/bench/measurements/footprint", SLOT),
}  # fmt: skip
"""Tests of a part of the bench; the first part that fits counts."""


def part_of(path: str) -> str:
    """`data`, `motes` or `bench`."""
    return {"motes": "motes", "bench": "bench"}.get(path.split("/")[0], "data")


def room_of(path: str) -> str:
    """The folder or crate of a source."""
    words = path.split("/")
    return {"data": words[0], "motes": "/".join(words[:3])}.get(part_of(path)) or next(
        place for place in PLACES if path.startswith(place)
    )


def sources() -> list[str]:
    """The files that are changed."""
    found = [name for name in tracked() if name.startswith(DATA) and name.endswith(".toml")]
    for crate in CRATES:
        for path in sorted((ROOT / "motes/crates" / crate / "src").rglob("*.rs")):
            if not re.search(r"(?:^|_)tests?$", path.stem) and "tests" not in path.parts:
                found.append(path.relative_to(ROOT).as_posix())
    for path in sorted((ROOT / BENCH).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(LEFT_OUT):
            found.append(name)
    return found


def mutants_of(path: str) -> list[Mutant]:
    """Every mutant of a file."""
    of = {".toml": of_data.mutants, ".rs": of_rust.mutants, ".py": of_python.mutants}
    return of[Path(path).suffix](path, (ROOT / path).read_bytes())


def parts() -> Iterator[list[Mutant]]:
    """Every mutant there is, by part: as many are drawn of each."""
    everything = [mutant for path in sources() for mutant in mutants_of(path)]
    for part in ("data", "motes", "bench"):
        yield [mutant for mutant in everything if part_of(mutant.path) == part]


def places_of(room: str) -> tuple[str, ...]:
    """Folders and files with the tests of a room of the bench, or of the records."""
    if room in PLACES:
        return PLACES[room]
    return (*FIRST, MOTES) if room in DATA else (MOTES, SLOT)


def digest(room: str) -> str:
    """Of everything that decides what comes of a mutant of a room."""
    patterns = (*(f"{folder}/*.toml" for folder in (*DATA, "published")), "motes/**/*.rs",
                "Cargo.lock", "bench/wardmote/**/*.py", "firmware/**/*.[chS]", "stack/**/*.[chS]",
                "tests/*.py", "tests/mutants/figures.py",
                *(f"{place}/**/*.py" for place in places_of(room)))  # fmt: skip
    files = {ROOT / place for place in places_of(room)}
    found = sha256()
    for path in sorted(files.union(*(ROOT.glob(pattern) for pattern in patterns))):
        if path.is_file():
            found.update(f"{path.relative_to(ROOT)} ".encode() + path.read_bytes())
    return found.hexdigest()


class FigureTree(Tree):
    """The copy, with what is built of the repository, and a target folder of its own."""

    room_of = staticmethod(room_of)
    digest = staticmethod(digest)

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.target = folder.parent / f"cargo-{folder.name}"
        self.passed: set[str] = set()
        """Tests that were seen to pass without a defect."""
        self.failing: list[str] = []
        """Tests that fail without a defect."""

    def prepare(self) -> None:
        """Makes the copy the same as the repository and what is built of it."""
        wanted = set(tracked())
        for path in [path for path in self.folder.glob("*/**/*") if path.is_file()]:
            name = path.relative_to(self.folder).as_posix()
            if name not in wanted and not name.startswith("build/") and path.suffix != ".so":
                path.unlink()
        left = ("cargo", "mutants", "fuzz", "hypothesis")
        built = (
            path
            for path in (ROOT / "build").rglob("*")
            if path.relative_to(ROOT / "build").parts[0] not in left
            and not any(part.endswith("_cache") for part in path.parts)
        )
        for path in (*(ROOT / name for name in wanted), *built, ROOT / EXTENSION):
            if path.is_file():
                self._copy(path)

    def code(self, path: str) -> bytes | None:
        """What a file means; None if it means nothing. Rust is not compiled for that."""
        source = (self.folder / path).read_bytes()
        if path.endswith(".rs"):
            return source
        return of_data.meaning(source) if path.endswith(".toml") else of_python.meaning(source)

    def order(self, path: str) -> list[str]:
        """The tests of a file, those first that name most of its words."""
        places = places_of(room_of(path))
        if part_of(path) == "motes":
            places = next(tests for name, tests in DEVICES.items() if name in path)
        stems = {word for word in Path(path).stem.split("_") if len(word) > 2}
        files: list[Path] = []
        for place in places:
            at = self.folder / place
            here = sorted(at.glob("**/test_*.py")) if at.is_dir() else [at]
            files += sorted(here, key=lambda test: -len(stems & set(test.stem.split("_"))))
        near = [test for test in files if stems & set(test.stem.split("_"))]
        quick = [test for test in files if QUICK.search(test.stem)]
        ordered = dict.fromkeys((*quick, *near, *files))
        return [test.relative_to(self.folder).as_posix() for test in ordered]

    def environment(self) -> dict[str, str]:
        """Of every program that is run in the copy."""
        kept = {name: value for name, value in os.environ.items() if name != "CI"}
        return kept | PROFILE | {
            "PYTHONPATH": str(self.folder / "bench"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "CARGO_TARGET_DIR": str(self.target),
        }  # fmt: skip

    def run(self, words: Sequence[str], limit: float) -> tuple[int | None, str]:
        """Exit status and output of a program; no status if it does not end."""
        return ended(words, self.folder, self.environment(), limit)

    def pytest(self, tests: Sequence[str]) -> str:
        """The first of these tests that fails; empty if all pass."""
        words = [sys.executable, "-m", "pytest", "-x", "-n", "0", "-q", "--tb=no", "-rfE",
                 "-p", "no:cacheprovider", "--hypothesis-profile=ci", "-m", "not document",
                 "-o", f"faulthandler_timeout={TEST_LIMIT_S}",
                 "-o", "faulthandler_exit_on_timeout=true", *(f"--deselect={name}" for name in self.failing),
                 *tests]  # fmt: skip
        status, out = self.run(words, LIMIT_S)
        if status in (0, 5):  # 5: no test is chosen
            return ""
        failed = ENDED.search(out)
        return failed[1] if failed else f"ends with status {status}: {out.strip()[-200:]!r}"

    def cargo(self, crate: str) -> str:
        """The first test that fails of a crate and of those that use it."""
        for name in CRATES[CRATES.index(crate) :]:
            words = ["cargo", "test", "-q", "--locked", "-p", name]
            status, out = self.run([*words, "--no-run"], LIMIT_S)
            if status:
                return NO_CODE
            status, out = self.run(words, TEST_LIMIT_S)
            if status:
                failed = re.search(r"^test (\S+) .*FAILED|^    (\S+)$", out, re.MULTILINE)
                which = failed[1] or failed[2] if failed else out.strip()[-200:]
                return f"{name}: {which}"
            if status is None:
                return f"{name}: {out}"
        return ""

    def extension(self) -> bool:
        """Builds it; whether it could be built."""
        status, _ = self.run(["cargo", "build", "-q", "--locked", "-p", "python"], LIMIT_S)
        if status == 0:
            made = self.folder / EXTENSION
            made.unlink(missing_ok=True)  # a process may have the old one open
            shutil.copy2(self.target / "debug/lib_motes.so", made)
        return status == 0

    def concerned(self, turn: Round, path: str) -> bool:
        """Whether a round judges a file."""
        return turn.name in {
            "data": ("data", "crates", "bench"),
            "motes": ("crates", "bench"),
            "bench": ("bench",),
        }[part_of(path)]  # fmt: skip

    def tests(self, turn: Round, path: str) -> tuple[str, float]:
        """The first test of a round that fails, and how long it took; an empty name if all
        pass."""
        begun = monotonic()
        if not self.concerned(turn, path):
            return "", 0.0
        if turn.name == "data":
            failed = self.pytest(FIRST)
        elif turn.name == "crates":
            crate = path.split("/")[2] if part_of(path) == "motes" else "board"
            failed = self.cargo(crate)
        else:
            if part_of(path) == "bench":
                self.use_extension()
            elif not self.extension():
                return NO_CODE, monotonic() - begun
            failed = self.pytest(self.order(path))
        return failed, monotonic() - begun

    def unchanged(self, turn: Round, room: str) -> float:
        """Cargo's tests pass without a defect; raises TrialError if not. A test of the bench that
        fails is run again without the defect."""
        if turn.name == "crates" and room.startswith("motes"):
            failed = self.cargo(room.split("/")[2])
            if failed:
                raise TrialError(f"{room}: without a defect, {failed}")
        return 0.0

    def judge(self, mutant: Mutant, turn: Round) -> Verdict:
        """What comes of a mutant in a round. A test that fails without it, too, says nothing."""
        begun = monotonic()
        while True:
            with self.changed(mutant):
                by = self.tests(turn, mutant.path)[0]
            if by in ("", NO_CODE) or not self.fails_anyway(turn, by):
                break
            self.failing.append(by)
        what: Literal["noticed", "survived", "no code"] = "noticed" if by else "survived"
        if by == NO_CODE:
            what, by = "no code", ""
        named = f"{turn.name}: {by}" if by else ""
        return Verdict(what, named, round(monotonic() - begun, 1))

    def fails_anyway(self, turn: Round, by: str) -> bool:
        """Whether a test of the bench fails without a defect."""
        if turn.name == "crates" or "::" not in by:
            return False
        if by not in self.passed:
            self.use_extension()
            if self.pytest([by]):
                return True
            self.passed.add(by)
        return False

    def use_extension(self) -> None:
        """The extension without a defect."""
        made = self.folder / EXTENSION
        made.unlink(missing_ok=True)  # a process may have the old one open
        shutil.copy2(ROOT / EXTENSION, made)
