# SPDX-License-Identifier: BSD-3-Clause
"""Which lines of hdl/rtl the benches run."""

import json
import shutil
import subprocess
from pathlib import Path

from tests.hdl import test_aes128_coprocessor as coprocessor
from tests.hdl import test_aes128_core as core
from tests.hdl import test_interfaces as interfaces
from tests.hdl.bench import BENCHES, play

LEAST = 0.99


def counted(folder: Path) -> dict[str, dict[int, int]]:
    """How often each line was run, by file, from the counts that the benches left in a folder."""
    for notes in BENCHES.glob("*.gcno"):
        shutil.copy(notes, folder)
    done = subprocess.run(
        ["gcov", "--json-format", "--stdout", *sorted(p.name for p in folder.glob("*.gcda"))],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    lines: dict[str, dict[int, int]] = {}
    for report in done.stdout.splitlines():
        for file in json.loads(report)["files"]:
            if "/hdl/rtl/" in file["file"]:
                of_file = lines.setdefault(Path(file["file"]).name, {})
                for line in file["lines"]:
                    number = line["line_number"]
                    of_file[number] = of_file.get(number, 0) + line["count"]
    return lines


def test_the_benches_run_nearly_every_line(root: Path, tmp_path: Path) -> None:
    """A short script of each bench, on each core; names the lines that nothing ran."""
    counts = tmp_path / "counts"
    for name in core.LATENCY:
        blocks = core.random_blocks(name, 1, 12)
        play(core.BENCH, blocks, tmp_path, counts=counts, dut="core", core=name)
        steps = list(coprocessor.of_vectors(97))
        play(coprocessor.BENCH, steps, tmp_path, counts=counts, core=name)
    play(coprocessor.BENCH, coprocessor.refusals(), tmp_path, counts=counts, core="fast")
    play(
        interfaces.REGISTERS,
        [*interfaces.LOST, "read 03 01"],
        tmp_path,
        counts=counts,
        core="small",
    )
    for script in ([interfaces.KEYED, "spike", *interfaces.MESSAGE], ["broken", "fault"]):
        play(interfaces.SERIAL, script, tmp_path, counts=counts, core="fast", clocks_a_bit=8)
    lines = counted(counts / BENCHES.relative_to("/"))
    assert set(lines) == {path.name for path in (root / "hdl/rtl").glob("*.vhd")}
    missed = {
        name: sorted(number for number, count in of_file.items() if not count)
        for name, of_file in lines.items()
    }
    total = sum(map(len, lines.values()))
    assert sum(map(len, missed.values())) <= (1 - LEAST) * total, missed
