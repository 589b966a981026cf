# SPDX-License-Identifier: BSD-3-Clause
"""The boards. The record `boards/<name>.toml` has CPU, clocks, memory, images, supply, currents and
times of a board. Every list of boards comes from these files."""

import math
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from copy import deepcopy
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
ROUNDING = 1e-3
"""Hertz by which a computed limit may be too low."""
METER_CPU = "cpu"
"""Name of the CPU on the meter of every board."""


@dataclass(frozen=True, slots=True)
class Supply:
    """The supply of a board and the clocks that it allows."""

    usual_v: float
    least_v: float
    most_v: float
    low: tuple[float, float]
    """A supply, and the fastest clock that it allows."""
    high: tuple[float, float]
    """The same at a higher supply. Between the two the limit is a straight line."""

    def fastest_hz(self, supply_v: float) -> int:
        """The fastest clock that a supply allows."""
        (low_v, low_hz), (high_v, high_hz) = self.low, self.high
        slope = (high_hz - low_hz) / (high_v - low_v)
        return math.floor(low_hz + slope * (min(supply_v, high_v) - low_v) + ROUNDING)

    def allows(self, clock_hz: int, supply_v: float) -> bool:
        """Whether the data sheets allow the clock at this supply."""
        return self.least_v <= supply_v <= self.most_v and clock_hz <= self.fastest_hz(supply_v)

    def for_clock(self, clock_hz: int) -> float:
        """The usual supply; if that does not allow the clock, the least one that does, in steps of
        10 mV."""
        if self.allows(clock_hz, self.usual_v):
            return self.usual_v
        steps = range(round(100 * self.least_v), round(100 * self.most_v) + 1)
        found = (step / 100 for step in steps if self.allows(clock_hz, step / 100))
        return next(found, self.most_v)


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
    """Device and state in which the firmware leaves CPU and radio in unused slots."""
    beside: tuple[int, ...]
    """Clocks at which the usual level is measured beside the default clock."""
    turnarounds_us: tuple[int, ...]
    """Turnarounds of the radio that the firmware can set; the first is the default."""
    fine_tick_hz: int | None
    """Ticks in a second of its finer clock, if it has one."""
    supply: Supply
    console: int
    """The serial line on which programs talk with a computer."""

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


OWN = ("board", "slot", "wiring", "marks", "absent", "environment")
"""Tables of a record that no other board shares."""


def read_record(path: Path) -> dict[str, Any]:
    """The record of one board. What it leaves out of clocks, supply, currents and times is that of
    the board that it is like, without the parts that are wired there alone; raises UsageError if
    there is no such board."""
    record = tomllib.loads(path.read_text(encoding="utf-8"))
    like = record.get("board", {}).get("like")
    if like is None:
        return record
    other = path.with_name(f"{like}.toml")
    if not other.exists():
        raise UsageError(f"{path}: it is like {like!r}, which is no board")
    theirs = tomllib.loads(other.read_text(encoding="utf-8"))
    parts = theirs.get("wiring", {})
    for table in (table for table in theirs if table not in OWN):
        shared = {name: value for name, value in theirs[table].items() if name not in parts}
        record[table] = shared | record.get(table, {})
    return record


def read_board(path: Path) -> Board:
    """Reads the record of one board; raises UsageError if a fact is missing."""
    return _board(path, read_record(path))


def _board(path: Path, record: Mapping[str, Any]) -> Board:
    try:
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
            tuple(record["clocks"][clock] for clock in slot.get("beside", ())),
            tuple(slot["turnarounds_us"] if slot else ()),
            slot.get("fine_tick_hz"),
            _supply(record),
            record.get("wiring", {}).get("console", {}).get("usart", 0),
        )
    except KeyError as error:
        raise UsageError(f"{path}: no {error.args[0]}") from error


def _supply(record: Mapping[str, Any]) -> Supply:
    within, limit = record["supply_range"], record["clock_limit"]
    low, high = (
        (float(limit[end]["supply_v"]), 1e6 * float(limit[end]["value"])) for end in ("low", "high")
    )
    least, most = (float(within[end]["value"]) for end in ("least", "most"))
    return Supply(float(record["supply"]["value"]), least, most, low, high)


def _pin(text: str) -> tuple[int, int]:
    port, _, bit = text.partition(".")
    return int(port), int(bit)


def read_boards(folder: Path) -> dict[str, Board]:
    """Reads all records of a folder, in the order of tables."""
    found = (read_board(path) for path in folder.glob("*.toml"))
    return {board.name: board for board in sorted(found, key=lambda one: (one.order, one.name))}


Changes = tuple[tuple[str, float], ...]
"""Numbers that a record has instead of its own, by their places, for example
`timing.cc2420.saes`."""
_CHANGES: ContextVar[tuple[str, Changes]] = ContextVar("changes", default=("", ()))


@contextmanager
def changed(board: str, changes: Changes) -> Iterator[None]:
    """Until it ends, the record of a board has other numbers, here and on emulated motes."""
    before = _CHANGES.set((board, changes))
    try:
        yield
    finally:
        _CHANGES.reset(before)


def changes_of(board: str) -> Changes:
    """The numbers that are others in the record of a board now."""
    name, changes = _CHANGES.get()
    return changes if name == board else ()


class _Boards(dict[str, Board]):
    """Boards by name, as their records are now."""

    def __getitem__(self, name: str) -> Board:
        return _changed_board(name, changes_of(name)) or super().__getitem__(name)


@cache
def _changed_board(name: str, changes: Changes) -> Board | None:
    return _board(_record(name), _data(name, changes)) if changes else None


BOARDS: Mapping[str, Board] = _Boards(read_boards(BOARD_RECORDS))


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


def untouched(board: str) -> frozenset[str]:
    """Parts of a board that no slot uses."""
    return frozenset(board_data(board).get("slot", {}).get("untouched", ()))


def scaling_of(board: str) -> list[str]:
    """How the currents of each device of a slot are obtained at a supply for which the record has
    none."""
    found: dict[str, list[str]] = {}
    for device, entry in board_data(board)["scaling"].items():
        if device in untouched(board):
            continue
        text = (
            f"known at {entry['value']:g} V, {entry['rule']} ({entry['kind']}: {entry['source']})"
        )
        found.setdefault(text, []).append(device)
    return [f"{', '.join(devices)} {text}" for text, devices in found.items()]


def board_data(board: str) -> dict[str, Any]:
    """The whole record of a board: also supply, currents and times."""
    return _data(board, changes_of(board))


@cache
def number_places(board: str) -> frozenset[str]:
    """Where the record of a board has numbers that can be changed, such as
    `timing.cc2420.vreg_start`."""
    found: set[str] = set()

    def look(entry: dict[str, Any], path: tuple[str, ...]) -> None:
        value = entry.get("value")
        if path and isinstance(value, int | float):
            found.add(".".join(path))
        for name, below in entry.items():
            if isinstance(below, dict):
                look(below, (*path, name))

    look(_data(board, ()), ())
    return frozenset(found)


def _record(board: str) -> Path:
    return BOARD_RECORDS / f"{board}.toml"


@cache
def _data(board: str, changes: Changes) -> dict[str, Any]:
    if not changes:
        return read_record(_record(board))
    data = deepcopy(_data(board, ()))
    for place, value in changes:
        entry = data
        for step in place.split("."):
            entry = entry[step]
        entry["value"] = value
    return data


def current_of(
    board: str, device: str, state: str, clock_hz: int = 0, *, supply_v: float | None = None
) -> Current:
    """Current of a device in a state at a supply, or at the board's usual one; raises UsageError if
    the data file has none. A current with a second figure `below` lies on the line through both."""
    entry = board_data(board)["current"].get(device, {}).get(state)
    if entry is None:
        raise UsageError(f"{board}.toml has no current for {device}.{state}")
    scale = {"nA": 1e-6, "uA": 1e-3, "mA": 1.0, "uA/MHz": 1e-3 * clock_hz / 1e6}[entry["unit"]]
    value = float(entry["value"])
    if below := entry.get("below"):
        known_v = float(board_data(board)["scaling"][device]["value"])
        slope = (value - below["value"]) / (known_v - below["supply_v"])
        value += slope * (
            (BOARDS[board].supply.usual_v if supply_v is None else supply_v) - known_v
        )
    current_ma = value * scale + float(entry.get("offset_ua", 0)) * 1e-3
    return Current(device, state, current_ma, entry["source"], entry["kind"])
