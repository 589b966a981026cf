# SPDX-License-Identifier: BSD-3-Clause
"""Calls on the host that leave a trace, as those of the emulated CPUs do."""

import functools
from collections.abc import Sequence

from wardmote.call.errors import CallError
from wardmote.call.outcome import Outcome, Trace, TraceMode
from wardmote.call.steps.decode import DecodeError
from wardmote.call.steps.stepper import Region, StepError, Stepper, open_stepper
from wardmote.call.steps.trace import Tracer


def traced(entry: int, name: str, values: Sequence[int], mode: TraceMode, limit: int) -> Outcome:
    """Calls the function at `entry` in this process; a fault raises CallError and leaves the
    process as it was."""
    try:
        stepper = open_stepper()
        value = run(stepper, entry, name, values, limit)
        return with_trace(Outcome(value, ()), _tracer(stepper), (stepper.object_of(entry),), mode)
    except StepError as error:
        raise CallError(f"{name} on host: {error}") from error


def run(
    stepper: Stepper,
    entry: int,
    name: str,
    values: Sequence[int],
    limit: int,
    numbered: Sequence[Region] = (),
) -> int:
    """Calls; what stops the function raises CallError with the instruction and its function."""
    value = stepper.call(entry, values, limit)
    if fault := stepper.fault((stepper.object_of(entry), *numbered)):
        raise CallError(f"{name} on host: {fault}")
    return value


def with_trace(
    outcome: Outcome, tracer: Tracer, numbered: Sequence[Region], mode: TraceMode
) -> Outcome:
    """The outcome of the call that was made last, with what it met; StepError if an instruction is
    not known."""
    try:
        steps = tracer.trace(numbered)
    except DecodeError as error:
        raise StepError(str(error)) from error
    if mode == "full":
        accesses = tuple(zip(steps.addresses.tolist(), steps.writes.tolist(), strict=True))
        lists = (
            tuple(steps.pcs.tolist()),
            accesses,
            steps.branches,
            tuple(steps.access_pcs.tolist()),
        )
        trace = Trace(steps.pc_hash, steps.address_hash, *lists, sps=tuple(steps.sps.tolist()))
    else:
        trace = Trace(steps.pc_hash, steps.address_hash, (), (), ())
    return Outcome(
        outcome.value, outcome.buffers, None, steps.stack_octets, trace, instructions=len(steps.pcs)
    )


@functools.cache
def _tracer(stepper: Stepper) -> Tracer:
    return Tracer(stepper)
