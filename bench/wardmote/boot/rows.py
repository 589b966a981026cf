# SPDX-License-Identifier: BSD-3-Clause
"""What is left of a run: a row for each mote, and for each device in each state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wardmote.boot.run import Run
from wardmote.units import PS_PER_S


@dataclass(frozen=True, slots=True)
class MoteRow:
    """A mote at the end."""

    mote: str
    board: str
    image: str
    seconds: float
    charge_mc: float
    """Of the whole board. What the program was not asked about is in it, too: sleep, for example."""
    average_ma: float
    serial_octets: int
    frames: int | None
    """Sent, whole; None without a capture."""
    misuse: int
    """Things that a data sheet forbids."""
    resets: int
    """Besides power-on."""
    seed: int


@dataclass(frozen=True, slots=True)
class MoteStateRow:
    """A device of a mote in one state."""

    mote: str
    board: str
    device: str
    state: str
    clock_hz: int
    """0 if its current does not depend on it."""
    seconds: float
    current_ma: float
    charge_uc: float
    energy_uj: float
    kind: str
    source: str
    seed: int


def state_rows(run: Run, seed: int) -> Iterator[MoteStateRow]:
    """Every device of every mote in every state that it was in."""
    for mote in run.motes:
        for one in run.simulation.meter(mote.place):
            yield MoteStateRow(mote=mote.name, board=mote.board, seed=seed, **one)


def mote_rows(run: Run, seed: int, *, captured: bool) -> list[MoteRow]:
    """Every mote."""
    seconds = run.simulation.now_ps / PS_PER_S
    sent = [mote for mote, _, _, _, whole in run.simulation.frames() if whole] if captured else []
    rows = []
    for mote in run.motes:
        charge = sum(one["charge_uc"] for one in run.simulation.meter(mote.place)) / 1000
        rows.append(
            MoteRow(
                mote=mote.name,
                board=mote.board,
                image=mote.image.name,
                seconds=seconds,
                charge_mc=charge,
                average_ma=charge / seconds if seconds else 0.0,
                serial_octets=run.counts[mote.place].octets,
                frames=sent.count(mote.place) if captured else None,
                misuse=run.counts[mote.place].misuse,
                resets=run.simulation.cpu(mote.place)["resets"],
                seed=seed,
            )
        )
    return rows
