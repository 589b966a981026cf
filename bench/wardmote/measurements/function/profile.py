# SPDX-License-Identifier: BSD-3-Clause
"""Shows where the cycles of one call go: each instruction's cycles count for its function and for
all callers."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from wardmote.call import Trace
from wardmote.cpus import MEASURED
from wardmote.measurements.function.inputs import Inputs
from wardmote.measurements.function.lines import places_of
from wardmote.measurements.function.run import Emulated

INLINED = " (inlined)"
MOST_CALL_OCTETS = 4
"""The longest call instruction of any CPU."""
Stack = tuple[str, ...]
"""Functions on the stack, outermost first."""


@dataclass(frozen=True, slots=True)
class FunctionCost:
    """The cost of one function in a call. Functions inlined into it count as part of it and are
    also listed separately."""

    function: str
    calls: int | None
    """None where it was inlined."""
    cycles: int
    """Cycles of its own instructions, without those of its callees."""
    cycles_with_callees: int
    instructions: int


@dataclass(frozen=True, slots=True)
class LineCost:
    """What the instructions of one source line cost."""

    source: str
    """FILE:LINE; `?` where the debug information does not say."""
    function: str
    cycles: int
    instructions: int


@dataclass(frozen=True, slots=True)
class Profile:
    """The profile of one call on one CPU. If the CPU's timing is a band, its slow end is used.
    Costs are sorted, most cycles first."""

    cpu: str
    operation: str
    octets: int
    cycles: int
    functions: tuple[FunctionCost, ...]
    lines: tuple[LineCost, ...]
    folded: Mapping[Stack, int]
    """Cycles of each stack of functions."""


@dataclass(slots=True)
class _Frame:
    """A function that has not returned yet."""

    function: str
    site: int
    """The instruction that called it."""
    sp: int
    """Stack pointer before the call, and after its return."""


@dataclass(slots=True)
class _Walk:
    """Follows a run instruction by instruction and keeps the call stack."""

    starts: list[int]
    names: list[str]
    frames: list[_Frame]
    is_call: Mapping[int, bool]
    calls: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def function_at(self, pc: int) -> str:
        """The function that an instruction belongs to."""
        at = bisect_right(self.starts, pc) - 1
        return self.names[at] if at >= 0 else f"{pc:#x}"

    def step(self, pc: int, sp_before: int, next_pc: int, sp: int) -> None:
        """Goes on from `pc` to `next_pc`; `sp` is the stack pointer then."""
        if self._returned(next_pc, sp):
            return
        name = self.function_at(next_pc)
        if self.is_call[pc] and not pc < next_pc <= pc + MOST_CALL_OCTETS:
            self.frames.append(_Frame(name, pc, sp_before))
            self.calls[name] += 1
        elif name != self.frames[-1].function:
            self._jumped(name)

    def _returned(self, next_pc: int, sp: int) -> bool:
        """Drops the frames that a return ends. After a return, execution continues behind the call,
        and SP is what it was before the call."""
        for depth in range(len(self.frames) - 1, 0, -1):
            frame = self.frames[depth]
            if frame.site < next_pc <= frame.site + MOST_CALL_OCTETS and sp == frame.sp:
                while depth > 1 and (self.frames[depth - 1].site, self.frames[depth - 1].sp) == (
                    frame.site,
                    frame.sp,
                ):
                    depth -= 1
                del self.frames[depth:]
                return True
        return False

    def _jumped(self, name: str) -> None:
        """Handles a tail call: a jump into another function, which returns to this function's
        caller; or a jump back."""
        top = self.frames[-1]
        depth = len(self.frames) - 1
        while depth >= 0 and (self.frames[depth].site, self.frames[depth].sp) == (top.site, top.sp):
            if self.frames[depth].function == name:
                del self.frames[depth + 1 :]
                return
            depth -= 1
        self.frames.append(_Frame(name, top.site, top.sp))
        self.calls[name] += 1


def profile_of(cpu: Emulated, inputs: Inputs) -> Profile:
    """Runs one call and says where its cycles went."""
    outcome = cpu.call(inputs, "full")
    assert outcome.trace is not None
    trace, function = outcome.trace, cpu.assignment.call.function.name
    places = places_of(cpu.elf, sorted(set(trace.pcs)))
    folded: dict[Stack, int] = defaultdict(int)
    counted: dict[Stack, int] = defaultdict(int)
    by_line: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    walk = _walk(cpu, trace)
    before, sp = 0, _sp_of_caller(cpu, trace)
    walk.frames.append(_Frame(function, -MOST_CALL_OCTETS - 1, sp))
    walk.calls[function] = 1
    last = len(trace.pcs) - 1
    for n, pc in enumerate(trace.pcs):
        own, before = trace.cycles[n] - before, trace.cycles[n]
        # The walk knows functions by symbol. Functions inlined into one follow it, outermost first.
        inlined = (f"{place.function}{INLINED}" for place in reversed(places[pc][:-1]))
        stack = (*(frame.function for frame in walk.frames), *inlined)
        folded[stack] += own
        counted[stack] += 1
        line = by_line[
            places[pc][0].source or "?", places[pc][0].function or walk.frames[-1].function
        ]
        line[0] += own
        line[1] += 1
        if n < last:
            walk.step(pc, sp, trace.pcs[n + 1], trace.sps[n])
        sp = trace.sps[n]
    return Profile(
        cpu=cpu.cpu,
        operation=function,
        octets=cpu.assignment.work_octets(),
        cycles=int(outcome.cycles or 0),
        functions=_functions(folded, counted, walk.calls),
        lines=tuple(
            sorted(
                (LineCost(*at, *spent) for at, spent in by_line.items()),
                key=lambda line: (-line.cycles, line.source),
            )
        ),
        folded=dict(folded),
    )


def _walk(cpu: Emulated, trace: Trace) -> _Walk:
    """Finds functions by address, and the instructions of the run that are calls."""
    program = cpu.target(None).program
    code = {
        address & ~1: name  # Bit 0 of an ARM's is no part of the address.
        for name, (address, _, is_code) in sorted(program.symbols().items(), reverse=True)
        if is_code
    }
    starts = sorted(code)
    calls = {pc: MEASURED[cpu.cpu].is_call(program.read(pc, 4)) for pc in set(trace.pcs)}
    return _Walk(starts, [code[start] for start in starts], [], calls)


def _sp_of_caller(cpu: Emulated, trace: Trace) -> int:
    """Returns SP before the first instruction: SP after the last one, minus what the return took
    from the stack."""
    return trace.sps[-1] - MEASURED[cpu.cpu].return_octets


def _functions(
    folded: Mapping[Stack, int], counted: Mapping[Stack, int], calls: Mapping[str, int]
) -> tuple[FunctionCost, ...]:
    """Counts each function once, however often it is on a stack."""
    own: dict[str, int] = defaultdict(int)
    whole: dict[str, int] = defaultdict(int)
    instructions: dict[str, int] = defaultdict(int)
    for stack, cycles in folded.items():
        own[stack[-1]] += cycles
        instructions[stack[-1]] += counted[stack]
        for name in set(stack):
            whole[name] += cycles
    costs = [
        FunctionCost(name, calls.get(name), own[name], whole[name], instructions[name])
        for name in whole
    ]
    return tuple(sorted(costs, key=lambda cost: (-cost.cycles, cost.function)))
