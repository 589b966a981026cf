# SPDX-License-Identifier: BSD-3-Clause
"""A copy of the repository in which mutants are built and tested, and what came of each.

A mutant is compiled for this machine first: one whose object is the same, octet for octet, cannot
be noticed and is no mutant. Then the tests of its room run in rounds, from the quick ones on this
machine to those on an emulated CPU and under sanitizers, until one fails.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from tests.mutants.language import Mutant

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("link", "mode", "store")
NETWORK = ("net",)
ZIGBEE = ("zigbee",)
"""Rooms of the stack whose sources are changed: those of a set."""
EMULATED = "armv7m"
"""The CPU of the last round: the quickest to run."""
OTHER_CPUS = "msp430 or avr or powerpc or s390x"
ENDED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)
SLOWER = 10
"""How many times as long as on the unchanged sources tests may take."""
LEAST_LIMIT_S = 30.0
LONGEST_S = 120.0
"""What a round takes at most on the unchanged sources."""


@dataclass(frozen=True, slots=True)
class Round:
    """Tests of a room that run in one process."""

    name: str
    build: str
    """What `make stack` makes for them, in words. The library of this machine is one of them: every
    test may load it, and what is built of it may be of an earlier mutant."""
    chosen: str
    """pytest's -k."""
    more: tuple[str, ...] = ()
    """Test files outside the room."""


def ended(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], limit: float
) -> tuple[int | None, str]:
    """Exit status and output of a program; no status if it does not end."""
    with subprocess.Popen(
        words, cwd=folder, env=environment, text=True, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        try:
            out, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, f"no end in {limit:.0f} s"
    return process.returncode, out


ROUNDS = (
    Round("host", "host", f"not ({OTHER_CPUS} or {EMULATED} or memory or mutants or tshark)"),
    Round(
        EMULATED,
        f"host {EMULATED}",
        f"{EMULATED} and not portable and not small",
        ("tests/stack/test_residue.py",),
    ),
    Round(
        "sanitized",
        "host sanitized",
        f"(memory or sanitizers and {{room}}) and not ({OTHER_CPUS} or {EMULATED})",
        ("tests/stack/test_sanitized.py",),
    ),
)
SANITIZED_ROOMS = {
    "mode": "modes",
    "link": "security",
    "net": "packets",
    "zigbee": "ZigBee",
}
"""What tests/stack/test_sanitized.py calls a room."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a mutant."""

    what: Literal["noticed", "survived", "no code"]
    """`no code`: a compiler refuses it."""
    by: str
    """The test that failed, or how its process ended."""
    seconds: float


class TrialError(RuntimeError):
    """The unchanged sources do not build, or do not pass."""


def tracked() -> list[str]:
    """The files of the repository, with those that are about to be added."""
    words = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, check=True)
    return [name for name in done.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def sources(rooms: Iterable[str] = ROOMS) -> list[str]:
    """The files that are changed."""
    return [
        path.relative_to(ROOT).as_posix()
        for room in rooms
        for path in sorted((ROOT / "stack/src" / room).glob("*.[ch]"))
    ]


def room_of(path: str) -> str:
    """The room of a source."""
    return path.split("/")[2]


def digest(room: str) -> str:
    """Of everything that decides what comes of a mutant of a room: the stack, the room's tests and
    what these stand on."""
    patterns = ("stack/**/*.[chS]", "stack/**/*.mk", "mk/archives.mk", f"tests/stack/{room}/*",
                "tests/stack/*.*", "tests/*.py", "tests/model/*", "tests/mutants/trial.py",
                "vectors/**/*.json", "bench/wardmote/**/*.py")  # fmt: skip
    found = sha256()
    for path in sorted({path for pattern in patterns for path in ROOT.glob(pattern)}):
        if path.is_file():
            found.update(f"{path.relative_to(ROOT)} ".encode() + path.read_bytes())
    return found.hexdigest()


class Tree:
    """The copy."""

    room_of = staticmethod(room_of)
    digest = staticmethod(digest)

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seconds: dict[tuple[str, str], float] = {}
        """What a round of a room takes without a defect."""

    def prepare(self) -> None:
        """Makes the copy the same as the repository. What did not change keeps its time, so that
        it is not built again."""
        wanted = set(tracked())
        there = (path for path in self.folder.glob("*/**/*") if path.is_file())
        for path in there:
            name = path.relative_to(self.folder).as_posix()
            if name not in wanted and not name.startswith("build/") and path.suffix != ".so":
                path.unlink()
        built = ROOT.glob("build/stack/**/*") if not (self.folder / "build").is_dir() else ()
        extension = ROOT.glob("bench/wardmote/*.so")
        for path in (*(ROOT / name for name in wanted), *built, *extension):
            if path.is_file():
                self._copy(path)
        if not self.make(ROUNDS[0].build):  # what the others need is built when they begin
            raise TrialError("the stack does not build: run `make stack`")

    def _copy(self, path: Path) -> None:
        """A file that differs gets a new time, so that make sees it: it may be a mutant that a
        stopped run left behind."""
        target = self.folder / path.relative_to(ROOT)
        if not target.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
        elif target.read_bytes() != path.read_bytes():
            shutil.copyfile(path, target)

    def make(self, what: str) -> bool:
        """Builds the stack; whether the compiler takes it. Warnings are no refusal: a person who
        reads the code does not see the mutant's."""
        words = ["make", "-s", "-C", "stack", "-f", "../mk/archives.mk", *what.split()]
        flags = "CFLAGS=-std=c11 -ffreestanding -w -ffunction-sections -fdata-sections -g -Iinclude -MMD -MP"
        done = subprocess.run(
            [*words, flags], cwd=self.folder, capture_output=True, text=True, check=False
        )
        return done.returncode == 0

    def code(self, path: str) -> bytes | None:
        """What the compiler makes of a file; None if it refuses it. For a header, what it makes of
        all files of the room."""
        source = Path(path)
        whole = [source]
        if source.suffix == ".h":
            found = sorted((self.folder / source.parent).glob("*.c"))
            whole = [other.relative_to(self.folder) for other in found]
        words = ["clang-22", "-std=c11", "-ffreestanding", "-w", "-O2", "-g0", "-fPIC",
                 "-Istack/include", "-c", "-o", "build/mutant.o"]  # fmt: skip
        octets = b""
        made = self.folder / "build/mutant.o"
        for file in whole:
            done = subprocess.run(
                [*words, str(file)], cwd=self.folder, capture_output=True, check=False
            )
            if done.returncode:
                return None
            octets += made.read_bytes()
        return octets

    @contextmanager
    def changed(self, mutant: Mutant) -> Iterator[None]:
        """The copy with the defect in it."""
        path = self.folder / mutant.path
        source = path.read_bytes()
        path.write_bytes(mutant.applied(source))
        try:
            yield
        finally:
            path.write_bytes(source)

    def order(self, path: str) -> list[str]:
        """The test files of a source's room: first those that name most of what it defines."""
        room = room_of(path)
        source = (self.folder / path).read_text(encoding="utf-8")
        names = {*re.findall(r"^\w[\w *]*?\b(wm_\w+)\(", source, re.MULTILINE), Path(path).stem}
        tests = sorted((self.folder / "tests/stack" / room).glob("test_*.py"))
        stems = {word for word in Path(path).stem.split("_") if len(word) > 2}

        def named(test: Path) -> tuple[int, int, int]:
            words = set(re.findall(r"\w+", test.read_text(encoding="utf-8")))
            return (
                -len(stems & set(test.stem.split("_"))),
                -len(names & words),
                test.stat().st_size,
            )

        return [test.relative_to(self.folder).as_posix() for test in sorted(tests, key=named)]

    def tests(self, turn: Round, path: str) -> tuple[str, float]:
        """The first test of a round that fails, and how long it took; an empty name if all
        pass."""
        room = room_of(path)
        words = [sys.executable, "-m", "pytest", "-x", "-n", "0", "-q", "--tb=no", "-rfE",
                 "-p", "no:cacheprovider", "--hypothesis-profile=ci", "-k",
                 turn.chosen.format(room=SANITIZED_ROOMS.get(room, "memory")), *self.order(path),
                 *turn.more]  # fmt: skip
        environment = {name: value for name, value in os.environ.items() if name != "CI"}
        environment |= {"PYTHONPATH": f"{self.folder / 'bench'}", "PYTHONDONTWRITEBYTECODE": "1"}
        usual = self.seconds.get((turn.name, room), LONGEST_S)
        limit = max(LEAST_LIMIT_S, SLOWER * usual)
        begun = time.monotonic()
        status, out = ended(words, self.folder, environment, limit)
        if status is None:
            return out, limit
        seconds = time.monotonic() - begun
        if status in (0, 5):  # 5: the room has no test in this round
            return "", seconds
        failed = ENDED.search(out)
        how = f"ends with status {status}: {out.strip()[-200:]!r}"
        return failed[1] if failed else how, seconds

    def unchanged(self, turn: Round, room: str) -> float:
        """How long a round takes without a defect; raises TrialError if a test fails."""
        first = sources((room,))[0]
        if not self.make(turn.build):
            raise TrialError(f"{turn.build} does not build: run `make stack`")
        failed, seconds = self.tests(turn, first)
        if failed:
            raise TrialError(f"{room}, {turn.name}: without a defect, {failed}")
        return seconds

    def judge(self, mutant: Mutant, turn: Round) -> Verdict:
        """What comes of a mutant in a round."""
        begun = time.monotonic()
        what: Literal["noticed", "survived", "no code"] = "survived"
        by = ""
        with self.changed(mutant):
            if not self.make(turn.build):
                what = "no code"
            elif by := self.tests(turn, mutant.path)[0]:
                what, by = "noticed", f"{turn.name}: {by}"
        return Verdict(what, by, round(time.monotonic() - begun, 1))
