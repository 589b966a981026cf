# SPDX-License-Identifier: BSD-3-Clause
"""The boards' numbers, typed a second time from their sources in the sources' own units. A slip in
`boards/` changes a figure and nothing else; here it fails. So does a number that has no second
copy."""

import tomllib
from typing import Any

import pytest

from wardmote.boards import BOARDS, board_data, current_of
from wardmote.paths import BATTERY_RECORDS

MA, UA, US, MS = "mA", "uA", "us", "ms"

# SLAS368G page 27, MSP430F161x, typical at 25 C: at 2.2 V, at 3 V. LPM1 is no row there and taken as
# LPM0. Processor frequency: 4.15 MHz at 1.8 V, 8 MHz at 3.6 V.
PAGE_27 = {
    "active": (330, 500, "uA/MHz"),
    "lpm0": (50, 75, UA),
    "lpm1": (50, 75, UA),
    "lpm2": (11, 17, UA),
    "lpm3": (1.3, 2.6, UA),
    "lpm4": (0.2, 0.2, UA),
}
MSP430F1611 = {
    "supply": (3.0, "V"),
    "supply_range.most": (3.6, "V"),
    "clock_limit.low": (4.15, "MHz"),
    "clock_limit.low at": (1.8, "V"),
    "clock_limit.high": (8, "MHz"),
    "clock_limit.high at": (3.6, "V"),
    "scaling.cpu": (3.0, "V"),
    **{f"current.cpu.{state}": (high, unit) for state, (_, high, unit) in PAGE_27.items()},
    **{f"current.cpu.{state} below": (low, unit) for state, (low, _, unit) in PAGE_27.items()},
    **{f"current.cpu.{state} below at": (2.2, "V") for state in PAGE_27},
}

# SWRS041: current consumption, table 9 (by PA_LEVEL 31, 27 … 3), start-up times, table 8, radio.
# Supply 2.1 to 3.6 V with the regulator of the chip; currents at 3.3 V.
CC2420 = {
    "supply_range.least": (2.1, "V"),
    "scaling.cc2420": (3.3, "V"),
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

# The MSP430x1xx data sheets: S(DCO) 1.07 to 1.16; f(DCO73) 2.9 and f(DCO77) 4.9 MHz, four taps
# apart; 1.95 MHz with R_OSC where the internal resistor gives 0.77. LPM3 to active 6 us.
DCO = {
    "timing.msp430f1611.dco_typical": (1, ""),
    "timing.msp430f1611.dco_tap_ratio": (round((4.9 / 2.9) ** 0.25, 2), ""),
    "timing.msp430f1611.dco_external_ratio": (round(1.95 / 0.77, 2), ""),
    "timing.msp430f1611.dco_part": (1, ""),
    "timing.msp430f1611.dco_jitter": (2, "cycles"),
    "timing.msp430f1611.dco_start": (6, US),
    "timing.msp430f1611.crystal_start": (10, MS),
    "timing.msp430f1611.usart_start": (0, "cycles"),
}

# SWRS096, 2 to 3.6 V at every clock, typical at 3 V: 7 mA at 16 MHz and 13 mA at 32 MHz; receiving
# at -100 and -50 dBm 24 and 20 mA, sending at 0 and 7 dBm 24 and 34 mA, all with 1 mA of an idle
# CPU.
CC2538 = {
    "supply": (3.0, "V"),
    "supply_range.least": (2.0, "V"),
    "supply_range.most": (3.6, "V"),
    "clock_limit.low": (32, "MHz"),
    "clock_limit.low at": (2.0, "V"),
    "clock_limit.high": (32, "MHz"),
    "clock_limit.high at": (3.6, "V"),
    **{f"scaling.{device}": (3.0, "V") for device in ("cpu", "radio", "aes", "flash")},
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
    "timing.cc2538.flash_wait_states": (1, "cycles"),
    "timing.cc2538.flash_line_octets": (64 / 8, "octets"),
    "timing.cc2538.lock_preamble_octets": (2, "octets"),
    "timing.cc2538.capture_db": (3, "dB"),
    "timing.cc2538.noise_floor_dbm": (-97 - 3, "dBm"),
    "timing.cc2538.rssi_offset_db": (-73, "dB"),
    "timing.cc2538.correlation": (108, ""),
}

# PowerTOSSIM's measurements of a Mica2 at 3 V: CPU and oscillator together while it runs. The speed
# grades of ATmega128L and ATmega1281: 8 MHz at 2.7 to 5.5 V.
ATMEGA = {
    "supply": (3.0, "V"),
    "supply_range.least": (2.7, "V"),
    "supply_range.most": (5.5, "V"),
    "clock_limit.low": (8, "MHz"),
    "clock_limit.low at": (2.7, "V"),
    "clock_limit.high": (8, "MHz"),
    "clock_limit.high at": (5.5, "V"),
    "scaling.cpu": (3.0, "V"),
    "current.cpu.active": (8.0 + 0.93, MA),
    "current.cpu.idle": (3.2 + 0.93, MA),
    "current.cpu.noise_reduction": (1.0, MA),
    "current.cpu.standby": (216, UA),
    "current.cpu.extended_standby": (223, UA),
    "current.cpu.power_save": (110, UA),
    "current.cpu.power_down": (103, UA),
}

# A Mica2 and a MICAz feed their radios too, which bear 3.6 V. SWRS048 from memory: 0.2 uA powered
# down, 105 uA with the crystal, 860 uA with bias, 4 mA with the synthesizer; starts in 2 ms, locks in
# 250 us, calibrates in 34 ms. PowerTOSSIM: 7.03 mA receiving, and sending by PA_POW.
FED = {"supply_range.most": (3.6, "V"), "clock_limit.high at": (3.6, "V")}
CC1000 = {
    "scaling.cc1000": (3.0, "V"),
    "current.cc1000.power_down": (0.2, UA),
    "current.cc1000.crystal": (105, UA),
    "current.cc1000.bias": (860, UA),
    "current.cc1000.synthesizer": (4, MA),
    "current.cc1000.rx": (7.03, MA),
    **{
        f"current.cc1000.tx_{pa_pow:02x}": (current, MA)
        for pa_pow, current in zip(
            (0x00, 0x01, 0x03, 0x06, 0x09, 0x0F, 0x60, 0x80, 0xC0, 0xFF),
            (3.72, 5.21, 5.37, 6.47, 7.05, 8.47, 11.57, 13.77, 17.37, 21.48),
            strict=True,
        )
    },
    "timing.cc1000.xosc_start": (2, MS),
    "timing.cc1000.lock": (250, US),
    "timing.cc1000.calibration": (34, MS),
    "timing.cc1000.sensitivity_dbm": (-102, "dBm"),
    "timing.cc1000.noise_floor_dbm": (-105, "dBm"),
    # Half of 175 kHz, less half of the separation of 64 kHz, to the next 10 kHz.
    "timing.cc1000.half_channel_khz": (60, "kHz"),
}

# 2549, typical at 3 V and 4 MHz: 3.2 mA active, 0.7 mA idle; below 5 and 1 uA powered down with and
# without the watchdog. At 8 MHz twice as much.
ATMEGA1281 = {
    "current.cpu.active": (3.2 * 8 / 4, MA),
    "current.cpu.idle": (0.7 * 8 / 4, MA),
    "current.cpu.noise_reduction": (0.7 * 8 / 4, MA),
    "current.cpu.power_save": (5, UA),
    "current.cpu.power_down": (1, UA),
}

# A crystal and its longest start-up (CKSEL 1111, SUT 11); JTAGEN, SPIEN and BOOTSZ programmed, as
# delivered; no ATmega103 mode, no brown-out detection, no lock. A programmed bit is 0.
FUSES = {
    "fuses.low": (0b1111_1111, ""),
    "fuses.high": (0xFF & ~(1 << 6 | 1 << 5 | 1 << 2 | 1 << 1), ""),
    "fuses.extended": (0xFF, ""),
    "fuses.lock": (0xFF, ""),
}

# M25P80: 256 octets in 0.64 ms, a sector in 0.6 s, 16 sectors in 8 s, 1 uA in deep power-down, all
# typical; the rest from memory.
M25P80 = {
    "scaling.m25p80": (3.0, "V"),
    "current.m25p80.deep_power_down": (1, UA),
    "current.m25p80.standby": (0.05, MA),
    "current.m25p80.selected": (4, MA),
    "current.m25p80.writing": (15, MA),
    "timing.m25p80.program_eight": (0.64 / (256 / 8), MS),
    "timing.m25p80.sector_erase": (600, MS),
    "timing.m25p80.bulk_erase_sector": (8000 / 16, MS),
    "timing.m25p80.status_write": (1.3, MS),
    "timing.m25p80.power_down": (3, US),
    "timing.m25p80.release": (30, US),
}

# Sensors, all from memory: SHT1x 0.3 uA asleep, 0.55 mA measuring; SHT21 0.15 and 300 uA; MAX44009
# 0.65 uA; ADXL346 0.2 uA on standby, 140 uA at 100 Hz. What they sense: a room.
ROOM = {"environment.temperature": (25, "degrees"), "environment.humidity": (40, "percent")}
SHT11 = ROOM | {
    "scaling.sht11": (3.0, "V"),
    "current.sht11.off": (0, UA),
    "current.sht11.sleep": (0.3, UA),
    "current.sht11.measure": (0.55, MA),
}
OPENMOTE_SENSORS = ROOM | {
    "environment.light": (500, "lux"),
    "scaling.sht21": (3.0, "V"),
    "scaling.max44009": (3.0, "V"),
    "scaling.adxl346": (2.6, "V"),
    "current.sht21.sleep": (0.15, UA),
    "current.sht21.measure": (0.3, MA),
    "current.max44009.slow": (0.65, UA),
    "current.max44009.continuous": (10, UA),
    "current.adxl346.standby": (0.2, UA),
    "current.adxl346.measure": (140, UA),
}

SECOND_COPY = {
    "telosb": MSP430F1611 | CC2420 | DCO | M25P80 | SHT11,
    "openmote-cc2538": CC2538 | OPENMOTE_SENSORS,
    "atmega128": ATMEGA | FUSES,
    "atmega1281": ATMEGA | FUSES,
    "mica2": ATMEGA | FED | CC1000 | FUSES,
    "micaz": CC2420 | ATMEGA | FED | FUSES,
    "atmega1281-cc2420": CC2420 | ATMEGA | FED | ATMEGA1281 | FUSES,
    "openmote-b": CC2538,
    "firefly": CC2538,
}
CLOCKS_HZ = {
    "telosb": [8e6, 6.7e6, 2**22],
    "openmote-cc2538": [32e6, 16e6],
    "atmega128": [7.3728e6, 8e6],
    "atmega1281": [7.3728e6, 8e6],
    "mica2": [7.3728e6],
    "micaz": [7.3728e6],
    "atmega1281-cc2420": [8e6],
    "openmote-b": [32e6, 16e6],
    "firefly": [32e6, 16e6],
}
# The record of the battery: alkaline cells from 1.6 V to 1.05 V, 3 % of the charge a year.
TWO_AA = {
    "charge": (2821.5, "mAh"),
    "full": (2 * 1.6, "V"),
    "mean": (2 * 1.25, "V"),
    "empty": (2 * 1.05, "V"),
    "leakage": (0.03 * 2821.5 / (365 * 24), MA),
    "regulator": (85, "%"),
}
BASE = {MA: 1e-3, UA: 1e-6, "uA/MHz": 1e-12, MS: 1e-3, US: 1e-6}


def numbers(entry: dict[str, Any], path: str = "") -> dict[str, tuple[float, str]]:
    """Every number of a record that has a source, by its path."""
    found: dict[str, tuple[float, str]] = {}
    if "source" in entry and "value" in entry:
        unit = str(entry.get("unit", ""))
        found[path] = (float(entry["value"]), unit)
        if "supply_v" in entry:
            found[f"{path} at"] = (float(entry["supply_v"]), "V")
        if below := entry.get("below"):
            found[f"{path} below"] = (float(below["value"]), unit)
            found[f"{path} below at"] = (float(below["supply_v"]), "V")
        return found
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


def test_the_battery_equals_its_second_copy() -> None:
    """Each number of the battery's record; its leakage is rounded to whole microamperes."""
    record = numbers(tomllib.loads((BATTERY_RECORDS / "two-aa.toml").read_text(encoding="utf-8")))
    assert set(record) == set(TWO_AA)
    for path, (value, unit) in record.items():
        number, base = in_base_units(value, unit)
        expected, of = in_base_units(*TWO_AA[path])
        assert base == of, path
        assert number == pytest.approx(expected, rel=0.05 if path == "leakage" else 1e-9), path


@pytest.mark.parametrize(
    ("board", "supply", "fastest_mhz"),
    [
        # 4.15 MHz at 1.8 V and 8 MHz at 3.6 V: 3.85 MHz in 1.8 V.
        ("telosb", 3.6, 8.0),
        ("telosb", 3.0, 4.15 + 3.85 * 1.2 / 1.8),
        ("telosb", 2.1, 4.15 + 3.85 * 0.3 / 1.8),
        ("openmote-cc2538", 2.0, 32.0),
        ("openmote-cc2538", 3.6, 32.0),
        ("atmega128", 2.7, 8.0),
        ("atmega1281", 5.5, 8.0),
    ],
)
def test_the_fastest_clock_at_a_supply(board: str, supply: float, fastest_mhz: float) -> None:
    """The straight line between the two limits, and nothing above it."""
    found = BOARDS[board].supply
    assert found.fastest_hz(supply) == pytest.approx(fastest_mhz * 1e6, abs=1)
    assert found.allows(int(fastest_mhz * 1e6), supply)
    assert not found.allows(int(fastest_mhz * 1e6) + 1000, supply)


def test_a_supply_outside_the_range_allows_no_clock() -> None:
    """The CC2420 needs 2.1 V, the MSP430F1611 bears 3.6 V."""
    supply = BOARDS["telosb"].supply
    allowed = {volts: supply.allows(32_768, volts) for volts in (2.09, 2.1, 3.6, 3.61)}
    assert allowed == {2.09: False, 2.1: True, 3.6: True, 3.61: False}


def test_each_clock_runs_at_a_supply_that_allows_it() -> None:
    """3 V where that is enough, and 3.6 V for the 8 MHz of a TelosB."""
    found = {
        (board.name, name): board.supply.for_clock(hz)
        for board in BOARDS.values()
        for name, hz in board.clocks_hz.items()
    }
    assert {case for case, volts in found.items() if volts != 3.0} == {("telosb", "8MHz")}
    assert found["telosb", "8MHz"] == 3.6
    assert BOARDS["telosb"].supply.for_clock(7_000_000) == pytest.approx(3.14)


@pytest.mark.parametrize(
    ("state", "at_3v6"),
    [
        # By hand: the figure at 3 V, and 0.6 V of the 0.8 V between the two figures more.
        ("active", 8 * (500 + 0.75 * 170)),
        ("lpm0", 75 + 0.75 * 25),
        ("lpm2", 17 + 0.75 * 6),
        ("lpm3", 2.6 + 0.75 * 1.3),
        ("lpm4", 0.2),
    ],
)
def test_currents_of_the_msp430_at_another_supply(state: str, at_3v6: float) -> None:
    """The line through the two figures of page 27, which goes on to 3.6 V."""
    low, high, _ = PAGE_27[state]
    scale = 8 if state == "active" else 1
    for volts, ua in ((2.2, scale * low), (3.0, scale * high), (3.6, at_3v6)):
        found = current_of("telosb", "cpu", state, 8_000_000, supply_v=volts)
        assert 1000 * found.ma == pytest.approx(ua), volts


def test_currents_of_a_radio_are_the_same_at_every_supply() -> None:
    """A linear regulator feeds the CC2420, and one on the chip the CC2538."""
    for board, device, state in (
        ("telosb", "cc2420", "rx"),
        ("openmote-cc2538", "radio", "rx_search"),
        ("openmote-cc2538", "cpu", "active"),
    ):
        found = {
            current_of(board, device, state, 32_000_000, supply_v=volts).ma
            for volts in (2.1, 3.0, 3.6)
        }
        assert len(found) == 1


def test_currents_of_a_state_with_two_terms() -> None:
    """The CC2538's running CPU draws 7 mA at 16 MHz and 13 mA at 32 MHz."""
    active = board_data("openmote-cc2538")["current"]["cpu"]["active"]
    for mhz, ma in ((16, 7), (32, 13)):
        assert (active["value"] * mhz + active["offset_ua"]) / 1000 == pytest.approx(ma)
