# SPDX-License-Identifier: BSD-3-Clause
"""A netlist of yosys for an iCE40 that runs in numpy, one bit of a word per case; and what a probe
on any of its gates sees, glitches included: the registers and inputs in front of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.bool_]
Bit = int | str
"""A wire of the netlist, or "0", "1", "x"."""


@dataclass(frozen=True, slots=True)
class Lut:
    """A gate: a table of sixteen bits and four inputs, the lowest first."""

    table: int
    inputs: tuple[Bit, ...]
    output: Bit


@dataclass
class Netlist:
    """A module of SB_LUT4 and SB_DFF, and of no other cell."""

    ports: Mapping[str, list[Bit]]
    luts: list[Lut]
    registers: dict[Bit, Bit]
    """What each register takes, by its output."""
    values: dict[Bit, Words] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, module: str) -> "Netlist":
        """From the JSON that yosys writes."""
        found = json.loads(path.read_text(encoding="utf-8"))["modules"][module]
        luts, registers = [], {}
        for cell in found["cells"].values():
            wires = {name: bits[0] for name, bits in cell["connections"].items()}
            if cell["type"] == "SB_LUT4":
                inputs = tuple(wires[f"I{index}"] for index in range(4))
                luts.append(Lut(int(cell["parameters"]["LUT_INIT"], 2), inputs, wires["O"]))
            elif cell["type"] == "SB_DFF":
                registers[wires["Q"]] = wires["D"]
            else:
                raise ValueError(f"a cell that this reader does not know: {cell['type']}")
        ports = {name: port["bits"] for name, port in found["ports"].items()}
        return cls(ports, luts, registers)

    @cached_property
    def order(self) -> list[Lut]:
        """The gates so that each comes after those that it takes from."""
        made = {lut.output: lut for lut in self.luts}
        done: dict[Bit, None] = {}

        def visit(wire: Bit) -> None:
            if wire in made and wire not in done:
                for source in made[wire].inputs:
                    visit(source)
                done[wire] = None

        for wire in made:
            visit(wire)
        return [made[wire] for wire in done]

    def clock(self, inputs: Mapping[str, list[Words]]) -> None:
        """One clock: the registers take, then the gates settle with these inputs."""
        values = self.values
        values.update({out: values[wire] for out, wire in self.registers.items() if wire in values})
        some = next(iter(inputs.values()))[0]
        values.update({"0": np.zeros_like(some), "1": np.ones_like(some), "x": np.zeros_like(some)})
        for register in self.registers:
            values.setdefault(register, values["0"])
        for name, bits in inputs.items():
            values.update(zip(self.ports[name], bits, strict=True))
        for lut in self.order:
            index = sum(values[wire].astype(np.uint8) << n for n, wire in enumerate(lut.inputs))
            table = np.array([lut.table >> entry & 1 for entry in range(16)], dtype=np.bool_)
            values[lut.output] = table[index]

    @cached_property
    def probes(self) -> set[frozenset[Bit]]:
        """What a probe on a gate sees: all registers and inputs in front of it. A set within
        another one shows nothing more."""
        seen: dict[Bit, frozenset[Bit]] = {}
        for lut in self.order:
            wires = [wire for wire in lut.inputs if wire not in ("0", "1", "x")]
            seen[lut.output] = frozenset().union(*(seen.get(w, frozenset([w])) for w in wires))
        found = set(seen.values())
        return {probe for probe in found if not any(probe < other for other in found)}
