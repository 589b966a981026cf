# SPDX-License-Identifier: BSD-3-Clause
"""What the coprocessor costs on an iCE40 HX8K: cells by ghdl and yosys, longest path by nextpnr.

    .venv/bin/python -m scripts.hdl_costs [DESIGN ...]

Prints a table. Without a design it measures all of them and puts the table into the document as
well.
"""

import json
import re
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/what-does-the-coprocessor-cost.md"
PUBLISHED = ROOT / "published/hdl.toml"
WORK = ROOT / "build/hdl/costs"
SEEDS = (1, 2, 3)
"""Of the placer; the table has the median of the clocks that they reach."""
BEGIN, END = "<!-- hdl: costs -->", "<!-- hdl: end -->"


@dataclass(frozen=True, slots=True)
class Design:
    """A design to measure."""

    name: str
    """Its line in the table."""
    entity: str
    """Its unit in hdl/rtl."""
    core: str
    """Empty for an entity that has no choice of it."""
    clocks: int
    """From the last octet of a block in to the first octet out."""
    what: str


CORES = {"fast": 12, "small": 212, "masked": 292}
"""Clocks from the last octet in to the first octet out, by core."""
ENTITIES = {"core": "aes128_core", "coprocessor": "aes128_coprocessor"}
DESIGNS = {
    f"{core} {what}": Design(f"{core} {what}", entity, core, clocks, what)
    for what, entity in ENTITIES.items()
    for core, clocks in CORES.items()
}


@dataclass(frozen=True, slots=True)
class Cells:
    """What a design is made of."""

    lut: int
    ff: int
    ram: int


class FlowError(RuntimeError):
    """A program of the flow failed; the text is what it said."""


def run(command: Sequence[str], folder: Path) -> str:
    """Runs a program there and returns what it printed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise FlowError(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def completed(verilog: str) -> str:
    """The Verilog that ghdl 2.0 writes, with a default in each case. VHDL's cases are complete;
    Verilog's would be latches."""
    return re.sub(
        r"(\n +)[^\n]*?: (\S+) <= ([^\n]+)(\n +endcase)",
        lambda case: f"{case[0][: -len(case[4])]}{case[1]}default: {case[2]} <= 'bx;{case[4]}",
        verilog,
    )


def verilog_of(design: Design, folder: Path) -> Path:
    """The design as Verilog, by ghdl."""
    sources = sorted(str(path) for path in (ROOT / "hdl/rtl").glob("*.vhd"))
    run(["ghdl-gcc", "-i", "--std=08", *sources], folder)
    run(["ghdl-gcc", "-m", "--std=08", design.entity], folder)
    command = ["ghdl-gcc", "--synth", "--std=08", "--out=verilog"]
    if design.core:
        command.append(f"-gCORE={design.core}")
    path = folder / "design.v"
    path.write_text(completed(run([*command, design.entity], folder)), encoding="utf-8")
    return path


def synthesized(design: Design, folder: Path) -> Cells:
    """Cells of an iCE40, by yosys; the netlist is design.json in the folder."""
    verilog_of(design, folder)
    script = f"read_verilog design.v; synth_ice40 -top {design.entity} -json design.json"
    run(["yosys", "-q", "-p", f"{script}; tee -q -o stat.json stat -json"], folder)
    counted = json.loads((folder / "stat.json").read_text(encoding="utf-8"))
    kinds = counted["design"]["num_cells_by_type"]
    return Cells(
        lut=kinds["SB_LUT4"],
        ff=sum(count for kind, count in kinds.items() if kind.startswith("SB_DFF")),
        ram=kinds.get("SB_RAM40_4K", 0),
    )


def fmax_mhz(folder: Path) -> float:
    """Highest clock of the netlist there, by nextpnr: the median of the seeds."""
    reached = []
    for seed in SEEDS:
        command = f"nextpnr-ice40 --hx8k --package ct256 --json design.json --seed {seed}"
        options = "--pcf-allow-unconstrained --freq 150 --timing-allow-fail --report report.json"
        run([*command.split(), *options.split()], folder)
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        reached.append(float(min(clock["achieved"] for clock in report["fmax"].values())))
    return statistics.median(reached)


def row(name: str, cells: Cells, clocks: int, mhz: float) -> str:
    """A line of the table."""
    product = cells.lut * clocks / mhz
    return (
        f"| {name} | {cells.lut} | {cells.ff} | {cells.ram} | {clocks} | {mhz:.1f} "
        f"| {clocks / mhz:.2f} | {product:.0f} |"
    )


def peers() -> list[dict[str, Any]]:
    """Cores of others that were measured once."""
    found: list[dict[str, Any]] = tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))["measured"]
    return found


def least_product(peer: dict[str, Any]) -> float:
    """LUT times clocks by MHz of a core that does not fit: at the highest clock of the device, and
    with the fewest clocks that anybody says it takes."""
    return float(peer["lut"] * min(peer["clocks"], peer["clocks_measured"]) / peer["limit_mhz"])


def peer_rows() -> Iterator[str]:
    """Lines of the cores of others."""
    for peer in peers():
        clocks = min(peer["clocks"], peer["clocks_measured"])
        yield (
            f"| {peer['name']} | {peer['lut']} | {peer['ff']} | {peer['ram']} | {clocks} "
            f"| does not fit | | ≥ {least_product(peer):.0f} |"
        )


def table(designs: Sequence[Design]) -> list[str]:
    """The table in Markdown."""
    lines = [
        "| design | LUT | flip-flops | RAM blocks | clocks a block | highest clock, MHz "
        "| µs a block | LUT × clocks ÷ MHz |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for design in designs:
        folder = WORK / design.name.replace(" ", "-")
        folder.mkdir(parents=True, exist_ok=True)
        print(f"hdl: {design.name}", file=sys.stderr)
        cells = synthesized(design, folder)
        lines.append(row(design.name, cells, design.clocks, fmax_mhz(folder)))
    return lines


def written() -> dict[str, list[str]]:
    """The lines of the document's table, split into cells, by design."""
    text = DOCUMENT.read_text(encoding="utf-8")
    block = text[text.index(BEGIN) : text.index(END)]
    lines = [line.strip("| ").split(" | ") for line in block.splitlines() if line.startswith("| ")]
    return {cells[0]: cells[1:] for cells in lines}


def main(names: Sequence[str]) -> None:
    """Measures and prints; writes the document if nothing was named."""
    lines = table([DESIGNS[name] for name in names or DESIGNS])
    lines += peer_rows()
    print("\n".join(lines))
    if not names:
        text = DOCUMENT.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        DOCUMENT.write_text("\n".join([before + BEGIN, *lines, END]) + after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
