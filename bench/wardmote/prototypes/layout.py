# SPDX-License-Identifier: BSD-3-Clause
"""What headers declare, and how structs and unions lie in the memory of a target."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wardmote.prototypes.model import (
    Array,
    DataModel,
    Function,
    Members,
    Pointer,
    PrototypeError,
    Record,
    Scalar,
    Type,
)


@dataclass(frozen=True, slots=True)
class Placed:
    """One member with its offset on a target."""

    offset: int
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Prototypes:
    """Everything a set of headers declares."""

    functions: Mapping[str, Function]
    objects: Mapping[str, Type]
    records: Mapping[str, Members]
    constants: Mapping[str, int]

    def function(self, name: str) -> Function:
        """The declaration of `name`."""
        if name not in self.functions:
            raise PrototypeError(f"no header declares a function {name}")
        return self.functions[name]

    @functools.cache  # noqa: B019
    def layout(self, record: str, model: DataModel) -> Layout:
        """How the struct or union `record` lies in memory on a target."""
        if record not in self.records:
            raise PrototypeError(
                f"no header has a struct or union {record}; known: "
                f"{', '.join(sorted(self.records))}"
            )
        members = self.records[record]
        placed: dict[str, Placed] = {}
        offset, size, align = 0, 0, 1
        for member in members.members:
            member_align = self._align(member.type, model)
            align = max(align, member_align)
            offset = 0 if members.union else _round_up(offset, member_align)
            placed[member.name] = Placed(offset, member.type)
            offset += self.sizeof(member.type, model)
            size = max(size, offset)
        return Layout(record, _round_up(size, align), align, placed, members.union, self, model)

    def sizeof(self, type_: Type, model: DataModel) -> int:
        """Octets of a value of this type on a target."""
        match type_:
            case Scalar(kind):
                return model.octets(kind)
            case Pointer():
                return model.pointer_octets
            case Array(element, count):
                return count * self.sizeof(element, model)
            case Record(name):
                return self.layout(name, model).size
            case _:
                raise PrototypeError(f"{type(type_).__name__.lower()} has no size")

    def _align(self, type_: Type, model: DataModel) -> int:
        if isinstance(type_, Array):
            return self._align(type_.element, model)
        if isinstance(type_, Record):
            return self.layout(type_.name, model).align
        return min(self.sizeof(type_, model), model.max_align)


def _round_up(value: int, step: int) -> int:
    return -(-value // step) * step


@dataclass(frozen=True, slots=True)
class Layout:
    """A struct or union on one target: turns values into octets and back."""

    name: str
    size: int
    align: int
    members: Mapping[str, Placed]
    union: bool
    prototypes: Prototypes = field(repr=False)
    model: DataModel

    def offset(self, path: str) -> int:
        """Offset of a member; `path` may descend with dots and indices, e.g. "rx_counter[1]" or
        "stats.joined"."""
        return self._find(path)[0]

    def sizeof(self, path: str) -> int:
        """Octets of a member, addressed as in `offset`."""
        return self.prototypes.sizeof(self._find(path)[1], self.model)

    def type_of(self, path: str) -> Type:
        """Type of a member, addressed as in `offset`."""
        return self._find(path)[1]

    def pack(self, **values: Any) -> bytes:
        """Octets of a value. Members not named are zero; a nested struct is a mapping or octets, an
        array octets or a sequence, a pointer an address."""
        octets = bytearray(self.size)
        for name, value in values.items():
            placed = self._member(name)
            part = self._pack(placed.type, value, f"{self.name}.{name}")
            octets[placed.offset : placed.offset + len(part)] = part
        return bytes(octets)

    def unpack(self, octets: bytes | bytearray) -> dict[str, Any]:
        """The members of a value: integers, bools, octets for arrays of octets, lists and dicts for
        the rest."""
        if len(octets) != self.size:
            raise PrototypeError(
                f"{self.name} has {self.size} octets on {self.model.name}, got {len(octets)}"
            )
        return {
            name: self._unpack(p.type, bytes(octets), p.offset) for name, p in self.members.items()
        }

    def _member(self, name: str) -> Placed:
        if name not in self.members:
            raise PrototypeError(
                f"{self.name} has no member {name}; it has {', '.join(self.members)}"
            )
        return self.members[name]

    def _find(self, path: str) -> tuple[int, Type]:
        offset, here = 0, Record(self.name)
        type_: Type = here
        for name, index in re.findall(r"(\w+)|\[(\d+)\]", path):
            if name:
                if not isinstance(type_, Record):
                    raise PrototypeError(
                        f"{self.name}.{path}: {name} is asked of something that is no struct"
                    )
                placed = self.prototypes.layout(type_.name, self.model)._member(name)
                offset, type_ = offset + placed.offset, placed.type
            elif isinstance(type_, Array) and int(index) < type_.count:
                type_ = type_.element
                offset += int(index) * self.prototypes.sizeof(type_, self.model)
            else:
                raise PrototypeError(f"{self.name}.{path}: no element {index}")
        return offset, type_

    def _pack(self, type_: Type, value: Any, where: str) -> bytes:
        size = self.prototypes.sizeof(type_, self.model)
        if isinstance(value, (bytes, bytearray)):
            if len(value) > size or (len(value) < size and not isinstance(type_, Array)):
                raise PrototypeError(
                    f"{where} has {size} octets on {self.model.name}, got {len(value)}"
                )
            return bytes(value)
        match type_:
            case Scalar() | Pointer():
                return pack_integer(int(value), size, where, self.model.order)
            case Array(element, count):
                if len(value) > count:
                    raise PrototypeError(f"{where} has {count} elements, got {len(value)}")
                return b"".join(
                    self._pack(element, v, f"{where}[{i}]") for i, v in enumerate(value)
                )
            case Record(name):
                return self.prototypes.layout(name, self.model).pack(**value)
            case _:
                raise PrototypeError(f"{where} cannot be given a value")

    def _unpack(self, type_: Type, octets: bytes, offset: int) -> Any:
        size = self.prototypes.sizeof(type_, self.model)
        part = octets[offset : offset + size]
        match type_:
            case Scalar("_Bool", _):
                return part != b"\0"
            case Scalar(_, signed):
                return int.from_bytes(part, self.model.order, signed=signed)
            case Array(Scalar(_, False) as element, _) if self.model.octets(element.kind) == 1:
                return part
            case Array(element, count):
                step = size // count
                return [self._unpack(element, part, i * step) for i in range(count)]
            case Record(name):
                return self.prototypes.layout(name, self.model).unpack(part)
            case _:
                return int.from_bytes(part, self.model.order)


def pack_integer(
    value: int, octets: int, where: str, order: Literal["little", "big"] = "little"
) -> bytes:
    """Octets of an integer that must fit, as signed or as unsigned."""
    bits = 8 * octets
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise PrototypeError(f"{where}: {value} does not fit {octets} octets")
    return (value % (1 << bits)).to_bytes(octets, order)
