# SPDX-License-Identifier: BSD-3-Clause
"""Options that several commands share. Their help texts and completions come from the records of
boards, strategies and levels."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot.cases import ASH_FORMS, LEVEL_NAMES, STRATEGIES
from wardmote.options import COUNTERS, MOST_SEED
from wardmote.views.show import FORMATS

DEFAULT_FOLDER = Path("build/report")
LIST = "Repeat the option or use commas for several."


def completion(*possible: str) -> Callable[[str], list[str]]:
    """Completes a value; of a list with commas, its last part."""

    def found(incomplete: str) -> list[str]:
        head, comma, last = incomplete.rpartition(",")
        return [f"{head}{comma}{one}" for one in possible if one.lower().startswith(last.lower())]

    return found


CLOCKS = tuple(dict.fromkeys(clock for board in SLOT_BOARDS.values() for clock in board.clocks_hz))
LEVELS = tuple(str(number) for number in range(len(LEVEL_NAMES)))
LEVELS_HELP = f"0 ({LEVEL_NAMES[0]}) to {LEVELS[-1]} ({LEVEL_NAMES[-1]}), by number or name"
CLOCKS_HELP = "; ".join(f"{one.name}: {' or '.join(one.clocks_hz)}" for one in SLOT_BOARDS.values())

FormatOption = Annotated[
    str,
    typer.Option(
        "--format", help=f"Output: {', '.join(FORMATS)}.", autocompletion=completion(*FORMATS)
    ),
]
ColumnsOption = Annotated[
    str,
    typer.Option(
        help="Columns of the table: all, or names such as 'board,level'. Default: those that fit "
        "the terminal."
    ),
]
FolderArgument = Annotated[
    Path, typer.Argument(help="Report folder, written by `wardmote slot --report FOLDER`.")
]
BoardsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--board",
        help=f"Board: {', '.join(SLOT_BOARDS)}. {LIST} Default: all.",
        autocompletion=completion(*SLOT_BOARDS),
    ),
]
StrategiesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        help=f"Where AES and CCM* run: {', '.join(STRATEGIES)}. {LIST} Default: all.",
        autocompletion=completion(*STRATEGIES),
    ),
]
LevelsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--level",
        help=f"Security level, {LEVELS_HELP}. {LIST} Default: all.",
        autocompletion=completion(*LEVELS, *LEVEL_NAMES),
    ),
]
AshOption = Annotated[
    str | None,
    typer.Option(
        help="Form of the auxiliary security header. paper: KeyIdMode 3, counter carried "
        "(default). 6tisch: KeyIdMode 1, counter elided (the nonce has the ASN).",
        autocompletion=completion(*ASH_FORMS),
    ),
]
CounterOption = Annotated[
    str | None,
    typer.Option(
        help=f"Frame Counter in the frame: {' or '.join(COUNTERS)}. Needs --key-id-mode.",
        autocompletion=completion(*COUNTERS),
    ),
]
ClockOption = Annotated[
    str | None,
    typer.Option(
        help=f"CPU clock. {CLOCKS_HELP}. Default: the first.", autocompletion=completion(*CLOCKS)
    ),
]
FrameOctetsOption = Annotated[
    int, typer.Option(help="Length of the data frame in octets, MIC and FCS included: 53 to 127.")
]
ExchangesOption = Annotated[
    int, typer.Option(help="Exchanges of data frame and acknowledgement that prove each slot.")
]
SeedOption = Annotated[
    int,
    typer.Option(
        min=0, max=MOST_SEED, help="Seed of all random inputs. The same seed gives the same rows."
    ),
]
