# SPDX-License-Identifier: BSD-3-Clause
"""Frames that a board secures by tinylink in a second, by image `tinylink`."""

from dataclasses import dataclass

from wardmote._motes import Simulation
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.experiments.experiment import BoardCase, Experiment
from wardmote.paths import firmware_image
from wardmote.units import PS_PER_S
from wardmote.views.table import Column

SECONDS = 1


@dataclass(frozen=True, slots=True)
class Row:
    """What one board did."""

    board: str
    frames: int
    seed: int
    wardmote: str
    commit: str


def measure(case: BoardCase, artefacts: Artefacts) -> Figures:
    """Lets the board run for a second; reads how many frames it secured."""
    simulation = Simulation(case.seed)
    mote = simulation.add_mote(case.board, artefacts["image"], "node")
    address, octets = simulation.symbol(mote, "tinylink_frames")
    simulation.run_for(SECONDS * PS_PER_S)
    return {"frames": int.from_bytes(simulation.read(mote, address, octets), "little")}


EXPERIMENT = Experiment(
    question="How many tinylink frames of 32 octets can a board secure in a second?",
    image="tinylink",
    cases=lambda board, seed: [BoardCase(board.name, seed)],
    artefacts=lambda case: {"image": firmware_image(case.board, "tinylink")},
    measure=measure,
    row=Row,
    columns=(
        Column("board", lambda row: row.board, text=True),
        Column("frames", lambda row: str(row.frames)),
    ),
    answer=lambda rows: f"The fastest board secures {max(row.frames for row in rows)} frames.",
)
