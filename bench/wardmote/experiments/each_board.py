# SPDX-License-Identifier: BSD-3-Clause
"""The form of experiments that have one case for each board, and several rows of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from wardmote.campaign.cases import Artefacts, Figures
from wardmote.experiments.experiment import BoardCase, Experiment
from wardmote.views.table import Column

Row = TypeVar("Row")
Values = Mapping[str, Any]
ROWS = "rows"


def of_board(
    image: str,
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
        image,
        lambda board, seed: [BoardCase(board.name, seed)],
        others.pop("artefacts", lambda _: {}),
        measure,
        row,
        columns,
        answer,
        gathered=lambda values: list(each_row(values)),
        **others,
    )


def each_row(values: Sequence[Values]) -> Iterator[Values]:
    """The rows of each board."""
    for one in values:
        for row in one[ROWS]:
            yield {"board": one["board"], "seed": one["seed"], **row}
