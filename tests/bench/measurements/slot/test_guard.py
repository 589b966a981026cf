# SPDX-License-Identifier: BSD-3-Clause
"""The guard time of every case, measured from outside: from the moment at which the receiver's radio
is ready to the first symbol of the frame."""

import pytest

from tests.conftest import ROOT
from wardmote.boards import BOARDS
from wardmote.measurements.slot import sparse
from wardmote.measurements.slot.band import template_of
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.measurements.slot.experiment import outcome_of
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import ASH_FORMS, STRATEGIES, all_settings
from wardmote.measurements.slot.trace import record
from wardmote.paths import slot_image
from wardmote.rows import SlotRow
from wardmote.study.definition import plain
from wardmote.study.trace import Trace
from wardmote.views.folder import read_report

TURNAROUND_US = 192
TICK_US = 1e6 / 32_768
APART_US = 1.5 * TICK_US
"""The clocks of the two motes agree to about a tick, and each counts whole ticks."""


def guard_us(trace: Trace, node: str, radio: str, frame: str) -> float:
    """How long before a frame the receiver of a node was ready to hear it."""
    begin = next(span.begin_us for span in trace.spans if (span.node, span.name) == (node, frame))
    on_us = 0.0
    before = ""
    for step in trace.of(node):
        if step.us > begin:
            break
        state = next(state for device, state, _ in step.states if device == radio)
        if state.startswith("rx") and not before.startswith("rx"):
            on_us = step.us
        before = state
    return begin - on_us - TURNAROUND_US


def rows_of(board: str, strategy: str) -> list[SlotRow]:
    """The rows of build/report at the board's default clock. `make test` brings them up to date."""
    wanted = (board, strategy, BOARDS[board].clock_hz)
    rows = plain(read_report(ROOT / "build/report"))
    return [row for row in rows if (row.board, row.strategy, row.clock_hz) == wanted]


@pytest.mark.early
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("board", ["telosb", "openmote-cc2538"])
def test_guard_times_are_those_of_the_template(board: str, strategy: str) -> None:
    """At every level and in both definitions, and in the third at the usual level, for the frame and
    for its Enh-Ack, no part is cut off."""
    rows = rows_of(board, strategy)
    assert len(rows) == 2 * 8 + 1
    image = slot_image(board, strategy).read_bytes()
    radio = BOARDS[board].radio
    for row in rows:
        [setting] = all_settings(
            board, [strategy], [row.level], ASH_FORMS["paper"], row.clock_hz, row.frame_octets
        )
        trace = record(setting, image, template_of(row), seed=1)
        case = f"{row.level_name}, {row.definition}"
        data = guard_us(trace, "receiver", radio, "data frame")
        assert data == pytest.approx(row.ts_rx_guard_us, abs=APART_US), case
        ack = guard_us(trace, "sender", radio, "Enh-Ack")
        assert ack == pytest.approx(row.ts_ack_guard_us, abs=APART_US), case
        if row.definition == "deployable":
            assert data > 1100 - APART_US
            assert ack > 200 - APART_US


@pytest.mark.early
@pytest.mark.parametrize("ppm", [30, -30])
@pytest.mark.parametrize("definition", ["deployable", "needed", "paper"])
@pytest.mark.parametrize(
    ("board", "strategy"),
    [("telosb", "software"), ("telosb", "hardware"), ("openmote-cc2538", "hardware")],
)
def test_crystals_of_30_ppm_lose_nothing(
    board: str, strategy: str, definition: str, ppm: int
) -> None:
    """ENC-MIC-32, 1 000 exchanges at the template of the row, the crystals 60 ppm apart in either
    direction: the clocks pass through every phase of a tick, and no frame or ack is lost."""
    [row] = [
        row
        for row in rows_of(board, strategy)
        if (row.level_name, row.definition) == ("ENC-MIC-32", definition)
    ]
    [setting] = all_settings(board, [strategy], [row.level], ASH_FORMS["paper"], row.clock_hz)
    crystals = {ROOT_MOTE.name: ppm, LEAF_MOTE.name: -ppm}
    image = slot_image(board, strategy).read_bytes()
    network = Network(setting, image, template_of(row), 1, crystals)
    assert network.join()
    assert network.run_to_exchange(1001)
    outcome = outcome_of(network)
    assert (outcome.exchanges, outcome.lost) == (1000, 0)
    assert outcome.late_total == 0
    assert network.stats(LEAF_MOTE.name)["beacons_received"] >= 10


@pytest.mark.early
@pytest.mark.parametrize("ppm", [30, -30])
@pytest.mark.parametrize(
    ("board", "strategy"), [("telosb", "hardware"), ("openmote-cc2538", "hardware")]
)
def test_the_needed_guard_time_lasts_until_the_leaf_gives_up(
    board: str, strategy: str, ppm: int
) -> None:
    """At the template of `needed`, the crystals 60 ppm apart and nine of ten acks and beacons lost:
    the leaf gives up again and again, at any phase of the two clocks. Up to then no frame begins
    outside the guard time and none is lost, and most of the guard time is used."""
    [row] = [row for row in rows_of(board, strategy) if row.definition == "needed"]
    [setting] = all_settings(board, [strategy], [row.level], ASH_FORMS["paper"], row.clock_hz)
    image = slot_image(board, strategy).read_bytes()
    seen = sparse.run(setting, image, ppm=ppm, seconds=900, seed=1, timing=template_of(row))
    assert seen.holds
    assert seen.given_up > 50
    assert (row.ts_rx_guard_ticks - 4) * TICK_US < seen.worst_us
