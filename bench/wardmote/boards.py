# SPDX-License-Identifier: BSD-3-Clause
"""The boards, one record each: `boards/<name>.toml` has its CPU, clocks, memory, images, supply,
currents and times. A file more is a board more, in every list of them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from wardmote.choices import choice
from wardmote.cpus import CPUS, LAST, Band
from wardmote.errors import UsageError
from wardmote.paths import BOARD_RECORDS
from wardmote.prototypes import DataModel

SECURITY_MARKS = ("sec1", "sec2", "sec3", "sec4")
METER_CPU = "cpu"
"""The CPU's name on the meter, on every board."""


@dataclass(frozen=True, slots=True)
class Board:
    """One board and what the bench must know of it."""

    name: str
    title: str
    order: int
    """Place in lists and tables."""
    cpu: str
    clocks_hz: Mapping[str, int]
    """By the names of `--clock`; the first is the default."""
    flash_octets: int
    ram_octets: int
    images: tuple[str, ...]
    """Folders of firmware/image whose images it has."""
    timing_model: str
    marks: Mapping[tuple[int, int], str]
    """Pins of the marks of image `slot`, (port, bit)."""
    radio: str
    """The radio's name on the meter; empty without image `slot`."""
    engine: str | None
    """The security engine's, if it is a device of its own there."""
    sleep: tuple[tuple[str, str], ...]
    """(device, state) of CPU and radio in slots that are not used."""

    @property
    def model(self) -> DataModel:
        """Sizes of C's types on its CPU."""
        return CPUS[self.cpu].model

    @property
    def bands(self) -> tuple[Band, ...]:
        """Ends of its CPU's timing model, best known end last; empty where the timing is exact."""
        return CPUS[self.cpu].bands

    @property
    def named(self) -> str:
        """Its title with an article."""
        return f"{'an' if self.title[0] in 'AEIOU' else 'a'} {self.title}"

    @property
    def clock_hz(self) -> int:
        """The clock it is measured at if none is asked for."""
        return next(iter(self.clocks_hz.values()))


def read_board(path: Path) -> Board:
    """The board that a file describes; raises UsageError if a fact is missing."""
    try:
        with path.open("rb") as file:
            record = tomllib.load(file)
        board, slot = record["board"], record.get("slot", {})
        return Board(
            path.stem,
            board["title"],
            board.get("order", LAST),
            board["cpu"],
            record["clocks"],
            board["flash_octets"],
            board["ram_octets"],
            tuple(board["images"]),
            board.get("timing_model", CPUS[board["cpu"]].timing_model),
            {_pin(pin): mark for mark, pin in record.get("marks", {}).items() if mark != "source"},
            slot.get("radio", ""),
            slot.get("engine"),
            tuple(slot.get("sleep", {}).items()),
        )
    except KeyError as error:
        raise UsageError(f"{path}: no {error.args[0]}") from error


def _pin(text: str) -> tuple[int, int]:
    port, _, bit = text.partition(".")
    return int(port), int(bit)


def read_boards(folder: Path) -> dict[str, Board]:
    """All boards of a folder, in the order of lists."""
    found = (read_board(path) for path in folder.glob("*.toml"))
    return {board.name: board for board in sorted(found, key=lambda one: (one.order, one.name))}


BOARDS: Mapping[str, Board] = read_boards(BOARD_RECORDS)


def with_image(image: str) -> Mapping[str, Board]:
    """The boards that have an image."""
    return {name: board for name, board in BOARDS.items() if image in board.images}


SLOT_BOARDS = with_image("slot")
EVENT_BOARDS = with_image("events")


def board_of(name: str) -> Board:
    """A board with image `slot` by its name; raises UsageError naming those there are."""
    return SLOT_BOARDS[choice("board", name, tuple(SLOT_BOARDS))]


@dataclass(frozen=True, slots=True)
class Current:
    """A current of the board's data file, with what it rests on."""

    device: str
    state: str
    ma: float
    source: str
    kind: str


@cache
def board_data(board: str) -> dict[str, Any]:
    """All of a board's record: supply, currents and times too."""
    with (BOARD_RECORDS / f"{board}.toml").open("rb") as file:
        return tomllib.load(file)


def supply_v(board: str) -> float:
    """Supply voltage."""
    return float(board_data(board)["supply"]["value"])


def current_of(board: str, device: str, state: str, clock_hz: int = 0) -> Current:
    """Current of a device in a state; raises UsageError if the data file has none."""
    entry = board_data(board)["current"].get(device, {}).get(state)
    if entry is None:
        raise UsageError(f"{board}.toml has no current for {device}.{state}")
    scale = {"nA": 1e-6, "uA": 1e-3, "mA": 1.0, "uA/MHz": 1e-3 * clock_hz / 1e6}[entry["unit"]]
    current_ma = float(entry["value"]) * scale + float(entry.get("offset_ua", 0)) * 1e-3
    return Current(device, state, current_ma, entry["source"], entry["kind"])
