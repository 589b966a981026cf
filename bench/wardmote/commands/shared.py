# SPDX-License-Identifier: BSD-3-Clause
"""Options that several commands share. Their help texts and completions come from the records of
boards, strategies and levels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from wardmote import options
from wardmote.boards import BOARDS, SLOT_BOARDS
from wardmote.commands.records import LIST, Text, Texts, option
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.definition import DEFINITIONS
from wardmote.measurements.slot.setting import (
    AHEAD,
    AHEAD_PIB,
    ALL_STRATEGIES,
    ASH_FORMS,
    FINE,
    STRATEGIES,
)
from wardmote.options import COUNTERS, MOST_SEED
from wardmote.views import show
from wardmote.views.table import Column, chosen

Row = TypeVar("Row")
DEFAULT_FOLDER = Path("build/report")
CLOCKS = tuple(dict.fromkeys(clock for board in SLOT_BOARDS.values() for clock in board.clocks_hz))
LEVELS = tuple(str(number) for number in range(len(LEVEL_NAMES)))
LEVELS_HELP = f"0 ({LEVEL_NAMES[0]}) to {LEVELS[-1]} ({LEVEL_NAMES[-1]}), by number or name"
CLOCKS_HELP = "; ".join(f"{one.name}: {' or '.join(one.clocks_hz)}" for one in SLOT_BOARDS.values())
FINE_BOARDS = ", ".join(one.name for one in SLOT_BOARDS.values() if one.fine_tick_hz)
SUPPLIES_HELP = "; ".join(
    f"{one.name}: {one.supply.least_v:g}V to {one.supply.most_v:g}V" for one in SLOT_BOARDS.values()
)

FolderArgument = Annotated[
    Path, typer.Argument(help="Report folder, written by `wardmote slot --report FOLDER`.")
]
BoardsOption = Annotated[
    Texts, option(f"Board: {', '.join(SLOT_BOARDS)}. {LIST} Default: all.", *SLOT_BOARDS)
]
CostBoardsOption = Annotated[
    Texts,
    option(f"Board for time and energy: {', '.join(BOARDS)}, or NAME@CLOCK. {LIST}", *BOARDS),
]
StrategiesOption = Annotated[
    Texts,
    option(
        f"Where AES and CCM* run: {', '.join(STRATEGIES)}; {' or '.join(AHEAD)}, ahead of the slot;"
        f" {' or '.join(AHEAD_PIB)}, with the procedures over a PIB too; all but these"
        f" also with {FINE}, told by the finer clock of {FINE_BOARDS}. {LIST} Default: the first three.",
        *ALL_STRATEGIES,
    ),
]
LevelsOption = Annotated[
    Texts, option(f"Security level, {LEVELS_HELP}. {LIST} Default: all.", *LEVELS, *LEVEL_NAMES)
]
AshOption = Annotated[
    Text,
    option(
        "Form of the auxiliary security header. paper: KeyIdMode 3, counter carried "
        "(default). 6tisch: KeyIdMode 1, counter elided (the nonce has the ASN).",
        *ASH_FORMS,
    ),
]
DEFINITIONS_HELP = (
    "deployable (the whole guard time), needed (the guard time that 30 ppm need) or paper (Eq. 1)"
)
DefinitionsOption = Annotated[
    Texts, option(f"Definition of the shortest slot: {DEFINITIONS_HELP}. {LIST}", *DEFINITIONS)
]
GuardOption = Annotated[
    Text,
    option("Guard time of deployable, either side, such as 500us. Default: the standard's 1100us."),
]
CounterOption = Annotated[
    Text,
    option(f"Frame Counter in the frame: {' or '.join(COUNTERS)}. Needs --key-id-mode.", *COUNTERS),
]
ClockOption = Annotated[Text, option(f"CPU clock. {CLOCKS_HELP}. Default: the first.", *CLOCKS)]
SupplyOption = Annotated[
    Text,
    option(
        f"Supply voltage, such as 3.3V. {SUPPLIES_HELP}. Default: 3V, or the least that allows the "
        "clock."
    ),
]
TurnaroundOption = Annotated[
    Text,
    option("Turnaround of the radio: 192us (default), or 128us on telosb."),
]
BeyondOption = Annotated[
    bool, option("Measure a clock that the data sheets do not allow at this supply, and mark it.")
]
FrameOctetsOption = Annotated[
    int, option("Length of the data frame in octets, MIC and FCS included: 53 to 127.")
]
ExchangesOption = Annotated[
    int, option("Exchanges of data frame and acknowledgement that prove each slot.")
]
DocumentOption = Annotated[
    Path | None, option("Document to write the figures into, between its marks.")
]
SeedOption = Annotated[
    int,
    typer.Option(
        callback=lambda seed: options.whole("seed", seed, 0, MOST_SEED),
        help="Seed of all random inputs. The same seed gives the same rows.",
    ),
]


@dataclass(frozen=True, slots=True)
class Shown:
    """How rows are shown."""

    form: Annotated[
        str, option(f"Output: {', '.join(show.FORMATS)}.", *show.FORMATS, name="--format")
    ] = "table"
    columns: Annotated[
        str,
        option(
            "Columns of the table: all, or names such as 'board,level'. Default: those that fit "
            "the terminal."
        ),
    ] = ""

    def checked(self, columns: Sequence[Column[Any]] | None = None) -> "Shown":
        """The format by its name. Raises UsageError for a format or one of these columns that there
        is not."""
        form = options.output_format(self.form)
        if columns is not None:
            chosen(columns, self.columns)
        return replace(self, form=form)

    def show(
        self,
        rows: Sequence[Row],
        columns: Sequence[Column[Row]],
        conditions: show.Conditions,
        answer: str,
        group: Callable[[Row], object] | None = None,
    ) -> None:
        """Prints rows on stdout."""
        show.show(
            [(rows, columns)],
            self.form,
            conditions=conditions,
            answer=answer,
            names=self.columns,
            group=group,
        )
