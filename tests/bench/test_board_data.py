# SPDX-License-Identifier: BSD-3-Clause
"""The boards' numbers, typed a second time from their sources in the sources' own units. A slip in
`boards/` changes a figure and nothing else; here it fails. So does a number that has no second
copy."""

from typing import Any

import pytest

from wardmote.boards import board_data

MA, UA, US, MS = "mA", "uA", "us", "ms"

# SLAS368G page 27, MSP430F161x, typical at 3 V; LPM1 is no row there and taken as LPM0.
MSP430F1611 = {
    "supply": (3.0, "V"),
    "current.cpu.active": (500, "uA/MHz"),
    "current.cpu.lpm0": (75, UA),
    "current.cpu.lpm1": (75, UA),
    "current.cpu.lpm2": (17, UA),
    "current.cpu.lpm3": (2.6, UA),
    "current.cpu.lpm4": (0.2, UA),
}

# SWRS041: current consumption, table 9 (by PA_LEVEL 31, 27 … 3), start-up times, table 8, radio.
CC2420 = {
    "current.cc2420.off": (0.02, UA),
    "current.cc2420.power_down": (20, UA),
    "current.cc2420.idle": (426, UA),
    "current.cc2420.rx": (18.8, MA),
    **{
        f"current.cc2420.tx_{level}dbm": (current, MA)
        for level, current in zip(
            ("0", "m1", "m3", "m5", "m7", "m10", "m15", "m25"),
            (17.4, 16.5, 15.2, 13.9, 12.5, 11.2, 9.9, 8.5),
            strict=True,
        )
    },
    "timing.cc2420.vreg_start": (0.6, MS),
    "timing.cc2420.xosc_start": (0.86, MS),
    "timing.cc2420.rx_calibrate": (12 * 16, US),
    "timing.cc2420.tx_turnaround": (12 * 16, US),
    "timing.cc2420.tx_turnaround_short": (8 * 16, US),
    "timing.cc2420.tx_to_rx": (12 * 16, US),
    "timing.cc2420.ack_turnaround": (12 * 16, US),
    "timing.cc2420.rssi_window": (8 * 16, US),
    "timing.cc2420.inline_block": (222 / 16, US),
    "timing.cc2420.saes": (14, US),
    "timing.cc2420.lock_preamble_octets": (2, "octets"),
    "timing.cc2420.capture_db": (3, "dB"),
    "timing.cc2420.noise_floor_dbm": (-95 - 5, "dBm"),
    "timing.cc2420.rssi_offset_db": (-45, "dB"),
    "timing.cc2420.correlation": (108, ""),
}

# SWRS096, typical at 3 V: 7 mA at 16 MHz and 13 mA at 32 MHz; receiving at -100 and -50 dBm 24 and
# 20 mA, sending at 0 and 7 dBm 24 and 34 mA, all with 1 mA of an idle CPU.
CC2538 = {
    "supply": (3.0, "V"),
    "current.cpu.active": ((13 - 7) / (32 - 16) * 1000, "uA/MHz"),
    "current.cpu.sleep": (7 - 16 * (13 - 7) / (32 - 16), MA),
    "current.cpu.pm1": (0.6, MA),
    "current.cpu.pm2": (1.3, UA),
    "current.cpu.pm3": (0.4, UA),
    "current.radio.off": (0, UA),
    "current.radio.rx_search": (24 - 1, MA),
    "current.radio.rx_frame": (20 - 1, MA),
    "current.radio.tx_0dbm": (24 - 1, MA),
    "current.radio.tx_7dbm": (34 - 1, MA),
    **{f"current.aes.{state}": (0, UA) for state in ("off", "idle", "busy")},
    "current.flash.idle": (0, UA),
    "current.flash.erase": (12, MA),
    "current.flash.write": (8, MA),
    "timing.cc2538.xosc_start": (0.3, MS),
    "timing.cc2538.rcosc_start": (10, US),
    "timing.cc2538.wake_pm1": (4, US),
    "timing.cc2538.wake_pm2": (136, US),
    "timing.cc2538.rx_calibrate": (12 * 16, US),
    "timing.cc2538.tx_turnaround": (12 * 16, US),
    "timing.cc2538.tx_to_rx": (12 * 16, US),
    "timing.cc2538.ack_turnaround": (12 * 16, US),
    "timing.cc2538.rssi_window": (8 * 16, US),
    # The paper's 18 and 12 Mbit/s for blocks of 128 bits; CCM takes two steps a block.
    "timing.cc2538.aes_block": (128 / 18, US),
    "timing.cc2538.ccm_block": (128 / 12 / 2, US),
    "timing.cc2538.key_write": (1, US),
    "timing.cc2538.key_read": (1, US),
    "timing.cc2538.flash_word": (20, US),
    "timing.cc2538.flash_erase": (20, MS),
    "timing.cc2538.flash_timeout": (20, US),
    "timing.cc2538.sleep_load_cycles": (2, "cycles"),
    "timing.cc2538.peripheral_wait": (1, "cycles"),
    "timing.cc2538.lock_preamble_octets": (2, "octets"),
    "timing.cc2538.capture_db": (3, "dB"),
    "timing.cc2538.noise_floor_dbm": (-97 - 3, "dBm"),
    "timing.cc2538.rssi_offset_db": (-73, "dB"),
    "timing.cc2538.correlation": (108, ""),
}

# PowerTOSSIM's measurements of a Mica2: CPU and oscillator together while it runs.
MICA2 = {
    "supply": (3.0, "V"),
    "current.cpu.active": (8.0 + 0.93, MA),
    "current.cpu.idle": (3.2 + 0.93, MA),
    "current.cpu.noise_reduction": (1.0, MA),
    "current.cpu.standby": (216, UA),
    "current.cpu.power_down": (103, UA),
}

SECOND_COPY = {
    "telosb": MSP430F1611 | CC2420,
    "openmote-cc2538": CC2538,
    "atmega128": MICA2,
    "atmega1281": MICA2,
}
CLOCKS_HZ = {
    "telosb": [8e6, 2**22],
    "openmote-cc2538": [32e6, 16e6],
    "atmega128": [7.3728e6, 8e6],
    "atmega1281": [7.3728e6, 8e6],
}
BASE = {MA: 1e-3, UA: 1e-6, "uA/MHz": 1e-12, MS: 1e-3, US: 1e-6}


def numbers(entry: dict[str, Any], path: str = "") -> dict[str, tuple[float, str]]:
    """Every number of a record that has a source, by its path."""
    if "source" in entry and "value" in entry:
        return {path: (float(entry["value"]), str(entry.get("unit", "")))}
    found: dict[str, tuple[float, str]] = {}
    for name, below in entry.items():
        if isinstance(below, dict):
            found |= numbers(below, f"{path}.{name}".lstrip("."))
    return found


def in_base_units(value: float, unit: str) -> tuple[float, str]:
    """Amperes, seconds, amperes a hertz; other units as they are."""
    scale = BASE.get(unit)
    return (value, unit) if scale is None else (value * scale, "A/Hz" if "/" in unit else unit[1:])


@pytest.mark.parametrize("board", SECOND_COPY)
def test_numbers_equal_their_second_copy(board: str) -> None:
    """Each number of the record is the one that its source prints, and none is missing."""
    record, copy = numbers(board_data(board)), SECOND_COPY[board]
    assert set(record) == set(copy)
    for path, (value, unit) in record.items():
        number, base = in_base_units(value, unit)
        expected, of = in_base_units(*copy[path])
        assert base == of, path
        assert number == pytest.approx(expected, rel=1e-3), path


@pytest.mark.parametrize("board", SECOND_COPY)
def test_clocks_equal_their_second_copy(board: str) -> None:
    """The clocks of each board, the default first."""
    assert list(board_data(board)["clocks"].values()) == CLOCKS_HZ[board]


def test_currents_of_a_state_with_two_terms() -> None:
    """The CC2538's running CPU draws 7 mA at 16 MHz and 13 mA at 32 MHz."""
    active = board_data("openmote-cc2538")["current"]["cpu"]["active"]
    for mhz, ma in ((16, 7), (32, 13)):
        assert (active["value"] * mhz + active["offset_ua"]) / 1000 == pytest.approx(ma)
