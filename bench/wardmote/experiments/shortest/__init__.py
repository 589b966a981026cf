# SPDX-License-Identifier: BSD-3-Clause
"""How short a slot is if its frames are secured ahead of it, at the first clock and at 3.0 V. An
OpenMote may run at its first clock at 3.0 V."""

from wardmote.campaign.cases import IMAGE
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.shortest.cases import cases
from wardmote.experiments.shortest.rows import ShortestRow, gathered
from wardmote.experiments.shortest.view import COLUMNS, answer, conditions, text
from wardmote.measurements.slot.campaign import SlotCase, figures_of

EXPERIMENT: Experiment[SlotCase, ShortestRow] = Experiment(
    question="How short is a slot secured ahead, at 3 V too, and with the procedures over a PIB?",
    image="slot",
    cases=cases,
    artefacts=lambda case: {IMAGE: case.image},
    measure=figures_of,
    row=ShortestRow,
    columns=COLUMNS,
    answer=answer,
    gathered=gathered,
    conditions=conditions,
    takes_minutes=True,
    text=text,
)
