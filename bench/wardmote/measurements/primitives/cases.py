# SPDX-License-Identifier: BSD-3-Clause
"""The cases of a primitive: on an emulated CPU, and on this machine as a 32-bit x86, where counts
and times are cases of their own."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from wardmote.campaign.cases import Artefacts, Figures
from wardmote.linked import linked
from wardmote.measurements.primitives import flash, host32, run
from wardmote.measurements.primitives.entry import Lengths, Primitive, Workload, workloads
from wardmote.paths import ROOT
from wardmote.prototypes import HOST32, read_public

EXECUTABLE, EMPTY, PROGRAM = "executable", "empty", "program"


@dataclass(frozen=True, slots=True)
class Case:
    """One primitive on one CPU with messages of some lengths."""

    cpu: str
    primitive: Primitive
    """With the operations that are measured."""
    lengths: tuple[Lengths, ...]
    seed: int

    @property
    def label(self) -> str:
        """Names the case."""
        return f"{self.cpu} {self.primitive.label}"


@dataclass(frozen=True, slots=True)
class EmulatedCase(Case):
    """Costs of one primitive on an emulated CPU, flash and RAM included."""

    symbols: tuple[str, ...]
    """What the executable holds: what all operations of the primitive name."""
    runs: int

    @property
    def executable(self) -> Path:
        """The file that is measured; it is linked if need be."""
        return linked(self.cpu, self.symbols, self.primitive.form)

    def artefacts(self) -> dict[str, Path]:
        """The executable, and one with only the parts that every executable has."""
        return {EXECUTABLE: self.executable, EMPTY: linked(self.cpu, (), self.primitive.form)}


@dataclass(frozen=True, slots=True)
class CountedCase(Case):
    """Instructions of one primitive, which are the same on every x86."""

    runs: int

    @property
    def label(self) -> str:
        """Names the case: it is not the one that measures the stack and the time."""
        return f"{self.cpu} {self.primitive.label}, counted"

    def artefacts(self) -> dict[str, Path]:
        """The program that counts blocks."""
        return {PROGRAM: host32.programs(self.primitive)[1]}


@dataclass(frozen=True, slots=True)
class PlainCase(Case):
    """Stack of one primitive without counts, and its time on a processor."""

    clock: str
    """Processor and clock whose time it is; empty if no time is measured."""

    def artefacts(self) -> dict[str, Path]:
        """The program as the compiler made it."""
        return {PROGRAM: host32.programs(self.primitive)[0]}


PrimitiveCase = EmulatedCase | CountedCase | PlainCase


def is_timed(case: PrimitiveCase) -> bool:
    """Whether it reads this machine's clock."""
    return isinstance(case, PlainCase) and bool(case.clock)


def figures_of(case: PrimitiveCase, artefacts: Artefacts) -> Figures:
    """Measures one case."""
    loads, prototypes = workloads(case.primitive, case.lengths), read_public(ROOT)
    if isinstance(case, CountedCase):
        with host32.running(artefacts[PROGRAM]) as machine:
            counts = [(one, host32.counts(machine, one, case.runs, case.seed)) for one in loads]
        ram_octets = run.context_octets(case.primitive, prototypes, HOST32)
        return {"ram_octets": ram_octets, "costs": _plain(counts)}
    if isinstance(case, PlainCase):
        with host32.running(artefacts[PROGRAM], timed=bool(case.clock)) as machine:
            return {
                "costs": _plain([(one, host32.times(machine, one, case.seed)) for one in loads])
            }
    ends = run.opened(artefacts[EXECUTABLE])
    flash_octets, static_ram_octets = flash.octets(artefacts[EXECUTABLE], artefacts[EMPTY])
    return {
        "flash_octets": flash_octets,
        "static_ram_octets": static_ram_octets,
        "ram_octets": run.context_octets(case.primitive, prototypes, ends.slow.model),
        "costs": _plain([(one, run.measure(ends, one, case.runs, case.seed)) for one in loads]),
    }


def _plain(found: Sequence[tuple[Workload, Sequence[Any]]]) -> list[dict[str, Any]]:
    """Costs as plain values, with their lengths."""
    return [
        {"octets": workload.octets, "a_octets": workload.a_octets, **asdict(cost)}
        for workload, costs in found
        for cost in costs
    ]
