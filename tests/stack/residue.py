# SPDX-License-Identifier: BSD-3-Clause
"""Finds residue of secrets: octets of the dead stack that differ when only secrets differed.

A call has returned, so nothing below its caller's stack pointer is needed any more. Whatever stands
there that depends on a key or a message may be found later. Nobody has to say what the intermediate
values are: two runs with other secrets are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.stack.calls import made
from wardmote.call import EmulatedTarget, Outcome

STACK_END = {"msp430": 0x3900, "avr": 0x2200, "armv7m": 0x2000_8000}
"""Where the stack begins to grow down; the chips' RAM ends there."""
DEAD_OCTETS = 1024
"""More than any operation takes."""
RUNS = 4
REGISTERS = 7
"""Octets that a compiler may leave: fewer than the shortest tag or block."""
KINDS = {"fast": "", "small": "-small", "portable": "-portable"}
"""Of libraries, with what their names end in: with assembly, in least flash, of C alone."""

Operation = Callable[[EmulatedTarget, Random], bytes | None]
"""What leaves no secrets. It takes its own from a source; all lengths must be the same each time.
What it returns are working buffers: octets that must not depend on secrets."""


def residue(target: EmulatedTarget, operation: Operation) -> int:
    """How many octets of the dead stack depend on secrets after a call of an operation, at most."""
    dead = (STACK_END[target.name] - DEAD_OCTETS) | target.cpu.data_space
    left: list[list[bytes]] = []
    buffers: set[bytes | None] = set()

    def watched(*args: Any, **options: Any) -> Outcome:
        target.program.write(dead, bytes(DEAD_OCTETS))
        outcome = EmulatedTarget.call(target, *args, **options)
        assert (outcome.stack_octets or 0) < DEAD_OCTETS
        look()
        return outcome

    def look() -> None:
        left[-1].append(target.program.read(dead, DEAD_OCTETS))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(target, "call", watched)
        for number in range(RUNS):
            target.reset()
            made.cache_clear()  # otherwise earlier calls decide which calls there are
            left.append([])
            buffers.add(operation(target, Random(number)))
            look()
    assert len(buffers) == 1, "a working buffer depends on secrets"
    return max(
        sum(len(set(octets)) > 1 for octets in zip(*stacks, strict=True))
        for stacks in zip(*left, strict=True)
    )


def check(left: dict[str, int]) -> None:
    """Nothing is longer than registers are."""
    more = {what: octets for what, octets in left.items() if octets > REGISTERS}
    assert not more, "octets of secrets on the stack"
