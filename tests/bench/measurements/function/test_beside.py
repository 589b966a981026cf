# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote measure --beside`: the stack's primitives on the same CPUs, with their own figures."""

import json
from pathlib import Path

import pytest

from wardmote.cli import main
from wardmote.errors import DONE, USAGE

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
