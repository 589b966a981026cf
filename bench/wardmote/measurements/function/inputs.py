# SPDX-License-Identifier: BSD-3-Clause
"""Inputs of a measured function: random values, the same on every CPU, and secrets chosen to reveal
shortcuts."""

import dataclasses
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from wardmote.cpus import NARROWEST
from wardmote.errors import UsageError
from wardmote.measurements.function.arguments import MOST_OCTETS, Given, no_value
from wardmote.measurements.function.prototype import Call, length_of
from wardmote.prototypes import (
    HOST,
    Code,
    DataModel,
    Declared,
    Pointer,
    PrototypeError,
    Record,
    Scalar,
    Type,
    Void,
)

Inputs = dict[str, int | bytes]
"""A value for every parameter, member and global object that has one, by name."""
RANDOM = Given("random")


@dataclass(frozen=True, slots=True)
class Part:
    """A member of a structure that has its own value, such as `ctx.key`."""

    parameter: str
    member: str
    type: Type
    given: Given

    @property
    def pointer(self) -> Pointer | None:
        """The type of a member that points to a buffer of its own."""
        points = isinstance(self.type, Pointer) and self.given.kind not in ("symbol", "number")
        return self.type if points and isinstance(self.type, Pointer) else None


@dataclass(frozen=True, slots=True)
class Assignment:
    """Calls, the last of which is measured, and what each of their parameters is given."""

    call: Call
    given: Mapping[str, Given]
    lengths: Mapping[str, int]
    """Elements of each buffer whose length is a parameter."""
    varied: tuple[str, int] | None = None
    """The parameter that a sweep varies, and its value."""
    before: tuple[Call, ...] = ()
    """Calls that come first. Parameters of one name are one buffer or one number."""
    parts: Mapping[str, Part] = field(default_factory=dict)
    globals: Mapping[str, Given] = field(default_factory=dict)

    @property
    def plain(self) -> bool:
        """One call, and nothing but its parameters."""
        return not (self.before or self.parts or self.globals)

    @property
    def parameters(self) -> dict[str, Declared]:
        """The parameters of all calls by name."""
        return parameters_of(self.call, self.before)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not show: parameters, members and global objects."""
        members = {name: part.given for name, part in self.parts.items()}
        everything = (*self.given.items(), *members.items(), *self.globals.items())
        return tuple(name for name, given in everything if given.secret)

    @property
    def outputs(self) -> tuple[str, ...]:
        """Buffers that the function may write."""
        return tuple(name for name in self.buffers() if not self._pointer(name).const)

    def buffers(self) -> tuple[str, ...]:
        """Buffers of the measured call: its parameters, then what members of them point to."""
        own = [p for p in self.call.function.parameters if self.is_buffer(p)]
        names = [p.name for p in own]
        members = [n for n, part in self.parts.items() if part.pointer and part.parameter in names]
        return (*names, *members)

    def is_buffer(self, parameter: Declared) -> bool:
        """Whether the parameter points to octets that it is given."""
        return is_data(parameter) and self.given[parameter.name].kind != "symbol"

    def _pointer(self, name: str) -> Pointer:
        type_ = self.parts[name].type if name in self.parts else self.parameters[name].type
        assert isinstance(type_, Pointer)
        return type_

    def arguments(self, inputs: Inputs, symbols: Callable[[str], int]) -> list[int | bytes]:
        """Values in the order of the parameters; `symbols` gives addresses."""
        return [
            symbols(given.symbol) if given.kind == "symbol" else inputs[parameter.name]
            for parameter in self.call.function.parameters
            for given in [self.given[parameter.name]]
        ]

    def octets_of(self, parameter: Declared, model: DataModel) -> int:
        """Length of a buffer on a CPU."""
        given, type_ = self.given[parameter.name], parameter.type
        assert isinstance(type_, Pointer)
        if given.octets is not None:
            return given.octets
        count = self.lengths.get(parameter.name, type_.extent or 1)
        return count * self.call.element_octets(parameter, model)

    def part_octets(self, name: str, model: DataModel) -> int:
        """Length of a member, or of what it points to, on a CPU."""
        part = self.parts[name]
        if part.given.octets is not None:
            return part.given.octets
        type_ = part.type if part.pointer is None else part.pointer.target
        return self.call.prototypes.sizeof(type_, model)

    def alike(self, name: str) -> bool:
        """Says whether a buffer has the same length on every CPU, so that outputs can be
        compared."""
        if name in self.parts:
            return self.part_octets(name, NARROWEST) == self.part_octets(name, HOST)
        parameter = self.parameters[name]
        return self.octets_of(parameter, NARROWEST) == self.octets_of(parameter, HOST)

    def work_octets(self) -> int:
        """Octets that a call works on."""
        if self.varied is not None:
            return self.varied[1]
        own = [p for p in self.call.function.parameters if self.is_buffer(p)]
        counts = [self.lengths[p.name] for p in own if p.name in self.lengths]
        if counts:
            return max(counts)
        written = [p for p in own if p.name in self.outputs]
        return max((self.octets_of(p, NARROWEST) for p in written or own), default=0)


def is_data(parameter: Declared) -> bool:
    """Whether the type is a pointer to octets, not to code."""
    return isinstance(parameter.type, Pointer) and not isinstance(parameter.type.target, Code)


def parameters_of(call: Call, before: Sequence[Call] = ()) -> dict[str, Declared]:
    """The parameters of several calls by name: of those of one name the longer buffer, which may be
    written if one of them may."""
    found: dict[str, Declared] = {}
    for parameter in (p for one in (*before, call) for p in one.function.parameters):
        other = found.get(parameter.name)
        if other is not None and other.type != parameter.type:
            if not _same_kind(other.type, parameter.type):
                raise UsageError(
                    f"parameter {parameter.name} has different types in the calls: rename one"
                )
            if _extent(other.type) > _extent(parameter.type):
                continue
        found[parameter.name] = parameter
    return found


def _same_kind(one: Type, other: Type) -> bool:
    if isinstance(one, Pointer) and isinstance(other, Pointer):
        return one.target == other.target or Void() in (one.target, other.target)
    return isinstance(one, Scalar) and isinstance(other, Scalar)


def _extent(type_: Type) -> int:
    return type_.extent if isinstance(type_, Pointer) else 0


def assign(
    call: Call,
    given: Mapping[str, Given],
    before: tuple[Call, ...] = (),
    objects: Mapping[str, Given] | None = None,
) -> Assignment:
    """Checks that every parameter can take its argument. A buffer without an argument is random and
    public; a structure whose members have arguments is zero otherwise."""
    parameters, objects = parameters_of(call, before), objects or {}
    members = {name: one for name, one in given.items() if "." in name or "[" in name}
    given = {name: one for name, one in given.items() if name not in members}
    if stray := next((name for name in given if name not in parameters), None):
        raise UsageError(
            f"no parameter {stray!r} in {call.text!r}: it has {', '.join(parameters) or 'none'}"
        )
    for name, one in (*given.items(), *members.items(), *objects.items()):
        if one.secret and one.kind != "random":
            raise UsageError(
                f"argument {name} is secret, and cannot be fixed: write {name}=random:secret"
            )
    parts = {name: _part(call, parameters, name, one) for name, one in members.items()}
    filled = {part.parameter for part in parts.values()}
    whole = {
        name: given.get(name, Given("zero") if name in filled else RANDOM) for name in parameters
    }
    for name, parameter in parameters.items():
        if isinstance(parameter.type, Scalar):
            if name not in given:
                raise UsageError(_asks_for(name, _length_names(call, whole)))
            _check_number(parameter, whole[name], parameter.type)
    lengths: dict[str, int] = {}
    for each in (*before, call):
        lengths |= _lengths(each, whole)
    _check_objects(call, objects)
    return Assignment(call, whole, lengths, before=before, parts=parts, globals=objects)


def _lengths(call: Call, whole: Mapping[str, Given]) -> dict[str, int]:
    """Elements of each buffer of a call whose length is a parameter; checks what buffers are
    given."""
    lengths: dict[str, int] = {}
    for parameter in call.function.parameters:
        name = parameter.name
        if isinstance(parameter.type, Scalar):
            continue
        if whole[name].kind == "symbol" or not is_data(parameter):
            _check_symbol(parameter, whole[name])
            continue
        if (length := _length_name(call, parameter, whole[name])) is not None:
            lengths[name] = _length(name, length, whole[length])
        elif whole[name].octets is None and _bare(parameter):
            raise UsageError(f"nothing says how long {name} is: give --arg {name}=random:OCTETS")
        _check_buffer(call, parameter, whole[name], lengths.get(name))
    return lengths


def _check_symbol(parameter: Declared, given: Given) -> None:
    """Refuses a name for a buffer of numbers, and anything else for a pointer to a function."""
    name, type_ = parameter.name, parameter.type
    if given.kind != "symbol":
        if given.kind == "number" and given.number == 0:
            return
        raise UsageError(f"parameter {name} points to a function: give --arg {name}=FUNCTION")
    if isinstance(type_, Pointer) and isinstance(type_.target, Scalar):
        raise UsageError(no_value(name, given.symbol))


def _part(call: Call, parameters: Mapping[str, Declared], name: str, given: Given) -> Part:
    """A member by its path, such as `ctx.key` or `ctx.rows[2]`."""
    owner, member = name.split(".", 1) if "." in name else (name, "")
    parameter = parameters.get(owner)
    if parameter is None:
        raise UsageError(
            f"no parameter {owner!r} in {call.text!r}: it has {', '.join(parameters) or 'none'}"
        )
    target = parameter.type.target if isinstance(parameter.type, Pointer) else None
    if not isinstance(target, Record) or not member:
        raise UsageError(f"argument {name}: {owner} points to no structure")
    try:
        type_ = call.prototypes.layout(target.name, NARROWEST).type_of(member)
    except PrototypeError as error:
        raise UsageError(f"argument {name}: {error}") from error
    part = Part(owner, member, type_, given)
    if isinstance(type_, Scalar):
        _check_number(Declared(name, type_), given, type_)
    elif given.kind == "number" and given.number:
        raise UsageError(f"argument {name} is no number: write hex:DIGITS, random or zero")
    elif given.kind == "symbol" and not isinstance(type_, Pointer):
        raise UsageError(no_value(name, given.symbol))
    elif (pointer := part.pointer) and given.octets is None:
        if isinstance(pointer.target, Code):
            raise UsageError(f"member {name} points to a function: give --arg {name}=FUNCTION")
        if isinstance(pointer.target, Void | Scalar) and not pointer.extent:
            raise UsageError(f"nothing says how long {name} is: give --arg {name}=random:OCTETS")
    elif part.pointer is None and given.octets is not None:
        room = call.prototypes.sizeof(type_, NARROWEST)
        if given.octets > room:
            raise UsageError(f"argument {name} has {given.octets} octets, the member {room}")
    return part


def _check_objects(call: Call, objects: Mapping[str, Given]) -> None:
    """Refuses a global object whose length nothing says."""
    for name, given in objects.items():
        if given.kind == "symbol":
            raise UsageError(no_value(name, given.symbol))
        if given.octets is None and name not in call.prototypes.objects:
            raise UsageError(
                f"no declaration says how long {name} is: give --global {name}=random:OCTETS"
            )


def assignments(
    calls: Sequence[Call],
    given: Mapping[str, Given],
    objects: Mapping[str, Given],
    name: str | None,
    sizes: Sequence[int],
) -> list[Assignment]:
    """Makes one assignment; with `sizes`, one for each value of the parameter that is a buffer's
    length."""
    *earlier, call = calls
    before = tuple(earlier)
    if not sizes:
        return [assign(call, given, before, objects)]
    lengths = _length_names(call, given)
    if name is None and len(lengths) == 1:
        name = lengths[0]
    if name is None or name not in lengths:
        possible = ", ".join(f"--size {length}=…" for length in lengths) or "none"
        what = f"{name} is no length" if name else "no single length"
        raise UsageError(f"{what} of a buffer in {call.text!r} to vary: possible are {possible}")
    if name in given:
        raise UsageError(f"parameter {name} is varied by --size: give no --arg {name}")
    found = [
        assign(call, {**given, name: Given("number", number=size)}, before, objects)
        for size in sizes
    ]
    return [
        dataclasses.replace(one, varied=(name, size))
        for one, size in zip(found, sizes, strict=True)
    ]


def _length_names(call: Call, given: Mapping[str, Given]) -> list[str]:
    """The parameters that hold the length of a buffer."""
    buffers = [p for p in call.function.parameters if is_data(p)]
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
    for name, parameter in assignment.parameters.items():
        given = assignment.given[name]
        if given.kind == "symbol" or not (isinstance(parameter.type, Scalar) or is_data(parameter)):
            continue
        octets = (
            assignment.octets_of(parameter, model) if isinstance(parameter.type, Pointer) else 0
        )
        values[name] = _value(parameter.type, given, octets, f"{seed}/{name}")
    for name, part in assignment.parts.items():
        if part.given.kind != "symbol":
            octets = assignment.part_octets(name, model)
            values[name] = _value(part.type, part.given, octets, f"{seed}/{name}")
    for name, given in assignment.globals.items():
        type_ = assignment.call.prototypes.objects.get(name, Void())
        octets = (
            assignment.call.prototypes.sizeof(type_, model)
            if given.octets is None
            else given.octets
        )
        values[name] = _value(type_, given, octets, f"{seed}/global/{name}")
    if fixed is not None:
        secret = assignment.secrets
        values = {name: values[name] if name in secret else fixed[name] for name in values}
    return values


def _value(type_: Type, given: Given, octets: int, seed: str) -> int | bytes:
    """One value of a number, or of so many octets."""
    if isinstance(type_, Scalar):
        return _number(type_, given, seed)
    if given.kind in ("hex", "number"):
        return given.contents if given.kind == "hex" else given.number
    return bytes(octets) if given.kind == "zero" else _octets(seed, octets)


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
        if not isinstance(octets := public[name], bytes):
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
