# SPDX-License-Identifier: BSD-3-Clause
"""Formats a profile as tables and files."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

from wardmote.errors import UsageError
from wardmote.measurements.function.profile import FunctionCost, LineCost, Profile
from wardmote.paths import write_atomically
from wardmote.views.flame import flame_graph, folded
from wardmote.views.table import Column, number

MOST_LINES = 20


def _share(cycles: int, profile: Profile) -> str:
    return f"{100 * cycles / max(1, profile.cycles):.1f}"


def function_columns(profile: Profile) -> tuple[Column[FunctionCost], ...]:
    """Columns of a table of functions."""
    return (
        Column("function", lambda cost: cost.function, text=True, rank=0),
        Column("calls", lambda cost: number(cost.calls)),
        Column("cycles", lambda cost: str(cost.cycles), rank=0),
        Column("%", lambda cost: _share(cost.cycles, profile)),
        Column("cycles with callees", lambda cost: str(cost.cycles_with_callees)),
        Column("instructions", lambda cost: str(cost.instructions)),
    )


def line_columns(profile: Profile) -> tuple[Column[LineCost], ...]:
    """Columns of a table of source lines."""
    return (
        Column("line", lambda cost: cost.source, text=True, rank=0),
        Column("function", lambda cost: cost.function, text=True, rank=0),
        Column("cycles", lambda cost: str(cost.cycles), rank=0),
        Column("%", lambda cost: _share(cost.cycles, profile)),
        Column("instructions", lambda cost: str(cost.instructions)),
    )


def targets(place: Path, operation: str, cpus: tuple[str, ...]) -> dict[str, Path]:
    """The SVG file of each CPU: `place`, or a file in the folder `place`. Writes nothing."""
    if place.suffix == ".svg":
        if len(cpus) != 1:
            raise UsageError(
                f"{place} is one file, and there are {len(cpus)} CPUs: give one --cpu, or a folder"
            )
        found = {cpus[0]: place}
    elif place.suffix or place.is_file():
        raise UsageError(f"{place}: give a file .svg, or a folder")
    else:
        found = {cpu: place / f"{operation}-{cpu}.svg" for cpu in cpus}
    return found


def files_of(profile: Profile, svg: Path) -> Iterator[tuple[Path, str]]:
    """Flame graph, folded stacks, and all costs as JSON."""
    yield svg, flame_graph(profile)
    yield svg.with_suffix(".folded"), folded(profile)
    costs = {name: value for name, value in dataclasses.asdict(profile).items() if name != "folded"}
    yield svg.with_suffix(".json"), json.dumps(costs, indent=2) + "\n"


def write(profile: Profile, svg: Path) -> None:
    """Writes the files of a profile, each as a whole or not at all."""
    for path, text in files_of(profile, svg):
        write_atomically(path, text.encode())
