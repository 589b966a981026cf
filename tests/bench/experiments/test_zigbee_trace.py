# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee trace`: phases without gaps, whose energies follow from their currents by hand."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.bench.experiments.group_rows import COMMIT, VERSION
from tests.bench.experiments.zigbee_rows import ZIGBEE
from wardmote.experiments.zigbee.energy import PAPER, SHEETS, TIMES, ZigbeeEnergyRow
from wardmote.experiments.zigbee.trace import (
    ACK,
    AFTER,
    BACKOFF,
    BEFORE,
    ENCRYPTS,
    PHASES,
    SENDS,
    STACK,
    WAYS,
    ZigbeeTraceRow,
)

pytestmark = pytest.mark.xdist_group("zigbee energy")
VOLTS = {PAPER: 9.04, SHEETS: 3.0}
EVERY = [(source, way) for source in VOLTS for way in WAYS]


def of(source: str, way: str) -> list[ZigbeeTraceRow]:
    """The phases of a packet."""
    rows: list[ZigbeeTraceRow] = ZIGBEE.rows_of("trace")
    return [row for row in rows if (row.currents, row.way) == (source, way)]


@pytest.mark.parametrize(("source", "way"), EVERY)
def test_phases_have_no_gaps_and_energies_are_their_currents(source: str, way: str) -> None:
    """Each change of the current until the next one."""
    rows = of(source, way)
    assert [row.phase for row in rows] == list(PHASES)
    assert all(one.end_ms == two.begin_ms for one, two in pairwise(rows))
    assert rows[1].begin_ms == 0
    for row in rows:
        times = [ms for ms, _ in row.current] + [row.end_ms]
        charge = sum(
            ma * (end - begin)
            for (_, ma), (begin, end) in zip(row.current, pairwise(times), strict=True)
        )
        assert times[0] == row.begin_ms
        assert row.energy_uj == pytest.approx(VOLTS[source] * charge, rel=2e-3, abs=0.02)
        assert row.mean_ma == pytest.approx(charge / (row.end_ms - row.begin_ms), rel=2e-3)
        assert 0 <= row.active_ms <= row.end_ms - row.begin_ms + 1e-4


@pytest.mark.parametrize("way", WAYS)
def test_currents_are_the_papers_and_the_data_sheets(way: str) -> None:
    """Typed a second time: sleep, CPU and sending; and CPU asleep or not, beside a radio that
    listens or sends at -15 dBm."""
    papers = {ma for row in of(PAPER, way) for _, ma in row.current}
    sheets = {round(ma, 4) for row in of(SHEETS, way) for _, ma in row.current}
    assert papers == {0.001, 31.5, 122.5}
    assert sheets == {round(radio + cpu, 4) for radio in (18.8, 9.9) for cpu in (1.4, 6.4)}


@pytest.mark.parametrize("way", WAYS)
def test_times_are_those_of_the_energy(way: str) -> None:
    """Of encryption, sending and all that the CPU does."""
    energy: list[ZigbeeEnergyRow] = ZIGBEE.rows_of("energy")
    [own] = [row for row in energy if (row.currents, row.way) == (PAPER, way)]
    ms = {row.phase: row.end_ms - row.begin_ms for row in of(PAPER, way)}
    active = {row.phase: row.active_ms for row in of(PAPER, way)}
    assert ms[ENCRYPTS] == pytest.approx(own.crypt_ms, abs=0.06)
    assert ms[SENDS] == pytest.approx(own.send_ms, abs=0.005)
    assert active[ENCRYPTS] == pytest.approx(ms[ENCRYPTS], abs=1e-4)
    assert active[STACK] == pytest.approx(ms[STACK], abs=1e-4)
    assert ms[BACKOFF] < 7 * 0.32 + 0.5
    assert ms[ACK] > 0.192 + 0.352
    assert ms[BEFORE] == ms[AFTER] == pytest.approx(0.5, abs=1e-3)


def test_what_it_says_of_the_paper() -> None:
    """With the paper's AES a quarter goes into it, with ours one part in 20; and a mote that listens
    takes far more for that."""

    def part(source: str, way: str, phases: set[str]) -> float:
        inside = [row for row in of(source, way) if row.phase not in (BEFORE, AFTER)]
        whole = sum(row.energy_uj for row in inside)
        return sum(row.energy_uj for row in inside if row.phase in phases) / whole

    assert part(PAPER, TIMES, {ENCRYPTS}) == pytest.approx(0.26, abs=0.02)
    assert 0.03 < part(PAPER, "AES tab", {ENCRYPTS}) < 0.05
    assert part(SHEETS, "AES tab", {BACKOFF, ACK}) > 0.5
    assert part(SHEETS, "AES tab", {ENCRYPTS}) < 0.1


def test_what_was_measured() -> None:
    """The same in all rows; the paper's AES is a setting."""
    found = ZIGBEE.of_everything("trace", "board", "seed", "wardmote", "commit")
    assert found == {("atmega1281-cc2420", 1, VERSION, COMMIT)}
    settings = ZIGBEE.of_everything("trace", "setting", "way")
    assert {way for setting, way in settings if setting} == {TIMES}


def test_the_document_has_it(root: Path) -> None:
    """What is measured now."""
    assert ZIGBEE.is_in_the_document(root, "trace", 0.02)
