# SPDX-License-Identifier: BSD-3-Clause
"""Measures what the explorer of a report shows of a slot besides its row: states and currents over
time, and the charge of each kind of slot, also with shorter frames."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wardmote.boards import BOARDS
from wardmote.campaign.cases import IMAGE, Artefacts, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.errors import ImageError
from wardmote.measurements.slot.band import template_of
from wardmote.measurements.slot.block import Plan
from wardmote.measurements.slot.definition import DEPLOYABLE
from wardmote.measurements.slot.setting import AshForm, Setting
from wardmote.measurements.slot.slotframe import DATA, NODES, charges
from wardmote.measurements.slot.timing import Timing
from wardmote.measurements.slot.trace import record
from wardmote.measurements.slot.ways import lengths
from wardmote.paths import slot_image
from wardmote.rows import SlotRow
from wardmote.study.explored import Explored, KindCharge
from wardmote.study.trace import Span, Step, Trace

CELLS, DATA_EVERY = 2, 3
"""Two cells in a slotframe, a frame in one cell of three: so each kind of slot occurs."""


@dataclass(frozen=True, slots=True)
class ExploredCase:
    """A setting at the template of its row."""

    slot: Setting
    template: Timing
    seed: int
    lives: bool
    """Whether the charges of a slotframe are measured too: where the whole guard time is in the
    template, as in a network that lives for years."""

    @property
    def image(self) -> Path:
        """The image that is measured."""
        return slot_image(self.slot.board, self.slot.strategy)

    @property
    def label(self) -> str:
        """Names the case."""
        return f"slot of {self.slot.label}"


def setting_of(row: SlotRow) -> Setting:
    """The setting of a row, at the slow end of the timing band."""
    bands = BOARDS[row.board].bands
    return Setting(
        row.board,
        row.strategy,
        row.level,
        AshForm(row.key_id_mode, row.counter == "carried"),
        row.clock_hz,
        row.frame_octets,
        bands[-1] if bands else None,
        row.supply_v,
        row.turnaround_us,
    )


def explored(rows: Sequence[SlotRow], seed: int, runner: Runner) -> list[Explored]:
    """What the explorer shows of each row, in their order."""
    cases = [
        ExploredCase(setting_of(row), template_of(row), seed, row.definition == DEPLOYABLE)
        for row in rows
    ]
    found = runner.run(Campaign(figures_of, cases, lambda case: {IMAGE: case.image})).figures
    return [_explored(row, figures) for row, figures in zip(rows, found, strict=True)]


def _explored(row: SlotRow, figures: Mapping[str, Any]) -> Explored:
    steps = tuple(
        Step(node, us, phase, tuple((device, state, ma) for device, state, ma in states), total)
        for node, us, phase, states, total in figures["steps"]
    )
    spans = tuple(Span(*one) for one in figures["spans"])
    kinds = tuple(KindCharge(*one) for one in figures["kinds"])
    refused = tuple((octets, why) for octets, why in figures["refused"])
    return Explored(row, Trace(figures["slot_us"], steps, spans), kinds, refused)


def figures_of(case: ExploredCase, artefacts: Artefacts) -> Figures:
    """Measures one case."""
    image, slot = artefacts[IMAGE], case.slot
    trace = record(slot, image, case.template, case.seed)
    kinds: list[tuple[str, str, int, float, int]] = []
    refused: list[tuple[int, str]] = []
    for octets in lengths(slot) if case.lives else ():
        full = octets == slot.frame_octets
        shorter = dataclasses.replace(slot, frame_octets=octets)
        plan = Plan(CELLS, DATA_EVERY, 1)
        try:
            found = charges(shorter, image, case.template, plan, case.seed, keeps_alive=full)
        except ImageError as error:
            refused.append((octets, str(error)))
            continue
        kinds += [
            (NODES[node], kind, octets, round(sum(own) / len(own), 6), len(own))
            for (node, kind), own in sorted(found.items())
            if full or kind == DATA
        ]
    return {
        "slot_us": trace.slot_us,
        "steps": [dataclasses.astuple(step) for step in trace.steps],
        "spans": [dataclasses.astuple(span) for span in trace.spans],
        "kinds": kinds,
        "refused": refused,
    }
