# SPDX-License-Identifier: BSD-3-Clause
"""What the public headers declare: functions, structures with their layout on each target, and
constants.

The headers themselves are the only list: clang preprocesses them, pycparser reads the result, and
sizes and offsets follow from the target's data model.
"""

from __future__ import annotations

import ctypes
import functools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pycparser import c_ast, c_parser
from pycparser.c_parser import ParseError

from wardmote.errors import WardmoteError

# The headers of a freestanding implementation that ours include, reduced to what a declaration can
# mention. The fixed-width names keep their width whatever they are typedefs of here: see _FIXED.
_FREESTANDING = {
    "stdint.h": "".join(
        f"typedef {sign} {base} {prefix}int{bits}_t;\n"
        for prefix, sign in (("", "signed"), ("u", "unsigned"))
        for bits, base in ((8, "char"), (16, "short"), (32, "long"), (64, "long long"))
    )
    + "typedef unsigned int uintptr_t;\ntypedef int intptr_t;\n",
    "stdbool.h": "#define bool _Bool\n#define true 1\n#define false 0\n",
    "stddef.h": "typedef unsigned int size_t;\ntypedef int ptrdiff_t;\n#define NULL ((void *)0)\n",
}

_FIXED = {f"{prefix}int{bits}_t": bits // 8 for prefix in ("", "u") for bits in (8, 16, 32, 64)}
_POINTER_SIZED = {"uintptr_t": False, "size_t": False, "intptr_t": True, "ptrdiff_t": True}


class PrototypeError(WardmoteError):
    """A header or a value that cannot be understood; the message is one line."""


@dataclass(frozen=True, slots=True)
class DataModel:
    """Sizes of C's basic types on one target; every target so far is little-endian."""

    name: str
    int_octets: int
    long_octets: int
    pointer_octets: int
    max_align: int
    short_enums: bool = False

    def octets(self, kind: str) -> int:
        """Size of a basic type by its canonical name; `enum2` is an enumeration whose values need 2
        octets."""
        sizes = {"_Bool": 1, "char": 1, "short": 2, "int": self.int_octets}
        sizes |= {"long": self.long_octets, "long long": 8, "pointer": self.pointer_octets}
        sizes |= {f"enum{n}": n if self.short_enums else max(n, self.int_octets) for n in (1, 2, 4)}
        return _FIXED.get(kind) or sizes[kind]


MSP430 = DataModel("msp430", int_octets=2, long_octets=4, pointer_octets=2, max_align=2)
# AAPCS for bare metal: an enumeration takes the smallest integer type that holds its values.
ARMV7M = DataModel(
    "armv7m", int_octets=4, long_octets=4, pointer_octets=4, max_align=8, short_enums=True
)
# avr-gcc: nothing is aligned; an enumeration is an int where its values allow it.
AVR = DataModel("avr", int_octets=2, long_octets=4, pointer_octets=2, max_align=1)
HOST = DataModel(
    "host",
    int_octets=ctypes.sizeof(ctypes.c_int),
    long_octets=ctypes.sizeof(ctypes.c_long),
    pointer_octets=ctypes.sizeof(ctypes.c_void_p),
    max_align=ctypes.alignment(ctypes.c_uint64),
)


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
class Parameter:
    """One parameter of a function."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Function:
    """One declared function."""

    name: str
    result: Type
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a struct or union, before layout."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Placed:
    """One member with its offset on a target."""

    offset: int
    type: Type


@dataclass(frozen=True, slots=True)
class _Members:
    union: bool
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Prototypes:
    """Everything a set of headers declares."""

    functions: Mapping[str, Function]
    objects: Mapping[str, Type]
    records: Mapping[str, _Members]
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
                return pack_integer(int(value), size, where)
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
                return int.from_bytes(part, "little", signed=signed)
            case Array(Scalar(_, False) as element, _) if self.model.octets(element.kind) == 1:
                return part
            case Array(element, count):
                step = size // count
                return [self._unpack(element, part, i * step) for i in range(count)]
            case Record(name):
                return self.prototypes.layout(name, self.model).unpack(part)
            case _:
                return int.from_bytes(part, "little")


def pack_integer(value: int, octets: int, where: str) -> bytes:
    """Little-endian octets of an integer that must fit, as signed or as unsigned."""
    bits = 8 * octets
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise PrototypeError(f"{where}: {value} does not fit {octets} octets")
    return (value % (1 << bits)).to_bytes(octets, "little")


class _Reader:
    """One pass over a translation unit."""

    def __init__(self) -> None:
        self.typedefs: dict[str, Type] = {}
        self.functions: dict[str, Function] = {}
        self.objects: dict[str, Type] = {}
        self.records: dict[str, _Members] = {}
        self.constants: dict[str, int] = {}
        self.enums: dict[str, Type] = {}

    def read(self, unit: c_ast.FileAST) -> None:
        for node in unit.ext:
            if isinstance(node, c_ast.FuncDef):
                node = node.decl
            if isinstance(node, c_ast.Typedef):
                self.typedefs[node.name] = self.type(node.type, node.name)
            elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
                self.functions[node.name] = self.function(node.name, node.type)
            elif isinstance(node, c_ast.Decl) and node.name is None:
                self.type(node.type, "")
            elif isinstance(node, c_ast.Decl):
                self.objects[node.name] = self.type(node.type, node.name)

    def function(self, name: str, node: c_ast.FuncDecl) -> Function:
        parameters: list[Parameter] = []
        for index, declared in enumerate(node.args.params if node.args else ()):
            if isinstance(declared, c_ast.EllipsisParam):
                raise PrototypeError(f"{name} takes a variable number of arguments")
            type_ = self.type(declared.type, f"{name}_{index}")
            if isinstance(type_, Void):
                continue
            if isinstance(type_, Array):
                const = "const" in (_innermost(declared.type).quals or ())
                type_ = Pointer(type_.element, const, type_.count)
            parameters.append(Parameter(declared.name or f"argument {index + 1}", type_))
        return Function(name, self.type(node.type, name), tuple(parameters))

    def type(self, node: c_ast.Node, name: str) -> Type:
        """The type a declarator describes; `name` names it if it is a struct without a tag."""
        match node:
            case c_ast.TypeDecl() | c_ast.Typename():
                return self.type(node.type, name)
            case c_ast.PtrDecl():
                const = isinstance(node.type, c_ast.TypeDecl) and "const" in (node.type.quals or ())
                return Pointer(self.type(node.type, name), const)
            case c_ast.ArrayDecl():
                return Array(self.type(node.type, name), self.value(node.dim) if node.dim else 0)
            case c_ast.FuncDecl():
                return Code()
            case c_ast.Struct() | c_ast.Union():
                return self.record(node, name)
            case c_ast.Enum():
                return self.enum(node)
            case c_ast.IdentifierType():
                return self.basic(node.names)
            case _:
                raise PrototypeError(
                    f"{name}: a declaration of kind {type(node).__name__} is not understood"
                )

    def record(self, node: c_ast.Struct | c_ast.Union, name: str) -> Type:
        key = node.name or name
        if node.decls is not None:
            members: list[Member] = []
            for declared in node.decls:
                if (
                    not isinstance(declared, c_ast.Decl)
                    or declared.bitsize is not None
                    or declared.name is None
                ):
                    raise PrototypeError(
                        f"{key}: bit-fields and nameless members are not understood"
                    )
                members.append(
                    Member(declared.name, self.type(declared.type, f"{key}.{declared.name}"))
                )
            self.records[key] = _Members(isinstance(node, c_ast.Union), tuple(members))
        return Record(key)

    def enum(self, node: c_ast.Enum) -> Type:
        if node.values is None:
            return self.enums[node.name]
        value, least, greatest = -1, 0, 0
        for item in node.values.enumerators:
            value = self.value(item.value) if item.value is not None else value + 1
            self.constants[item.name] = value
            least, greatest = min(least, value), max(greatest, value)
        needed = next(
            n
            for n in (1, 2, 4)
            if greatest < 1 << (8 * n - (least < 0)) and least >= -(1 << (8 * n - 1))
        )
        type_ = Scalar(f"enum{needed}", signed=least < 0)
        if node.name:
            self.enums[node.name] = type_
        return type_

    def basic(self, names: Sequence[str]) -> Type:
        if len(names) == 1 and names[0] in _FIXED:
            return Scalar(names[0], signed=not names[0].startswith("u"))
        if len(names) == 1 and names[0] in _POINTER_SIZED:
            return Scalar("pointer", signed=_POINTER_SIZED[names[0]])
        if len(names) == 1 and names[0] in self.typedefs:
            return self.typedefs[names[0]]
        if list(names) == ["void"]:
            return Void()
        unsigned = "unsigned" in names or "_Bool" in names
        words = [n for n in names if n not in ("signed", "unsigned", "int")] or ["int"]
        kind = " ".join(words)
        if kind not in ("_Bool", "char", "short", "int", "long", "long long"):
            raise PrototypeError(f"type {' '.join(names)} is not understood")
        return Scalar(kind, signed=not unsigned)

    def value(self, node: c_ast.Node) -> int:
        """A constant expression."""
        match node:
            case c_ast.Constant():
                return int(re.sub(r"[uUlL]+$", "", node.value), 0)
            case c_ast.ID():
                return self.constants[node.name]
            case c_ast.UnaryOp(op="-"):
                return -self.value(node.expr)
            case c_ast.BinaryOp():
                left, right = self.value(node.left), self.value(node.right)
                operations = {"+": left + right, "-": left - right, "*": left * right}
                if node.op in operations:
                    return operations[node.op]
        raise PrototypeError(f"constant expression of kind {type(node).__name__} is not understood")


def _innermost(node: c_ast.Node) -> c_ast.TypeDecl:
    while not isinstance(node, c_ast.TypeDecl):
        node = node.type
    return node


def _clang() -> str:
    for name in (os.environ.get("WARDMOTE_CLANG", ""), "clang-22", "clang"):
        if name and shutil.which(name):
            return name
    raise PrototypeError(
        "reading headers needs clang: install the package clang-22 or set WARDMOTE_CLANG"
    )


def _preprocess(headers: Sequence[Path], include: Sequence[Path], mode: Sequence[str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in _FREESTANDING.items():
            Path(folder, name).write_text(text)
        command = [
            _clang(),
            "-E",
            "-P",
            "-nostdinc",
            "-undef",
            "-x",
            "c",
            *mode,
            "-isystem",
            folder,
        ]
        command += [f"-I{path}" for path in include]
        text = "".join(f'#include "{header.resolve()}"\n' for header in headers)
        done = subprocess.run(
            [*command, "-"], input=text, capture_output=True, text=True, check=False
        )
    if done.returncode:
        first = next(
            (line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()
        )
        raise PrototypeError(f"headers do not preprocess: {first}")
    return done.stdout


@functools.lru_cache(maxsize=8)
def read_headers(headers: tuple[Path, ...], include: tuple[Path, ...]) -> Prototypes:
    """Reads headers found with `include` as search path."""
    missing = [str(h) for h in headers if not h.is_file()]
    if missing or not headers:
        raise PrototypeError(f"no such header: {', '.join(missing) or '(none given)'}")
    reader = _Reader()
    try:
        reader.read(c_parser.CParser().parse(_preprocess(headers, include, ())))
    except ParseError as error:
        raise PrototypeError(f"headers do not parse: {error}") from error
    for name, value in re.findall(
        r"^#define (?!__)(\w+) \(?(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\)?$",
        _preprocess(headers, include, ("-dM",)),
        re.MULTILINE,
    ):
        reader.constants.setdefault(name, int(value, 0))
    return Prototypes(reader.functions, reader.objects, reader.records, reader.constants)


def public_headers(root: Path) -> tuple[Path, ...]:
    """The stack's public headers in the repository at `root`, in a fixed order."""
    found = tuple(sorted((root / "stack" / "include").rglob("*.h")))
    if not found:
        raise PrototypeError(f"no headers under {root / 'stack' / 'include'}")
    return found


def read_public(root: Path, *more: Path) -> Prototypes:
    """Reads the stack's public headers, and further ones such as an image's."""
    return read_headers(public_headers(root) + more, (root / "stack" / "include",))
