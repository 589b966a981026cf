# SPDX-License-Identifier: BSD-3-Clause
"""The campaign of `wardmote slot` and `wardmote sweep`: a row a case."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from wardmote.campaign.cases import Artefacts, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.measurements.slot.band import measure_case
from wardmote.measurements.slot.cases import Case
from wardmote.measurements.slot.experiment import CaseRuns
from wardmote.measurements.slot.provenance import provenance_of
from wardmote.measurements.slot.timing import Timing
from wardmote.paths import image_name, slot_image
from wardmote.rows import SlotRow

IMAGE = "image"


@dataclass(frozen=True, slots=True)
class SlotCase:
    """The shortest slot of one setting, proven with so many exchanges."""

    slot: Case
    exchanges: int
    seed: int
    own_image: Path | None = field(default=None, repr=False)
    """An image of the user's own, instead of the one built for the strategy. Its content is part of
    the case's identity, its place is not."""

    @property
    def image(self) -> Path:
        """The image that is measured."""
        return self.own_image or slot_image(self.slot.board, self.slot.strategy)

    @property
    def label(self) -> str:
        """The image and what is asked of it."""
        own = self.own_image and self.own_image.name
        return f"{own or image_name(self.slot.strategy)} at {self.slot.label}"


def slot_rows(cases: Sequence[SlotCase], runner: Runner) -> list[SlotRow]:
    """Measures all cases; the rows are in their order."""
    found = runner.run(Campaign(figures_of, cases, lambda case: {IMAGE: case.image})).figures
    source = cache(provenance_of)
    return [
        SlotRow.of(figures, source(case.image, case.seed, case.slot.board))
        for case, figures in zip(cases, found, strict=True)
    ]


def figures_of(case: SlotCase, artefacts: Artefacts) -> Figures:
    """Measures one case."""
    return measure_case(case.slot, artefacts[IMAGE], case.seed, case.exchanges)


def capture(case: SlotCase, row: SlotRow) -> bytes:
    """The frames of the proof: the same exchanges once more, at the template that was found."""
    runs = CaseRuns(case.slot, case.image.read_bytes(), case.seed, case.exchanges)
    runs.prove(Timing(row.ts_tx_offset_ticks, row.ts_tx_ack_delay_ticks, row.tail_ticks))
    return runs.pcap
