# SPDX-License-Identifier: BSD-3-Clause
"""Computes the charge of a slot with an exchange by phase, and the saving compared with software."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.boards import BOARDS, METER_CPU, Board
from wardmote.published import energy_saving
from wardmote.rows import SlotRow, StateEnergy
from wardmote.study.case import CaseFields, case_of

PHASES = ("cpu", "tx", "rx", "idle", "engine")
NODES = {"leaf": "sender", "root": "receiver"}


@dataclass(frozen=True, slots=True)
class EnergyRow(CaseFields):
    """One node of one case: mean of slots with an exchange, at the shortest timeslot of the case."""

    node: str
    """sender or receiver"""
    ts_slot_duration_us: float
    cpu_us: float
    tx_us: float
    rx_us: float
    cpu_uc: float
    """CPU active."""
    tx_uc: float
    """Transmitter on, with its turnaround."""
    rx_uc: float
    """Receiver on, with guard times and turnaround."""
    idle_uc: float
    """CPU asleep, and radio on with neither transmitter nor receiver."""
    engine_uc: float
    """Charge of the security engine; 0 where no datasheet gives its current."""
    charge_uc: float
    energy_uj: float
    saving: float | None
    """Saved fraction of the energy of software at the same level; None for software itself."""
    cpu_saving: float | None
    """Saved fraction of the active charge of the CPU."""
    published_saving: float | None
    """The paper prints the largest saving of all levels; every secured level of the sender has it."""


def phase_of(board: Board, device: str, state: str) -> str:
    """The phase of a device state."""
    if device == METER_CPU:
        return "cpu" if state.startswith("active") else "idle"
    if device != board.radio:
        return "engine" if device == board.engine else "idle"
    return next((phase for phase in ("tx", "rx") if state.startswith(phase)), "idle")


def charges_uc(board: Board, states: Sequence[StateEnergy]) -> dict[str, float]:
    """Charge by phase."""
    charges = dict.fromkeys(PHASES, 0.0)
    for state in states:
        charges[phase_of(board, state.device, state.state)] += (
            state.us_per_slot * state.current_ma / 1000
        )
    return charges


def times_us(board: Board, states: Sequence[StateEnergy]) -> dict[str, float]:
    """Time by phase; several devices are in a phase at the same time."""
    times = dict.fromkeys(PHASES, 0.0)
    for state in states:
        times[phase_of(board, state.device, state.state)] += state.us_per_slot
    return times


def energy_rows(rows: Sequence[SlotRow]) -> list[EnergyRow]:
    """Two rows for each case: sender and receiver."""
    software = {_condition(row): row for row in rows if row.strategy == "software"}
    return [_row(row, node, software) for row in rows for node in NODES]


def _condition(row: SlotRow) -> tuple[object, ...]:
    """Two rows with the same condition may be compared."""
    return (
        *(row.board, row.level, row.definition, row.ash_octets, row.frame_octets),
        *(row.clock_hz, row.supply_v),
    )


def _row(row: SlotRow, node: str, software: Mapping[tuple[object, ...], SlotRow]) -> EnergyRow:
    board = BOARDS[row.board]
    states = [state for state in row.states if state.node == node]
    charges, times = charges_uc(board, states), times_us(board, states)
    energy_uj = sum(state.energy_uj for state in states)
    other = software.get(_condition(row)) if row.strategy != "software" else None
    saving = cpu_saving = None
    if other is not None:
        theirs = [state for state in other.states if state.node == node]
        saving = 1 - energy_uj / sum(state.energy_uj for state in theirs)
        cpu_saving = 1 - charges["cpu"] / charges_uc(board, theirs)["cpu"]
    shown = node == "leaf" and row.level > 0
    phases: dict[str, Any] = {
        **{f"{phase}_us": round(times[phase], 3) for phase in ("cpu", "tx", "rx")},
        **{f"{phase}_uc": round(charges[phase], 6) for phase in PHASES},
    }
    return EnergyRow(
        **case_of(row),
        node=NODES[node],
        ts_slot_duration_us=row.ts_slot_duration_us,
        **phases,
        charge_uc=round(sum(charges.values()), 6),
        energy_uj=round(energy_uj, 6),
        saving=None if saving is None else round(saving, 4),
        cpu_saving=None if cpu_saving is None else round(cpu_saving, 4),
        published_saving=energy_saving(row.board, row.strategy) if shown else None,
    )
