# SPDX-License-Identifier: BSD-3-Clause
"""Each figure of the paper's Tables 1 to 3 beside ours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wardmote.boards import BOARDS
from wardmote.experiments.zigbee import energy
from wardmote.experiments.zigbee.energy import PAPER, SHEETS, TIMES, ZigbeeEnergyRow
from wardmote.experiments.zigbee.wiring import clock_hz
from wardmote.published import load

BEST, COPROCESSOR = "AES tab", energy.COPROCESSOR


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; None: there is none of that kind."""

    place: str
    """In the paper."""
    metric: str
    unit: str
    printed: float
    again: float | None
    """With the paper's currents and times of AES, in our packet."""
    ours: float | None
    """With the paper's currents and our AES."""
    sheets: float | None
    """With currents of data sheets and our AES."""


def figures(rows: Sequence[ZigbeeEnergyRow]) -> Iterator[Figure]:
    """All of them, in the paper's order."""
    yield from setup(rows[0].board)
    yield from times(rows)
    yield from currents(rows[0].board)
    yield from energies(rows)


def of(rows: Sequence[ZigbeeEnergyRow], source: str, way: str) -> ZigbeeEnergyRow:
    """A row."""
    return next(row for row in rows if (row.currents, row.way) == (source, way))


def setup(board: str) -> Iterator[Figure]:
    """Table 1."""
    printed = load("zigbee")["setup"]
    mhz = clock_hz(board) / 1e6
    usual = BOARDS[board].supply.usual_v
    v, dbm, fpga = printed["supply_v"], printed["tx_power_dbm"], printed["fpga_clock_mhz"]
    yield Figure("1", "MCU clock", "MHz", printed["mcu_clock_mhz"], mhz, mhz, mhz)
    yield Figure("1", "supply", "V", v, v, v, usual)
    yield Figure("1", "sending at", "dBm", dbm, dbm, dbm, dbm)
    yield Figure("1", "FPGA clock", "MHz", fpga, fpga, fpga, fpga)
    for name in ("int", "aux"):
        value = printed[f"fpga_v_{name}"]
        yield Figure("1", f"FPGA V_{name}", "V", value, value, value, value)


def times(rows: Sequence[ZigbeeEnergyRow]) -> Iterator[Figure]:
    """Table 2, times."""
    printed = load("zigbee")["time"]
    again, ours = of(rows, PAPER, TIMES), of(rows, PAPER, BEST)
    core_us = energy.COPROCESSOR_CLOCKS / load("zigbee")["setup"]["fpga_clock_mhz"]
    yield three("t_enc_sw", "ms", printed["encrypt_software_ms"], again.crypt_ms, ours.crypt_ms)
    yield three("t_enc_hw", "us", printed["encrypt_hardware_us"], core_us, core_us)
    yield three("t_dec_sw", "ms", printed["decrypt_software_ms"], again.decrypt_ms, ours.decrypt_ms)
    yield three("t_send", "ms", printed["send_ms"], again.send_ms, ours.send_ms)
    yield three("t_receive", "us", printed["receive_us"], 1000 * again.ack_ms, 1000 * ours.ack_ms)
    yield three("t_stack", "ms", printed["stack_ms"], again.stack_ms, ours.stack_ms)


def three(metric: str, unit: str, printed: float, again: float, ours: float) -> Figure:
    """A time, which is the same with both sets of currents."""
    return Figure("2", metric, unit, printed, again, ours, ours)


def currents(board: str) -> Iterator[Figure]:
    """Table 2, currents: settings of the paper's board, beside those of data sheets."""
    printed, sheets = load("zigbee")["current_ma"], energy.currents(board, SHEETS)
    for metric, name, ma in (
        ("I_enc_sw", "encrypt_software", sheets.computing_ma),
        ("I_enc_hw_int", "encrypt_hardware_int", None),
        ("I_enc_hw_aux", "encrypt_hardware_aux", None),
        ("I_dec_sw", "decrypt_software", sheets.computing_ma),
        ("I_send", "send", sheets.sending_ma),
        ("I_receive", "receive", sheets.sending_ma),
        ("I_stack", "stack", sheets.computing_ma),
    ):
        value = printed[name]
        yield Figure("2", metric, "mA", value, value, value, value if ma is None else ma)
    yield Figure("2", "I_sleep", "mA", printed["sleep"], None, None, None)


def energies(rows: Sequence[ZigbeeEnergyRow]) -> Iterator[Figure]:
    """Table 3, and what it saves."""
    printed = load("zigbee")["energy_uj"]
    three_of = [of(rows, *which) for which in ((PAPER, TIMES), (PAPER, BEST), (SHEETS, BEST))]
    core = of(rows, PAPER, COPROCESSOR)
    for metric, name, values in (
        ("E_send", "send", [row.send_uj for row in three_of]),
        ("E_receive", "receive", [row.ack_uj for row in three_of]),
        ("E_enc, software", "encrypt_software", [row.crypt_uj for row in three_of]),
        ("E_enc, hardware", "encrypt_hardware", 3 * [core.crypt_uj]),
        ("E_dec, software", "decrypt_software", [row.decrypt_uj for row in three_of]),
        ("E_dec, hardware, at most", "decrypt_hardware_max", 3 * [core.decrypt_uj]),
    ):
        yield Figure("3", metric, "uJ", printed[name], *values)
    saving = 100 * load("zigbee")["result"]["energy_saving_by_hardware"]
    yield Figure("text", "saved", "%", saving, *(100 * row.saving for row in three_of))
