# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote measure --beside`: the stack's primitives, and other libraries', on the same CPUs, with
their own figures."""

import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wardmote.cli import main
from wardmote.commands import measure_beside
from wardmote.commands.primitives import NAMES
from wardmote.commands.running import Running
from wardmote.errors import DONE, USAGE
from wardmote.measurements.libraries import sources
from wardmote.measurements.libraries.builds import OURS_BUILDS
from wardmote.measurements.libraries.campaign import primitive_rows
from wardmote.measurements.libraries.kinds import CCM, PRIMITIVES, RC5
from wardmote.measurements.libraries.named import Named
from wardmote.measurements.libraries.rows import LibraryPrimitiveRow, LibraryRow
from wardmote.study.primitives.others import beside_libraries

CALL = "void mix(const uint8_t key[16], uint8_t block[16])"
BODY = "{ for (int i = 0; i < 16; i++) block[i] ^= key[i]; }\n"


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """A command that measures a function of 16 octets."""
    file = tmp_path / "mix.c"
    file.write_text(f"#include <stdint.h>\n{CALL}\n{BODY}", encoding="utf-8")
    return ["measure", str(file), "--call", CALL, "--runs", "2"]


def test_rows_are_those_of_primitives(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Cycles, flash, stack and verdict are what `wardmote primitives` says; the factor is of the
    function's most cycles."""
    asked = [
        *words,
        "--cpu",
        "msp430,avr,armv7m,cortex-m4",
        "--beside",
        "aes128",
        "--format",
        "json",
    ]
    assert main(asked) == DONE
    rows = json.loads(capsys.readouterr().out)
    mine = {row["cpu"]: row for row in rows if row["schema"].startswith("MeasureRow")}
    found = [row for row in rows if row["schema"].startswith("BesideRow")]
    cpus = "msp430,avr,armv7m"
    plain = ["primitives", "--cpu", cpus, "--only", "aes128", "--size", "16", "--format", "json"]
    assert main(plain) == DONE
    stack = json.loads(capsys.readouterr().out)
    assert len(found) == len(stack) > 20
    for one, row in zip(found, stack, strict=True):
        for name in ("cpu", "primitive", "variant", "operation", "cycles", "flash_octets",
                     "constant_time"):  # fmt: skip
            assert one[name] == row[name], name
        most = mine[one["cpu"]]["cycles_max"]
        assert (one["function"], one["octets"], one["function_cycles"]) == ("mix", 16, most)
        assert (one["primitive_octets"], one["a_octets"]) == (row["octets"], row["a_octets"])
        assert one["stack_octets"] == row["stack_octets"]
        assert (one["wardmote"], one["commit"]) == (row["wardmote"], row["commit"])
        same = row["octets"] == 16
        assert one["times"] == (pytest.approx(most / row["cycles"], abs=1e-4) if same else None)


def test_it_is_a_second_table(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Columns that are asked for are those of the first."""
    asked = [*words, "--cpu", "avr", "--beside", "aes128", "--columns", "cpu,cycles max"]
    assert main(asked) == DONE
    out = capsys.readouterr().out
    assert "beside the stack's own" in out
    assert "yours" in out


@pytest.mark.parametrize(
    ("more", "says"),
    [(["--beside", "aes"], "aes128"), (["--beside", "aes128", "--cpu", "cortex-m4"], "msp430")],
)
def test_what_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str], more: list[str], says: str
) -> None:
    """A primitive that there is not, and CPUs that the stack is not built for: one line."""
    assert main([*words, *more]) == USAGE
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_libraries_that_are_not_here_are_named(
    words: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Without sources there is one line with what fetches them, and no table; nothing is fetched."""
    monkeypatch.setattr(sources, "KEPT", tmp_path / "none")
    assert main([*words, "--cpu", "avr", "--beside", "aes128,grain_v1"]) == DONE
    out, error = capsys.readouterr()
    assert "beside other libraries" not in out
    [line] = [one for one in error.splitlines() if "make libraries" in one]
    assert line.startswith("wardmote: mbedTLS, BearSSL, libtomcrypt: ")
    assert not (tmp_path / "none").exists()


def test_a_library_that_is_here_is_measured(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our own adapter takes the place of the other library, whose rows are then those of the
    campaign of libraries; no other fetches anything."""
    [ours] = [one for one in OURS_BUILDS if one.primitive is RC5]
    mine = ours.variants[0]
    there = Named((ours, dataclasses.replace(ours, library="other", variants=(mine,))), ())
    monkeypatch.setattr(Named, "has_others", True)
    monkeypatch.setattr(measure_beside, "named", lambda _names: there)
    asked = [*words, "--cpu", "avr", "--beside", "rc5", "--format", "json"]
    assert main(asked) == DONE
    rows = json.loads(capsys.readouterr().out)
    found = [row for row in rows if row["schema"].startswith("LibraryBesideRow")]
    wanted = primitive_rows(("avr",), lambda _: None, Running().runner(), (ours,), (RC5,))
    [cycles] = [row.cycles for row in wanted if row.variant == mine.name]
    assert [(row["operation"], row["cycles"]) for row in found] == list(
        zip(("key", "block"), cycles, strict=True)
    )
    assert all(row["library"] == "other" for row in found)
    assert [row["library_octets"] for row in found] == [0, 8]


def test_every_field_of_another_library() -> None:
    """A factor where the lengths are equal; key and block of AES-128, and frames of CCM*, are of one
    row. A row of another CPU has none, nor has a function that could not be measured."""
    both: Any = [
        SimpleNamespace(cpu="avr", operation="f", octets=16, cycles_max=3000),
        SimpleNamespace(cpu="avr", operation="g", octets=64, cycles_max=None),
    ]
    facts: Any = {"cpu": "avr", "library": "other", "version": "3", "variant": "a",
                  "flash_octets": 2003, "stack_octets": 105, "source": "there",
                  "compiler": "cc 1"}  # fmt: skip
    frame = LibraryRow(
        **facts, key_cycles=700, block_cycles=2000, frame_cycles=45_000, block_ratio=1.5,
        frame_ratio=1.5, ram_octets=304, no_secret_branch=True, no_secret_address=False, flags="-O",
    )  # fmt: skip
    hash_ = LibraryPrimitiveRow(
        **facts, primitive="SHA-256", of=("64 octets", "128 octets"), cycles=(900, 1800),
        ratio=1.1, why="",
    )  # fmt: skip
    away = dataclasses.replace(hash_, cpu="msp430")
    found = beside_libraries(both, ("aes128", "ccm", "sha256"), [frame], [hash_, away])
    alike = {**facts, "function": "f", "octets": 16, "function_cycles": 3000}
    assert [dataclasses.asdict(row) for row in found] == [
        alike | {"primitive": primitive, "operation": operation, "library_octets": octets,
                 "cycles": cycles, "times": times}
        for primitive, operation, octets, cycles, times in (
            ("AES-128", "key", 0, 700, None), ("AES-128", "block", 16, 2000, 1.5),
            ("CCM* (AES-128)", "frame", 86, 45_000, None),
            ("SHA-256", "message", 64, 900, None), ("SHA-256", "message", 128, 1800, None),
        )
    ]  # fmt: skip
    assert [row.operation for row in beside_libraries(both, ("ccm",), [frame], [])] == ["frame"]


def test_names_of_the_stack_are_names_of_the_stack() -> None:
    """What a library's primitive is set beside is there."""
    assert {name for one in (CCM, *PRIMITIVES) for name in one.stack} <= set(NAMES)
