# SPDX-License-Identifier: BSD-3-Clause
"""Shared by all verbs that measure for long: the choice of machines, the use of earlier results,
and a bar with the time left."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column

from wardmote import options
from wardmote.campaign.choice import LOCAL, engine_of
from wardmote.campaign.runner import Runner, Told
from wardmote.campaign.store import Store
from wardmote.commands.records import option

MOST_JOBS = 1024
LABEL_WIDTH, BAR_WIDTH = 32, 12
"""So that the time left fits into 80 columns, however long a case's label is."""


@dataclass(frozen=True, slots=True)
class Running:
    """Where cases are measured, and what is taken from earlier runs."""

    engine: Annotated[
        str,
        option(
            "Where cases are measured: local (processes), dask (a cluster of its own on this "
            "machine), dask:ADDRESS (of a scheduler).",
            LOCAL,
            "dask",
        ),
    ] = LOCAL
    jobs: Annotated[int | None, option("Cases measured at a time. Default: one a core.")] = None
    fresh: Annotated[bool, option("Measure again what earlier runs have kept.", name="--fresh")] = (
        False
    )

    def runner(self) -> Runner:
        """The runner that these options ask for."""
        at_a_time = (os.cpu_count() or 1) if self.jobs is None else self.jobs
        options.positive("number of jobs", at_a_time, MOST_JOBS)
        return Runner(engine_of(self.engine, at_a_time), Store(fresh=self.fresh), bar)


@contextmanager
def bar(cases: int, known: int) -> Iterator[Told]:
    """A bar on stderr with the latest case and the time left; nothing where stderr is no
    terminal."""
    columns = (
        TextColumn("{task.description}", table_column=Column(max_width=LABEL_WIDTH, no_wrap=True)),
        BarColumn(BAR_WIDTH),
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
