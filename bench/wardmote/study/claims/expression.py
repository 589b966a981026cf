# SPDX-License-Identifier: BSD-3-Clause
"""Computes the expressions of published/*_claims.toml: arithmetic, comparisons, and calls of the
functions that a paper's module registers."""

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
}
BUILT_IN: Mapping[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "all": all,
    "len": len,
    "abs": abs,
}


class NotMeasuredError(Exception):
    """The rows at hand do not have what an expression asks for."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that an expression may use. A figure may have the name of a function."""

    functions: Mapping[str, Callable[..., Any]]
    names: Mapping[str, Any]

    def value(self, text: str) -> Any:
        """The value of an expression. Raises ValueError if the expression has a construct that is
        not allowed."""
        return _value(ast.parse(text, mode="eval").body, self)


def _value(node: ast.expr, scope: Scope) -> Any:
    match node:
        case ast.Constant(value=constant):
            return constant
        case ast.Name(id=name) if name in scope.names:
            return scope.names[name]
        case ast.List(elts=parts):
            return [_value(part, scope) for part in parts]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, scope), _value(right, scope))
        case ast.BoolOp(op=op, values=parts):
            join = all if isinstance(op, ast.And) else any
            return join([_value(part, scope) for part in parts])
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = pairwise(_value(part, scope) for part in (left, *others))
            return all(OPERATORS[type(op)](*pair) for op, pair in zip(ops, sides, strict=True))
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in scope.functions:
            return scope.functions[name](*(_value(part, scope) for part in parts))
    raise ValueError(f"no part of an expression: {ast.unparse(node)}")
