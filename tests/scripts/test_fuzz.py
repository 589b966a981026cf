# SPDX-License-Identifier: BSD-3-Clause
"""The driver of the fuzz targets: corpora as text, and what is said of a target that finds
something."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts import coverage, fuzz

HARMLESS = """
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return size > 3 && data[0] == 'w' && data[1] == 'm'; }
"""
BROKEN = HARMLESS.replace("return", "if (size > 1 && data[0] == 'w') { __builtin_trap(); } return")


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The driver at work in a folder of its own."""
    monkeypatch.setattr(fuzz, "BUILD", tmp_path)
    monkeypatch.setattr(fuzz, "KEPT", tmp_path / "kept-text")
    return tmp_path


def build(folder: Path, name: str, source: str) -> None:
    """A target from a few lines."""
    command = ["clang-22", "-fsanitize=fuzzer", "-x", "c", "-", "-o", str(folder / f"fuzz_{name}")]
    subprocess.run(command, input=source, text=True, check=True)


def test_a_corpus_survives_being_packed(folders: Path) -> None:
    """Inputs are kept one a line, shortest first, and come back as files; an empty one needs no
    keeping."""
    (folders / "found").mkdir()
    for number, octets in enumerate((b"\x02\x01", b"\xff", b"", b"\x01\x02")):
        (folders / "found" / str(number)).write_bytes(octets)
    assert fuzz.pack("parse", folders / "found") == 3
    assert (folders / "kept-text/parse.hex").read_text() == "ff\n0102\n0201\n"
    files = fuzz.unpack("parse", folders / "kept").iterdir()
    assert {path.read_bytes() for path in files} == {b"\xff", b"\x01\x02", b"\x02\x01"}


def test_a_clean_target_is_counted(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every execution that was asked for was made, and the exit code says that nothing was
    found."""
    build(folders, "harmless", HARMLESS)
    assert fuzz.main(["run", "harmless", "--runs", "3000", "--seed", "1"]) == 0
    row = capsys.readouterr().out.splitlines()[1].split()
    assert (row[0], row[1], row[-1]) == ("harmless", "3000", "0")


def test_a_finding_ends_in_exit_code_1(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A target that stops is named with the input that stopped it, and others still run to their
    end."""
    build(folders, "harmless", HARMLESS)
    build(folders, "broken", BROKEN)
    assert fuzz.main(["run", "broken", "harmless", "--runs", "200000", "--seed", "1"]) == 1
    out = capsys.readouterr().out
    assert "broken: build/fuzz/fuzz_broken" in out
    assert [line.split()[1] for line in out.splitlines() if line.startswith("harmless ")] == [
        "200000"
    ]
    (found,) = fuzz.findings_of("broken")
    assert found.read_bytes()[:1] == b"w"


def test_a_long_run_goes_on(
    folders: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long run is made of slices. What was run counts the next time, but not for another
    target of the same name."""
    monkeypatch.setattr(fuzz, "SLICE", 1000)
    build(folders, "harmless", HARMLESS)

    def executions(runs: int) -> int:
        assert fuzz.main(["long", "harmless", "--runs", str(runs)]) == 0
        return int(capsys.readouterr().out.splitlines()[1].split()[1])

    asked: list[int] = []
    plain = fuzz.run

    def counted(target: str, runs: int, *more: Any) -> fuzz.Row:
        asked.append(runs)
        return plain(target, runs, *more)

    monkeypatch.setattr(fuzz, "run", counted)
    assert (executions(2500), asked) == (2500, [1000, 1000, 500])
    assert (executions(3000), asked[3:]) == (3000, [500])
    build(folders, "harmless", HARMLESS.replace("'m'", "'n'"))
    assert (executions(1000), asked[4:]) == (1000, [1000])


def test_a_long_run_ends_at_a_finding(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told again until the target is another."""
    build(folders, "broken", BROKEN)
    for _ in range(2):
        assert fuzz.main(["long", "broken", "--runs", "200000"]) == 1
        assert "broken: build/fuzz/fuzz_broken" in capsys.readouterr().out
    assert len(fuzz.findings_of("broken")) == 1


def test_an_unknown_target_is_refused(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says what is missing and what there is; exit code 2."""
    build(folders, "harmless", HARMLESS)
    assert fuzz.main(["run", "prase"]) == 2
    assert capsys.readouterr().err == "fuzz: no target prase; targets built: harmless\n"


def test_lines_are_said_as_ranges() -> None:
    """Lines that were not run are shown as short as they can be."""
    assert coverage.ranges([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"
