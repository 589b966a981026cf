# SPDX-License-Identifier: BSD-3-Clause
"""Formats throughput bounds and battery life."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.study.payload import FCS_OCTETS, MHR_OCTETS
from wardmote.study.throughput import Schedule, ThroughputRow, sleep_currents
from wardmote.views.table import Column, number

COLUMNS: tuple[Column[ThroughputRow], ...] = (
    Column("board", lambda row: row.board, text=True, rank=0),
    Column("strategy", lambda row: row.strategy, text=True, rank=0),
    Column("level", lambda row: row.level_name, text=True, rank=0),
    Column("slot us", lambda row: number(row.slot_us), rank=0),
    Column("A_j bits", lambda row: str(row.a_bits), rank=1),
    Column("published A_j", lambda row: str(row.a_published_bits), rank=3),
    Column("R bit/s", lambda row: number(row.rate_bps, 1) or "slot too short", rank=0),
    Column("R with published A_j", lambda row: number(row.rate_published_a_bps, 1), rank=3),
    Column("slot uC", lambda row: number(row.slot_charge_uc, 1), rank=2),
    Column(
        "average uA",
        lambda row: number(None if row.average_ma is None else 1000 * row.average_ma, 1),
        rank=1,
    ),
    Column("battery days", lambda row: number(row.battery_days), rank=0),
)


def answer(rows: Sequence[ThroughputRow]) -> str:
    """The fastest and the slowest case."""
    bound = [(row.rate_bps, row) for row in rows if row.rate_bps is not None]
    if not bound:
        return "The slot is too short for every case."
    parts = []
    for word, (rate, row) in (
        ("most", max(bound, key=lambda b: b[0])),
        ("least", min(bound, key=lambda b: b[0])),
    ):
        parts.append(
            f"at {word} {rate:.0f} bit/s ({BOARDS[row.board].title}, {row.strategy}, "
            f"{row.level_name})"
        )
    return f"A node with {rows[0].n_i} of {rows[0].n_ts} slots can send {', '.join(parts)}."


def _slots(schedule: Schedule) -> str:
    """The length of the compared slots."""
    if schedule.slot_us is not None:
        return f"{schedule.slot_us / 1000:g} ms in every case"
    return (
        "the shortest of each case, so slots differ in length: with longer slots a node sends "
        "less often and its battery lasts longer; --slot 20ms compares equal slots"
    )


def conditions(rows: Sequence[ThroughputRow], schedule: Schedule) -> list[tuple[str, str]]:
    """What the figures depend on."""
    frames = " or ".join(map(str, sorted({row.frame_octets for row in rows})))
    currents = [
        current
        for name in dict.fromkeys(row.board for row in rows)
        for current in sleep_currents(name)
    ]
    asleep = "; ".join(
        f"{c.device} {c.state} {1000 * c.ma:.3g} uA ({c.kind}: {c.source})" for c in currents
    )
    return [
        (
            "schedule",
            f"N_i {schedule.n_i}, N_ts {schedule.n_ts}, a frame in {100 * schedule.duty:g} % of "
            "the N_i slots",
        ),
        (
            "A_j",
            f"frame of {frames} octets - FCS {FCS_OCTETS} - MHR {MHR_OCTETS} - ASH - MIC - "
            f"{schedule.upper_octets} octets of higher layers",
        ),
        ("slot", _slots(schedule)),
        ("asleep", asleep),
        (
            "battery",
            f"{schedule.battery_mah:g} mAh, assumed; no self-discharge; beacons and joining not "
            "in it",
        ),
    ]
