# SPDX-License-Identifier: BSD-3-Clause
"""Experiments that bring everything in one folder: cases, measurement, row, columns, answer.

Each becomes a verb of the command line, a file NAME.json of the report, and a section of its page.
A folder with a `GROUP` has several: each module of its folder `verbs` is one, and its verb is
`wardmote FOLDER MODULE`. docs/how-do-i-add.md says how to add one.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from wardmote.experiments.experiment import Experiment

NAMES: tuple[str, ...] = (
    # One line for each folder beside this file.
    "ahead",
    "assumptions",
    "ipsec",
    "policy",
    "shortest",
    "tinysec",
    "zigbee",
)


class Place(NamedTuple):
    """Where an experiment lies, which is how its verb is called."""

    verb: str
    group: str = ""
    """The group that the verb is in; empty if it is in none."""
    about: str = ""
    """What the group is about."""

    @property
    def name(self) -> str:
        """One word, for files and blocks of documents."""
        return f"{self.group}-{self.verb}" if self.group else self.verb


@cache
def placed() -> Mapping[Place, Experiment[Any, Any]]:
    """Every experiment by its place."""
    return dict(_found())


def _found() -> Iterator[tuple[Place, Experiment[Any, Any]]]:
    for name in NAMES:
        folder = import_module(f"{__name__}.{name}")
        about = getattr(folder, "GROUP", "")
        if not about:
            yield Place(name), folder.EXPERIMENT
            continue
        room = import_module(f"{folder.__name__}.verbs")
        for module in pkgutil.iter_modules(room.__path__):
            one = import_module(f"{room.__name__}.{module.name}")
            yield Place(module.name, name, about), one.EXPERIMENT
