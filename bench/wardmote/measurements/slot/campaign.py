# SPDX-License-Identifier: BSD-3-Clause
"""The campaign of `wardmote slot` and `wardmote sweep`: one row for each case."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from wardmote.campaign.cases import IMAGE, Artefacts, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.measurements.slot.band import measure_setting, template_of
from wardmote.measurements.slot.definition import (
    DEFINITIONS,
    MEASURED_TOGETHER,
    MEASURED_USUALLY,
    Definition,
)
from wardmote.measurements.slot.experiment import SettingRuns
from wardmote.measurements.slot.provenance import provenance_of
from wardmote.measurements.slot.setting import Setting
from wardmote.paths import image_name, slot_image
from wardmote.rows import SlotRow


@dataclass(frozen=True, slots=True)
class SlotCase:
    """A setting in one or several definitions of its shortest slot, and the number of exchanges
    that prove it. Definitions that are measured together share the survey."""

    slot: Setting
    definitions: tuple[Definition, ...]
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
    """Measures all cases, which have one definition each; the rows are in the order of the cases.
    Cases that differ in their definition only are measured together. What an earlier run measured
    together with more definitions is not measured again."""
    together: dict[SlotCase, list[Definition]] = {}
    for case in cases:
        together.setdefault(_alone(case), []).extend(case.definitions)
    groups = _kept_with_more(
        [
            dataclasses.replace(case, definitions=tuple(definitions))
            for case, definitions in together.items()
        ],
        runner,
    )
    together = {
        alone: list(group.definitions) for alone, group in zip(together, groups, strict=True)
    }
    found = dict(zip(together, runner.run(_campaign(groups)).figures, strict=True))
    source = cache(provenance_of)
    rows: list[SlotRow] = []
    for case in cases:
        alone = _alone(case)
        at = together[alone].index(case.definitions[0])
        figures = found[alone]["definitions"][at]
        rows.append(SlotRow.of(figures, source(case.image, case.seed, case.slot.board)))
    return rows


def _kept_with_more(groups: Sequence[SlotCase], runner: Runner) -> list[SlotCase]:
    """Each group, or one that has more definitions and whose figures are kept while its own are
    not."""
    found = list(groups)
    for names in (MEASURED_TOGETHER, MEASURED_USUALLY):
        more = tuple(DEFINITIONS[name] for name in names)
        wider = [
            dataclasses.replace(one, definitions=more) if set(one.definitions) <= set(more) else one
            for one in groups
        ]
        own, kept = runner.keeps(_campaign(found)), runner.keeps(_campaign(wider))
        found = [
            wide if there and not known else one
            for one, wide, known, there in zip(found, wider, own, kept, strict=True)
        ]
    return found


def _campaign(groups: Sequence[SlotCase]) -> Campaign[SlotCase]:
    return Campaign(figures_of, groups, lambda case: {IMAGE: case.image})


def _alone(case: SlotCase) -> SlotCase:
    """A case without its definition."""
    return dataclasses.replace(case, definitions=())


def figures_of(case: SlotCase, artefacts: Artefacts) -> Figures:
    """Measures one case in all its definitions."""
    image = artefacts[IMAGE]
    found = measure_setting(case.slot, case.definitions, image, case.seed, case.exchanges)
    return {"definitions": found}


def capture(case: SlotCase, row: SlotRow) -> bytes:
    """Runs as many exchanges as the proof at the template of the row, and returns their frames."""
    runs = SettingRuns(case.slot, case.image.read_bytes(), case.seed, case.exchanges)
    return runs.capture(template_of(row))
