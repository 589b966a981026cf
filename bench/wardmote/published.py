# SPDX-License-Identifier: BSD-3-Clause
"""Figures that papers printed, from published/*.toml. They stand beside ours and never replace
them."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from wardmote.paths import PUBLISHED

SLOT_CASE = (5, 14, 127)
"""Level, octets of the ASH and octets of the frame of every printed slot."""


@dataclass(frozen=True, slots=True)
class PublishedSlot:
    """A printed minimal timeslot."""

    board: str
    strategy: str
    slot_ms: float
    source: str


@cache
def load(name: str, folder: Path = PUBLISHED) -> dict[str, Any]:
    """Reads one file of published/."""
    with (folder / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def key(board: str) -> str:
    """Name of a board in the files of published/."""
    return board.replace("-", "_")


def slot_durations(board: str) -> tuple[PublishedSlot, ...]:
    """All minimal timeslots printed for `board`: ENC-MIC-32, 127-octet frames, 14-octet ASH,
    full clock."""
    printed = load("tsch_slot")["timeslot_min_ms"].get(key(board), {})
    return tuple(
        PublishedSlot(board, strategy, ms, "published/tsch_slot.toml")
        for strategy, ms in printed.items()
    )


def slot_duration(
    board: str, strategy: str, *, level: int, ash_octets: int, frame_octets: int, clock_hz: int
) -> PublishedSlot | None:
    """The printed duration of exactly this case, or None: no paper printed it."""
    if (level, ash_octets, frame_octets) != SLOT_CASE:
        return None
    if (
        clock_hz
        != load("tsch_slot")["platform"].get(key(board), {}).get("clock_mhz_max", 0) * 1_000_000
    ):
        return None
    return next((slot for slot in slot_durations(board) if slot.strategy == strategy), None)


def footprint_fraction(board: str, strategy: str, memory: str) -> float | None:
    """The printed share of the board's flash or RAM in per cent.

    The paper prints ranges: the lower end is for hardware, the upper end for software. It prints
    nothing for hybrid.
    """
    printed = load("tsch_slot")["footprint_fraction"].get(key(board), {}).get(memory)
    if printed is None or strategy not in ("hardware", "software"):
        return None
    ends = printed if isinstance(printed, list) else [printed, printed]
    return float(round(100 * ends[0 if strategy == "hardware" else 1], 3))


def energy_saving(board: str, strategy: str) -> float | None:
    """The printed saving of energy in a slot compared with software, as a fraction; None where the
    paper prints none."""
    value = load("tsch_slot")["energy_saving_vs_software"].get(key(board), {}).get(strategy)
    return None if value is None else float(value)
