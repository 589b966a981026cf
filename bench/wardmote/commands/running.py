# SPDX-License-Identifier: BSD-3-Clause
"""What every verb that measures for long has in common: where its cases are measured, what is taken
from earlier runs, and a bar with the time left."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from wardmote import options
from wardmote.campaign.choice import LOCAL, engine_of
from wardmote.campaign.runner import Runner, Told
from wardmote.campaign.store import Store

MOST_JOBS = 1024
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        help="Where cases are measured: local (processes), dask (a cluster of its own on this "
        "machine), dask:ADDRESS (of a scheduler).",
    ),
]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", help="Cases measured at a time. Default: one a core.")
]
FreshOption = Annotated[
    bool, typer.Option("--fresh", help="Measure again what earlier runs have kept.")
]


def runner_of(engine: str = LOCAL, jobs: int | None = None, *, fresh: bool = False) -> Runner:
    """The runner that the common options ask for."""
    at_a_time = (os.cpu_count() or 1) if jobs is None else jobs
    options.positive("number of jobs", at_a_time, MOST_JOBS)
    return Runner(engine_of(engine, at_a_time), Store(fresh=fresh), bar)


@contextmanager
def bar(cases: int, known: int) -> Iterator[Told]:
    """A bar on stderr with the latest case and the time left; nothing where stderr is no
    terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as shown:
        task = shown.add_task("measuring", total=cases, completed=known)
        yield lambda label: shown.update(task, description=label, advance=1)
