# SPDX-License-Identifier: BSD-3-Clause
"""Small defects of Rust sources. Attributes, macros, types and tests stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter_rust
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from tests.mutants.language import Change, Language, Mutant, nodes_but, other_sign, text
from tests.mutants.operators import SIGNS, TRUTH, boundary, one_side, swapped

NUMBER = re.compile(r"(0x[0-9a-fA-F_]+|0b[01_]+|[0-9][0-9_]*?)(_?[iu](?:8|16|32|64|128|size))?")
CONDITIONED = frozenset(("if_expression", "while_expression"))
KEPT = frozenset(("attribute_item", "inner_attribute_item", "macro_invocation", "use_declaration",
                  "type_arguments", "array_type", "macro_definition", "mod_item"))  # fmt: skip
"""Nodes in which nothing is changed."""
RETURNS: dict[str, tuple[str, ...]] = {
    "bool": ("true", "false"),
    "": ("",),
    **dict.fromkeys(("u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64"), ("0",)),
    **dict.fromkeys(("f64",), ("0.0",)),
}
"""What a function of a type returns too early; others have no such mutant, but for options."""
OTHERS = {"min": "max", "max": "min", "is_some": "is_none", "is_none": "is_some", "any": "all",
          "all": "any", "wrapping_add": "wrapping_sub", "wrapping_sub": "wrapping_add",
          "saturating_sub": "saturating_add", "div_ceil": "div_euclid"}  # fmt: skip


def negated(node: Node) -> Iterator[Change]:
    """A condition the other way round."""
    condition = node.child_by_field_name("condition")
    if condition is not None and not condition.type.startswith("let_"):
        yield condition, f"!({text(condition)})"


def decided(node: Node) -> Iterator[Change]:
    """A check that always holds, and one that never does."""
    condition = node.child_by_field_name("condition")
    if condition is not None and not condition.type.startswith("let_"):
        yield from ((condition, value) for value in ("true", "false"))


def unary(node: Node) -> Iterator[Change]:
    """The operand without its sign."""
    if text(node)[:1] in ("!", "-") and node.named_children:
        yield node, text(node.named_children[0])


def number(node: Node) -> Iterator[Change]:
    """A number one more, one less, and none."""
    found = NUMBER.fullmatch(text(node))
    if found is None:
        return
    value, suffix = int(found[1].replace("_", ""), 0), found[2] or ""
    yield from (
        (node, f"{new}{suffix}") for new in sorted({value + 1, value - 1, 0} - {value}) if new >= 0
    )


def figure(node: Node) -> Iterator[Change]:
    """A number with a point, 5 % more."""
    words = text(node).replace("_", "")
    if re.fullmatch(r"[0-9.]+(?:e-?[0-9]+)?", words):
        yield node, f"({text(node)} * 1.05)"


def removed(node: Node) -> Iterator[Change]:
    """No statement: no call, no assignment."""
    inner = node.named_children[0] if node.named_children else None
    if inner is not None and inner.type in (
        "call_expression",
        "assignment_expression",
        "compound_assignment_expr",
        "try_expression",
    ):
        yield node, "{}"


def early(node: Node) -> Iterator[Change]:
    """A function that returns at once."""
    body, kind = node.child_by_field_name("body"), node.child_by_field_name("return_type")
    if body is None:
        return
    word = "" if kind is None else text(kind)
    values = ("None",) if word.startswith("Option<") else RETURNS.get(word, ())
    yield from ((body, f"{{ {value} }}") for value in values)


def other_name(node: Node) -> Iterator[Change]:
    """The least in the place of the greatest, and the like."""
    called = node.child_by_field_name("function")
    field = None if called is None else called.child_by_field_name("field")
    if field is not None and text(field) in OTHERS:
        yield field, OTHERS[text(field)]


SIGNED = frozenset(("binary_expression", "compound_assignment_expr"))
LANGUAGE_OPERATORS = {
    **{name: ((SIGNED, other_sign(table)),) for name, table in SIGNS.items()},
    "boundary": ((frozenset(("binary_expression",)), boundary),),
    "one side": ((frozenset(("binary_expression",)), one_side),),
    "negated": ((CONDITIONED, negated),),
    "decided": ((frozenset(("if_expression",)), decided),),
    "unary": ((frozenset(("unary_expression",)), unary),),
    "number": ((frozenset(("integer_literal",)), number),),
    "figure": ((frozenset(("float_literal",)), figure),),
    "truth": TRUTH,
    "other name": ((frozenset(("call_expression",)), other_name),),
    "swapped": ((frozenset(("arguments",)), swapped),),
    "removed": ((frozenset(("expression_statement",)), removed),),
    "early": ((frozenset(("function_item",)), early),),
}


NODES = nodes_but(lambda node: node.type in KEPT, frozenset(("function_item", "impl_item")))
RUST = Language(Parser(Grammar(tree_sitter_rust.language())), NODES, LANGUAGE_OPERATORS)


def mutants(path: str, source: bytes) -> list[Mutant]:
    """Every mutant of a Rust source, by where it is."""
    return RUST.mutants(path, source)
