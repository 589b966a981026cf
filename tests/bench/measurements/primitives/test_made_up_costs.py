# SPDX-License-Identifier: BSD-3-Clause
"""Costs of a primitive from runs that are made up: the most of several runs, and what shows at one
end of a timing band alone."""

from types import SimpleNamespace
from typing import Any

import pytest

from wardmote.call import Outcome
from wardmote.measurements.primitives import run

NOBODY: Any = None
"""No CPU is asked where nothing depends on a secret."""


def outcome(cycles: int | None, path: int = 1, address: int = 2, stack: int = 8) -> Outcome:
    """A run of so many cycles along a path."""
    trace: Any = SimpleNamespace(pc_hash=path, address_hash=address, dependences=())
    return Outcome(0, (), cycles=cycles, stack_octets=stack, trace=trace)


@pytest.mark.parametrize(
    ("slow", "fast", "constant"),
    [
        ([30, 30], [20, 20], True),
        ([30, 30], [20, 21], False),
        ([30, 31], [20, 20], False),
        ([30, 30], [], True),
        ([30, 29], [], False),
    ],
)
def test_costs_of_primitives(slow: list[int], fast: list[int], constant: bool) -> None:
    """Both ends decide; the row has the most of each, the least of the slow one, the deepest
    stack. A run of several calls takes their sum."""
    seen = [[outcome(n - 3, stack=6 + n), outcome(3)] for n in slow]
    found = run._cost(NOBODY, "seal", seen, [[outcome(n - 3), outcome(3)] for n in fast])
    assert found.operation == "seal"
    assert (found.cycles, found.cycles_min) == (max(slow), min(slow))
    assert found.cycles_low == (max(fast) if fast else None)
    assert found.stack_octets == 6 + max(slow)
    assert found.constant_cycles is constant
    assert found.no_secret_branch
    assert found.no_secret_address


@pytest.mark.parametrize(
    ("path", "address", "verdicts"),
    [(1, 2, (True, True)), (1, 3, (True, False)), (4, 2, (False, None)), (4, 3, (False, None))],
)
def test_paths_and_addresses_of_primitives(
    path: int, address: int, verdicts: tuple[bool, bool | None]
) -> None:
    """Another path is a branch that depends on secrets; then addresses say nothing."""
    found = run._cost(NOBODY, "seal", [[outcome(5)], [outcome(5, path, address)]], [])
    assert (found.no_secret_branch, found.no_secret_address) == verdicts
