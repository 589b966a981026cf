# SPDX-License-Identifier: BSD-3-Clause
"""What samples of secrets say of the primitives, following the secrets through every instruction
confirms: operations that are constant in time depend on none, all others do."""

import re

import pytest

from wardmote.linked import linked
from wardmote.measurements.primitives import run
from wardmote.measurements.primitives.entry import lengths_of, workloads
from wardmote.measurements.primitives.table import PRIMITIVES

CPUS = ("msp430", "avr", "armv7m")
SIZES = (16, 24)
"""Octets of messages; 16 where 24 is no multiple of a block."""


@pytest.mark.parametrize("cpu", CPUS)
def test_constant_time_is_no_dependence(cpu: str) -> None:
    """Of every operation; keys and messages are secret. The words name a secret and a function."""
    constant = 0
    for primitive in PRIMITIVES:
        if run.lacking(cpu, primitive):
            continue
        ends = run.opened(linked(cpu, primitive.symbols, primitive.form).read_bytes())
        found = [w for size in SIZES for w in workloads(primitive, lengths_of(primitive, (size,)))]
        for cost in run.measure(ends, found[-1], 2, 1):
            sampled = cost.constant_cycles and cost.no_secret_branch and cost.no_secret_address
            said = f"{primitive.label} {cost.operation} on {cpu}: {cost.dependences[:1]}"
            assert bool(sampled) != bool(cost.dependences), said
            assert all(re.search(r" (key|m)\b.* at \w+", one) for one in cost.dependences), said
            constant += bool(sampled)
    assert constant > 100
