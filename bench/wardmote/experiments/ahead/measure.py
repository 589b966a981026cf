# SPDX-License-Identifier: BSD-3-Clause
"""Tunes each strategy of a board, then reads meters and counters of both motes about cells of which a
part stays empty.

Each strategy runs twice: at its own shortest slot, and at a template that is long enough for all of
them. In its own slot a strategy that needs a shorter one sleeps less beside its work, so only the
second comparison has the work alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.ahead.cases import (
    AT_ONCE,
    DATA_EVERY,
    EXCHANGES,
    STRATEGIES,
    setting_of,
)
from wardmote.experiments.each_board import ROWS
from wardmote.experiments.experiment import BoardCase
from wardmote.measurements.slot import slotframe
from wardmote.measurements.slot.ahead import Blocks, blocks
from wardmote.measurements.slot.block import LEAF_MOTE, SLOTFRAME_LENGTH, Plan
from wardmote.measurements.slot.definition import DEFINITIONS, DEPLOYABLE
from wardmote.measurements.slot.experiment import SettingRuns, tuned_by
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing

SHORTEST, EQUAL = "shortest", "equal"
FIRST_CELL, CELLS = 11, 80
"""The cells of a slotframe that are counted. The beacon's slot is far from them, and the number is a
multiple of each of DATA_EVERY: so what is made in one cell for the next is counted as often as it is
used."""
SLOTFRAMES = 4


@dataclass(frozen=True, slots=True)
class AheadRow:
    """One strategy at one template, with one share of empty cells. All figures are of one exchange,
    with the empty cells that come with it."""

    board: str
    seed: int
    strategy: str
    template: str
    """`shortest`: the strategy's own; `equal`: one that is long enough for all of the board."""
    clock_hz: int
    supply_v: float
    tx_offset_ticks: int
    tx_ack_delay_ticks: int
    tail_ticks: int
    slot_us: float
    empty_percent: int
    """Share of the cells without a frame."""
    exchanges: int
    """So many were measured."""
    sender_uj: float
    receiver_uj: float
    sender_more_percent: float | None
    """More than the strategy with the same AES that works at once; None for that one itself."""
    receiver_more_percent: float | None
    sender_made: float | None
    """Blocks of AES made ahead, keystream and CBC-MAC; None where the node counts none."""
    sender_used: float | None
    """Those that an exchange needs: what is made for one, and not wiped, when no cell is empty."""
    sender_wiped: float | None
    """Keystream that was wiped unused. The rest of what was not used is CBC-MAC."""
    receiver_made: float | None
    receiver_used: float | None
    receiver_wiped: float | None
    wardmote: str
    commit: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A mote at a moment, or what it did between two."""

    energy_uj: float
    blocks: Blocks | None

    def since(self, other: "Reading") -> "Reading":
        """What it did since another reading."""
        energy_uj = self.energy_uj - other.energy_uj
        if self.blocks is None or other.blocks is None:
            return Reading(energy_uj, None)
        made = self.blocks.made - other.blocks.made
        return Reading(energy_uj, Blocks(made, self.blocks.wasted - other.blocks.wasted))


@dataclass(frozen=True, slots=True)
class Counted:
    """What the cells of some slotframes took: one reading of each mote for each slotframe."""

    exchanges: int
    readings: Mapping[str, Sequence[Reading]]


def measure(case: BoardCase, artefacts: Artefacts) -> Figures:
    """The rows of a board."""
    own = {name: shortest(case.board, name, artefacts[name], case.seed) for name in STRATEGIES}
    equal = longest(list(own.values()))
    found = [
        {"strategy": name, "template": template}
        | of_strategy(case, name, artefacts[name], timing, n)
        for template, timings in ((SHORTEST, own), (EQUAL, dict.fromkeys(own, equal)))
        for name, timing in timings.items()
        for n in DATA_EVERY
    ]
    return {ROWS: list(compared(found))}


def shortest(board: str, strategy: str, image: bytes, seed: int) -> Timing:
    """The shortest deployable template, tuned and proven."""
    runs = SettingRuns(setting_of(board, strategy), image, seed, EXCHANGES)
    return tuned_by(DEFINITIONS[DEPLOYABLE], runs, runs.survey()).timing


def longest(timings: Sequence[Timing]) -> Timing:
    """The shortest template that leaves as much time as each of these for everything."""
    names = [field.name for field in fields(Timing)]
    return Timing(**{name: max(getattr(one, name) for one in timings) for name in names})


def of_strategy(
    case: BoardCase, strategy: str, image: bytes, timing: Timing, data_every: int
) -> dict[str, Any]:
    """The figures of a strategy at a template, by the names of AheadRow's fields."""
    setting = setting_of(case.board, strategy)
    return {
        "clock_hz": setting.clock_hz,
        "supply_v": setting.supply_v,
        "tx_offset_ticks": timing.tx_offset,
        "tx_ack_delay_ticks": timing.tx_ack_delay,
        "tail_ticks": timing.tail,
        "slot_us": round(timing.us(timing.slot_duration), 3),
        "empty_percent": round(100 * (1 - 1 / data_every)),
        **per_exchange(counted(setting, image, timing, data_every, case.seed)),
    }


def counted(setting: Setting, image: bytes, timing: Timing, data_every: int, seed: int) -> Counted:
    """Runs two motes with a frame in one of so many cells. Raises ImageError if a slot is late or a
    frame is lost."""
    network = slotframe.started(setting, image, timing, Plan(data_every=data_every), seed)
    first_ps = slotframe.last_beacon_slot_ps(network)
    slot_ps = timing.ps(timing.slot_duration)
    exchanges = 0
    readings: dict[str, list[Reading]] = {name: [] for name in slotframe.NODES.values()}
    for number in range(1, SLOTFRAMES + 1):
        begin_ps = first_ps + (number * SLOTFRAME_LENGTH + FIRST_CELL) * slot_ps
        network.simulation.run_until(begin_ps)
        acked, before = _acked(network), _read(network)
        network.simulation.run_until(begin_ps + CELLS * slot_ps)
        exchanges += _acked(network) - acked
        for node, reading in _read(network).items():
            readings[node].append(reading.since(before[node]))
    slotframe.check(network)
    if exchanges != SLOTFRAMES * CELLS // data_every:
        raise ImageError(f"{exchanges} exchanges in {SLOTFRAMES} times {CELLS} cells")
    return Counted(exchanges, readings)


def _acked(network: Network) -> int:
    return int(network.stats(LEAF_MOTE.name)["data_acked"])


def _read(network: Network) -> dict[str, Reading]:
    return {
        name: Reading(sum(row["energy_uj"] for row in network.meter(mote)), blocks(network, mote))
        for mote, name in slotframe.NODES.items()
    }


def per_exchange(found: Counted) -> dict[str, Any]:
    """Energy and blocks of one exchange."""
    figures: dict[str, Any] = {"exchanges": found.exchanges}
    for node, readings in found.readings.items():
        figures[f"{node}_uj"] = round(sum(one.energy_uj for one in readings) / found.exchanges, 3)
        counts = [one.blocks for one in readings if one.blocks is not None]
        for name, numbers in (
            ("made", [one.made for one in counts]),
            ("wiped", [one.wasted for one in counts]),
        ):
            mean = round(sum(numbers) / found.exchanges, 3) if counts else None
            figures[f"{node}_{name}"] = mean
    return figures


def compared(found: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows, each with what it takes more than the strategy that works at once, and with the blocks
    that an exchange needs."""
    places = {(row["template"], row["strategy"], row["empty_percent"]): row for row in found}
    for row in found:
        full = places[row["template"], row["strategy"], 0]
        at_once = AT_ONCE.get(row["strategy"])
        base = places[row["template"], at_once, row["empty_percent"]] if at_once else None
        more: dict[str, float | None] = {}
        for node in slotframe.NODES.values():
            energy, made = f"{node}_uj", full[f"{node}_made"]
            more[f"{node}_more_percent"] = (
                round(100 * (row[energy] / base[energy] - 1), 2) if base else None
            )
            more[f"{node}_used"] = None if made is None else made - full[f"{node}_wiped"]
        yield {**row, **more}
