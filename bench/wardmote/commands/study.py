# SPDX-License-Identifier: BSD-3-Clause
"""What a report holds besides its slots: footprints, a trace of one slot of every board, and the
life of a battery at the usual level."""

from collections.abc import Sequence
from dataclasses import replace

from wardmote.batteries import DEFAULT_BATTERY
from wardmote.campaign.runner import Runner
from wardmote.commands.battery import Use, measured
from wardmote.measurements.footprint.measure import measure
from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.measurements.slot.band import template_of
from wardmote.measurements.slot.campaign import SlotCase, slot_rows
from wardmote.measurements.slot.definition import DEFINITIONS
from wardmote.measurements.slot.explored import explored, setting_of
from wardmote.measurements.slot.setting import ASH_FORMS, STRATEGIES
from wardmote.measurements.slot.trace import record
from wardmote.rows import SlotRow
from wardmote.study.battery import BatteryRow
from wardmote.study.definition import at_once, headline
from wardmote.study.explored import Explored
from wardmote.study.trace import Trace
from wardmote.views.sections import Report, Section, sections
from wardmote.views.text import by
from wardmote.views.words import BOARD_TITLES, USUAL_LEVEL, clock_at

SHORTER_FRAMES = (57, 92)
OTHER_ASH = "6tisch"
OTHER_GUARD_TICKS = 18
PROOF = 1000
"""Exchanges that prove each case that only the explorer shows."""


def study_sections(
    cases: Sequence[SlotCase], rows: Sequence[SlotRow], *, built: bool
) -> list[Section]:
    """All sections; images that were not `built` here have neither footprint nor trace nor the life of
    a battery."""
    footprints: list[FootprintRow] = []
    traces: list[tuple[str, Trace]] = []
    for name in dict.fromkeys(row.board for row in rows) if built else ():
        shortest = {row.definition for row in headline(rows)}
        have = {row.strategy for row in at_once(rows)}
        own = [
            (case, row)
            for case, row in zip(cases, rows, strict=True)
            if row.board == name and row.definition in shortest and row.strategy in have
        ]
        strategies = [strategy for strategy in STRATEGIES if strategy in have]
        footprints += measure(name, strategies, cases[0].seed)
        usual = own[0][0].slot
        first = [
            (case, row)
            for case, row in own
            if (case.slot.clock_hz, case.slot.turnaround_us)
            == (usual.clock_hz, usual.turnaround_us)
        ]
        case, row = ([pair for pair in first if pair[1].level == USUAL_LEVEL] or first)[-1]
        traces.append((_title(row), _trace(case, row)))
    lives = _lives(rows, cases[0].seed) if built else []
    return sections(Report(rows, footprints, traces, lives))


def _lives(rows: Sequence[SlotRow], seed: int) -> list[BatteryRow]:
    """What `wardmote battery` says of these rows when it is told nothing, at all their clocks."""
    usual = [row for row in at_once(headline(rows)) if row.level == USUAL_LEVEL]
    return [one for row in usual for one in measured(row, Use(), DEFAULT_BATTERY, seed)]


def _title(row: SlotRow) -> str:
    board = f"{BOARD_TITLES[row.board]} at {clock_at(row)}"
    return f"One slot: {board}, {row.strategy}, {row.level_name}, {row.definition}"


def _trace(case: SlotCase, row: SlotRow) -> Trace:
    return record(case.slot, case.image.read_bytes(), template_of(row), case.seed)


def explored_slots(
    cases: Sequence[SlotCase], rows: Sequence[SlotRow], runner: Runner
) -> list[Explored]:
    """What the explorer shows: all rows, and beside them what `beside` adds."""
    seed = cases[0].seed
    more = slot_rows(beside(rows, seed), runner)
    return explored([*rows, *more], seed, runner)


def beside(rows: Sequence[SlotRow], seed: int) -> list[SlotCase]:
    """Cases at the usual level whose header, frame or guard time is not that of the rows, for the
    boards of which the rows have several strategies at their first clock. Strategies ahead of the
    slot have none, so that a report takes no longer than it must."""
    usual = [row for row in at_once(headline(rows)) if row.level == USUAL_LEVEL]
    found: list[SlotCase] = []
    for own in by(usual, lambda row: row.board).values():
        first = [row for row in own if row.clock_hz == own[0].clock_hz]
        if len({row.strategy for row in first}) == 1:
            continue
        for row in first:
            slot, definition = setting_of(row), DEFINITIONS[row.definition]
            shorter = [replace(slot, frame_octets=octets) for octets in SHORTER_FRAMES]
            slots = [replace(slot, ash=ASH_FORMS[OTHER_ASH]), *shorter]
            found += [SlotCase(one, (definition,), PROOF, seed) for one in slots]
            other = replace(definition, guard_ticks=OTHER_GUARD_TICKS)
            found.append(SlotCase(slot, (other,), PROOF, seed))
    return found
