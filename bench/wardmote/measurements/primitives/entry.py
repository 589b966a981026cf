# SPDX-License-Identifier: BSD-3-Clause
"""How an entry of the table says what is called: values by name, and operations as lines of words.

A line is a function and its arguments. A word is a number, `&symbol`, the name of a value, or
`NAME.len`. `set R.M V` makes member M of record R the address of V. Two values are there without
being declared: `m`, the message, which is secret, and `a`, associated data, which is public.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from wardmote.linked import Form

Kind = Literal["secret", "public", "record", "out"]
MESSAGE, ASSOCIATED = "m", "a"
Lengths = tuple[int, int]
"""Octets of the message and of the associated data."""


@dataclass(frozen=True, slots=True)
class Value:
    """Octets that calls are given: secret or public ones, a record of the stack's, or room for a
    result."""

    kind: Kind
    octets: int = 0
    record: str = ""


def secret(octets: int) -> Value:
    """Octets that differ from run to run."""
    return Value("secret", octets)


def public(octets: int) -> Value:
    """Octets that are the same in all runs."""
    return Value("public", octets)


def record(name: str) -> Value:
    """A structure of the public headers, zero at first."""
    return Value("record", record=name)


def out(octets: int) -> Value:
    """Room for a result."""
    return Value("out", octets)


@dataclass(frozen=True, slots=True)
class Operation:
    """What is measured as one figure: one or several calls."""

    name: str
    lines: tuple[str, ...]
    per_size: bool = True
    """Its cost may depend on the length of the message; else it is one row, with 0 octets."""
    restores: bool = False
    """Afterwards the message is again what it was at first."""
    before: tuple[str, ...] = ()
    """What is called first and not measured; the message begins as it was at first."""
    wrong: str = ""
    """The tag that is made wrong before the lines: they must refuse with WM_ERR_SECURITY.
    Afterwards the tag and the message are again what they were."""
    wipes: bool = False
    """It leaves zeros in place of the message."""
    of_a: bool = False
    """It is about associated data: without any there is no row."""

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions it calls, in order."""
        return tuple(line.split()[0] for line in self.lines if not line.startswith("set "))


@dataclass(frozen=True, slots=True)
class Primitive:
    """One variant of one primitive."""

    name: str
    variant: str
    headers: tuple[str, ...]
    """Public headers it is declared in, without `.h`."""
    values: Mapping[str, Value]
    operations: tuple[Operation, ...]
    form: Form = "fast"
    """Of the library it is linked from."""
    fixed: int | None = None
    """Octets of its only size, for a block cipher."""
    granule: int = 1
    """Its messages are multiples of that."""
    least: int = 0
    associated: bool = False
    """It takes associated data."""
    published: Mapping[str, str] = field(default_factory=dict)
    """Operation -> the printed figure, as `table.name` under `telosb`; `table+a.name` where a is as
    long as m."""

    @property
    def label(self) -> str:
        """Name and variant."""
        return f"{self.name} {self.variant}".strip()

    @property
    def symbols(self) -> tuple[str, ...]:
        """Every function and object it names."""
        lines = [
            line.split()
            for operation in self.operations
            for line in (*operation.before, *operation.lines)
        ]
        functions = [words[0] for words in lines if words[0] != "set"]
        objects = [word[1:] for words in lines for word in words if word.startswith("&")]
        return tuple(dict.fromkeys([*functions, *objects]))

    def takes(self, octets: int) -> bool:
        """Whether there is a message of that length."""
        return octets >= self.least and octets % self.granule == 0


@dataclass(frozen=True, slots=True)
class Workload:
    """One primitive with one length of message and of associated data."""

    primitive: Primitive
    octets: int
    a_octets: int
    first: bool
    """The first of its primitive, which also gives the rows that no length matters to."""

    def shows(self, operation: Operation) -> bool:
        """Whether there is a row of that operation."""
        return (operation.per_size or self.first) and (self.a_octets > 0 or not operation.of_a)


def lengths_of(primitive: Primitive, sizes: Sequence[int]) -> tuple[Lengths, ...]:
    """Every length that it takes; with associated data none, and as much as message."""
    fixed = primitive.fixed
    taken = [size for size in sizes if primitive.takes(size)] if fixed is None else [fixed]
    return tuple((n, a) for n in taken for a in ((0, n) if primitive.associated else (0,)))


def workloads(primitive: Primitive, lengths: Sequence[Lengths]) -> list[Workload]:
    """The primitive with each of these lengths."""
    return [Workload(primitive, size, a, n == 0) for n, (size, a) in enumerate(lengths)]
