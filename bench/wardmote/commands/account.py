# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote account`: what a slot has beside its physical limit."""

from dataclasses import dataclass
from typing import Annotated

from wardmote import options
from wardmote.commands.records import option
from wardmote.commands.register import verb
from wardmote.commands.shared import (
    LEVELS,
    LEVELS_HELP,
    AshOption,
    BeyondOption,
    BoardsOption,
    ClockOption,
    DefinitionsOption,
    DocumentOption,
    ExchangesOption,
    SeedOption,
    Shown,
    StrategiesOption,
    SupplyOption,
)
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.definition import MEASURED_TOGETHER, Definition
from wardmote.measurements.slot.experiment import SettingRuns, tuned_by
from wardmote.measurements.slot.setting import Setting, all_settings
from wardmote.paths import slot_image, write_atomically
from wardmote.study.account import AccountRow, account_rows
from wardmote.views import account as view
from wardmote.views.document import opened

EXCHANGES = 1000
"""Exchanges that prove the template at which the slot is taken apart."""
MOST_EXCHANGES = 100_000


@dataclass(frozen=True, slots=True)
class Some:
    """The slots that are taken apart."""

    board: BoardsOption = None
    strategy: StrategiesOption = None
    level: Annotated[str, option(f"Security level, {LEVELS_HELP}.", *LEVELS, *LEVEL_NAMES)] = "5"
    ash: AshOption = None
    clock: ClockOption = None
    supply: SupplyOption = None
    beyond: BeyondOption = False
    definition: DefinitionsOption = None
    exchanges: ExchangesOption = EXCHANGES

    def settings(self) -> list[Setting]:
        """The settings; raises UsageError where an option names none or several."""
        [level] = options.single("level", self.level, options.levels)
        boards = options.boards(self.board or ())
        pairs = options.clocks_at(self.supply, self.clock, boards, beyond=self.beyond)
        strategies = options.strategies(self.strategy or ())
        ash = options.ash_form(self.ash, None, None)
        return [
            setting
            for board in boards
            for clock_hz, supply in [pairs[board.name]]
            for setting in all_settings(
                board.name, strategies, (level,), ash, clock_hz, supply=supply
            )
        ]

    def definitions(self) -> tuple[Definition, ...]:
        """The definitions of the shortest slot."""
        return options.definitions(self.definition or (), None, MEASURED_TOGETHER)


@verb("Measure slots", 35)
def account(
    *, some: Some, document: DocumentOption = None, seed: SeedOption = 1, shown: Shown
) -> int:
    """Take the shortest slot apart: its physical limit, and every part over it.

    A document gets the tables of the boards and clocks that are measured."""
    shown = shown.checked(view.COLUMNS)
    settings, definitions = some.settings(), some.definitions()
    exchanges = options.positive("number of exchanges", some.exchanges, MOST_EXCHANGES)
    text = None if document is None else opened(document, view.BLOCKS)
    rows = [row for one in settings for row in _of(one, definitions, seed, exchanges)]
    if document is not None and text is not None:
        write_atomically(document, view.blocks_of(rows).filled(text, rows).encode())
    shown.show(rows, view.COLUMNS, view.conditions(rows), view.answer(rows), group=view.case)
    return 0


def _of(
    setting: Setting, definitions: tuple[Definition, ...], seed: int, exchanges: int
) -> list[AccountRow]:
    """The parts of a setting's shortest slot in each definition."""
    image = slot_image(setting.board, setting.strategy).read_bytes()
    runs = SettingRuns(setting, image, seed, exchanges)
    survey = runs.survey()
    return [
        row
        for definition in definitions
        for row in account_rows(
            setting, image, tuned_by(definition, runs, survey).timing, definition.name, seed
        )
    ]
