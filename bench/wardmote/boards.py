# SPDX-License-Identifier: BSD-3-Clause
"""The boards. The record `boards/<name>.toml` has CPU, clocks, memory, images, supply, currents and
times of a board. Every list of boards comes from these files."""

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
"""Name of the CPU on the meter of every board."""


@dataclass(frozen=True, slots=True)
class Board:
    """The facts of a board that the bench needs."""

    name: str
    title: str
    order: int
    """Place in lists and tables."""
    cpu: str
    clocks_hz: Mapping[str, int]
    """Clocks by their names in `--clock`; the first is the default."""
    flash_octets: int
    ram_octets: int
    images: tuple[str, ...]
    """Folders of firmware/image whose images run on the board."""
    timing_model: str
    marks: Mapping[tuple[int, int], str]
    """Marks of image `slot` by pin (port, bit)."""
    radio: str
    """Name of the radio on the meter; empty without image `slot`."""
    engine: str | None
    """Name of the security engine on the meter, if it is a separate device."""
    sleep: tuple[tuple[str, str], ...]
    """Device and state of CPU and radio in unused slots."""

    @property
    def model(self) -> DataModel:
        """Sizes of the C types on its CPU."""
        return CPUS[self.cpu].model

    @property
    def bands(self) -> tuple[Band, ...]:
        """Ends of its CPU's timing band, best known end last; empty where timing is exact."""
        return CPUS[self.cpu].bands

    @property
    def named(self) -> str:
        """Its title with an article."""
        return f"{'an' if self.title[0] in 'AEIOU' else 'a'} {self.title}"

    @property
    def clock_hz(self) -> int:
        """The default clock."""
        return next(iter(self.clocks_hz.values()))


def read_board(path: Path) -> Board:
    """Reads the record of one board; raises UsageError if a fact is missing."""
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
    """Reads all records of a folder, in the order of tables."""
    found = (read_board(path) for path in folder.glob("*.toml"))
    return {board.name: board for board in sorted(found, key=lambda one: (one.order, one.name))}


BOARDS: Mapping[str, Board] = read_boards(BOARD_RECORDS)


def with_image(image: str) -> Mapping[str, Board]:
    """The boards on which an image runs."""
    return {name: board for name, board in BOARDS.items() if image in board.images}


SLOT_BOARDS = with_image("slot")
EVENT_BOARDS = with_image("events")


def board_of(name: str) -> Board:
    """A board with image `slot` by its name; raises UsageError with the possible names."""
    return SLOT_BOARDS[choice("board", name, tuple(SLOT_BOARDS))]


@dataclass(frozen=True, slots=True)
class Current:
    """A current of a board, with its source."""

    device: str
    state: str
    ma: float
    source: str
    kind: str


@cache
def board_data(board: str) -> dict[str, Any]:
    """The whole record of a board: also supply, currents and times."""
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
