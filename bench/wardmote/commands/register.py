# SPDX-License-Identifier: BSD-3-Clause
"""The register of commands. A module of this package that has one decorates its function:

    @verb("Measure slots", 30)
    def sweep(wanted: Wanted, shown: Shown) -> int:

and `wardmote sweep` is there, in that panel of `wardmote --help` and in that place. The function
has the name of its module; its options are the fields of its records."""

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from wardmote.commands.records import flat

Function = TypeVar("Function", bound=Callable[..., int])


class Verb(NamedTuple):
    """A command."""

    order: int
    panel: str
    function: Callable[..., int]


_VERBS: dict[str, Verb] = {}


def verb(panel: str, order: int) -> Callable[[Function], Function]:
    """Registers a command."""

    def register(function: Function) -> Function:
        _VERBS[function.__name__] = Verb(order, panel, flat(function))
        return function

    return register


def verbs(name: str = "") -> list[Verb]:
    """The command of this name alone, without importing the others; all if there is none."""
    modules = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]
    for module in [name] if name in modules else modules:
        importlib.import_module(f"wardmote.commands.{module}")
    found = [_VERBS[name]] if name in _VERBS else list(_VERBS.values())
    return sorted(found, key=lambda one: one.order)
