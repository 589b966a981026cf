# SPDX-License-Identifier: BSD-3-Clause
"""C's types, and how large the basic ones are on each target."""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Literal

from wardmote.errors import WardmoteError

FIXED = {f"{prefix}int{bits}_t": bits // 8 for prefix in ("", "u") for bits in (8, 16, 32, 64)}


class PrototypeError(WardmoteError):
    """A header or a value that cannot be understood; the message is one line."""


@dataclass(frozen=True, slots=True)
class DataModel:
    """Sizes of C's basic types on one target, and the order of their octets."""

    name: str
    int_octets: int
    long_octets: int
    pointer_octets: int
    max_align: int
    short_enums: bool = False
    """An enumeration takes the smallest integer type that holds its values, not an int."""
    big_endian: bool = False

    @property
    def order(self) -> Literal["little", "big"]:
        """Which octet of an integer comes first."""
        return "big" if self.big_endian else "little"

    def octets(self, kind: str) -> int:
        """Size of a basic type by its canonical name; `enum2` is an enumeration whose values need 2
        octets."""
        return FIXED.get(kind) or _sizes(self)[kind]


@functools.cache
def _sizes(model: DataModel) -> dict[str, int]:
    """Sizes of the types whose width is the target's."""
    sizes = {"_Bool": 1, "char": 1, "short": 2, "int": model.int_octets}
    sizes |= {"long": model.long_octets, "long long": 8, "pointer": model.pointer_octets}
    return sizes | {
        f"enum{n}": n if model.short_enums else max(n, model.int_octets) for n in (1, 2, 4)
    }


HOST = DataModel(
    "host",
    int_octets=ctypes.sizeof(ctypes.c_int),
    long_octets=ctypes.sizeof(ctypes.c_long),
    pointer_octets=ctypes.sizeof(ctypes.c_void_p),
    max_align=ctypes.alignment(ctypes.c_uint64),
)
HOST32 = DataModel("host32", int_octets=4, long_octets=4, pointer_octets=4, max_align=4)


@dataclass(frozen=True, slots=True)
class Void:
    """No value."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """An integer, `bool` or enumeration; `kind` is what DataModel.octets understands."""

    kind: str
    signed: bool


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer; `extent` is the element count of a parameter declared as an array, else 0."""

    target: Type
    const: bool
    extent: int = 0


@dataclass(frozen=True, slots=True)
class Array:
    """`count` elements."""

    element: Type
    count: int


@dataclass(frozen=True, slots=True)
class Record:
    """A struct or union, by the name under which Prototypes.records keeps its members."""

    name: str


@dataclass(frozen=True, slots=True)
class Code:
    """A function type; only pointers to it have a size."""


Type = Void | Scalar | Pointer | Array | Record | Code


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter of a function, or a member of a struct or union before layout."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Function:
    """One declared function."""

    name: str
    result: Type
    parameters: tuple[Declared, ...]


@dataclass(frozen=True, slots=True)
class Members:
    """What a struct or union consists of."""

    union: bool
    members: tuple[Declared, ...]
