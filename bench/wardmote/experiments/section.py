# SPDX-License-Identifier: BSD-3-Clause
"""What a report folder holds of experiments, as sections of its page."""

from pathlib import Path
from typing import Any

from wardmote.experiments import placed, registered
from wardmote.experiments.experiment import Experiment
from wardmote.paths import write_atomically
from wardmote.study.claims.tinysec import PAPER, tinysec_claims
from wardmote.views import claims as view
from wardmote.views.data import to_json
from wardmote.views.folder import PAGE
from wardmote.views.html import with_experiments
from wardmote.views.sections import Section

CLAIMS = "What does the paper on TinySec claim, and what are our verdicts?"


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
    if known := kept(folder, PAPER):
        judged = tinysec_claims(known)
        found.append(Section(CLAIMS, judged, view.COLUMNS, view.answer(judged)))
    return found


def kept(folder: Path, group: str) -> dict[str, list[Any]]:
    """The rows that a report folder holds of a group's verbs."""
    return {
        place.verb: one.read(_file(folder, place.name))
        for place, one in placed().items()
        if place.group == group and _file(folder, place.name).is_file()
    }


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"
