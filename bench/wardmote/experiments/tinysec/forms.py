# SPDX-License-Identifier: BSD-3-Clause
"""The two forms that verbs about one mote have: senders in the emulated air, and functions that are
called on its CPU."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from wardmote.boards import Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.experiments.experiment import BoardCase, Experiment
from wardmote.experiments.tinysec.sending import Sender, images
from wardmote.experiments.tinysec.stacks import PAPERS_BOARDS
from wardmote.views.table import Column

Row = TypeVar("Row")
Values = Mapping[str, Any]
ROWS = "rows"


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


def of_board(
    question: str,
    measure: Callable[[BoardCase, Artefacts], Figures],
    row: type[Row],
    columns: Sequence[Column[Row]],
    answer: Callable[[Sequence[Row]], str],
    **others: Any,
) -> Experiment[BoardCase, Row]:
    """One case a board, whose `measure` gives a list of rows."""
    return Experiment(
        question,
        "tinysec",
        lambda board, seed: [BoardCase(board.name, seed)],
        others.pop("artefacts", lambda _: {}),
        measure,
        row,
        columns,
        answer,
        gathered=lambda values: list(each_row(values)),
        only=PAPERS_BOARDS,
        **others,
    )


def each_row(values: Sequence[Values]) -> Iterator[Values]:
    """The rows of each board."""
    for one in values:
        for row in one[ROWS]:
            yield {"board": one["board"], "seed": one["seed"], **row}
