# SPDX-License-Identifier: BSD-3-Clause
"""Eq. 2 and battery life by hand, and the printed list of payloads from the frame formats."""

import dataclasses
from pathlib import Path

import pytest

from wardmote.batteries import Battery
from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot.capture import TYPE_DATA, frames
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import ASH_FORMS, Setting
from wardmote.measurements.slot.timing import LONG
from wardmote.rows import SlotRow
from wardmote.study.definition import headline
from wardmote.study.payload import (
    FCS_OCTETS,
    MHR_OCTETS,
    PRINTED_ASH_OCTETS,
    application_bits,
    payload_octets,
    published_bits,
)
from wardmote.study.throughput import Schedule, average_ma, throughput_rows
from wardmote.views.folder import read_report

ENC = 4


@pytest.fixture(scope="module")
def slots(root: Path) -> list[SlotRow]:
    """The rows of build/report."""
    return headline(read_report(root / "build/report"))


def test_printed_list_follows_from_an_ash_of_two_octets() -> None:
    """All printed payloads but that of ENC, which has no MIC, though one of 16 octets was taken
    off."""
    ours = [application_bits(level, PRINTED_ASH_OCTETS) for level in range(8)]
    printed = [published_bits(level) for level in range(8)]
    assert [level for level in range(8) if ours[level] != printed[level]] == [ENC]
    assert ours[ENC] - printed[ENC] == 8 * 16


@pytest.mark.parametrize(
    ("ash", "level"), [("paper", 5), ("6tisch", 5), ("paper", 3), ("6tisch", 0)]
)
def test_payload_is_what_a_frame_has_on_the_air(slot_images: Path, ash: str, level: int) -> None:
    """The ASH begins behind the header we count, is as long as we count, and payload, MIC and FCS
    fill the rest."""
    case = Setting("telosb", "hardware", level, ASH_FORMS[ash], 8_000_000)
    network = Network(case, (slot_images / "slot-hardware.elf").read_bytes(), LONG, 1)
    assert network.join()
    assert network.run_to_exchange(3)
    psdu = next(
        frame.psdu for frame in frames(bytes(network.simulation.pcap())) if frame.type == TYPE_DATA
    )
    ash_octets = case.ash.octets(level)
    assert (
        len(psdu)
        == MHR_OCTETS
        + ash_octets
        + payload_octets(level, ash_octets)
        + case.mic_octets
        + FCS_OCTETS
    )
    assert bool(psdu[0] & 8) == (level > 0)
    if level:
        control = psdu[MHR_OCTETS]
        assert (control & 7, control >> 3 & 3) == (level, case.ash.key_id_mode)
    first = MHR_OCTETS + ash_octets
    if level in (0, 3):
        assert psdu[first : first + 4] == bytes(range(4)), (
            "the payload counts up, in clear at these levels"
        )


def test_rate_is_the_paper_s_equation(slots: list[SlotRow]) -> None:
    """R = N_i A_j / (N_ts TsSlotDuration); twice the slots, twice the rate."""
    for row, slot in zip(throughput_rows(slots, Schedule(n_i=3, n_ts=101)), slots, strict=True):
        assert row.rate_bps == pytest.approx(
            3 * row.a_bits / (101 * slot.ts_slot_duration_us * 1e-6), rel=1e-6
        )
        assert row.fits
    one, two = (throughput_rows(slots, Schedule(n_i=n, n_ts=101))[5].rate_bps for n in (1, 2))
    assert one is not None
    assert two == pytest.approx(2 * one, abs=0.0016), "both are rounded to 0.001"


def test_a_slot_that_is_too_short_carries_nothing(slots: list[SlotRow]) -> None:
    """In the standard's 10 ms software security of a TelosB does not fit, hardware does."""
    rows = throughput_rows(slots, Schedule(n_i=1, n_ts=101, slot_us=10_000))
    fit = {
        (row.strategy, row.fits, row.rate_bps is None)
        for row in rows
        if (row.board, row.level, row.clock_hz) == ("telosb", 5, 8_000_000)
    }
    assert fit == {("software", False, True), ("hybrid", False, True), ("hardware", True, False)}


def test_battery_by_hand() -> None:
    """100 uC every second and 10 uA all the time are 110 uA; half the frames, 60 uA."""
    schedule = Schedule(n_i=1, n_ts=100)
    assert average_ma(100.0, 0.0, 0.010, 10_000, schedule) == pytest.approx(0.110)
    half = dataclasses.replace(schedule, duty=0.5)
    assert average_ma(100.0, 0.0, 0.010, 10_000, half) == pytest.approx(0.060)
    # An exchange that fills its slot leaves 99 of 100 slots asleep.
    assert average_ma(100.0, 10_000, 0.010, 10_000, schedule) == pytest.approx(0.100 + 0.0099)


# An alkaline pair by hand: 1 000 mAh, 3.2 to 2.1 V, 2.5 V on average, 10 uA of leakage, 80 %.
PAIR = Battery("pair", "a pair", 1000.0, 3.2, 2.5, 2.1, 10.0, 0.8)


def test_what_feeds_a_board() -> None:
    """The battery itself feeds what runs at each of its voltages: at 2.1 V a TelosB runs up to 4.79
    MHz. Below 2.1 V its radio does not run at all."""
    telosb, openmote = SLOT_BOARDS["telosb"], SLOT_BOARDS["openmote-cc2538"]
    cases = {8_000_000: "regulator", 6_700_000: "regulator", 4_194_304: "battery"}
    for clock_hz, fed_by in cases.items():
        assert PAIR.feeds(telosb, clock_hz) == fed_by
    assert PAIR.feeds(openmote, 32_000_000) == "battery"
    deeper = dataclasses.replace(PAIR, empty_v=2.0)
    assert deeper.feeds(telosb, 4_194_304) == "regulator"
    fresher = dataclasses.replace(PAIR, full_v=3.7)
    assert fresher.feeds(openmote, 32_000_000) == "regulator"


def test_current_of_the_battery_by_hand() -> None:
    """1 mA at 3.6 V is 3.6 mW; at 80 % that takes 4.5 mW, 1.8 mA at 2.5 V. Without a regulator it is
    1 mA. Both leak 10 uA."""
    assert PAIR.current_ma("regulator", 3.6, 1.0) == pytest.approx(1.81)
    assert PAIR.current_ma("battery", 3.0, 1.0) == pytest.approx(1.01)


def test_life_by_hand(slots: list[SlotRow]) -> None:
    """Charge by the current of the battery; no life where the data sheets do not allow the clock, or
    where the slot is too short."""
    schedule = Schedule(n_i=1, n_ts=101, battery=PAIR)
    for slot, row in zip(slots, throughput_rows(slots, schedule), strict=True):
        assert row.average_ma is not None
        assert row.battery_ma is not None
        factor = 3.6 / 2.5 / 0.8 if row.clock_hz == 8_000_000 else 1.0
        factor = 3.0 / 2.5 / 0.8 if row.clock_hz == 6_700_000 else factor
        assert row.battery_ma == pytest.approx(row.average_ma * factor + 0.010, rel=1e-3)
        assert row.battery_days == pytest.approx(1000 / row.battery_ma / 24, abs=0.06)
        beyond = dataclasses.replace(slot, clock_allowed=False)
        [none] = throughput_rows([beyond], schedule)
        assert (none.battery_ma, none.battery_days) == (None, None)


def test_batteries_last_longer_when_less_is_sent(slots: list[SlotRow]) -> None:
    """A tenth of the frames: a longer life, and with none only sleep is left."""
    lives = [throughput_rows(slots, Schedule(1, 101, duty))[0] for duty in (1.0, 0.1, 0.0)]
    days = [row.battery_days for row in lives]
    assert all(life is not None for life in days)
    assert days[0] < days[1] < days[2]  # type: ignore[operator]
    assert lives[2].average_ma == pytest.approx(lives[2].sleep_ma)
