# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec boards`: the same message on three boards, checked against what can be computed."""

from pathlib import Path

import pytest

from tests.bench.experiments.group_rows import COMMIT, Group
from tests.bench.experiments.tinysec_rows import DOCUMENT
from wardmote.boards import BOARDS, current_of
from wardmote.experiments.tinysec.boards import NODES, SENT, TinysecBoardsRow
from wardmote.experiments.tinysec.stacks import PAPERS, TODAY

pytestmark = pytest.mark.xdist_group("tinysec boards")
FRAMES = ("micaz", "telosb")
CALIBRATION_MS = 0.192
DATA = 24
TINYSEC = Group("tinysec", ("telosb", "mica2", "micaz"), DOCUMENT)
experiment, rows_of = TINYSEC.experiment, TINYSEC.rows_of


def one(board: str, scheme: str) -> TinysecBoardsRow:
    """A row."""
    found: list[TinysecBoardsRow] = rows_of("boards")
    [row] = [row for row in found if (row.board, row.scheme) == (board, scheme)]
    return row


def test_every_board_with_the_image_has_every_scheme() -> None:
    """Each once; the verbs about the paper's figures have the paper's board alone."""
    assert set(experiment("boards").boards) == set(NODES)
    assert list(experiment("packet").boards) == ["mica2"]
    assert {(row.board, row.scheme) for row in rows_of("boards")} == {
        (board, scheme) for board in NODES for scheme in SENT
    }
    assert all(NODES[name].clock_hz in BOARDS[name].clocks_hz.values() for name in NODES)


def test_figures_follow_from_each_other() -> None:
    """Times from cycles and the clock; what is more, from the row without TinySec, for whose packets
    nothing is called."""
    for row in rows_of("boards"):
        assert (row.data_octets, row.seed, row.commit) == (DATA, 1, COMMIT)
        bare = one(row.board, "none")
        for cycles, ms in ((row.make_cycles, row.make_ms), (row.take_cycles, row.take_ms)):
            assert (cycles is None) == (row is bare)
            assert cycles is None or ms == pytest.approx(1000 * cycles / row.clock_hz, abs=0.001)
        assert row.increase == pytest.approx(row.charge_uc / bare.charge_uc - 1, abs=1e-4)
        assert row.more_ms == pytest.approx(row.hop_ms - bare.hop_ms, abs=0.002)


def test_octets_and_air_are_those_of_the_formats() -> None:
    """A packet is the same on every board; a frame has 18 octets more of 32 us."""
    for stack, of in SENT.items():
        packet = DATA + of.overhead_octets
        assert {one(board, stack).packet_octets for board in NODES} == {packet}
        assert one("mica2", stack).air_octets == 30 + packet + 4
        for board in FRAMES:
            row = one(board, stack)
            assert row.air_octets == 18 + packet
            assert row.air_ms == pytest.approx(0.032 * row.air_octets)


@pytest.mark.parametrize("board", FRAMES)
@pytest.mark.parametrize("stack", SENT)
def test_the_charge_is_that_of_carrier_and_cpu(board: str, stack: str) -> None:
    """At least the radio's current from the strobe to the end; at most that and an active CPU, and one
    that makes the packet, computes a CRC and writes the frame within a millisecond more."""
    row, radio = one(board, stack), current_of(board, "cc2420", "tx_0dbm").ma
    active = current_of(board, "cpu", "active", NODES[board].clock_hz).ma
    ms = CALIBRATION_MS + row.air_ms
    assert radio * ms < row.charge_uc
    assert row.charge_uc < (radio + active) * ms + active * ((row.make_ms or 0) + 1.5)


@pytest.mark.parametrize("board", FRAMES)
@pytest.mark.parametrize("stack", [*PAPERS[1:], *TODAY])
def test_a_hop_takes_longer_by_making_and_taking(board: str, stack: str) -> None:
    """And by the octets; less by the CRC that it does without. Octet by octet it takes up to twice as
    long as at once."""
    row, bare = one(board, stack), one(board, "none")
    assert row.make_ms is not None
    assert row.take_ms is not None
    octets = row.air_ms - bare.air_ms
    assert row.more_ms > 0.75 * (row.make_ms + row.take_ms) + octets
    assert row.more_ms < row.make_ms + 2 * row.take_ms + octets


def test_on_the_papers_board_a_hop_takes_longer_by_its_octets_alone() -> None:
    """One, five and seventeen of 0.42 ms, within half an octet or the interval over the seeds."""
    for stack, octets in (("auth", 1), ("ae", 5), ("ccm", 5), ("ascon", 17)):
        row = one("mica2", stack)
        assert row.more_ms == pytest.approx(octets / 2.4, abs=max(0.21, row.more_half))


def test_the_document_has_what_is_measured(root: Path) -> None:
    """As the other parts."""
    assert TINYSEC.is_in_the_document(root, "boards", 0.02)
