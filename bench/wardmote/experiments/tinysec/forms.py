# SPDX-License-Identifier: BSD-3-Clause
"""The form that verbs about one mote in the emulated air have."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from wardmote.boards import Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.tinysec.sending import Sender, images
from wardmote.experiments.tinysec.stacks import PAPERS_BOARDS
from wardmote.views.table import Column

Row = TypeVar("Row")


def of_senders(
    question: str,
    cases: Callable[[Board, int], Sequence[Sender]],
    measure: Callable[[Sender, Artefacts], Figures],
    row: type[Row],
    columns: Sequence[Column[Row]],
    answer: Callable[[Sequence[Row]], str],
    **others: Any,
) -> Experiment[Sender, Row]:
    """Senders of the paper's stacks."""
    others = {"only": PAPERS_BOARDS, **others}
    return Experiment(question, "tinysec", cases, images, measure, row, columns, answer, **others)
