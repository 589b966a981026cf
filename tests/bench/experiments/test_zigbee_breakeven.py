# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee breakeven`: where a coprocessor pays follows by hand from times and currents."""

from pathlib import Path

import pytest

from tests.bench.experiments.group_rows import COMMIT, VERSION
from tests.bench.experiments.zigbee_rows import ZIGBEE
from wardmote.experiments.zigbee.breakeven import ZigbeeBreakevenRow
from wardmote.experiments.zigbee.energy import PAPER, SHEETS, TIMES, ZigbeeEnergyRow

pytestmark = pytest.mark.xdist_group("zigbee energy")
FPGA_MW = 1.2 * 16.0 + 3.3 * 10.4
PER_S = 1000 / 61
SENDING_MA = {0: 17.4, -1: 16.5, -3: 15.2, -5: 13.9, -7: 12.5, -10: 11.2, -15: 9.9, -25: 8.5}
"""The CC2420's data sheet, table 9, typed a second time."""
MEASURED = ("AES fix", "AES small", "AES tab", "CC2420's engine")


def rows() -> list[ZigbeeBreakevenRow]:
    """All of them."""
    return ZIGBEE.rows_of("breakeven")


def one(source: str, way: str, dbm: int = -15, mhz: float = 8) -> ZigbeeBreakevenRow:
    """A row."""
    [found] = [
        row
        for row in rows()
        if (row.currents, row.way, row.dbm, row.clock_mhz) == (source, way, dbm, mhz)
    ]
    return found


def test_with_the_papers_aes_its_fpga_pays_at_no_rate_of_its_link() -> None:
    """752 µJ a packet against 53.5 mW: 71 packets a second, where 61 ms a packet are 16."""
    row = one(PAPER, TIMES)
    assert row.even_per_s == pytest.approx(1000 * FPGA_MW / (9.04 * 31.5 * 2.64), rel=1e-3)
    assert PER_S < row.even_per_s == pytest.approx(71.2, abs=0.1)
    assert row.saving == pytest.approx(0.19, abs=0.01)


@pytest.mark.parametrize("way", ["AES small", "AES tab", "CC2420's engine"])
def test_with_ours_it_never_pays(way: str) -> None:
    """Not even at the rate that our link carries, with either set of currents."""
    for source in (PAPER, SHEETS):
        row = one(source, way)
        assert row.even_per_s > 2 * row.most_per_s
        assert 0.02 < row.saving < 0.08
    assert 0.02 < one(PAPER, "AES tab").saving < 0.04


def test_it_pays_if_it_waits_with_little() -> None:
    """At the paper's rate: what is saved a packet, times packets a second."""
    for row in rows():
        saved_uj = row.crypt_uj - FPGA_MW * 12 / 8 / 1000
        assert row.even_uw == pytest.approx(saved_uj * PER_S, rel=1e-3)
        assert row.saving == pytest.approx(saved_uj / (row.crypt_uj + row.rest_uj), abs=2e-4)
        assert row.even_per_s == pytest.approx(1000 * FPGA_MW / row.crypt_uj, rel=1e-2, abs=0.1)
    assert 1300 < one(PAPER, "AES tab").even_uw < 1600
    assert 90 < one(SHEETS, "AES tab").even_uw < 120
    assert one(PAPER, TIMES).even_uw == pytest.approx(12_323, rel=0.01)


def test_at_the_usual_point_it_says_what_the_energy_says() -> None:
    """Of the same packets."""
    energy: list[ZigbeeEnergyRow] = ZIGBEE.rows_of("energy")
    for own in energy:
        if own.way in (TIMES, *MEASURED):
            row = one(own.currents, own.way)
            assert row.saving == pytest.approx(own.saving, abs=2e-4)
            assert row.crypt_uj == pytest.approx(own.crypt_uj, rel=1e-3)
            assert row.rest_uj == pytest.approx(own.stack_uj + own.send_uj, abs=0.1)
            assert row.crypt_ms == pytest.approx(own.crypt_ms, abs=1e-4)
            assert row.setting == own.setting


@pytest.mark.parametrize("source", [PAPER, SHEETS])
def test_transmit_power_by_hand(source: str) -> None:
    """1.76 ms of sending at the radio's current; the paper's board takes 112.6 mA more. The weaker a
    mote sends, the larger the saving."""
    savings = []
    for dbm, ma in SENDING_MA.items():
        row, usual = one(source, "AES tab", dbm), one(source, "AES tab")
        supply_v = 9.04 if source == PAPER else 3.0
        more_uj = supply_v * (ma - SENDING_MA[-15]) * 1.76
        assert row.rest_uj - usual.rest_uj == pytest.approx(more_uj, abs=0.2)
        savings.append(row.saving)
    assert savings == sorted(savings)


def test_a_slower_clock_by_hand() -> None:
    """It takes longer. By the data sheets the CPU's charge stays, and the radio rests for longer; the
    paper's board has currents that no clock makes less."""
    for mhz in (1, 2, 4):
        sheets, board = one(SHEETS, "AES tab", mhz=mhz), one(PAPER, "AES tab", mhz=mhz)
        assert sheets.crypt_ms == pytest.approx(one(SHEETS, "AES tab").crypt_ms * 8 / mhz, rel=1e-3)
        by_hand = 3.0 * (6.4 * mhz / 8 + 0.426) * sheets.crypt_ms
        assert sheets.crypt_uj == pytest.approx(by_hand, rel=1e-3)
        by_hand = 9.04 * (31.5 - 6.4 * (1 - mhz / 8)) * board.crypt_ms
        assert board.crypt_uj == pytest.approx(by_hand, rel=1e-3)
    savings = [one(PAPER, "AES tab", mhz=mhz).saving for mhz in (8, 4, 2, 1)]
    assert savings == sorted(savings)


def test_the_engine_of_the_radio_gains_little() -> None:
    """Beside our AES less than 1 %; beside the paper's, and beside one without tables, much."""
    for source in (PAPER, SHEETS):
        assert 0 < one(source, "AES tab").engine_saving < 0.01
        assert one(source, "CC2420's engine").engine_saving == 0
        assert one(source, TIMES).engine_saving > 0.15
        assert one(source, "AES fix").engine_saving > 0.3


def test_what_was_measured() -> None:
    """The same in all rows."""
    found = ZIGBEE.of_everything("breakeven", "board", "seed", "wardmote", "commit")
    assert found == {("atmega1281-cc2420", 1, VERSION, COMMIT)}
    assert {row.most_per_s for row in rows()} == {rows()[0].most_per_s}
    assert 220 < rows()[0].most_per_s < 290


def test_the_document_has_it(root: Path) -> None:
    """What is measured now."""
    assert ZIGBEE.is_in_the_document(root, "breakeven", 0.02)
