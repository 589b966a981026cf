# SPDX-License-Identifier: BSD-3-Clause
"""Experiments that bring everything in one folder: cases, measurement, row, columns, answer.

Each becomes a verb of the command line, a file NAME.json of the report, and a section of its page.
docs/how-do-i-add.md says how to add one.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from wardmote.experiments.experiment import Experiment

NAMES: tuple[str, ...] = (
    # One line for each folder beside this file.
    "assumptions",
    "policy",
)


@cache
def registered() -> Mapping[str, Experiment[Any, Any]]:
    """Every experiment by the name of its folder, which is its verb."""
    return {name: import_module(f"{__name__}.{name}").EXPERIMENT for name in NAMES}
