# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote sweep`: the shortest timeslot over forms of the Auxiliary Security Header and lengths
of the frame."""

from dataclasses import dataclass
from typing import Annotated

from wardmote import options
from wardmote.commands.proof import Proof
from wardmote.commands.records import LIST, Texts, option
from wardmote.commands.register import verb
from wardmote.commands.running import Running
from wardmote.commands.shared import (
    LEVELS,
    LEVELS_HELP,
    BoardsOption,
    DefinitionsOption,
    GuardOption,
    Shown,
    StrategiesOption,
)
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.definition import DEPLOYABLE, Definition
from wardmote.measurements.slot.setting import Setting, all_settings
from wardmote.views.sweep import COLUMNS, answer
from wardmote.views.words import conditions


@dataclass(frozen=True, slots=True)
class Which:
    """Which cases are measured: every combination of what is named."""

    board: BoardsOption = None
    strategy: StrategiesOption = None
    level: Annotated[
        Texts, option(f"Security level, {LEVELS_HELP}. {LIST} Default: 5.", *LEVELS, *LEVEL_NAMES)
    ] = None
    key_id_mode: Annotated[
        Texts, option(f"KeyIdMode: 0 to 3. {LIST} Default: all.", *options.KEY_ID_MODES)
    ] = None
    counter: Annotated[
        Texts,
        option(
            "Frame Counter in the frame (carried) or left out (elided). Default: both.",
            *options.COUNTERS,
        ),
    ] = None
    frame_octets: Annotated[
        Texts, option(f"Length of the data frame in octets, 53 to 127. {LIST} Default: 127.")
    ] = None
    definition: DefinitionsOption = None
    guard: GuardOption = None

    def definitions(self) -> tuple[Definition, ...]:
        """The named definitions; without a name, that of a network."""
        return options.definitions(self.definition or (), self.guard, (DEPLOYABLE,))

    def settings(self) -> list[Setting]:
        """The settings; raises UsageError for what there is not."""
        forms = options.ash_forms(self.key_id_mode or (), self.counter or ())
        lengths = options.frame_lengths(self.frame_octets or ())
        strategies = options.strategies(self.strategy or ())
        levels = options.levels(self.level or ("5",))
        return [
            setting
            for record in options.boards(self.board or ())
            for ash in forms
            for octets in lengths
            for setting in all_settings(
                record.name, strategies, levels, ash, record.clock_hz, octets
            )
        ]


@verb("Measure slots", 20)
def sweep(which: Which, proof: Proof, running: Running, shown: Shown) -> int:
    """What do header forms and frame lengths do to the shortest slot?"""
    shown = shown.checked(COLUMNS)
    definitions = which.definitions()
    cases, runner = proof.cases(which.settings(), lambda _: definitions), running.runner()
    rows = proof.rows(cases, runner)
    shown.show(rows, COLUMNS, conditions(rows), answer(rows))
    proof.say_exchanges(rows)
    return 0 if all(row.verified for row in rows) else 1
