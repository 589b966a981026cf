# SPDX-License-Identifier: BSD-3-Clause
"""Where a coprocessor begins to pay, over transmit power, AES, clock and data rate.

While it waits a coprocessor takes a power, and for each packet it saves what the CPU takes to
encrypt. It pays above a number of packets a second; or, at a number of packets, below a power.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.experiments.zigbee.energy import (
    COPROCESSOR,
    PAPER,
    POWERS,
    SHEETS,
    TIMES,
    coprocessor_mw,
    coprocessor_uj,
    currents,
)
from wardmote.experiments.zigbee.wiring import clock_hz
from wardmote.published import load

CLEAR, ENGINE = "in clear", "CC2420's engine"
CLOCKS_MHZ = (1.0, 2.0, 4.0, 8.0)
USUAL_DBM = -15


@dataclass(frozen=True, slots=True)
class ZigbeeBreakevenRow:
    """A way to encrypt, with one set of currents, at one power and one clock."""

    board: str
    seed: int
    currents: str
    way: str
    setting: bool
    """Its times are the paper's, and not measured."""
    dbm: int
    clock_mhz: float
    crypt_ms: float
    crypt_uj: float
    rest_uj: float
    """Stack and sending."""
    saving: float
    """Part of both that a coprocessor saves which takes nothing while it waits."""
    engine_saving: float
    """Part that the CC2420's engine saves in place of this way; below 0 it costs more."""
    even_uw: float
    """At the paper's rate a coprocessor pays that takes less than this while it waits."""
    even_per_s: float
    """Packets a second above which the paper's FPGA pays, which takes as much while it waits."""
    most_per_s: float
    """Packets a second that our link carries where a coprocessor encrypts."""
    wardmote: str
    commit: str


def paper_per_s() -> float:
    """Packets a second of the paper's link."""
    return 1000 / float(load("zigbee")["result"]["plain_ms_per_packet"])


def points(mhz: float) -> Iterator[tuple[int, float]]:
    """Powers at the usual clock, and clocks at the paper's power."""
    for dbm in POWERS:
        yield dbm, mhz
    for clock in CLOCKS_MHZ:
        if clock != mhz:
            yield USUAL_DBM, clock


def gathered(values: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Every way at every point."""
    clear = next(one for one in values if one["way"] == CLEAR)
    engine = next(one for one in values if one["way"] == ENGINE)
    time = load("zigbee")["time"]
    paper = {"crypt_ms": time["encrypt_software_ms"], "stack_ms": time["stack_ms"]}
    ways = [
        {**clear, **paper, "way": TIMES},
        *(one for one in values if one["way"] not in (CLEAR, COPROCESSOR)),
    ]
    usual_mhz = clock_hz(clear["board"]) / 1e6
    for source in (PAPER, SHEETS):
        for dbm, mhz in points(usual_mhz):
            for own in ways:
                yield row(own, engine, source, dbm, mhz / usual_mhz) | {
                    "most_per_s": round(1000 / clear["packet_ms"], 1),
                    "clock_mhz": mhz,
                }


def row(
    own: Mapping[str, Any], engine: Mapping[str, Any], source: str, dbm: int, speed: float
) -> dict[str, Any]:
    """Energies at one point. A CPU at a lower clock takes longer for all that it does."""
    takes = currents(own["board"], source, dbm, speed)
    crypt_ms = own["crypt_ms"] / speed
    crypt_uj = takes.computing_uj(crypt_ms)
    rest_uj = takes.computing_uj(own["stack_ms"] / speed) + takes.sending_uj(own["send_ms"])
    by_engine = takes.computing_uj(engine["crypt_ms"] / speed)
    saved_uj = crypt_uj - coprocessor_uj()
    return {
        **{name: own[name] for name in ("board", "seed", "way")},
        "currents": source,
        "setting": own["way"] == TIMES,
        "dbm": dbm,
        "crypt_ms": round(crypt_ms, 4),
        "crypt_uj": round(crypt_uj, 3),
        "rest_uj": round(rest_uj, 2),
        "saving": round(saved_uj / (crypt_uj + rest_uj), 4),
        "engine_saving": round((crypt_uj - by_engine) / (crypt_uj + rest_uj), 4),
        "even_uw": round(saved_uj * paper_per_s(), 2),
        "even_per_s": round(1000 * coprocessor_mw() / crypt_uj, 1),
    }
