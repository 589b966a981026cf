# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote trace`: current over time in one slot."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from wardmote import options
from wardmote.boards import SLOT_BOARDS
from wardmote.commands.records import option
from wardmote.commands.register import verb
from wardmote.commands.shared import (
    DEFINITIONS_HELP,
    LEVELS,
    LEVELS_HELP,
    AshOption,
    BeyondOption,
    ClockOption,
    FrameOctetsOption,
    GuardOption,
    SeedOption,
    SupplyOption,
)
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.definition import DEFINITIONS, DEPLOYABLE, Definition
from wardmote.measurements.slot.experiment import SettingRuns, tuned_by
from wardmote.measurements.slot.setting import (
    DEFAULT_BOARD,
    FRAME_OCTETS,
    STRATEGIES,
    Setting,
    all_settings,
)
from wardmote.measurements.slot.trace import record
from wardmote.paths import require_folder, slot_image, write_atomically
from wardmote.study.trace import Trace
from wardmote.views.show import show_text
from wardmote.views.trace import picture, to_csv
from wardmote.views.words import clock_at

FOLDER = Path("build/trace")
EXCHANGES = 200
"""Exchanges that prove the template at which the slot is traced."""


@dataclass(frozen=True, slots=True)
class One:
    """The one setting that is traced."""

    board: Annotated[str, option(f"Board: {', '.join(SLOT_BOARDS)}.", *SLOT_BOARDS)] = DEFAULT_BOARD
    strategy: Annotated[
        str, option(f"Where AES and CCM* run: {', '.join(STRATEGIES)}.", *STRATEGIES)
    ] = "hardware"
    level: Annotated[str, option(f"Security level, {LEVELS_HELP}.", *LEVELS, *LEVEL_NAMES)] = "5"
    ash: AshOption = None
    clock: ClockOption = None
    supply: SupplyOption = None
    beyond: BeyondOption = False
    frame_octets: FrameOctetsOption = FRAME_OCTETS
    definition: Annotated[
        str, option(f"Definition of the shortest slot: {DEFINITIONS_HELP}.", *DEFINITIONS)
    ] = DEPLOYABLE
    guard: GuardOption = None

    def defined(self) -> Definition:
        """The definition; raises UsageError for what there is not."""
        [one] = options.single(
            "definition", self.definition, lambda texts: options.definitions(texts, self.guard, ())
        )
        return one

    def setting(self) -> Setting:
        """The setting; raises UsageError where an option names none or several."""
        [facts] = options.single("board", self.board, options.boards)
        pairs = options.clocks_at(self.supply, self.clock, [facts], beyond=self.beyond)
        clock, supply = pairs[facts.name]
        [setting] = all_settings(
            facts.name,
            options.single("strategy", self.strategy, options.strategies),
            options.single("level", self.level, options.levels),
            options.ash_form(self.ash, None, None),
            clock,
            options.frame_octets(self.frame_octets),
            supply,
        )
        return setting


@verb("Measure slots", 30)
def trace(
    folder: Annotated[Path, typer.Argument(help="Folder for the three files.")] = FOLDER,
    *,
    one: One,
    seed: SeedOption = 1,
) -> int:
    """Write the current over time of one slot, sender and receiver: CSV, SVG and PNG."""
    setting, definition = one.setting(), one.defined()
    require_folder(str(folder))
    image = slot_image(setting.board, setting.strategy).read_bytes()
    runs = SettingRuns(setting, image, seed, EXCHANGES)
    tuned = tuned_by(definition, runs, runs.survey())
    traced = record(setting, image, tuned.timing, seed)
    title = (
        f"{setting.record.title} at {clock_at(setting)}, {setting.strategy}, level "
        f"{setting.level}, frame of {setting.frame_octets} octets, {definition.name}, "
        f"TsSlotDuration {traced.slot_us / 1000:.2f} ms"
    )
    stem = f"{setting.board}-{setting.strategy}-level{setting.level}"
    write_atomically(folder / f"{stem}.csv", to_csv(traced).encode())
    write_atomically(folder / f"{stem}.svg", picture(traced, title, "svg"))
    write_atomically(folder / f"{stem}.png", picture(traced, title, "png"))
    show_text(said(f"{folder / stem}.csv, .svg, .png", title, traced))
    return 0


def said(files: str, title: str, traced: Trace) -> str:
    """What was written, of what, and the charge of both nodes."""
    charges = [f"{node}: {traced.charge_uc(node):.1f} uC" for node in ("sender", "receiver")]
    return "\n".join([files, title, *charges])
