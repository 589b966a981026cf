# SPDX-License-Identifier: BSD-3-Clause
"""What a report folder holds of experiments, as sections of its page."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wardmote.errors import OldRowsError
from wardmote.experiments import Place, placed
from wardmote.experiments.experiment import Experiment
from wardmote.paths import DOCUMENTS, write_atomically
from wardmote.study.claims.judges import JUDGES
from wardmote.views import claims as view
from wardmote.views.data import to_json
from wardmote.views.html import PAGE, with_experiments
from wardmote.views.sections import Section

SLOTS = "rows.json"
CLAIMS = "What does the paper on {} claim, and what are our verdicts?"


def keep(folder: Path, name: str, experiment: Experiment[Any, Any], rows: list[Any]) -> None:
    """Writes the rows into a report folder, and their section into its page if there is one."""
    write_atomically(_file(folder, name), to_json(rows).encode())
    page = folder / PAGE
    if page.is_file():
        text = with_experiments(page.read_text(encoding="utf-8"), sections(folder))
        write_atomically(page, text.encode())


def sections(folder: Path) -> list[Section]:
    """A section for each experiment whose rows the folder holds."""
    found, every, of_slots = [], _read(folder), _commit_of_slots(folder)
    for place, rows in every.items():
        one = placed()[place]
        found.append(
            Section(
                one.question,
                rows,
                one.columns,
                f"{one.answer(rows)}{_older(rows, of_slots)}",
                one.conditions(rows),
                one.figure(rows),
                (f"{place.name}.json",),
            )
        )
    for judge in JUDGES:
        if own := _of_group(every, judge.paper):
            judged = judge.claims(beside_documents(judge.paper) | own)
            title = CLAIMS.format(judge.subject)
            found.append(Section(title, judged, view.COLUMNS, view.answer(judged)))
    return found


def _commit_of_slots(folder: Path) -> str | None:
    """The commit at which the slots of a report were measured; None if that is unknown."""
    try:
        [first, *_] = json.loads((folder / SLOTS).read_text(encoding="utf-8"))
        return str(first["provenance"]["commit"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _older(rows: Sequence[Any], of_slots: str | None) -> str:
    """A sentence if the rows are of another commit than the slots on the same page: those of minutes
    are measured by `make report FULL=1` alone, and stay until then."""
    own = ", ".join(dict.fromkeys(getattr(row, "commit", "") for row in rows))
    if of_slots is None or own in ("", of_slots):
        return ""
    return f" These figures are of commit {own}, the slots above of {of_slots}."


def kept(folder: Path, group: str) -> dict[str, list[Any]]:
    """The rows that a report folder holds of a group's verbs."""
    return _of_group(_read(folder), group)


def beside_documents(group: str) -> dict[str, list[Any]]:
    """The rows that the repository holds of a group's verbs, by runs of hours."""
    return _of_group(_read(DOCUMENTS), group)


def _of_group(found: Mapping[Place, list[Any]], group: str) -> dict[str, list[Any]]:
    return {place.verb: rows for place, rows in found.items() if place.group == group}


def _read(folder: Path) -> dict[Place, list[Any]]:
    """The rows of all experiments that a folder has a file of. Those of another version are left
    out, and a line on stderr says so."""
    found = {}
    for place, one in placed().items():
        if _file(folder, place.name).is_file():
            try:
                found[place] = one.read(_file(folder, place.name))
            except OldRowsError as error:
                sys.stderr.write(f"wardmote: {error}\n")
    return found


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"
