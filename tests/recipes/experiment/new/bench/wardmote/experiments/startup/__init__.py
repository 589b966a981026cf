# SPDX-License-Identifier: BSD-3-Clause
"""Charge of a board in its first ten milliseconds."""

from dataclasses import dataclass

from wardmote._motes import Simulation
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.experiments.experiment import BoardCase, Experiment
from wardmote.paths import firmware_image
from wardmote.units import PS_PER_S
from wardmote.views.table import Column, number


@dataclass(frozen=True, slots=True)
class Row:
    """Charge of one board."""

    board: str
    seed: int
    charge_uc: float
    wardmote: str
    commit: str


def measure(case: BoardCase, artefacts: Artefacts) -> Figures:
    """Powers a mote on and sums up its devices."""
    simulation = Simulation(case.seed)
    mote = simulation.add_mote(case.board, artefacts["image"], "node")
    simulation.run_for(PS_PER_S // 100)
    return {"charge_uc": round(sum(row["charge_uc"] for row in simulation.meter(mote)), 3)}


EXPERIMENT = Experiment(
    question="How much charge does a board take in its first 10 ms?",
    image="primitives",
    cases=lambda board, seed: [BoardCase(board.name, seed)],
    artefacts=lambda case: {"image": firmware_image(case.board, "primitives-small")},
    measure=measure,
    row=Row,
    columns=(
        Column("board", lambda row: row.board, text=True),
        Column("charge uC", lambda row: number(row.charge_uc, 3)),
    ),
    answer=lambda rows: f"The least is {min(row.charge_uc for row in rows):.1f} µC.",
)
