# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec claims`: every claim of the paper on TinySec, judged by a report's rows."""

from wardmote.commands.register import verb
from wardmote.commands.shared import DEFAULT_FOLDER, DocumentOption, FolderArgument, Shown
from wardmote.experiments.section import kept
from wardmote.paths import write_atomically
from wardmote.study.claims.tinysec import PAPER, tinysec_claims
from wardmote.views import claims as view
from wardmote.views.document import Blocks, opened

BLOCKS = Blocks("tinysec-claims", {"text": view.block})


@verb("Experiments", 290, PAPER)
def claims(
    folder: FolderArgument = DEFAULT_FOLDER,
    *,
    document: DocumentOption = None,
    shown: Shown,
) -> int:
    """Show every claim of the paper with our verdict, by the rows that a report has."""
    shown = shown.checked(view.COLUMNS)
    text = None if document is None else opened(document, BLOCKS)
    rows = tinysec_claims(kept(folder, PAPER))
    if document is not None and text is not None:
        write_atomically(document, BLOCKS.filled(text, rows).encode())
    shown.show(rows, view.COLUMNS, [], view.answer(rows))
    return 0
