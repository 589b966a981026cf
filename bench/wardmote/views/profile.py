# SPDX-License-Identifier: BSD-3-Clause
"""Formats a profile as tables and files."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

from wardmote.errors import UsageError
from wardmote.measurements.function.profile import FunctionCost, LineCost, Profile
from wardmote.paths import write_atomically
from wardmote.views.columns import Fields
from wardmote.views.flame import flame_graph, folded
from wardmote.views.table import Column

MOST_LINES = 20


def _share(cycles: int, profile: Profile) -> str:
    return f"{100 * cycles / max(1, profile.cycles):.1f}"


def function_columns(profile: Profile) -> tuple[Column[FunctionCost], ...]:
    """Columns of a table of functions."""
    of = Fields(FunctionCost)
    return (
        of.word("function", rank=0),
        of.number("calls"),
        of.number("cycles", rank=0),
        Column("%", lambda cost: _share(cost.cycles, profile)),
        *of.numbers("cycles with callees", "instructions"),
    )


def line_columns(profile: Profile) -> tuple[Column[LineCost], ...]:
    """Columns of a table of source lines."""
    of = Fields(LineCost)
    return (
        of.word("line", "source", rank=0),
        of.word("function", rank=0),
        of.number("cycles", rank=0),
        Column("%", lambda cost: _share(cost.cycles, profile)),
        of.number("instructions"),
    )


def targets(place: Path, operation: str, cpus: tuple[str, ...]) -> dict[str, Path]:
    """The SVG file of each CPU: `place`, or a file in the folder `place`. Writes nothing."""
    if place.suffix == ".svg":
        if len(cpus) != 1:
            raise UsageError(
                f"{place} is one file, and there are {len(cpus)} CPUs: give one --cpu, or a folder"
            )
        return {cpus[0]: place}
    if place.suffix or place.is_file():
        raise UsageError(f"{place}: give a file .svg, or a folder")
    return {cpu: place / f"{operation}-{cpu}.svg" for cpu in cpus}


def title_of(profile: Profile) -> str:
    """What a flame graph shows."""
    what = f"{profile.operation} of {profile.octets} octets on {profile.cpu}"
    return f"{what}: {profile.cycles} cycles"


def files_of(profile: Profile, svg: Path) -> Iterator[tuple[Path, str]]:
    """Flame graph, folded stacks, and all costs as JSON."""
    yield svg, flame_graph(profile.folded, title_of(profile))
    yield svg.with_suffix(".folded"), folded(profile.folded)
    costs = {name: value for name, value in dataclasses.asdict(profile).items() if name != "folded"}
    yield svg.with_suffix(".json"), json.dumps(costs, indent=2) + "\n"


def write(profile: Profile, svg: Path) -> None:
    """Writes the files of a profile, each as a whole or not at all."""
    for path, text in files_of(profile, svg):
        write_atomically(path, text.encode())
