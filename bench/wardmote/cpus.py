# SPDX-License-Identifier: BSD-3-Clause
"""The emulated CPUs.

The record `cpus/<name>.toml` describes a CPU for the instrument, the makefile
`stack/cpu/<name>.mk` has its compiler and options. Every command knows a CPU that has both. A
record with a `family` is of another core with that CPU's ABI and toolchain; `measure` and calls
know it, and no command that needs a board or the stack's archives does.
"""

import re
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from wardmote.errors import UsageError
from wardmote.paths import CPU_RECORDS, ROOT
from wardmote.prototypes import DataModel

Band = Literal["low", "high"]
TOOLS = ROOT / "stack" / "cpu"
LAST = 1 << 16
"""Order of a record that has no `order`: after all others."""
ELF = b"\x7fELF"
MACHINE_AT, HEAD_OCTETS = 18, 20
"""Offset of e_machine in an ELF file, and of the octet after it."""


@dataclass(frozen=True, slots=True)
class Cpu:
    """The record of a CPU."""

    name: str
    family: str
    """The CPU with the same ABI and toolchain; its own name if there is no other."""
    options: tuple[str, ...]
    """Words of its compiler and linker that take the place of the family's which begin alike."""
    order: int
    """Place in lists and tables."""
    elf_machine: int
    timing_model: str
    """Source of its timing."""
    bands: tuple[Band, ...]
    """Ends of its timing band, best known end last; empty where timing is exact."""
    model: DataModel
    least_argument_octets: int
    """Octets of the smallest argument."""
    result_octets: int
    """Octets of the result registers if the last holds a short result; 0 if the first does."""
    data_space: int
    """Address in ELF files at which the data space begins, whose pointers count from 0."""
    code_unit: int
    """Octets of one unit of a pointer to a function."""
    code_bits: int
    """Bits that are set in every pointer to a function."""
    calls: tuple[tuple[int, int], ...]
    """Mask and value of the first four octets of each call instruction."""
    return_octets: int
    """Octets that a return takes from the stack."""

    @property
    def core(self) -> str | None:
        """The name of its core, where the ELF machine does not tell it."""
        return None if self.family == self.name else self.name

    @property
    def slow_end(self) -> Band | None:
        """The slow end of the timing band; None where timing is exact."""
        return self.bands[-1] if self.bands else None

    def is_call(self, octets: bytes) -> bool:
        """Whether the first four octets are those of a call."""
        word = int.from_bytes(octets[:4], "little")
        return any(word & mask == value for mask, value in self.calls)


def _record(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


def read_record(path: Path) -> Cpu:
    """Reads the record of one CPU."""
    own = _record(path)
    family = own.get("family", path.stem)
    record = _record(path.with_name(f"{family}.toml")) | own
    abi, instructions, name = record["abi"], record["instructions"], path.stem
    model = DataModel(
        name,
        int_octets=abi["int_octets"],
        long_octets=abi["long_octets"],
        pointer_octets=abi["pointer_octets"],
        max_align=abi["max_align"],
        short_enums=abi.get("short_enums", False),
    )
    return Cpu(
        name,
        family,
        tuple(own.get("options", ())),
        record.get("order", LAST),
        record["elf_machine"],
        record["timing_model"],
        tuple(record.get("bands", ())),
        model,
        abi.get("least_argument_octets", model.int_octets),
        abi.get("result_octets", 0),
        abi.get("data_space", 0),
        abi.get("code_unit", 1),
        abi.get("code_bits", 0),
        tuple((mask, value) for mask, value in instructions["calls"]),
        instructions["return_octets"],
    )


def read_records(folder: Path) -> dict[str, Cpu]:
    """Reads all records of a folder, in the order of tables."""
    found = (read_record(path) for path in folder.glob("*.toml"))
    return {cpu.name: cpu for cpu in sorted(found, key=lambda cpu: (cpu.order, cpu.name))}


MEASURED: Mapping[str, Cpu] = read_records(CPU_RECORDS)
"""All CPUs, those without a board and without archives of the stack among them."""
MEASURED_NAMES = tuple(MEASURED)
CPUS: Mapping[str, Cpu] = {name: cpu for name, cpu in MEASURED.items() if cpu.core is None}
CPU_NAMES = tuple(CPUS)
BANDED = tuple(cpu.name for cpu in MEASURED.values() if cpu.bands)
"""CPUs whose exact timing is not published."""
NARROWEST: DataModel = min(
    (cpu.model for cpu in CPUS.values()), key=lambda model: (model.int_octets, model.pointer_octets)
)
"""The data model with the smallest types: a value that fits it fits every CPU."""


def machine_of(head: bytes) -> int | None:
    """e_machine of a file, by its first octets; None if it is no ELF file."""
    if head[:4] != ELF or len(head) < HEAD_OCTETS:
        return None
    return int.from_bytes(head[MACHINE_AT:HEAD_OCTETS], "little")


def cpu_of(head: bytes) -> Cpu | None:
    """The CPU of an ELF file, by its first octets; None if it is of no known CPU."""
    machine = machine_of(head)
    return next((cpu for cpu in CPUS.values() if cpu.elf_machine == machine), None)


@cache
def tools(cpu: str) -> Mapping[str, tuple[str, ...]]:
    """Compiler, linker and options of a CPU, from CC, TARGET, LINK and so on of its makefile."""
    if cpu in MEASURED and (core := MEASURED[cpu].core):
        return _of_core(MEASURED[core])
    path = TOOLS / f"{cpu}.mk"
    try:
        text = path.read_text()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}: code for {cpu} needs a checkout") from error
    found: dict[str, tuple[str, ...]] = {}
    for name, sign, words in re.findall(rf"^(\w+)_{cpu} (:=|\+=)(.*)$", text, re.MULTILINE):
        found[name] = (*(found[name] if sign == "+=" else ()), *shlex.split(words))
    return found


def _of_core(cpu: Cpu) -> Mapping[str, tuple[str, ...]]:
    """The tools of the family with the options of this core."""
    instead = {option.partition("=")[0]: option for option in cpu.options}
    return {
        name: tuple(instead.get(word.partition("=")[0], word) for word in words)
        for name, words in tools(cpu.family).items()
    }
