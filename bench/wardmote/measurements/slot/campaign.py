# SPDX-License-Identifier: BSD-3-Clause
"""The campaign of `wardmote slot` and `wardmote sweep`: one row for each case."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from wardmote.campaign.cases import IMAGE, Artefacts, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.measurements.slot.band import measure_setting
from wardmote.measurements.slot.experiment import SettingRuns
from wardmote.measurements.slot.provenance import provenance_of
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.paths import image_name, slot_image
from wardmote.rows import SlotRow


@dataclass(frozen=True, slots=True)
class SlotCase:
    """One case, and the number of exchanges that prove its shortest slot."""

    slot: Setting
    exchanges: int
    seed: int
    own_image: Path | None = field(default=None, repr=False)
    """An image of the user, measured instead of the one built for the strategy. The identity of the
    case has its content, not its path."""

    @property
    def image(self) -> Path:
        """The image that is measured."""
        return self.own_image or slot_image(self.slot.board, self.slot.strategy)

    @property
    def label(self) -> str:
        """Names the image and the case."""
        own = self.own_image and self.own_image.name
        return f"{own or image_name(self.slot.strategy)} at {self.slot.label}"


def slot_rows(cases: Sequence[SlotCase], runner: Runner) -> list[SlotRow]:
    """Measures all cases; the rows are in the order of the cases."""
    found = runner.run(Campaign(figures_of, cases, lambda case: {IMAGE: case.image})).figures
    source = cache(provenance_of)
    return [
        SlotRow.of(figures, source(case.image, case.seed, case.slot.board))
        for case, figures in zip(cases, found, strict=True)
    ]


def figures_of(case: SlotCase, artefacts: Artefacts) -> Figures:
    """Measures one case."""
    return measure_setting(case.slot, artefacts[IMAGE], case.seed, case.exchanges)


def capture(case: SlotCase, row: SlotRow) -> bytes:
    """Runs the proof again at the template of the row and returns the capture of its frames."""
    runs = SettingRuns(case.slot, case.image.read_bytes(), case.seed, case.exchanges)
    runs.prove(Timing(row.ts_tx_offset_ticks, row.ts_tx_ack_delay_ticks, row.tail_ticks))
    return runs.pcap
