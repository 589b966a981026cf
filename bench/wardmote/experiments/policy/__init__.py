# SPDX-License-Identifier: BSD-3-Clause
"""What the security procedures over the PIB add to a slot."""

from wardmote.campaign.cases import IMAGE
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.policy.cases import STRATEGY, Case, cases
from wardmote.experiments.policy.measure import PolicyRow, measure
from wardmote.experiments.policy.view import COLUMNS, answer, text
from wardmote.paths import slot_image

EXPERIMENT: Experiment[Case, PolicyRow] = Experiment(
    question="What do the procedures over the PIB add to a slot?",
    image="slot",
    cases=cases,
    artefacts=lambda case: {IMAGE: slot_image(case.board, STRATEGY)},
    measure=measure,
    row=PolicyRow,
    columns=COLUMNS,
    answer=answer,
    text=text,
)
