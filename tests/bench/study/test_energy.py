# SPDX-License-Identifier: BSD-3-Clause
"""Charge by phase adds up to what the rows say, and what is saved follows from it."""

from pathlib import Path

import pytest

from wardmote.boards import SLOT_BOARDS, current_of
from wardmote.rows import SlotRow
from wardmote.study.definition import headline
from wardmote.study.energy import PHASES, EnergyRow, energy_rows, phase_of
from wardmote.views.folder import read_report


@pytest.fixture(scope="module")
def slots(root: Path) -> list[SlotRow]:
    """The rows of build/report."""
    return headline(read_report(root / "build/report"))


@pytest.fixture(scope="module")
def rows(slots: list[SlotRow]) -> list[EnergyRow]:
    """Two rows a case."""
    return energy_rows(slots)


def one(
    rows: list[EnergyRow], board: str, strategy: str, level: int, node: str, clock_hz: int = 0
) -> EnergyRow:
    """The row of a node of a case, at the default clock of its board if none is given."""
    wanted = (board, strategy, level, node, clock_hz or SLOT_BOARDS[board].clock_hz)
    [row] = [r for r in rows if (r.board, r.strategy, r.level, r.node, r.clock_hz) == wanted]
    return row


def test_phases_add_up(slots: list[SlotRow], rows: list[EnergyRow]) -> None:
    """Charge times supply voltage is the energy of the slot's row, sender and receiver."""
    assert len(rows) == 2 * len(slots)
    for slot in slots:
        for node, energy_uj in (("sender", slot.energy_uj), ("receiver", slot.energy_receiver_uj)):
            row = one(rows, slot.board, slot.strategy, slot.level, node, slot.clock_hz)
            assert sum(getattr(row, f"{phase}_uc") for phase in PHASES) == pytest.approx(
                row.charge_uc
            )
            assert row.charge_uc * row.supply_v == pytest.approx(energy_uj, rel=1e-3)
            assert row.energy_uj == pytest.approx(energy_uj, rel=1e-3)


def test_radio_time_is_that_of_the_frames(rows: list[EnergyRow]) -> None:
    """The sender transmits a frame of 127 octets and its turnaround, whatever the strategy and
    level."""
    for row in rows:
        if row.node == "sender":
            assert 4256 + 100 < row.tx_us < 4256 + 400


def test_phases_of_states() -> None:
    """A state counts for the phase that it is named after. A state that does not compute, send or
    receive is idle."""
    telosb, openmote = SLOT_BOARDS["telosb"], SLOT_BOARDS["openmote-cc2538"]
    assert phase_of(telosb, "cpu", "active at 8 MHz") == "cpu"
    assert phase_of(telosb, "cpu", "lpm3") == phase_of(telosb, "cc2420", "idle") == "idle"
    assert phase_of(telosb, "cc2420", "tx_0dbm") == "tx"
    assert phase_of(telosb, "cc2420", "rx") == phase_of(openmote, "radio", "rx_frame") == "rx"
    assert phase_of(openmote, "aes", "busy") == "engine"
    assert phase_of(openmote, "flash", "idle") == phase_of(openmote, "radio", "off") == "idle"


@pytest.mark.parametrize("board", list(SLOT_BOARDS))
@pytest.mark.parametrize("level", [1, 2, 3, 5, 6, 7])
def test_hardware_saves_most(rows: list[EnergyRow], board: str, level: int) -> None:
    """The hybrid saves energy, hardware more, on both ends of the link; most of all of what the CPU
    takes."""
    for node in ("sender", "receiver"):
        software, hybrid, hardware = (
            one(rows, board, s, level, node) for s in ("software", "hybrid", "hardware")
        )
        assert software.saving is None
        assert hybrid.saving is not None
        assert hardware.saving is not None
        assert 0 < hybrid.saving < hardware.saving < 0.5
        assert hardware.saving == pytest.approx(
            1 - hardware.energy_uj / software.energy_uj, abs=1e-3
        )
        assert hardware.cpu_saving is not None
        assert hardware.cpu_saving > 2 * hardware.saving


def test_of_the_cpu_more_is_saved_than_the_paper_prints_of_all(rows: list[EnergyRow]) -> None:
    """Which is why the printed savings of the TelosB do not show in the whole: the CPU's part of it
    is small now."""
    for strategy in ("hybrid", "hardware"):
        row = one(rows, "telosb", strategy, 5, "sender")
        assert row.published_saving is not None
        assert row.cpu_saving is not None
        assert row.saving is not None
        assert row.saving < row.published_saving < row.cpu_saving


def test_openmote_s_sender_takes_more(rows: list[EnergyRow]) -> None:
    """As the paper found: at every level and in every strategy a slot takes more charge from the
    OpenMote's sender, and at the same supply more energy. The 3.6 V of a TelosB at 8 MHz cost more
    than that where software secures."""
    for row in rows:
        if (row.board, row.node) == ("telosb", "sender"):
            other = one(rows, "openmote-cc2538", row.strategy, row.level, "sender")
            assert other.charge_uc > row.charge_uc
            if row.supply_v == other.supply_v:
                assert other.energy_uj > row.energy_uj
            elif (row.strategy, row.level) == ("software", 5):
                assert other.energy_uj < row.energy_uj


def test_clocks_of_the_usual_level(slots: list[SlotRow]) -> None:
    """The TelosB's three clocks, each at a supply that allows it."""
    found = {
        (row.clock_hz, row.supply_v, row.clock_allowed)
        for row in slots
        if (row.board, row.level) == ("telosb", 5)
    }
    assert found == {(8_000_000, 3.6, True), (6_700_000, 3.0, True), (4_194_304, 3.0, True)}
    for row in slots:
        assert row.clock_measured_hz == pytest.approx(row.clock_hz, rel=0.01)


def test_currents_come_from_the_board_file() -> None:
    """A current by the clock is multiplied by it; one that does not exist is refused by name."""
    assert current_of("telosb", "cpu", "active", 8_000_000).ma == pytest.approx(4.0)
    assert current_of("telosb", "cpu", "lpm3").ma == pytest.approx(0.0026)
    assert current_of("openmote-cc2538", "cpu", "active", 32_000_000).ma == pytest.approx(13.0)
    with pytest.raises(Exception, match=r"no current for cpu\.nap"):
        current_of("telosb", "cpu", "nap")
