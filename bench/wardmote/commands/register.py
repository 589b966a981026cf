# SPDX-License-Identifier: BSD-3-Clause
"""The register of commands. A module of this package that has one decorates its function:

    @verb("Measure slots", 30)
    def sweep(wanted: Wanted, shown: Shown) -> int:

and `wardmote sweep` is there, in that panel of `wardmote --help` and in that place. The function
has the name of its module; its options are the fields of its records. A verb may be one of a group,
such as `wardmote tinysec throughput`."""

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
    group: str = ""
    """The group whose name comes before it; empty if it is in none."""

    @property
    def words(self) -> str:
        """What is typed after `wardmote`."""
        return f"{self.group} {self.function.__name__}".strip()


_VERBS: dict[str, Verb] = {}
GROUPS: dict[str, str] = {}
"""What each group of verbs is about, by its name."""


def verb(panel: str, order: int, group: str = "") -> Callable[[Function], Function]:
    """Registers a command."""

    def register(function: Function) -> Function:
        one = Verb(order, panel, flat(function), group)
        _VERBS[one.words] = one
        return function

    return register


def verbs(name: str = "") -> list[Verb]:
    """The command of this name, or those of this group, alone; all if there is neither. A name of a
    module imports no other."""
    modules = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]
    for module in [name] if name in modules else modules:
        importlib.import_module(f"wardmote.commands.{module}")
    found = [one for one in _VERBS.values() if name in (one.words, one.group)] if name else []
    return sorted(found or _VERBS.values(), key=lambda one: one.order)
