# SPDX-License-Identifier: BSD-3-Clause
"""The page of the explorer: rows, traces and charges as JSON, with the scripts that show them."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from wardmote.batteries import BATTERIES
from wardmote.boards import BOARDS
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.block import SLOTFRAME_LENGTH, headers
from wardmote.measurements.slot.slotframe import COUNTED_SLOTFRAMES, NOT_AUTHENTICATED
from wardmote.rows import SlotRow
from wardmote.study.composition import composition
from wardmote.study.energy import PHASES, energy_rows
from wardmote.study.explored import Explored
from wardmote.study.limit import limits
from wardmote.study.payload import UPPER_OCTETS, payload_octets
from wardmote.study.trace import Trace
from wardmote.views.case_place import CHOICES, EXPLORER
from wardmote.views.data import scalars
from wardmote.views.html import PAGE, PAGES
from wardmote.views.opening import LEGEND, STANDARD_MS
from wardmote.views.slot import verdict
from wardmote.views.templates import embedded, rendered
from wardmote.views.words import MEANINGS, conditions

LABELS = tuple(
    {"ash": ("ash", "ASH"), "frame": ("frame", "Payload")}.get(word, (word, word.capitalize()))
    for word in CHOICES
)
"""Choices with their labels."""
SCRIPTS = ("model", "draw", "slot", "choices", "shown", "main")


def to_explorer(rows: Sequence[SlotRow], explored: Sequence[Explored], files: Sequence[str]) -> str:
    """The page. Rows that were not explored are shown without a trace; explored rows that are not
    among `rows` follow them."""
    return rendered(
        "explorer/page.html.j2",
        title="Slot explorer",
        pages=PAGES,
        here=EXPLORER,
        report=PAGE,
        conditions=conditions(rows),
        files=files,
        choices=LABELS,
        legend=LEGEND,
        scripts=[f"explorer/{name}.js" for name in SCRIPTS],
        data=Markup(embedded(to_data(rows, explored))),
    )


def to_data(rows: Sequence[SlotRow], explored: Sequence[Explored]) -> dict[str, Any]:
    """All that the page knows."""
    more = {_identity(one.row): one for one in explored}
    every = {_identity(row): row for row in (*rows, *(one.row for one in explored))}
    return {
        "rows": [_row(row, more.get(name)) for name, row in every.items()],
        "choices": CHOICES,
        "boards": {name: {"title": BOARDS[name].title} for name in {row.board for row in rows}},
        "batteries": {name: _battery(name) for name in BATTERIES},
        "levels": LEVEL_NAMES,
        "definitions": MEANINGS,
        "constants": _constants(),
    }


def _identity(row: SlotRow) -> tuple[object, ...]:
    return tuple(getattr(row, field) for field in CHOICES.values())


def _row(row: SlotRow, explored: Explored | None) -> dict[str, Any]:
    kinds = explored.kinds if explored else ()
    return {
        **scalars(row),
        "verified": row.verified,
        "proof": verdict(row),
        "payload_octets": payload_octets(row.level, row.ash_octets, row.frame_octets),
        "limit_us": _limit_us(row),
        "phases": [[phase.name, phase.us] for phase in composition(row)],
        "energy": {one.node: _energy(one) for one in energy_rows([row])},
        "fed_by": {
            name: one.feeds(BOARDS[row.board], row.clock_hz) for name, one in BATTERIES.items()
        },
        "trace": _trace(explored.trace) if explored else None,
        "refused": list(explored.refused) if explored else [],
        "kinds": [
            [one.node, one.kind, one.frame_octets, one.charge_uc, one.measured] for one in kinds
        ],
    }


def _energy(row: Any) -> dict[str, float]:
    return {name: getattr(row, f"{name}_uc") for name in (*PHASES, "charge")}


def _limit_us(row: SlotRow) -> float | None:
    found = (
        one.slot_us
        for one in limits(row.tick_hz)
        if (one.board, one.definition, one.turnaround_us)
        == (row.board, row.definition, row.turnaround_us)
    )
    return next(found, None)


def _trace(trace: Trace) -> dict[str, Any]:
    """Steps with the numbers of their states, which are listed once."""
    states: dict[str, int] = {}
    phases: dict[str, int] = {}
    steps: dict[str, list[Any]] = {}
    for step in trace.steps:
        texts = [f"{device} {state} {ma:.6g} mA" for device, state, ma in step.states]
        places = [states.setdefault(text, len(states)) for text in texts]
        phase = phases.setdefault(step.phase, len(phases))
        steps.setdefault(step.node, []).append(
            [round(step.us, 3), round(step.total_ma, 6), phase, places]
        )
    spans: dict[str, list[Any]] = {}
    for span in trace.spans:
        ends = [round(span.begin_us, 3), round(span.end_us, 3)]
        spans.setdefault(span.node, []).append([span.name, *ends])
    return {
        "slot_us": trace.slot_us,
        "states": list(states),
        "phases": list(phases),
        "steps": steps,
        "spans": spans,
        "charge_uc": {node: round(trace.charge_uc(node), 6) for node in steps},
    }


def _battery(name: str) -> dict[str, Any]:
    one = BATTERIES[name]
    fields = ("title", "charge_mah", "mean_v", "leakage_ua", "efficiency")
    return {field: getattr(one, field) for field in fields}


def _constants() -> dict[str, float]:
    of_firmware = headers().constants
    return {
        "standard_ms": STANDARD_MS,
        "slotframe": SLOTFRAME_LENGTH,
        "counted": COUNTED_SLOTFRAMES,
        "uncorrected_level": NOT_AUTHENTICATED,
        "upper_octets": UPPER_OCTETS,
        "sync_rest": of_firmware["WM_TSCH_SYNC_REST"],
        "drift_ticks": of_firmware["WM_TSCH_DRIFT_TICKS"],
    }
