# SPDX-License-Identifier: BSD-3-Clause
"""What the headline would be if an assumed number were wrong by 20 per cent."""

from wardmote.campaign.cases import IMAGE
from wardmote.experiments.assumptions.cases import Case, cases
from wardmote.experiments.assumptions.measure import AssumptionRow, measure
from wardmote.experiments.assumptions.view import COLUMNS, answer, figure, text
from wardmote.experiments.experiment import Experiment
from wardmote.paths import slot_image

EXPERIMENT: Experiment[Case, AssumptionRow] = Experiment(
    question="What if an assumed number is wrong by 20 per cent?",
    image="slot",
    cases=cases,
    artefacts=lambda case: {IMAGE: slot_image(case.board, case.strategy)},
    measure=measure,
    row=AssumptionRow,
    columns=COLUMNS,
    answer=answer,
    figure=figure,
    takes_minutes=True,
    text=text,
)
