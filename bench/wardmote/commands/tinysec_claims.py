# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec claims`: every claim of the paper on TinySec, judged by a report's rows."""

from pathlib import Path
from typing import Annotated, Any

import typer

from wardmote.commands.register import verb
from wardmote.commands.shared import DEFAULT_FOLDER, DocumentOption, Shown
from wardmote.errors import NothingError, UsageError
from wardmote.experiments import placed
from wardmote.experiments.section import beside_documents, kept
from wardmote.paths import write_atomically
from wardmote.study.claims.tinysec import PAPER, Rows, tinysec_claims
from wardmote.views import claims as view
from wardmote.views.document import Blocks, opened
from wardmote.views.tinysec import summary

RowsArgument = Annotated[
    Path, typer.Argument(help="Report folder, written by `--report FOLDER` of the other verbs.")
]
BLOCKS: Blocks[Rows] = Blocks(
    "tinysec-claims",
    {"text": lambda known: view.block(tinysec_claims(known)), "summary": summary},
)


@verb("Experiments", 290, PAPER)
def claims(
    folder: RowsArgument = DEFAULT_FOLDER,
    *,
    document: DocumentOption = None,
    shown: Shown,
) -> int:
    """Show every claim of the paper with our verdict, by the rows that a report has.

    The other verbs write them with `--report FOLDER`. Throughput and latency take
    hours: without rows of theirs those beside the documents are taken.
    """
    shown = shown.checked(view.COLUMNS)
    known = measured(folder)
    text = None if document is None else opened(document, BLOCKS)
    rows = tinysec_claims(known)
    if document is not None and text is not None:
        write_atomically(document, BLOCKS.filled(text, known).encode())
    shown.show(rows, view.COLUMNS, [], view.answer(rows))
    return 0


def measured(folder: Path) -> dict[str, list[Any]]:
    """The rows of a report folder; raises UsageError or NothingError if there can be none."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: name one that `--report` has written")
    if rows := kept(folder, PAPER):
        return beside_documents(PAPER) | rows
    verbs = " ".join(place.verb for place in placed() if place.group == PAPER)
    raise NothingError(
        f"{folder} has no rows: `wardmote {PAPER} VERB --report {folder}` writes them; verbs: {verbs}"
    )
