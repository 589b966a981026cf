# SPDX-License-Identifier: BSD-3-Clause
"""What energy an exchange takes if it is secured ahead of its slot, and if cells stay empty."""

from wardmote.experiments.ahead.cases import artefacts
from wardmote.experiments.ahead.measure import AheadRow, measure
from wardmote.experiments.ahead.view import COLUMNS, answer, conditions, text
from wardmote.experiments.each_board import of_board

EXPERIMENT = of_board(
    "slot",
    "What energy does an exchange take ahead of its slot, when cells stay empty?",
    measure,
    AheadRow,
    COLUMNS,
    answer,
    artefacts=artefacts,
    conditions=conditions,
    takes_minutes=True,
    text=text,
)
