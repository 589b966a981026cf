# SPDX-License-Identifier: BSD-3-Clause
"""Registers the functions that the expressions of one paper may call."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from wardmote.study.claims.expression import NotMeasuredError

Function = TypeVar("Function", bound=Callable[..., Any])
Found = TypeVar("Found")


class Figures:
    """The functions that the claims of one paper may call. Used as a decorator, it registers a
    function. A claim's expression calls it without the first parameter, the facts: `of` gives
    that."""

    def __init__(self) -> None:
        """Holds none at first."""
        self._functions: dict[str, Callable[..., Any]] = {}

    def __call__(self, function: Function) -> Function:
        """Registers a function."""
        self._functions[function.__name__] = function
        return function

    def of(self, facts: object) -> dict[str, Callable[..., Any]]:
        """The functions with their first parameter given."""

        def bound(function: Callable[..., Any]) -> Callable[..., Any]:
            return lambda *arguments: function(facts, *arguments)

        return {name: bound(function) for name, function in self._functions.items()}


def there(found: list[Found]) -> list[Found]:
    """Raises NotMeasuredError if there is nothing."""
    if not found:
        raise NotMeasuredError
    return found


def first(found: Iterable[Found]) -> Found:
    """The first one; raises NotMeasuredError if there is none."""
    return there(list(found))[0]
