# SPDX-License-Identifier: BSD-3-Clause
"""One CPU that cannot be measured leaves the others' results."""

import json
from pathlib import Path

import pytest

import wardmote
from wardmote import cli
from wardmote.cpus import MEASURED_NAMES
from wardmote.errors import PARTLY

SOURCE = """#include <stdint.h>
uint8_t big[12000];
uint8_t touch(uint16_t n) { return big[n] = (uint8_t)(n + 1); }
void poke(uint16_t n) { *(volatile uint16_t *)(sizeof(double) < 8 ? (uintptr_t)&n : 0x0C00) = n; }
#ifndef __AVR__
uint16_t most(uint16_t n) { return (uint16_t)(n + 1); }
#endif
int whole(void) { return 1; }
#if defined(__arm__) && defined(BROKEN)
int broken(void) { return 1 }
#endif
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The functions above."""
    file = tmp_path / "partly.c"
    file.write_text(SOURCE)
    return file


def test_tables_that_do_not_fit(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """12 000 octets of RAM fit the ARM and this machine alone: those have figures, the others a
    reason, in the row and on stderr; the exit code says so."""
    words = ["measure", str(path), "--call", "uint8_t touch(uint16_t n)", "--arg", "n=7"]
    assert cli.main([*words, "--format", "json", "--runs", "2"]) == PARTLY
    printed = capsys.readouterr()
    rows = {row["cpu"]: row for row in json.loads(printed.out)}
    assert list(rows) == [*MEASURED_NAMES, "host"]
    for cpu in ("msp430", "avr"):
        assert rows[cpu]["failure"].startswith("linking failed: ")
        assert rows[cpu]["cycles_max"] is None
        assert f"wardmote: {cpu} could not be measured: {rows[cpu]['failure']}\n" in printed.err
    assert rows["armv7m"]["failure"] is None
    assert rows["armv7m"]["cycles_max"] > 0
    assert "linking failed: program.elf section `.bss' will not fit" in rows["avr"]["failure"]
    assert printed.err.count("could not be measured") == 2
    assert cli.main(words) == PARTLY
    table = capsys.readouterr().out
    assert "All 4 CPUs give the same outputs" in table


def test_a_source_that_one_compiler_refuses(path: Path) -> None:
    """The reason is the compiler's, with the line."""
    for cpus in ("msp430,armv7m", "armv7m,host"):
        rows = wardmote.measure(path, "int whole(void)", cpus=cpus, runs=1, flags="-DBROKEN")
        failures = {row.cpu: row.failure for row in rows}
        assert sorted(map(str, failures.values()))[0] == "None"
        assert "partly.c:10:28: error: expected" in str(failures["armv7m"])


def test_a_function_that_one_cpu_lacks_or_that_faults_there(path: Path) -> None:
    """A missing function and a fault while it runs are reasons, too."""
    rows = wardmote.measure(path, "uint16_t most(uint16_t n)", args=["n=1"], cpus="avr,host")
    assert [row.failure is None for row in rows] == [False, True]
    assert "no function most in partly.c" in str(rows[0].failure)
    rows = wardmote.measure(path, "void poke(uint16_t n)", args=["n=1"], cpus="avr,armv7m,msp430")
    failures = {row.cpu: row.failure for row in rows}
    assert failures["avr"] is None
    assert "nothing is mapped at 0x0c00, at partly.c:4" in str(failures["msp430"])
    assert "read-only" in str(failures["armv7m"])


def test_where_all_fail_the_first_reason_is_the_error(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing was measured: one line, and the exit code of unusable input."""
    words = ["measure", str(path), "--call", "uint8_t touch(uint16_t n)", "--arg", "n=7"]
    assert cli.main([*words, "--cpu", "msp430", "--cpu", "avr"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("wardmote: msp430: linking failed: ")
    assert len(printed.err.splitlines()) == 1


def test_profiles_of_those_that_work(path: Path, tmp_path: Path) -> None:
    """A CPU that failed has no profile, and hinders none."""
    words = ["measure", str(path), "--call", "uint16_t most(uint16_t n)", "--arg", "n=1"]
    folder = tmp_path / "profiles"
    assert cli.main([*words, "--profile", str(folder)]) == PARTLY
    assert sorted(file.name for file in folder.glob("*.svg")) == [
        f"most-{cpu}.svg" for cpu in sorted(MEASURED_NAMES) if cpu != "avr"
    ]
