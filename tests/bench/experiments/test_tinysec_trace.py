# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec trace`: phases follow from octets, currents from the board's data, and the whole
is what `wardmote tinysec energy` counts."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.bench.experiments.tinysec_rows import is_in_the_document, of_everything, rows_of
from wardmote.experiments.tinysec.trace import TinysecTraceRow
from wardmote.experiments.tinysec.verbs.trace import sending_ms, traced

pytestmark = [pytest.mark.xdist_group("tinysec energy"), pytest.mark.early]
OCTET_MS = 8 / 19.2
RECEIVER_MA, TURNAROUND_MA, AMPLIFIER_MA, ASLEEP_MA, ACTIVE_MA = 7.03, 3.72, 17.37, 4.13, 8.93
STACKS = {"none": 31, "auth": 32, "ae": 36}
"""Octets of their packets with 24 of data."""


def rows(stack: str) -> list[TinysecTraceRow]:
    """Phases of a stack."""
    return [row for row in rows_of("trace") if row.stack == stack]


def phase(stack: str, name: str) -> TinysecTraceRow:
    """One phase."""
    [found] = [row for row in rows(stack) if row.phase == name]
    return found


@pytest.mark.parametrize("stack", STACKS)
def test_phases_by_hand(stack: str) -> None:
    """Without gaps: 3 ms before, a turnaround of 0.27 ms and some work, 30 octets of start symbol of
    which the first part is computation, the packet, 4 octets and a bit, and back."""
    own = rows(stack)
    names = [row.phase for row in own]
    assert names == [
        *("listening", "to send", "computation", "start symbol", "packet", "flush"),
        *("to listen", "listening again"),
    ]
    assert all(before.end_ms == after.begin_ms for before, after in pairwise(own))
    lasts = {row.phase: row.end_ms - row.begin_ms for row in own}
    assert (own[0].begin_ms, own[0].end_ms) == (-3, 0)
    assert lasts["listening again"] == pytest.approx(3, abs=1e-4)
    assert 0.27 < lasts["to send"] < 0.35
    assert lasts["computation"] + lasts["start symbol"] == pytest.approx(30 * OCTET_MS, abs=1e-3)
    assert lasts["packet"] == pytest.approx(STACKS[stack] * OCTET_MS, abs=1e-3)
    assert 4 * OCTET_MS < lasts["flush"] < 4.1 * OCTET_MS
    assert 0 < lasts["to listen"] < 0.05


def test_computation_comes_first_and_more_blocks_take_longer() -> None:
    """The packet takes 1.31 ms to be made under Auth, 2.24 under AE; interrupts of five or six octets
    come in between. A CRC takes less than either."""
    lasts = {}
    for stack in STACKS:
        row = phase(stack, "computation")
        assert row.active_ms == pytest.approx(row.end_ms - row.begin_ms, abs=3e-4)
        assert row.mean_ma == row.most_ma == pytest.approx(AMPLIFIER_MA + ACTIVE_MA, abs=1e-3)
        lasts[stack] = row.active_ms
    assert 0.3 < lasts["none"] < 0.8
    assert 1.3 < lasts["auth"] < 1.7
    assert 2.1 < lasts["ae"] < 2.7


@pytest.mark.parametrize("stack", STACKS)
def test_currents_by_hand(stack: str) -> None:
    """Each phase's charge is that of its radio and of a CPU that is active or asleep."""
    radio = dict.fromkeys(("listening", "listening again"), RECEIVER_MA)
    radio |= dict.fromkeys(("to send", "to listen"), TURNAROUND_MA)
    for row in rows(stack):
        ms = row.end_ms - row.begin_ms
        ma = radio.get(row.phase, AMPLIFIER_MA)
        want = ms * (ma + ASLEEP_MA) + row.active_ms * (ACTIVE_MA - ASLEEP_MA)
        assert row.charge_uc == pytest.approx(want, rel=0.002, abs=0.01)
        assert row.mean_ma == pytest.approx(row.charge_uc / ms, rel=0.005)
        assert row.most_ma <= ma + ACTIVE_MA + 1e-6


@pytest.mark.parametrize("stack", STACKS)
def test_the_curve_is_the_charge(stack: str) -> None:
    """The changes of the current, added up, give the charge; they begin with their phase and have a
    step for each octet."""
    for row in rows(stack):
        assert row.current[0][0] == row.begin_ms
        times = [ms for ms, _ in row.current] + [row.end_ms]
        charge = sum(
            ma * (after - before)
            for (_, ma), (before, after) in zip(row.current, pairwise(times), strict=True)
        )
        assert charge == pytest.approx(row.charge_uc, rel=0.01, abs=0.02)
    steps = len(phase(stack, "packet").current)
    assert 2 * STACKS[stack] - 2 <= steps <= 2 * STACKS[stack] + 4


def test_the_figure_has_the_same_charge() -> None:
    """The trace that is drawn; each ends where its rows end."""
    trace = traced(rows_of("trace"))
    for title, stack in (("TinyOS without TinySec", "none"), ("TinySec-AE", "ae")):
        charge = sum(row.charge_uc for row in rows(stack))
        assert trace.charge_uc(title) == pytest.approx(charge, rel=0.001)


def test_sending_is_what_the_verb_energy_counts() -> None:
    """Times, and Fig. 2: AE lasts five octets longer and Auth one."""
    lasts = {stack: sending_ms(rows(stack)) for stack in STACKS}
    assert lasts["auth"] - lasts["none"] == pytest.approx(OCTET_MS, abs=0.01)
    assert lasts["ae"] - lasts["none"] == pytest.approx(5 * OCTET_MS, abs=0.01)
    for row in rows_of("energy"):
        if row.calibrated:
            assert row.sending_ms == pytest.approx(lasts[row.stack], abs=0.01)
            inside = [one for one in rows(row.stack) if not one.phase.startswith("listening")]
            assert row.charge_uc == pytest.approx(sum(one.charge_uc for one in inside), rel=0.002)
            assert row.power == inside[0].power


def test_what_was_measured() -> None:
    """The same in all rows."""
    found = of_everything("trace", "board", "seed", "data_octets", "wardmote", "commit")
    assert found == {("mica2", 1, 24, "1.0", "c0ffee")}


def test_the_document_has_these_figures(root: Path) -> None:
    """As measured now, but for the last digit."""
    assert is_in_the_document(root, "trace", 0.11)
