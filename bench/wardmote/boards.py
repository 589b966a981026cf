# SPDX-License-Identifier: BSD-3-Clause
"""The boards, as data: clocks, memory, pins of the marks, names of the devices on the meter."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from wardmote.choices import choice
from wardmote.cpus import CPUS, Band
from wardmote.errors import UsageError
from wardmote.paths import ROOT
from wardmote.prototypes import DataModel

SECURITY_MARKS = ("sec1", "sec2", "sec3", "sec4")
DATA = ROOT / "motes/crates/board/data"


@dataclass(frozen=True, slots=True)
class Board:
    """One board and what the bench must know of it."""

    name: str
    title: str
    clocks_hz: Mapping[str, int]
    """By the names of `--clock`; the first is the default."""
    bands: tuple[Band, ...]
    """Ends of its timing model, best known end last; empty where the timing is exact."""
    model: DataModel
    marks: Mapping[tuple[int, int], str]
    """Pins of the marks, (port, bit)."""
    cpu: str
    radio: str
    """Names of CPU and radio on the meter."""
    engine: str | None
    """The security engine's, if it is a device of its own there."""
    sleep: tuple[tuple[str, str], ...]
    """(device, state) of CPU and radio in slots that are not used."""
    flash_octets: int
    ram_octets: int
    timing_model: str

    @property
    def named(self) -> str:
        """Its title with an article."""
        return f"{'an' if self.title[0] in 'AEIOU' else 'a'} {self.title}"

    @property
    def clock_hz(self) -> int:
        """The clock it is measured at if none is asked for."""
        return next(iter(self.clocks_hz.values()))


BOARDS: Mapping[str, Board] = {
    board.name: board
    for board in (
        Board(
            name="telosb",
            title="TelosB",
            clocks_hz={"8MHz": 8_000_000, "4.19MHz": 4_194_304},
            bands=(),
            model=CPUS["msp430"].model,
            marks={(2, 0): "sec1", (2, 1): "sec2", (2, 3): "sec3", (2, 6): "sec4", (6, 0): "slot"},
            cpu="cpu",
            radio="cc2420",
            engine=None,
            sleep=(("cpu", "lpm3"), ("cc2420", "power_down")),
            flash_octets=48 << 10,
            ram_octets=10 << 10,
            timing_model="MSP430: TI's cycle table; CC2420: datasheet times; see "
            "docs/what-do-the-numbers-rest-on.md",
        ),
        Board(
            name="openmote-cc2538",
            title="OpenMote-CC2538",
            clocks_hz={"32MHz": 32_000_000, "16MHz": 16_000_000},
            bands=("low", "high"),
            model=CPUS["armv7m"].model,
            marks={(2, 4): "sec1", (2, 5): "sec2", (2, 6): "sec3", (2, 7): "sec4", (3, 3): "slot"},
            cpu="cpu",
            radio="radio",
            engine="aes",
            sleep=(("cpu", "pm2"), ("radio", "off")),
            flash_octets=512 << 10,
            ram_octets=32 << 10,
            timing_model="Cortex-M3: pipeline rules of ARM's manual, a band from low to high; "
            "CC2538: datasheet times"
            " and named assumptions; see docs/what-do-the-numbers-rest-on.md",
        ),
    )
}


def board_of(name: str) -> Board:
    """A board by its name; raises UsageError naming those there are."""
    return BOARDS[choice("board", name, tuple(BOARDS))]


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
    """The board's data file: supply, currents, times."""
    with (DATA / f"{board}.toml").open("rb") as file:
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
