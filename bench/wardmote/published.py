# SPDX-License-Identifier: BSD-3-Clause
"""Figures that papers printed, from published/*.toml: to be set beside ours, never to stand for them."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from wardmote.paths import PUBLISHED

SLOT_LEVEL = 5
SLOT_FRAME_OCTETS = 127
SLOT_ASH_OCTETS = 14


@dataclass(frozen=True, slots=True)
class PublishedSlot:
    """A printed minimal timeslot and what is known of how it came about."""

    platform: str
    strategy: str
    slot_ms: float
    source: str


@cache
def load(name: str, folder: Path = PUBLISHED) -> dict[str, Any]:
    """One file of published/, by the name of what it measured."""
    with (folder / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def slot_durations(platform: str) -> tuple[PublishedSlot, ...]:
    """All minimal timeslots printed for `platform`: ENC-MIC-32, 127-octet frames, 14-octet ASH, full clock."""
    printed = load("tsch_slot")["timeslot_min_ms"].get(platform, {})
    return tuple(PublishedSlot(platform, strategy, ms, "published/tsch_slot.toml") for strategy, ms in printed.items())


def slot_duration(
    platform: str, strategy: str, *, level: int, ash_octets: int, frame_octets: int, clock_hz: int
) -> PublishedSlot | None:
    """The printed duration of exactly this case, or None: no paper printed it."""
    if (level, ash_octets, frame_octets) != (SLOT_LEVEL, SLOT_ASH_OCTETS, SLOT_FRAME_OCTETS):
        return None
    if clock_hz != load("tsch_slot")["platform"].get(platform, {}).get("clock_mhz_max", 0) * 1_000_000:
        return None
    return next((slot for slot in slot_durations(platform) if slot.strategy == strategy), None)
