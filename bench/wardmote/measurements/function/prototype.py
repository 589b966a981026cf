# SPDX-License-Identifier: BSD-3-Clause
"""Reads the function that `--call` describes: its parameters, and which of them holds the length of
a buffer."""

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.errors import UsageError
from wardmote.paths import ROOT
from wardmote.prototypes import (
    DataModel,
    Declared,
    Function,
    Pointer,
    PrototypeError,
    Prototypes,
    Scalar,
    Void,
    public_headers,
    read_headers,
)

NAME = re.compile(r"(\w+)\s*\(")
BY_PARAMETER = re.compile(r"(\w+)\s*\[\s*(?:static\s+)?([A-Za-z_]\w*)\s*\]")
UNPARSED = re.compile(r"headers do not parse: .*?:\d+:\d+: before: ")
EXAMPLE = "write it as in C, e.g. 'void f(const uint8_t key[16], uint8_t block[16])'"
STACK_INCLUDE = ROOT / "stack" / "include"


@dataclass(frozen=True, slots=True)
class Call:
    """A prototype that was understood."""

    text: str
    plain: str
    """The prototype with empty brackets where a parameter stood: C accepts that in any order of
    parameters."""
    function: Function
    prototypes: Prototypes
    lengths: dict[str, str]
    """Buffer -> parameter that holds its number of elements."""

    def element_octets(self, parameter: Declared, model: DataModel) -> int:
        """Octets of one element of a buffer. A `void *` points to single octets."""
        assert isinstance(parameter.type, Pointer)
        target = parameter.type.target
        return 1 if isinstance(target, Void) else self.prototypes.sizeof(target, model)


def read_call(text: str, types: Sequence[Path], include: Sequence[Path]) -> Call:
    """Reads a prototype. Its types come from the files `types` if they can be parsed, else from the
    stack's headers."""
    return read_calls([text], types, include)[0]


def read_calls(
    texts: Sequence[str], types: Sequence[Path], include: Sequence[Path]
) -> tuple[Call, ...]:
    """Reads prototypes, as `read_call` does one; they share their types."""
    cleaned = [" ".join(text.split()).removesuffix(";").strip() for text in texts]
    named = [NAME.search(text) for text in cleaned]
    if odd := next(
        (t for t, name in zip(cleaned, named, strict=True) if not name or "{" in t), None
    ):
        raise UsageError(f"{odd!r} is no prototype: {EXAMPLE}")
    if not all(cleaned):
        raise UsageError(f"'' is no prototype: {EXAMPLE}")
    emptied = [_without_lengths(text) for text in cleaned]
    text = "; ".join(cleaned)
    declared = "".join(f"extern {plain};\n" for plain, _ in emptied)
    paths = (*include, STACK_INCLUDE)
    with tempfile.TemporaryDirectory() as folder:
        header = Path(folder, "call.h")
        candidates = [list(types)] if types else []
        reason = ""
        for preamble in [*candidates, list(public_headers(ROOT))]:
            lines = [f'#include "{path.resolve()}"\n' for path in preamble]
            header.write_text(
                "".join(lines) + f"#include <stdint.h>\n#include <stddef.h>\n{declared}"
            )
            read_headers.cache_clear()
            try:
                prototypes = read_headers((header,), paths)
                return tuple(
                    Call(own, plain, _checked(prototypes.function(name[1])), prototypes, lengths)
                    for own, name, (plain, lengths) in zip(cleaned, named, emptied, strict=True)
                    if name
                )
            except PrototypeError as error:
                reason = UNPARSED.sub("it goes wrong before ", str(error))
            except KeyError as error:
                reason = f"{error.args[0]} is no constant and no parameter"
    raise UsageError(f"the prototype {text!r} does not parse ({reason}): {EXAMPLE}")


def _without_lengths(text: str) -> tuple[str, dict[str, str]]:
    """Replaces `buffer[len]` by `buffer[]` where `len` is a parameter; returns the text and those
    pairs."""
    parameters = set(re.findall(r"(\w+)\s*(?:\[[^\]]*\]\s*)?[,)]", text))
    lengths = {
        buffer: length for buffer, length in BY_PARAMETER.findall(text) if length in parameters
    }

    def emptied(match: re.Match[str]) -> str:
        return f"{match[1]}[]" if match[1] in lengths else match[0]

    return BY_PARAMETER.sub(emptied, text), lengths


def _checked(function: Function) -> Function:
    for parameter in function.parameters:
        if not isinstance(parameter.type, (Scalar, Pointer)):
            raise PrototypeError(f"{parameter.name} is passed by value, and is no integer")
    if not isinstance(function.result, (Scalar, Pointer, Void)):
        raise PrototypeError("the result is neither an integer nor a pointer")
    return function


def length_of(call: Call, parameter: Declared) -> str | None:
    """Returns the parameter that holds a buffer's number of elements: the one in its brackets; for
    a bare pointer to numbers, the first integer that follows it."""
    if parameter.name in call.lengths:
        return call.lengths[parameter.name]
    type_ = parameter.type
    if (
        not isinstance(type_, Pointer)
        or type_.extent
        or not isinstance(type_.target, (Scalar, Void))
    ):
        return None
    behind = call.function.parameters[call.function.parameters.index(parameter) + 1 :]
    return next((other.name for other in behind if isinstance(other.type, Scalar)), None)
