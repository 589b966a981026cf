# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote GROUP claims`: every claim of a paper, judged by the rows that a report has of the group's
experiments."""

from collections.abc import Callable
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any

import typer

from wardmote.commands.register import verb
from wardmote.commands.shared import DEFAULT_FOLDER, DocumentOption, Shown
from wardmote.errors import NothingError, UsageError
from wardmote.experiments import placed
from wardmote.experiments.section import beside_documents, kept
from wardmote.paths import write_atomically
from wardmote.study.claims import tinysec
from wardmote.study.claims.judges import JUDGES
from wardmote.study.claims.rows import Judge, Rows
from wardmote.views import claims as view
from wardmote.views.document import Blocks, opened
from wardmote.views.tinysec import summary

RowsArgument = Annotated[
    Path, typer.Argument(help="Report folder, written by `--report FOLDER` of the other verbs.")
]
SUMMARIES: dict[str, Callable[[Rows], str]] = {tinysec.PAPER: summary}
"""What a page says at its beginning, by paper."""


def blocks_of(judge: Judge) -> Blocks[Rows]:
    """What a document may have: the list, the counts of its verdicts, and a summary."""
    blocks: dict[str, Callable[[Rows], str]] = {
        "text": lambda known: view.block(judge.claims(known)),
        "answer": lambda known: f"{view.answer(judge.claims(known))}\n",
    }
    if judge.paper in SUMMARIES:
        blocks["summary"] = SUMMARIES[judge.paper]
    return Blocks(f"{judge.paper}-claims", blocks)


def command_of(judge: Judge) -> Callable[..., int]:
    """The function behind the verb of one paper."""
    blocks = blocks_of(judge)

    def claims(
        folder: RowsArgument = DEFAULT_FOLDER,
        *,
        document: DocumentOption = None,
        shown: Shown,
    ) -> int:
        shown = shown.checked(view.COLUMNS)
        known = measured(folder, judge.paper)
        text = None if document is None else opened(document, blocks)
        rows = judge.claims(known)
        if document is not None and text is not None:
            write_atomically(document, blocks.filled(text, known).encode())
        shown.show(rows, view.COLUMNS, [], view.answer(rows))
        return 0

    claims.__doc__ = (
        "Show every claim of the paper with our verdict, by the rows that a report has.\n\n"
        + fill(f"The other verbs write them with `--report FOLDER`. {judge.note}".strip(), 78)
    )
    return claims


for number, one in enumerate(JUDGES):
    verb("Experiments", 290 + number, one.paper)(command_of(one))


def measured(folder: Path, paper: str) -> dict[str, list[Any]]:
    """The rows of a report folder; raises UsageError or NothingError if there can be none."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: name one that `--report` has written")
    if rows := kept(folder, paper):
        return beside_documents(paper) | rows
    verbs = " ".join(place.verb for place in placed() if place.group == paper)
    raise NothingError(
        f"{folder} has no rows: `wardmote {paper} VERB --report {folder}` writes them; verbs: {verbs}"
    )
