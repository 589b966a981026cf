# SPDX-License-Identifier: BSD-3-Clause
"""Small defects of Python sources. Annotations, decorators, imports and docstrings stay."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

import tree_sitter_python
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from tests.mutants.language import (
    ORDERED,
    RELATIONS,
    Change,
    Language,
    Mutant,
    nodes_but,
    other_sign,
    text,
)

ALL_RELATIONS = {
    **RELATIONS,
    "in": ("not in",),
    "not in": ("in",),
    "is": ("is not",),
    "is not": ("is",),
}
ARITHMETIC = {
    "+": ("-",),
    "-": ("+",),
    "*": ("/",),
    "/": ("*",),
    "//": ("*", "/"),
    "%": ("*",),
    "+=": ("-=",),
    "-=": ("+=",),
    "*=": ("/=",),
}
OTHERS = {"min": "max", "max": "min", "any": "all", "all": "any", "median": "mean"}
CONDITIONED = frozenset(("if_statement", "elif_clause", "while_statement"))
KEPT = frozenset(("type", "decorator", "import_statement", "import_from_statement", "assert_statement",
                  "raise_statement", "future_import_statement", "type_alias_statement"))  # fmt: skip
"""Nodes in which nothing is changed."""


def parts(node: Node) -> list[Node]:
    """The operands of a comparison with two."""
    found = [child for child in node.named_children if child.type != "comment"]
    return found if len(found) == 2 else []


def relational(node: Node) -> Iterator[Change]:
    """Another relation."""
    signs = node.children_by_field_name("operators")
    if parts(node) and signs:
        yield from ((signs[0], new) for new in ALL_RELATIONS.get(text(signs[0]), ()))


def boundary(node: Node) -> Iterator[Change]:
    """A limit one further, and one less far."""
    signs = node.children_by_field_name("operators")
    if parts(node) and signs and text(signs[0]) in ORDERED:
        yield from ((parts(node)[1], f"({text(parts(node)[1])}) {step} 1") for step in "+-")


def one_side(node: Node) -> Iterator[Change]:
    """One operand of `and` or `or` alone."""
    for name in ("left", "right"):
        side = node.child_by_field_name(name)
        if side is not None:
            yield node, f"({text(side)})"


def negated(node: Node) -> Iterator[Change]:
    """A condition the other way round."""
    condition = node.child_by_field_name("condition")
    if condition is not None:
        yield condition, f"not ({text(condition)})"


def chosen(node: Node) -> Iterator[Change]:
    """The other choice of a conditional expression, and a filter that lets all pass."""
    named = node.named_children
    if node.type == "conditional_expression" and len(named) == 3:
        yield from ((node, f"({text(side)})") for side in (named[0], named[2]))
    elif node.type == "if_clause":
        yield node, ""


def number(node: Node) -> Iterator[Change]:
    """A number one more, one less, and none."""
    value = int(text(node).replace("_", ""), 0)
    yield from ((node, str(new)) for new in sorted({value + 1, value - 1, 0} - {value}) if new >= 0)


def figure(node: Node) -> Iterator[Change]:
    """A number with a point, 5 % more."""
    yield node, repr(float(text(node).replace("_", "")) * 1.05)


def swapped(node: Node) -> Iterator[Change]:
    """Two arguments in each other's place, or the values of two that are named."""
    given = [child for child in node.named_children if child.type != "comment"]
    for first, second in pairwise(given):
        if first.type != second.type and "keyword_argument" in (first.type, second.type):
            continue
        if "splat" in first.type or "splat" in second.type or "for_in" in second.type:
            continue
        names = [child.child_by_field_name("name") for child in (first, second)]
        values = [child.child_by_field_name("value") for child in (first, second)]
        yield from exchanged(node, (first, second), names, values)


def pairs(node: Node) -> Iterator[Change]:
    """The values of two neighbours in a dictionary."""
    given = [child for child in node.named_children if child.type == "pair"]
    for first, second in pairwise(given):
        names = [child.child_by_field_name("key") for child in (first, second)]
        values = [child.child_by_field_name("value") for child in (first, second)]
        yield from exchanged(node, (first, second), names, values)


def exchanged(
    node: Node, both: tuple[Node, Node], names: list[Node | None], values: list[Node | None]
) -> Iterator[Change]:
    """The text of a node in which two parts have each other's value."""
    first, second = ((value or part) for value, part in zip(values, both, strict=True))
    if (names[0] is None) != (names[1] is None) or text(first) == text(second):
        return
    octets, start = node.text or b"", node.start_byte
    middle = octets[first.end_byte - start : second.start_byte - start]
    yield (
        node,
        (
            octets[: first.start_byte - start]
            + (second.text or b"")
            + middle
            + (first.text or b"")
            + octets[second.end_byte - start :]
        ).decode(),
    )


def removed(node: Node) -> Iterator[Change]:
    """No statement: no call, no assignment. Docstrings and fields that are declared stay."""
    inner = node.named_children[0] if node.named_children else None
    declared = inner is not None and inner.type == "assignment"
    declared = declared and inner is not None and inner.child_by_field_name("right") is None
    docstring = inner is not None and inner.type == "string"
    if not declared and not docstring and node.parent is not None and node.parent.type == "block":
        yield node, "pass"


def early(node: Node) -> Iterator[Change]:
    """A function that returns at once."""
    body = node.child_by_field_name("body")
    kind = node.child_by_field_name("return_type")
    if body is not None:
        values = ("True", "False") if kind is not None and text(kind) == "bool" else ("None",)
        yield from ((body, f"return {value}") for value in values)


def other_name(node: Node) -> Iterator[Change]:
    """The least in the place of the greatest, and the like."""
    called = node.child_by_field_name("function")
    if called is not None and text(called) in OTHERS:
        yield called, OTHERS[text(called)]


LANGUAGE_OPERATORS = {
    "relational": ((frozenset(("comparison_operator",)), relational),),
    "boundary": ((frozenset(("comparison_operator",)), boundary),),
    "arithmetic": ((frozenset(("binary_operator", "augmented_assignment")), other_sign(ARITHMETIC)),),
    "logic": ((frozenset(("boolean_operator",)), other_sign({"and": ("or",), "or": ("and",)})),),
    "one side": ((frozenset(("boolean_operator",)), one_side),),
    "negated": ((CONDITIONED, negated),),
    "chosen": ((frozenset(("conditional_expression", "if_clause")), chosen),),
    "number": ((frozenset(("integer",)), number),),
    "figure": ((frozenset(("float",)), figure),),
    "truth": (
        (frozenset(("true",)), lambda node: iter([(node, "False")])),
        (frozenset(("false",)), lambda node: iter([(node, "True")])),
    ),
    "other name": ((frozenset(("call",)), other_name),),
    "swapped": (
        (frozenset(("argument_list",)), swapped),
        (frozenset(("dictionary",)), pairs),
    ),
    "removed": (
        (frozenset(("expression_statement", "break_statement", "continue_statement")), removed),
    ),
    "early": ((frozenset(("function_definition",)), early),),
}  # fmt: skip


def kept(node: Node) -> bool:
    """A node in which nothing is changed."""
    only_types = node.type == "if_statement" and "TYPE_CHECKING" in text(node).splitlines()[0]
    return node.type in KEPT or only_types


NODES = nodes_but(kept, frozenset(("function_definition", "class_definition")))
PYTHON = Language(Parser(Grammar(tree_sitter_python.language())), NODES, LANGUAGE_OPERATORS)


def mutants(path: str, source: bytes) -> list[Mutant]:
    """Every mutant of a Python source, by where it is."""
    return PYTHON.mutants(path, source)


def meaning(source: bytes) -> bytes | None:
    """What Python makes of a source, without its places; None if it is no Python."""
    try:
        return ast.dump(ast.parse(source)).encode()
    except SyntaxError:
        return None
