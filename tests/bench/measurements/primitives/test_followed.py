# SPDX-License-Identifier: BSD-3-Clause
"""What the table of primitives says about secrets from samples, following them through every
instruction confirms: those that are constant in time depend on none, all others do."""

import pytest

from wardmote.linked import linked
from wardmote.measurements.primitives import run
from wardmote.measurements.primitives.entry import MESSAGE, lengths_of, workloads
from wardmote.measurements.primitives.table import PRIMITIVES

CPUS = ("msp430", "avr", "armv7m")
OCTETS = 24
"""A multiple of every length of a block but 16; those are tried with 16."""
VERDICT = "wm_ct_diff"
"""What it returns says whether a tag is right, which callers may know."""

FALSE_ALARMS = {("msp430", "blake2s small")}
"""CLRC after a comparison of secrets: C is known then, but the shadow of SR has one set for all flags
of its lower octet, and an RRC takes the bit into an index."""


@pytest.mark.parametrize("cpu", CPUS)
def test_constant_time_is_no_dependence(cpu: str) -> None:
    """Keys and messages are secret."""
    constant = 0
    for primitive in PRIMITIVES:
        if run.lacking(cpu, primitive):
            continue
        ends = run.opened(linked(cpu, primitive.symbols, primitive.form).read_bytes())
        found = [
            w for size in (16, OCTETS) for w in workloads(primitive, lengths_of(primitive, (size,)))
        ]
        costs = run.measure(ends, found[-1], 2, 1)
        sampled = all(
            c.constant_cycles and c.no_secret_branch and c.no_secret_address for c in costs
        )
        secrets = [name for name, value in primitive.values.items() if value.kind == "secret"]
        published = [VERDICT] if VERDICT in ends.slow.program.symbols() else []
        with ends.slow.follow([*secrets, MESSAGE], published):
            calls = run._run(ends.slow, found[-1], run.Secrets(1, 0), trace=True)
        traces = [call.trace for calls_of_one in calls for call in calls_of_one]
        shown = [trace.dependences for trace in traces if trace and trace.dependences]
        alarm = (cpu, primitive.label) in FALSE_ALARMS
        assert bool(shown) != (sampled and not alarm), f"{primitive.label} on {cpu}: {shown[:1]}"
        constant += sampled
    assert constant > 30
