# SPDX-License-Identifier: BSD-3-Clause
"""Makes the calls of an assignment on one target: sets global objects and members of structures, and
calls the functions in order."""

from dataclasses import replace

from wardmote.call import (
    Buffer,
    CallError,
    EmulatedTarget,
    GuardError,
    Outcome,
    Target,
    TraceMode,
)
from wardmote.errors import UsageError
from wardmote.measurements.function.arguments import Given
from wardmote.measurements.function.inputs import Assignment, Inputs, Part
from wardmote.measurements.function.prototype import Call
from wardmote.prototypes import Layout, Pointer, Record, Scalar, pack_integer


def call_all(
    target: Target,
    assignment: Assignment,
    inputs: Inputs,
    trace: TraceMode = "off",
    limit: int | None = None,
) -> Outcome:
    """The outcome of the last call; its buffers are those of `assignment.buffers()`. `limit` is a
    limit of cycles for the last call alone."""
    function = assignment.call.function.name
    if assignment.plain:
        with target.limited(limit):
            return target.call(
                function, *assignment.arguments(inputs, target.address_of), trace=trace
            )
    target.reset()
    _set_objects(target, assignment, inputs)
    buffers = _buffers(target, assignment, inputs)
    with target.keeping():
        for one in assignment.before:
            target.call(one.function.name, *_arguments(target, assignment, one, inputs, buffers))
    arguments = _arguments(target, assignment, assignment.call, inputs, buffers)
    constant = {
        p.name: buffers[p.name].read()
        for p in assignment.call.function.parameters
        if p.name in buffers and isinstance(p.type, Pointer) and p.type.const
    }
    with target.limited(limit):
        outcome = target.call(function, *arguments, trace=trace)
    for name, octets in constant.items():
        if buffers[name].read() != octets:
            raise GuardError(
                f"{function} on {target.name} wrote into {name}, which it declares const"
            )
    return replace(outcome, buffers=tuple(buffers[name].read() for name in assignment.buffers()))


def _set_objects(target: Target, assignment: Assignment, inputs: Inputs) -> None:
    """Gives global objects their values."""
    for name, given in assignment.globals.items():
        value = inputs[name]
        if isinstance(value, int):
            type_ = assignment.call.prototypes.objects[name]
            octets = assignment.call.prototypes.sizeof(type_, target.model)
            value = pack_integer(value, octets, f"global {name}", target.model.order)
        try:
            target.store(name, value)
        except CallError as error:
            raise UsageError(f"{target.name}: {_named(name, given)}: {error}") from error


def _named(name: str, given: Given) -> str:
    return f"global {name}{' (secret)' if given.secret else ''}"


def _buffers(target: Target, assignment: Assignment, inputs: Inputs) -> dict[str, Buffer]:
    """Places all buffers: first those that members point to, then those of parameters."""
    found: dict[str, Buffer] = {}
    for name, part in assignment.parts.items():
        if part.pointer:
            found[name] = target.buffer(_octets(inputs[name]), name)
    for name, parameter in assignment.parameters.items():
        if not assignment.is_buffer(parameter):
            continue
        octets = bytearray(_octets(inputs[name]))
        for path, part in assignment.parts.items():
            if part.parameter == name:
                _fill(target, assignment, octets, part, found.get(path), inputs.get(path, 0))
        found[name] = target.buffer(octets, name)
        _mark_members(target, assignment, name, found[name])
    return found


def _mark_members(target: Target, assignment: Assignment, name: str, buffer: Buffer) -> None:
    """Says which octets of a structure are secret members."""
    if not isinstance(target, EmulatedTarget):
        return
    for path, part in assignment.parts.items():
        if part.parameter == name and part.given.secret and part.pointer is None:
            layout = _layout(target, assignment, part)
            target.mark(buffer, layout.offset(part.member), layout.sizeof(part.member), path)


def _octets(value: int | bytes) -> bytes:
    assert isinstance(value, bytes)
    return value


def _layout(target: Target, assignment: Assignment, part: Part) -> Layout:
    """Of the structure that the member is in."""
    pointer = assignment.parameters[part.parameter].type
    assert isinstance(pointer, Pointer)
    assert isinstance(pointer.target, Record)
    return assignment.call.prototypes.layout(pointer.target.name, target.model)


def _fill(
    target: Target,
    assignment: Assignment,
    octets: bytearray,
    part: Part,
    buffer: Buffer | None,
    value: int | bytes,
) -> None:
    """Writes one member of a structure: a value, or the address of a buffer or a symbol."""
    layout = _layout(target, assignment, part)
    at, room = layout.offset(part.member), layout.sizeof(part.member)
    if buffer is not None:
        value = buffer.address
    elif part.given.kind == "symbol":
        value = target.address_of(part.given.symbol)
    if isinstance(value, int):
        scalar = isinstance(part.type, Scalar)
        bits = value if scalar else value & ((1 << 8 * room) - 1)
        value = pack_integer(bits, room, part.member, target.model.order)
    octets[at : at + len(value)] = value


def _arguments(
    target: Target, assignment: Assignment, call: Call, inputs: Inputs, buffers: dict[str, Buffer]
) -> list[int | Buffer]:
    """The arguments of one call."""
    found: list[int | Buffer] = []
    for parameter in call.function.parameters:
        given = assignment.given[parameter.name]
        if given.kind == "symbol":
            found.append(target.address_of(given.symbol))
        elif parameter.name in buffers:
            found.append(buffers[parameter.name])
        else:
            value = inputs.get(parameter.name, 0)
            assert isinstance(value, int)
            found.append(value)
    return found
