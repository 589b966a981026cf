# SPDX-License-Identifier: BSD-3-Clause
"""What secrets leave behind: octets of the dead stack that differ when nothing but secrets did.

A call has returned, so nothing below its caller's stack pointer is needed any more. Whatever stands
there that depends on a key or a message may be found later. Nobody has to say what the intermediate
values are: two runs with other secrets are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from wardmote.call import EmulatedTarget, Outcome

STACK_END = {"msp430": 0x3900, "avr": 0x2200, "armv7m": 0x2000_8000}
"""Where the stack begins to grow down; the chips' RAM ends there."""
DEAD_OCTETS = 1024
"""More than any operation takes."""
RUNS = 4


def residue(target: EmulatedTarget, operation: Callable[[Random], object]) -> int:
    """How many octets of the dead stack depend on secrets after a call of an operation, at most.
    It takes its secrets from a source; all lengths must be the same each time."""
    end = STACK_END[target.name]
    left: list[list[bytes]] = []

    def look() -> None:
        left[-1].append(target.read(end - DEAD_OCTETS, DEAD_OCTETS))

    def watched(*args: Any, **options: Any) -> Outcome:
        outcome = EmulatedTarget.call(target, *args, **options)
        look()
        return outcome

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(target, "call", watched)
        for number in range(RUNS):
            target.reset()
            left.append([])
            operation(Random(number))
            look()
    return max(
        sum(len(set(octets)) > 1 for octets in zip(*stacks, strict=True))
        for stacks in zip(*left, strict=True)
    )
