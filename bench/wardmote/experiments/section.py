# SPDX-License-Identifier: BSD-3-Clause
"""What a report folder holds of experiments, as sections of its page."""

from pathlib import Path
from typing import Any

from wardmote.experiments import registered
from wardmote.experiments.experiment import Experiment
from wardmote.paths import write_atomically
from wardmote.views.data import to_json
from wardmote.views.folder import PAGE
from wardmote.views.html import with_experiments
from wardmote.views.sections import Section


def keep(folder: Path, name: str, experiment: Experiment[Any, Any], rows: list[Any]) -> None:
    """Writes the rows into a report folder, and their section into its page if there is one."""
    write_atomically(_file(folder, name), to_json(rows).encode())
    page = folder / PAGE
    if page.is_file():
        text = with_experiments(page.read_text(encoding="utf-8"), sections(folder))
        write_atomically(page, text.encode())


def sections(folder: Path) -> list[Section]:
    """A section for each experiment whose rows the folder holds."""
    found = []
    for name, experiment in registered().items():
        if _file(folder, name).is_file():
            rows = experiment.read(_file(folder, name))
            answer, figure = experiment.answer(rows), experiment.figure(rows)
            found.append(
                Section(experiment.question, rows, experiment.columns, answer, figure=figure)
            )
    return found


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"
