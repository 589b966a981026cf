# SPDX-License-Identifier: BSD-3-Clause
"""One record per board and per CPU: a file more is a board or a CPU more, everywhere."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from wardmote._motes import record_text
from wardmote.boards import BOARDS, read_boards, read_record
from wardmote.cpus import CPUS, MEASURED, read_records, tools
from wardmote.errors import UsageError

WITH_RECORDS = """
import sys
from pathlib import Path
import wardmote.paths
wardmote.paths.BOARD_RECORDS, wardmote.paths.CPU_RECORDS = map(Path, sys.argv[1:3])
from wardmote.cli import main
sys.argv = ["wardmote", *sys.argv[3:]]
sys.exit(main())
"""


def copies(root: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Copies of both folders of records, with one more board and one more CPU."""
    boards, cpus = tmp_path / "boards", tmp_path / "cpus"
    shutil.copytree(root / "boards", boards)
    shutil.copytree(root / "cpus", cpus)
    text = (boards / "telosb.toml").read_text().replace("order = 1\n", "")
    (boards / "aaa-twin.toml").write_text(text.replace('"TelosB"', '"Twin"'))
    text = (cpus / "msp430.toml").read_text().replace("order = 1\n", "")
    (cpus / "aaa-cpu.toml").write_text(text.replace("elf_machine = 105", "elf_machine = 65000"))
    return boards, cpus


def run(folders: tuple[Path, Path], *words: str) -> subprocess.CompletedProcess[str]:
    """The command on these folders."""
    command = [sys.executable, "-c", WITH_RECORDS, *map(str, folders), *words]
    environment = {"COLUMNS": "200", "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_a_record_more_is_read_last(root: Path, tmp_path: Path) -> None:
    """Without `order` it follows the others, so that no default changes."""
    boards, cpus = copies(root, tmp_path)
    assert list(read_boards(boards)) == [*BOARDS, "aaa-twin"]
    assert list(read_records(cpus)) == [*MEASURED, "aaa-cpu"]


@pytest.mark.parametrize("board", BOARDS)
def test_the_emulated_board_has_the_same_record(root: Path, board: str) -> None:
    """What a board has from the one that it is like is the same on both sides."""
    assert tomllib.loads(record_text(board)) == read_record(root / f"boards/{board}.toml")


@pytest.mark.parametrize("verb", ["slot", "trace", "sweep", "footprint", "system", "measure"])
def test_a_board_more_appears_in_help(root: Path, tmp_path: Path, verb: str) -> None:
    """Help of every command that takes a board names it."""
    shown = run(copies(root, tmp_path), verb, "--help")
    assert shown.returncode == 0, shown.stderr
    assert "aaa-twin" in shown.stdout


def test_a_record_more_is_possible(root: Path, tmp_path: Path) -> None:
    """Refusals name the board and the CPU among what is possible."""
    folders = copies(root, tmp_path)
    refused = run(folders, "footprint", "--board", "none")
    assert refused.returncode != 0
    assert refused.stderr.strip().endswith("aaa-twin")
    source = tmp_path / "f.c"
    source.write_text("int f(void) { return 1; }\n")
    refused = run(folders, "measure", str(source), "--call", "int f(void)", "--cpu", "none")
    assert refused.returncode != 0
    assert "aaa-cpu" in refused.stderr


def test_a_record_without_a_fact_is_refused(root: Path, tmp_path: Path) -> None:
    """The file and the fact are named."""
    boards, _ = copies(root, tmp_path)
    path = boards / "aaa-twin.toml"
    path.write_text(path.read_text().replace("ram_octets", "rom_octets"))
    with pytest.raises(UsageError, match=r"aaa-twin.toml: no ram_octets"):
        read_boards(boards)


def test_every_cpu_has_both_files(root: Path) -> None:
    """What the instrument knows can be compiled, and what can be compiled can be measured."""
    assert {path.stem for path in (root / "stack/cpu").glob("*.mk")} == set(CPUS)
    for cpu in CPUS:
        assert {"CC", "TARGET", "AR", "SIZE", "LINK", "LIBS", "CHIP"} <= tools(cpu).keys()
