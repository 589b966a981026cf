# SPDX-License-Identifier: BSD-3-Clause
"""Small defects of C sources: each operator names the pieces of text that it puts in the place of
others.

The sources are parsed by tree-sitter. What a mutant breaks, and how, depends on the text of its
function alone, so that it stays the same mutant when other functions change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import tree_sitter_c
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from tests.mutants.language import (
    ORDERED,
    RELATIONS,
    Change,
    Language,
    Mutant,
    Operators,
    other_sign,
    text,
)

PARSER = Parser(Grammar(tree_sitter_c.language()))
HINT = re.compile(rb"\bWM_(?:NOINLINE|ALWAYS_INLINE|MUST_USE)\b")
"""Attributes by macro, which C's grammar knows nothing of."""
NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)")
CONSTANT = re.compile(r"[A-Z][A-Z0-9_]{2,}")
STATUS = re.compile(r"WM_(?:OK|ERR_\w+)")

Signs = dict[str, tuple[str, ...]]
SIGNS: dict[str, Signs] = {
    "relational": RELATIONS,
    "arithmetic": {
        "+": ("-",),
        "-": ("+",),
        "*": ("+",),
        "/": ("*",),
        "%": ("/",),
        "+=": ("-=",),
        "-=": ("+=",),
        "*=": ("+=",),
        "/=": ("*=",),
        "%=": ("/=",),
    },
    "bits": {
        "&": ("|",),
        "|": ("&",),
        "^": ("|",),
        "<<": (">>",),
        ">>": ("<<",),
        "&=": ("|=",),
        "|=": ("&=",),
        "^=": ("|=",),
        "<<=": (">>=",),
        ">>=": ("<<=",),
    },
    "logic": {"&&": ("||",), "||": ("&&",)},
}
"""What is put in the place of each sign."""
CONDITIONED = ("if_statement", "while_statement", "do_statement", "for_statement")
REMOVED = frozenset(("expression_statement", "break_statement", "continue_statement"))
RETURNS: dict[str, tuple[str, ...]] = {
    "void": ("",),
    "bool": (" true", " false"),
    "wm_status": (" WM_OK",),
}
"""What a function of a type returns too early; of another type it is 0."""


def boundary(node: Node) -> Iterator[Change]:
    """A limit one further, and one less far."""
    sign, right = node.child_by_field_name("operator"), node.child_by_field_name("right")
    if sign is not None and right is not None and text(sign) in ORDERED:
        yield from ((right, f"({text(right)}) {step} 1") for step in "+-")


def one_side(node: Node) -> Iterator[Change]:
    """One operand of && or || alone."""
    sign = node.child_by_field_name("operator")
    sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
    if sign is not None and text(sign) in SIGNS["logic"]:
        yield from ((node, f"({text(side)})") for side in sides if side is not None)


def negated(node: Node) -> Iterator[Change]:
    """A condition the other way round."""
    condition = node.child_by_field_name("condition")
    if condition is not None:
        inner = text(condition)
        turned = f"(!{inner})" if inner.startswith("(") else f"!({inner})"
        yield condition, turned


def decided(node: Node) -> Iterator[Change]:
    """A check that always holds, and one that never does."""
    condition = node.child_by_field_name("condition")
    if condition is not None:
        yield from ((condition, value) for value in ("(1)", "(0)"))


def unary(node: Node) -> Iterator[Change]:
    """The operand without its sign."""
    operand = node.child_by_field_name("argument")
    if operand is not None:
        yield node, text(operand)


def step(node: Node) -> Iterator[Change]:
    """Up in the place of down, and the other way."""
    sign = node.child_by_field_name("operator")
    if sign is not None:
        yield sign, "--" if text(sign) == "++" else "++"


def number(node: Node) -> Iterator[Change]:
    """A number one more, one less, and none."""
    parts = NUMBER.fullmatch(text(node))
    if parts is None:
        return
    value, suffix = int(parts[1], 0), parts[2]
    if node.parent is not None and node.parent.type == "array_declarator":
        values = {value - 1}  # what is larger than it need be does not matter
    else:
        values = {value + 1, value - 1, 0} - {value}
    yield from ((node, f"{new}{suffix}") for new in sorted(values) if new >= 0)


def constant(node: Node) -> Iterator[Change]:
    """A named constant one more and one less; another status."""
    name = text(node)
    if STATUS.fullmatch(name):
        if node.parent is not None and node.parent.type != "binary_expression":
            yield node, "WM_ERR_PARAM" if name == "WM_OK" else "WM_OK"
    elif CONSTANT.fullmatch(name):
        called = node.parent is not None and node.parent.type == "call_expression"
        declared = node.parent is not None and node.parent.type in (
            "array_declarator",
            "enumerator",
        )
        if not called and not declared:
            yield from ((node, f"({name} {sign} 1)") for sign in "+-")


def swapped(node: Node) -> Iterator[Change]:
    """Two arguments in each other's place."""
    given = [child for child in node.named_children if "comment" not in child.type]
    for first, second in pairwise(given):
        if text(first) != text(second):
            words = [text(child) for child in given]
            at = given.index(first)
            words[at], words[at + 1] = words[at + 1], words[at]
            yield node, f"({', '.join(words)})"


def removed(node: Node) -> Iterator[Change]:
    """No statement: no call, no assignment, no wipe."""
    if text(node) != ";":
        yield node, ";"


def early(node: Node) -> Iterator[Change]:
    """A function that returns at once."""
    kind, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    declarator = node.child_by_field_name("declarator")
    if kind is None or body is None or declarator is None or not body.children:
        return
    pointer = declarator.type == "pointer_declarator"
    for value in (" 0",) if pointer else RETURNS.get(text(kind), (" 0",)):
        yield body.children[0], f"{{ return{value};"


EXPRESSIONS = frozenset(("binary_expression", "assignment_expression"))
TRUTH = (
    (frozenset(("true",)), lambda node: iter([(node, "false")])),
    (frozenset(("false",)), lambda node: iter([(node, "true")])),
)
OPERATORS: Operators = {
    **{name: ((EXPRESSIONS, other_sign(table)),) for name, table in SIGNS.items()},
    "boundary": ((frozenset(("binary_expression",)), boundary),),
    "one side": ((frozenset(("binary_expression",)), one_side),),
    "negated": ((frozenset((*CONDITIONED, "conditional_expression")), negated),),
    "decided": ((frozenset(("if_statement",)), decided),),
    "unary": ((frozenset(("unary_expression",)), unary),),
    "step": ((frozenset(("update_expression",)), step),),
    "number": ((frozenset(("number_literal",)), number),),
    "constant": ((frozenset(("identifier",)), constant),),
    "truth": TRUTH,
    "swapped": ((frozenset(("argument_list",)), swapped),),
    "removed": ((REMOVED, removed),),
    "early": ((frozenset(("function_definition",)), early),),
}
"""Every operator by its name: kinds of nodes it changes, and how."""


def function_name(node: Node) -> str:
    """Of a definition."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type in (
        "pointer_declarator",
        "function_declarator",
    ):
        declarator = declarator.child_by_field_name("declarator")
    return text(declarator) if declarator is not None else ""


def nodes(node: Node, function: str = "") -> Iterator[tuple[Node, str]]:
    """Every node that may be changed, with the function it is in. Directives of the preprocessor
    and assertions of the compiler are not changed."""
    if node.type == "function_definition":
        function = function_name(node)
    if node.type.startswith("preproc_") and node.type not in ("preproc_if", "preproc_ifdef",
                                                              "preproc_else"):  # fmt: skip
        return
    if node.type in ("ERROR", "static_assert_declaration") or text(node).startswith(
        "_Static_assert"
    ):
        return
    yield node, function
    for child in node.children:
        yield from nodes(child, function)


C = Language(PARSER, nodes, OPERATORS)


def mutants(path: str, source: bytes) -> list[Mutant]:
    """Every mutant of a C source, by where it is."""
    return C.mutants(path, source, HINT.sub(lambda found: b" " * len(found[0]), source))
