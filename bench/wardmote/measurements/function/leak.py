# SPDX-License-Identifier: BSD-3-Clause
"""Finds out whether secrets show. Runs that differ only in their secrets are compared on the binary
itself: cycles, path and addresses."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from wardmote.call import Outcome, Timing, Trace
from wardmote.cpus import BANDED
from wardmote.measurements.function.inputs import Inputs
from wardmote.measurements.function.lines import instruction_at, place_of
from wardmote.measurements.function.rows import Leak
from wardmote.measurements.function.run import Emulated
from wardmote.measurements.function.stepped import Stepped

Access = tuple[int, bool]
Traced = Emulated | Stepped
"""Calls that leave a trace."""
FAST_END: Timing = "low"


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What was found over all secrets."""

    constant_cycles: bool | None
    """None where cycles are not counted."""
    no_secret_branch: bool
    no_secret_address: bool
    leaks: tuple[Leak, ...]
    cycles: tuple[int, ...] = ()
    """Of every run, where they are counted; so is the next."""
    cycles_low: tuple[int, ...] = ()

    @property
    def constant_time(self) -> bool:
        """All that were found hold."""
        return (
            self.constant_cycles is not False and self.no_secret_branch and self.no_secret_address
        )


def judge(cpu: Traced, inputs: Sequence[Inputs]) -> Verdicts:
    """Compares every run with the first; `inputs` differ in their secrets alone."""
    runs = [cpu.call(one, "hash") for one in inputs]
    low = [cpu.call(one, timing="low") for one in inputs] if cpu.cpu in BANDED else []
    leaks: list[Leak] = []
    cycles = _first(runs, lambda run: run.cycles) or _first(low, lambda run: run.cycles)
    branch = _first(runs, lambda run: _trace(run).pc_hash)
    address = _first(runs, lambda run: _trace(run).address_hash)
    if branch:
        leaks.append(_branch_leak(cpu, inputs[0], inputs[branch]))
        # Where paths differ, so do the lists of addresses: instruction by instruction they may
        # still agree.
        found = (_address_leak(cpu, inputs[0], one) for one in inputs[1:])
        address_leak = next((leak for leak in found if leak), None)
    else:
        address_leak = _address_leak(cpu, inputs[0], inputs[address]) if address else None
    if address_leak:
        leaks.append(address_leak)
    if cycles and isinstance(cpu, Emulated):
        leaks.append(_cycle_leak(cpu, runs, low, cycles, inputs, same_path=not branch))
    constant = not cycles if runs[0].cycles is not None else None
    return Verdicts(
        constant,
        not branch,
        address_leak is None,
        tuple(leaks),
        tuple(run.cycles for run in runs if run.cycles is not None),
        tuple(run.cycles for run in low if run.cycles is not None),
    )


def _cycle_leak(
    cpu: Emulated,
    runs: Sequence[Outcome],
    low: Sequence[Outcome],
    at: int,
    inputs: Sequence[Inputs],
    same_path: bool,
) -> Leak:
    """A leak through cycles: both numbers, and, if the path is the same, the instruction whose time
    depends on its operands."""
    ends, timing = (runs[0].cycles, runs[at].cycles), None
    if ends[0] == ends[1]:
        ends, timing = (low[0].cycles, low[at].cycles), FAST_END
    pc = (
        _slow_instruction(cpu, inputs[0], inputs[at], min(int(end or 0) for end in ends), timing)
        if same_path
        else None
    )
    return _leak(
        cpu, "cycles", pc, (f"{ends[0]} cycles", f"{ends[1]} cycles"), inputs[0], inputs[at]
    )


def _slow_instruction(
    cpu: Emulated, first: Inputs, second: Inputs, most: int, timing: Timing | None
) -> int:
    """Bisects over cycles: returns the last place that both runs reach at the same time."""
    place = cpu.target(timing).address_of(cpu.assignment.call.function.name) & ~1
    same, other = 0, most
    while other - same > 1:
        limit = (same + other) // 2
        a, b = (cpu.stop(one, limit, timing) for one in (first, second))
        if a is not None and a == b:
            same, place = limit, a[0]
        else:
            other = limit
    return place


def _first(runs: Sequence[Outcome], of: Callable[[Outcome], object]) -> int:
    """Returns the index of the first run that differs from run 0, or 0 if none does."""
    return next((n for n, run in enumerate(runs) if of(run) != of(runs[0])), 0)


def _trace(run: Outcome) -> Trace:
    assert run.trace is not None
    return run.trace


def _branch_leak(cpu: Traced, first: Inputs, second: Inputs) -> Leak:
    """The instruction after which the paths part."""
    a, b = (_trace(cpu.call(one, "full")).pcs for one in (first, second))
    at = next(n for n, (x, y) in enumerate(zip_longest(a, b)) if x != y)
    ends = tuple(f"goes on at 0x{path[at]:x}" if at < len(path) else "returns" for path in (a, b))
    return _leak(cpu, "branch", a[at - 1], (ends[0], ends[1]), first, second)


def _address_leak(cpu: Traced, first: Inputs, second: Inputs) -> Leak | None:
    """The first access whose address differs from that of the same instruction, met as many times,
    in the other run."""
    a, b = (_trace(cpu.call(one, "full")) for one in (first, second))
    others: dict[int, list[Access]] = defaultdict(list)
    for pc, access in zip(b.access_pcs, b.accesses, strict=True):
        others[pc].append(access)
    met: dict[int, int] = defaultdict(int)
    for pc, access in zip(a.access_pcs, a.accesses, strict=True):
        turn = met[pc]
        met[pc] += 1
        if turn < len(others[pc]) and others[pc][turn] != access:
            words = [
                f"{'writes' if write else 'reads'} 0x{address:x}"
                for address, write in (access, others[pc][turn])
            ]
            return _leak(cpu, "address", pc, (words[0], words[1]), first, second)
    return None


def _leak(
    cpu: Traced, verdict: str, pc: int | None, ends: tuple[str, str], first: Inputs, second: Inputs
) -> Leak:
    secrets = cpu.assignment.secrets
    place = None if pc is None else place_of(cpu.elf, pc)
    return Leak(
        verdict=verdict,
        pc=pc,
        function=place.function if place else "",
        instruction="" if pc is None else instruction_at(cpu.elf, pc),
        source=place.source if place else "",
        first=ends[0],
        second=ends[1],
        secrets_first={name: text_of(first[name]) for name in secrets},
        secrets_second={name: text_of(second[name]) for name in secrets},
        public={name: text_of(value) for name, value in first.items() if name not in secrets},
    )


def text_of(value: int | bytes) -> str:
    """An input as `--arg` takes it."""
    return f"hex:{value.hex()}" if isinstance(value, bytes) else str(value)
