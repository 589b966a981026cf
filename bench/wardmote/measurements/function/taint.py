# SPDX-License-Identifier: BSD-3-Clause
"""Follows secrets through calls on an emulated CPU: which instructions depend on one, whether or not
the inputs show it, and how much of the program the inputs have seen."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.call import Trace
from wardmote.measurements.function.inputs import Inputs
from wardmote.measurements.function.lines import instructions_at, places_of
from wardmote.measurements.function.rows import Dependence, Uncovered
from wardmote.measurements.function.run import Emulated


@dataclass(frozen=True, slots=True)
class Followed:
    """What was found over all inputs."""

    dependences: tuple[Dependence, ...]
    paths: int
    """Sequences of instructions that were different."""
    inputs: int
    uncovered: tuple[Uncovered, ...]


def follow(cpu: Emulated, inputs: Sequence[Inputs], published: Sequence[str]) -> Followed:
    """Follows the secrets through the measured call, with every input. What the functions
    `published` return is public."""
    shown: dict[tuple[int, str], set[str]] = defaultdict(set)
    sides: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    paths: set[int] = set()
    target = cpu.target(None)
    with target.follow(cpu.assignment.secrets, published):
        for one in inputs:
            trace = cpu.call(one).trace
            assert isinstance(trace, Trace)
            paths.add(trace.pc_hash)
            for pc, kind, secrets in trace.dependences:
                shown[pc, kind].update(secrets)
            for pc, held, failed in trace.branches:
                sides[pc][0] += held
                sides[pc][1] += failed
    places = (
        places_of(cpu.elf, sorted({*(pc for pc, _ in shown), *sides})) if shown or sides else {}
    )
    instructions = instructions_at(cpu.elf, sorted({pc for pc, _ in shown}))
    tainted = {pc for pc, kind in shown if kind == "branch"}
    one_sided = [pc for pc in sorted(sides) if pc not in tainted and 0 in sides[pc]]
    return Followed(
        tuple(
            Dependence(
                kind=kind,
                pc=pc,
                function=places[pc][0].function,
                instruction=instructions[pc],
                source=places[pc][0].source,
                secrets=tuple(name for name in cpu.assignment.secrets if name in secrets),
            )
            for (pc, kind), secrets in sorted(shown.items())
        ),
        len(paths),
        len(inputs),
        tuple(
            Uncovered(
                pc=pc,
                function=places[pc][0].function,
                source=places[pc][0].source,
                held=sides[pc][0] > 0,
            )
            for pc in one_sided
        ),
    )
