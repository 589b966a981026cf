# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec energy`: the charge of a packet follows from times and currents by hand, and its
increase from its two parts."""

from pathlib import Path

import pytest

from tests.bench.experiments.tinysec_rows import is_in_the_document, of_everything, rows_of
from wardmote.experiments.tinysec.energy import TinysecEnergyRow, at_paper_speed

pytestmark = [pytest.mark.xdist_group("tinysec energy"), pytest.mark.early]
ACTIVE_MA, IDLE_MA, TURNAROUND_MA = 8.93, 4.13, 3.72
AMPLIFIER_MA = {0x0F: 8.47, 0x80: 13.77, 0xC0: 17.37, 0xFF: 21.48}
"""Printed by PowerTOSSIM, typed here a second time."""
AIR_MS = {"none": 65 * 8 / 19.2, "auth": 66 * 8 / 19.2, "ae": 70 * 8 / 19.2}
TURNAROUND_MS = 0.35
"""Before and behind the carrier."""


def rows() -> list[TinysecEnergyRow]:
    """All of them."""
    return rows_of("energy")


@pytest.mark.parametrize("power", AMPLIFIER_MA)
@pytest.mark.parametrize("stack", AIR_MS)
def test_charge_by_hand(stack: str, power: int) -> None:
    """Carrier by the amplifier's current, turnarounds by the transmitter's, and a CPU that is active
    or asleep."""
    [row] = [one for one in rows() if (one.stack, one.power) == (stack, power)]
    radio_uc = AIR_MS[stack] * AMPLIFIER_MA[power] + TURNAROUND_MS * TURNAROUND_MA
    asleep_ms = row.sending_ms - row.active_ms
    cpu_uc = row.active_ms * ACTIVE_MA + asleep_ms * IDLE_MA
    assert row.charge_uc == pytest.approx(radio_uc + cpu_uc, rel=0.002)
    assert row.sending_ms == pytest.approx(AIR_MS[stack] + 0.04 + TURNAROUND_MS, abs=0.02)
    assert row.mah == pytest.approx(row.charge_uc / 3.6e6, rel=1e-4)
    assert 3 < row.active_ms < 7


def test_the_increase_is_its_two_parts() -> None:
    """Octets: one of 65, or five, at the mean current of sending but for the turnarounds, and an
    interrupt each. Computation: its time by what the CPU takes more than asleep."""
    for row in rows():
        assert row.increase == pytest.approx(row.by_octets + row.by_computation, abs=2e-5)
        more = {"none": 0, "auth": 1, "ae": 5}[row.stack]
        assert row.by_octets == pytest.approx(more / 65, rel=0.02)
        bare_uc = row.charge_uc / (1 + row.increase)
        computed = row.computing_ms * (ACTIVE_MA - IDLE_MA) / bare_uc
        assert row.by_computation == pytest.approx(computed, abs=2e-4)


def test_computing_takes_what_the_packet_takes_to_be_made() -> None:
    """The CPU is active for as long as `wardmote tinysec cipher` says, less the CRC that a packet
    without TinySec has."""
    made = {
        row.scheme.partition(",")[0].lower(): row.ms
        for row in rows_of("cipher")
        if row.scheme in ("Auth, Skipjack", "AE, Skipjack")
        and (row.profile, row.data_octets) == ("paper", 24)
    }
    for row in rows():
        if row.stack != "none":
            assert made[row.stack] - 0.8 < row.computing_ms < made[row.stack] + 0.1


def test_the_bounds_that_the_paper_gives() -> None:
    """At every power AE takes at most 11 % more and Auth 4 %; beside the paper's 10 and 3."""
    for row in rows():
        least, most = {"none": (0, 0), "auth": (0.015, 0.04), "ae": (0.077, 0.11)}[row.stack]
        assert least <= row.increase <= most
    printed = {row.stack: (row.paper_increase, row.paper_mah) for row in rows()}
    assert printed == {"none": (None, 0.00016), "auth": (0.03, 0.000165), "ae": (0.1, 0.000176)}
    split = {row.stack: (row.paper_by_octets, row.paper_by_computation) for row in rows()}
    assert split == {"none": (None, None), "auth": (0.01, 0.02), "ae": (0.06, 0.04)}


def test_the_power_is_that_nearest_to_the_papers_current() -> None:
    """0.000160 mAh in 26.2 ms are 21.98 mA. Of 13, 18, 22 and 26 mA the third is nearest."""
    assert {row.paper_mean_ma for row in rows()} == {21.98}
    assert {row.power for row in rows() if row.calibrated} == {0xC0}
    [none] = [row for row in rows() if row.calibrated and row.stack == "none"]
    assert none.mean_ma == pytest.approx(22.0, abs=0.3)
    assert 1 < none.mah / none.paper_mah < 1.1


def test_computation_with_skipjack_in_c() -> None:
    """A packet of 24 octets has 5 blocks with Auth and 9 with AE; each takes longer in C."""
    block = {row.scheme: row.cycles for row in rows_of("cipher") if row.what == "block"}
    longer_ms = (block["Skipjack, C"] - block["Skipjack, assembly"]) / 7372.8
    for row in rows():
        blocks = {"none": 0, "auth": 5, "ae": 9}[row.stack]
        bare_uc = row.charge_uc / (1 + row.increase)
        more = row.by_computation_in_c - row.by_computation
        assert more == pytest.approx(blocks * longer_ms * (ACTIVE_MA - IDLE_MA) / bare_uc, abs=2e-5)


def test_computation_at_the_papers_speed() -> None:
    """Ten blocks of 0.38 ms at 4.80 mA more are 18.24 µC."""
    [row] = [one for one in rows() if one.calibrated and one.stack == "ae"]
    [none] = [one for one in rows() if one.calibrated and one.stack == "none"]
    assert at_paper_speed(row) == pytest.approx(18.24 / none.charge_uc, rel=1e-3)
    assert at_paper_speed(row) > 1.5 * row.by_computation


def test_the_document_has_these_figures(root: Path) -> None:
    """As measured now, but for the last digit."""
    assert is_in_the_document(root, "energy", 0.11)


def test_what_was_measured() -> None:
    """The same in all rows."""
    found = of_everything("energy", "board", "seed", "data_octets", "wardmote", "commit")
    assert found == {("mica2", 1, 24, "1.0", "c0ffee")}
