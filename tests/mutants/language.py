# SPDX-License-Identifier: BSD-3-Clause
"""What the operators of all languages share: the defect, and finding each in a parsed source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from tree_sitter import Node, Parser

Change = tuple[Node, str]
Operator = Callable[[Node], Iterator[Change]]
Operators = Mapping[str, tuple[tuple[frozenset[str], Operator], ...]]
"""Every operator by its name: kinds of nodes it changes, and how."""


ORDERED = frozenset(("<", "<=", ">", ">="))
RELATIONS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
}
"""What is put in the place of each relation."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One defect."""

    path: str
    """Of the file, below the root."""
    function: str
    """Its name, empty outside functions."""
    operator: str
    line: int
    begin: int
    """Offset of the octets that are replaced."""
    end: int
    old: str
    new: str
    turn: int
    """Which of those in the function that read the same."""
    before: str
    """The line as it is, without the space around it."""

    @property
    def identity(self) -> str:
        """What says which it is, whatever else changes."""
        return repr((self.path, self.function, self.operator, self.before, self.old, self.new,
                     self.turn))  # fmt: skip

    @property
    def name(self) -> str:
        """A short name."""
        return sha256(self.identity.encode()).hexdigest()[:10]

    def applied(self, source: bytes) -> bytes:
        """The source with the defect."""
        assert source[self.begin : self.end].decode() == self.old
        return source[: self.begin] + self.new.encode() + source[self.end :]

    def place(self, seed: int) -> str:
        """Where it stands in the draw of a seed."""
        return sha256(f"{seed} {self.identity}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Language:
    """How sources of a language are parsed, and what is changed in them."""

    parser: Parser
    nodes: Callable[[Node], Iterator[tuple[Node, str]]]
    """Every node that may be changed, with the function it is in."""
    operators: Operators

    def mutants(self, path: str, source: bytes, parsed: bytes | None = None) -> list[Mutant]:
        """Every mutant of a source, by where it is. `parsed` is the source as the grammar
        understands it, of the same length."""
        tree = self.parser.parse(source if parsed is None else parsed)
        lines = source.decode().splitlines()
        seen: Counter[tuple[str, ...]] = Counter()
        found: list[Mutant] = []
        for node, function in self.nodes(tree.root_node):
            for name, ways in self.operators.items():
                for kinds, operator in ways:
                    for changed, new in operator(node) if node.type in kinds else ():
                        line, old = changed.start_point[0], text(changed)
                        same = (function, name, lines[line].strip(), old, new)
                        begin, end = changed.start_byte, changed.end_byte
                        found.append(Mutant(path, function, name, line + 1, begin, end, old, new,
                                            seen[same], same[2]))  # fmt: skip
                        seen[same] += 1
        return found


def nodes_but(
    left_out: Callable[[Node], bool], named: frozenset[str]
) -> Callable[[Node], Iterator[tuple[Node, str]]]:
    """Every node below one, with the function it is in, but for those that are left out. Nodes of
    kinds in `named` give functions their names."""

    def nodes(node: Node, function: str = "") -> Iterator[tuple[Node, str]]:
        if left_out(node):
            return
        if node.type in named:
            name = node.child_by_field_name("name") or node.child_by_field_name("type")
            function = f"{function}.{text(name) if name is not None else ''}".lstrip(".")
        yield node, function
        for child in node.children:
            yield from nodes(child, function)

    return nodes


def text(node: Node) -> str:
    """Of a node."""
    return (node.text or b"").decode()


def other_sign(table: Mapping[str, tuple[str, ...]]) -> Operator:
    """Another operator in the place of one, as a table says."""

    def change(node: Node) -> Iterator[Change]:
        sign = node.child_by_field_name("operator")
        if sign is not None:
            yield from ((sign, new) for new in table.get(text(sign), ()))

    return change
