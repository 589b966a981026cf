# SPDX-License-Identifier: BSD-3-Clause
"""Eq. 2 by hand, and the printed list of payloads from the frame formats."""

from pathlib import Path

import pytest

from wardmote.measurements.slot.capture import TYPE_DATA, frames
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import AHEAD, ASH_FORMS, Setting
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
from wardmote.study.throughput import Schedule, throughput_rows
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
        number, rest = psdu[first : first + 2], psdu[first + 2 : first + 6]
        assert int.from_bytes(number, "little") > 0, (
            "the payload's number, in clear at these levels"
        )
        assert rest == bytes(4)


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
    """In the standard's 10 ms software security of a TelosB does not fit, hardware does. Ahead of the
    slot every strategy does."""
    rows = throughput_rows(slots, Schedule(n_i=1, n_ts=101, slot_us=10_000))
    fit = {
        (row.strategy, row.fits, row.rate_bps is None)
        for row in rows
        if (row.board, row.level, row.clock_hz) == ("telosb", 5, 8_000_000)
    }
    at_once = {("software", False, True), ("hybrid", False, True), ("hardware", True, False)}
    assert fit == at_once | {(strategy, True, False) for strategy in AHEAD}
