# SPDX-License-Identifier: BSD-3-Clause
"""Calls one function on one CPU and keeps its outputs and costs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wardmote.call import (
    CallError,
    EmulatedTarget,
    Host32,
    Outcome,
    Timing,
    TraceMode,
)
from wardmote.cpus import BANDED, MEASURED
from wardmote.measurements.function.calls import call_all
from wardmote.measurements.function.inputs import Assignment, Inputs
from wardmote.measurements.function.lines import place_of
from wardmote.prototypes import HOST, HOST32, DataModel, Pointer

MODELS: dict[str, DataModel] = {
    **{cpu.name: cpu.model for cpu in MEASURED.values()},
    "host": HOST,
    "host32": HOST32,
}
TIMING_MODELS = {
    **{cpu.name: cpu.timing_model for cpu in MEASURED.values()},
    "host": "no cycles; instructions, path and addresses from single steps",
    "host32": "not counted",
}
STOPPED = re.compile(r"PC 0x([0-9a-fA-F]+).*?cycle (\d+)")
FAULT_PC = re.compile(r"PC 0x([0-9a-fA-F]+)")


@dataclass(frozen=True, slots=True)
class Answer:
    """Outputs of one call: the result, and the buffers that it may write, by name."""

    value: int
    buffers: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Measured:
    """Outputs and costs of the calls on one CPU, in the order of the inputs."""

    answers: tuple[Answer, ...]
    cycles: tuple[int, ...] = ()
    cycles_low: tuple[int, ...] = ()
    stack_octets: int | None = None
    sizes: tuple[int, int] | None = None
    """Octets of flash and of RAM."""
    instructions: tuple[int, ...] = ()
    """For a CPU whose cycles are not counted."""


@dataclass
class Emulated:
    """One executable on an emulated CPU, at both ends of its timing band."""

    cpu: str
    elf: Path
    assignment: Assignment
    cycle_limit: int
    targets: dict[str, EmulatedTarget] = field(default_factory=dict)

    def target(self, timing: Timing | None) -> EmulatedTarget:
        """The loaded executable at one timing; it is loaded once."""
        key = timing or "exact"
        if key not in self.targets:
            self.targets[key] = EmulatedTarget(
                self.elf, self.assignment.call.prototypes, timing, self.cpu
            )
            self.targets[key].cycle_limit = self.cycle_limit
        return self.targets[key]

    def call(
        self, inputs: Inputs, trace: TraceMode = "off", timing: Timing | None = None
    ) -> Outcome:
        """One call after a reset. The message of a fault has the source line."""
        target = self.target(timing)
        target.reset()
        try:
            return call_all(target, self.assignment, inputs, trace)
        except CallError as error:
            text = str(error)
            found = FAULT_PC.search(text)
            source = place_of(self.elf, int(found[1], 16)).source if found else ""
            raise type(error)(f"{self.cpu}: {text}{f', at {source}' if source else ''}") from error

    def stop(
        self, inputs: Inputs, limit: int, timing: Timing | None = None
    ) -> tuple[int, int] | None:
        """PC and cycle of a call after `limit` cycles; None if it has returned."""
        target = self.target(timing)
        target.reset()
        try:
            call_all(target, self.assignment, inputs, limit=limit)
        except CallError as error:
            found = STOPPED.search(str(error))
            return (int(found[1], 16), int(found[2])) if found else None
        return None

    def measure(self, inputs: Sequence[Inputs]) -> Measured:
        """Calls with all inputs, at both ends if the CPU has a timing band."""
        outcomes = [self.call(one) for one in inputs]
        low = [self.call(one, timing="low") for one in inputs] if self.cpu in BANDED else []
        text, data, bss = self.target(None).program.sizes()
        return Measured(
            tuple(
                answer_of(self.assignment, outcome.value, outcome.buffers) for outcome in outcomes
            ),
            tuple(int(outcome.cycles or 0) for outcome in outcomes),
            tuple(int(outcome.cycles or 0) for outcome in low),
            max(int(outcome.stack_octets or 0) for outcome in outcomes),
            (text + data, data + bss),
        )


def measure_host32(program: Path, assignment: Assignment, inputs: Sequence[Inputs]) -> Measured:
    """Calls on this machine as a 32-bit x86; it counts nothing."""
    with Host32(program, assignment.call.prototypes) as machine:
        outcomes = [call_all(machine, assignment, one) for one in inputs]
    return Measured(
        tuple(answer_of(assignment, outcome.value, outcome.buffers) for outcome in outcomes)
    )


def answer_of(assignment: Assignment, value: int, buffers: Sequence[bytes]) -> Answer:
    """Outputs by name. A returned pointer has no meaning on another CPU and becomes 0."""
    written = {
        name: octets
        for name, octets in zip(assignment.buffers(), buffers, strict=True)
        if name in assignment.outputs
    }
    return Answer(0 if isinstance(assignment.call.function.result, Pointer) else value, written)
