# SPDX-License-Identifier: BSD-3-Clause
"""Reads headers: clang preprocesses them and pycparser parses the result."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pycparser import c_ast, c_parser
from pycparser.c_parser import ParseError

from wardmote.answers import answer
from wardmote.prototypes import model
from wardmote.prototypes.layout import Prototypes

# The headers of a freestanding implementation that ours include, reduced to what a declaration can
# mention. The fixed-width names keep their width whatever they are typedefs of here: see FIXED.
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

FLOATS = {"float", "double"}
_POINTER_SIZED = {"uintptr_t": False, "size_t": False, "intptr_t": True, "ptrdiff_t": True}


class _Reader:
    """One pass over a translation unit."""

    def __init__(self) -> None:
        self.typedefs: dict[str, model.Type] = {}
        self.functions: dict[str, model.Function] = {}
        self.objects: dict[str, model.Type] = {}
        self.records: dict[str, model.Members] = {}
        self.constants: dict[str, int] = {}
        self.enums: dict[str, model.Type] = {}

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

    def function(self, name: str, node: c_ast.FuncDecl) -> model.Function:
        parameters: list[model.Declared] = []
        for index, declared in enumerate(node.args.params if node.args else ()):
            if isinstance(declared, c_ast.EllipsisParam):
                raise model.PrototypeError(f"{name} takes a variable number of arguments")
            type_ = self.type(declared.type, f"{name}_{index}")
            if isinstance(type_, model.Void):
                continue
            if isinstance(type_, model.Array):
                const = "const" in (_innermost(declared.type).quals or ())
                type_ = model.Pointer(type_.element, const, type_.count)
            parameters.append(model.Declared(declared.name or f"argument {index + 1}", type_))
        return model.Function(name, self.type(node.type, name), tuple(parameters))

    def type(self, node: c_ast.Node, name: str) -> model.Type:
        """The type a declarator describes; `name` names it if it is a struct without a tag."""
        match node:
            case c_ast.TypeDecl() | c_ast.Typename():
                return self.type(node.type, name)
            case c_ast.PtrDecl():
                const = isinstance(node.type, c_ast.TypeDecl) and "const" in (node.type.quals or ())
                return model.Pointer(self.type(node.type, name), const)
            case c_ast.ArrayDecl():
                return model.Array(
                    self.type(node.type, name), self.value(node.dim) if node.dim else 0
                )
            case c_ast.FuncDecl():
                return model.Code()
            case c_ast.Struct() | c_ast.Union():
                return self.record(node, name)
            case c_ast.Enum():
                return self.enum(node)
            case c_ast.IdentifierType():
                return self.basic(node.names)
            case _:
                raise model.PrototypeError(
                    f"{name}: a declaration of kind {type(node).__name__} is not understood"
                )

    def record(self, node: c_ast.Struct | c_ast.Union, name: str) -> model.Type:
        key = node.name or name
        if node.decls is not None:
            members: list[model.Declared] = []
            for declared in node.decls:
                if (
                    not isinstance(declared, c_ast.Decl)
                    or declared.bitsize is not None
                    or declared.name is None
                ):
                    raise model.PrototypeError(
                        f"{key}: bit-fields and nameless members are not understood"
                    )
                members.append(
                    model.Declared(
                        declared.name, self.type(declared.type, f"{key}.{declared.name}")
                    )
                )
            self.records[key] = model.Members(isinstance(node, c_ast.Union), tuple(members))
        return model.Record(key)

    def enum(self, node: c_ast.Enum) -> model.Type:
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
        type_ = model.Scalar(f"enum{needed}", signed=least < 0)
        if node.name:
            self.enums[node.name] = type_
        return type_

    def basic(self, names: Sequence[str]) -> model.Type:
        if len(names) == 1 and names[0] in model.FIXED:
            return model.Scalar(names[0], signed=not names[0].startswith("u"))
        if len(names) == 1 and names[0] in _POINTER_SIZED:
            return model.Scalar("pointer", signed=_POINTER_SIZED[names[0]])
        if len(names) == 1 and names[0] in self.typedefs:
            return self.typedefs[names[0]]
        if list(names) == ["void"]:
            return model.Void()
        unsigned = "unsigned" in names or "_Bool" in names
        words = [n for n in names if n not in ("signed", "unsigned", "int")] or ["int"]
        kind = " ".join(words)
        if kind not in ("_Bool", "char", "short", "int", "long", "long long"):
            why = (
                "floating point: only integers are possible"
                if FLOATS & {*names}
                else "not understood"
            )
            raise model.PrototypeError(f"type {' '.join(names)} is {why}")
        return model.Scalar(kind, signed=not unsigned)

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
                if node.op == "/" and left >= 0 and right > 0:
                    return left // right
        raise model.PrototypeError(
            f"constant expression of kind {type(node).__name__} is not understood"
        )


def _innermost(node: c_ast.Node) -> c_ast.TypeDecl:
    while not isinstance(node, c_ast.TypeDecl):
        node = node.type
    return node


def _clang() -> str:
    for name in (os.environ.get("WARDMOTE_CLANG", ""), "clang-22", "clang"):
        if name and shutil.which(name):
            return name
    raise model.PrototypeError(
        "reading headers needs clang: install the package clang-22 or set WARDMOTE_CLANG"
    )


def _preprocess(headers: Sequence[Path], include: Sequence[Path], mode: Sequence[str]) -> str:
    """The output of clang for headers, made independent of their folder."""

    def question() -> str:
        read = {*headers, *(path for folder in include for path in folder.rglob("*.h"))}
        contents = sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in read)
        return repr(("preprocessed", [header.name for header in headers], contents, list(mode)))

    return answer(question, lambda: _ask_clang(headers, include, mode))


def _ask_clang(headers: Sequence[Path], include: Sequence[Path], mode: Sequence[str]) -> str:
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
        raise model.PrototypeError(f"headers do not preprocess: {first}")
    return done.stdout


@functools.lru_cache(maxsize=8)
def read_headers(headers: tuple[Path, ...], include: tuple[Path, ...]) -> Prototypes:
    """Reads headers found with `include` as search path."""
    missing = [str(h) for h in headers if not h.is_file()]
    if missing or not headers:
        raise model.PrototypeError(f"no such header: {', '.join(missing) or '(none given)'}")
    reader = _Reader()
    try:
        reader.read(c_parser.CParser().parse(_preprocess(headers, include, ())))
    except ParseError as error:
        raise model.PrototypeError(f"headers do not parse: {error}") from error
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
        raise model.PrototypeError(f"no headers under {root / 'stack' / 'include'}")
    return found


def read_public(root: Path, *more: Path) -> Prototypes:
    """Reads the stack's public headers, and further ones such as an image's."""
    return read_headers(public_headers(root) + more, (root / "stack" / "include",))
