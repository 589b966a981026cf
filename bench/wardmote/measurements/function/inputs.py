# SPDX-License-Identifier: BSD-3-Clause
"""Inputs of a measured function: random values, the same on every CPU, and secrets chosen to reveal
shortcuts."""

import dataclasses
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wardmote.cpus import NARROWEST
from wardmote.errors import UsageError
from wardmote.measurements.function.arguments import MOST_OCTETS, Given
from wardmote.measurements.function.prototype import Call, length_of
from wardmote.prototypes import HOST, DataModel, Declared, Pointer, Scalar

Inputs = dict[str, int | bytes]
"""A value for every parameter."""
RANDOM = Given("random")


@dataclass(frozen=True, slots=True)
class Assignment:
    """A prototype, and what each of its parameters is given."""

    call: Call
    given: Mapping[str, Given]
    lengths: Mapping[str, int]
    """Elements of each buffer whose length is a parameter."""
    varied: tuple[str, int] | None = None
    """The parameter that a sweep varies, and its value."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Parameters whose values must not show."""
        return tuple(p.name for p in self.call.function.parameters if self.given[p.name].secret)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Buffers that the function may write."""
        return tuple(
            p.name
            for p in self.call.function.parameters
            if isinstance(p.type, Pointer) and not p.type.const
        )

    def arguments(self, inputs: Inputs) -> list[int | bytes]:
        """Values in the order of the parameters."""
        return [inputs[parameter.name] for parameter in self.call.function.parameters]

    def octets_of(self, parameter: Declared, model: DataModel) -> int:
        """Length of a buffer on a CPU."""
        given, type_ = self.given[parameter.name], parameter.type
        assert isinstance(type_, Pointer)
        if given.octets is not None:
            return given.octets
        count = self.lengths.get(parameter.name, type_.extent or 1)
        return count * self.call.element_octets(parameter, model)

    def alike(self, name: str) -> bool:
        """Says whether a buffer has the same length on every CPU, so that outputs can be
        compared."""
        parameter = next(p for p in self.call.function.parameters if p.name == name)
        return self.octets_of(parameter, NARROWEST) == self.octets_of(parameter, HOST)

    def work_octets(self) -> int:
        """Octets that a call works on."""
        if self.varied is not None:
            return self.varied[1]
        if self.lengths:
            return max(self.lengths.values())
        buffers = [p for p in self.call.function.parameters if isinstance(p.type, Pointer)]
        written = [p for p in buffers if p.name in self.outputs]
        return max((self.octets_of(p, NARROWEST) for p in written or buffers), default=0)


def assign(call: Call, given: Mapping[str, Given]) -> Assignment:
    """Checks that every parameter can take its argument. A buffer without an argument is random and
    public."""
    parameters = {p.name: p for p in call.function.parameters}
    if stray := next((name for name in given if name not in parameters), None):
        raise UsageError(
            f"no parameter {stray!r} in {call.text!r}: it has {', '.join(parameters) or 'none'}"
        )
    if fixed := next(
        (name for name, one in given.items() if one.secret and one.kind != "random"), None
    ):
        raise UsageError(
            f"argument {fixed} is secret, and cannot be fixed: write {fixed}=random:secret"
        )
    whole = {name: given.get(name, RANDOM) for name in parameters}
    for name, parameter in parameters.items():
        if isinstance(parameter.type, Scalar):
            if name not in given:
                raise UsageError(_asks_for(name, _length_names(call, whole)))
            _check_number(parameter, whole[name], parameter.type)
    lengths: dict[str, int] = {}
    for name, parameter in parameters.items():
        if isinstance(parameter.type, Scalar):
            continue
        if (length := _length_name(call, parameter, whole[name])) is not None:
            lengths[name] = _length(name, length, whole[length])
        elif whole[name].octets is None and _bare(parameter):
            raise UsageError(f"nothing says how long {name} is: give --arg {name}=random:OCTETS")
        _check_buffer(call, parameter, whole[name], lengths.get(name))
    return Assignment(call, whole, lengths)


def assignments(
    call: Call, given: Mapping[str, Given], name: str | None, sizes: Sequence[int]
) -> list[Assignment]:
    """Makes one assignment; with `sizes`, one for each value of the parameter that is a buffer's
    length."""
    if not sizes:
        return [assign(call, given)]
    lengths = _length_names(call, given)
    if name is None and len(lengths) == 1:
        name = lengths[0]
    if name is None or name not in lengths:
        possible = ", ".join(f"--size {length}=…" for length in lengths) or "none"
        what = f"{name} is no length" if name else "no single length"
        raise UsageError(f"{what} of a buffer in {call.text!r} to vary: possible are {possible}")
    if name in given:
        raise UsageError(f"parameter {name} is varied by --size: give no --arg {name}")
    found = [assign(call, {**given, name: Given("number", number=size)}) for size in sizes]
    return [
        dataclasses.replace(one, varied=(name, size))
        for one, size in zip(found, sizes, strict=True)
    ]


def _length_names(call: Call, given: Mapping[str, Given]) -> list[str]:
    """The parameters that hold the length of a buffer."""
    buffers = [p for p in call.function.parameters if isinstance(p.type, Pointer)]
    named = dict.fromkeys(_length_name(call, p, given.get(p.name, RANDOM)) for p in buffers)
    return [length for length in named if length is not None]


def _length_name(call: Call, parameter: Declared, given: Given) -> str | None:
    """Returns the parameter that holds a buffer's length. A stated length overrides the guess from
    the order of parameters."""
    said = given.kind != "hex" and given.octets is not None
    return None if said and parameter.name not in call.lengths else length_of(call, parameter)


def _bare(parameter: Declared) -> bool:
    """Says whether the type is a pointer to numbers or to `void`, without a count."""
    type_ = parameter.type
    return (
        isinstance(type_, Pointer)
        and not type_.extent
        and (type(type_.target).__name__ in ("Scalar", "Void"))
    )


def _asks_for(name: str, lengths: Sequence[str]) -> str:
    """The refusal of a number that nothing gives."""
    by_size = f", or several numbers by --size {name}=16,32" if name in lengths else ""
    return f"parameter {name} is a number: give --arg {name}=NUMBER, or =random{by_size}"


def _check_number(parameter: Declared, given: Given, type_: Scalar) -> None:
    if given.kind == "hex" or given.octets is not None:
        raise UsageError(f"argument {parameter.name} is a number, and no buffer")
    bits = 8 * NARROWEST.octets(type_.kind)
    least, most = (
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if type_.signed else (0, (1 << bits) - 1)
    )
    if given.kind == "number" and not least <= given.number <= most:
        raise UsageError(
            f"argument {parameter.name}: {given.number} is not within {least} to {most}"
        )


def _check_buffer(call: Call, parameter: Declared, given: Given, elements: int | None) -> None:
    if given.kind == "number":
        raise UsageError(f"argument {parameter.name} is a buffer: write hex:DIGITS, random or zero")
    type_ = parameter.type
    if given.octets is None or not isinstance(type_, Pointer):
        return
    if elements is None:
        elements = type_.extent or (0 if _bare(parameter) else 1)
    least = elements * call.element_octets(parameter, NARROWEST)
    if given.octets < least:
        raise UsageError(
            f"argument {parameter.name} has {given.octets} octets, its prototype {least}"
        )


def _length(buffer: str, length: str, given: Given) -> int:
    if given.kind not in ("number", "zero"):
        raise UsageError(
            f"argument {length} is the length of {buffer}: give it a number that is no secret"
        )
    if not 0 <= given.number <= MOST_OCTETS:
        raise UsageError(
            f"argument {length}: no buffer of {given.number} elements, at most {MOST_OCTETS}"
        )
    return given.number


def draw(
    assignment: Assignment, model: DataModel, seed: str, fixed: Inputs | None = None
) -> Inputs:
    """Draws one value for every parameter. The same seed gives the same values on every CPU. With
    `fixed`, only secrets are drawn."""
    values: Inputs = {}
    for parameter in assignment.call.function.parameters:
        name, given = parameter.name, assignment.given[parameter.name]
        if fixed is not None and not given.secret:
            values[name] = fixed[name]
        elif isinstance(parameter.type, Scalar):
            values[name] = _number(parameter.type, given, f"{seed}/{name}")
        elif given.kind == "hex":
            values[name] = given.contents
        else:
            octets = assignment.octets_of(parameter, model)
            values[name] = (
                bytes(octets) if given.kind == "zero" else _octets(f"{seed}/{name}", octets)
            )
    return values


def _octets(seed: str, octets: int) -> bytes:
    return random.Random(seed).randbytes(octets)


def _number(type_: Scalar, given: Given, seed: str) -> int:
    if given.kind != "random":
        return given.number
    if type_.kind == "_Bool":
        return random.Random(seed).getrandbits(1)
    bits = 8 * NARROWEST.octets(type_.kind)
    return random.Random(seed).getrandbits(bits) - ((1 << (bits - 1)) if type_.signed else 0)


def draw_secrets(assignment: Assignment, model: DataModel, seed: int, runs: int) -> list[Inputs]:
    """Draws inputs that differ only in their secrets. With random secrets a comparison almost never
    runs to its end. So the first secrets are all zeros, all ones, the octets of another buffer, and
    the same with another last octet."""
    public = draw(assignment, model, f"{seed}/public")
    found = [draw(assignment, model, f"{seed}/secret/{run}", public) for run in range(max(runs, 2))]
    chosen: list[Inputs] = []
    for name in assignment.secrets:
        if assignment.given[name].kind != "random" or not isinstance(octets := public[name], bytes):
            continue
        like = [
            v
            for other, v in public.items()
            if other != name and isinstance(v, bytes) and len(v) == len(octets)
        ]
        shapes = [bytes(len(octets)), b"\xff" * len(octets)]
        shapes += [shape for v in like if v for shape in (v, v[:-1] + bytes([v[-1] ^ 1]))]
        chosen += [{**found[0], name: shape} for shape in shapes]
    return chosen + found
