# SPDX-License-Identifier: BSD-3-Clause
"""Clocks: two motes 60 ppm apart stay together through secured acks, and without the key no one
moves a clock."""

import itertools
from pathlib import Path

import pytest

from tests.bench.measurements.slot.stranger import SEQUENCE, Stranger
from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot import drift, sparse
from wardmote.measurements.slot.setting import AHEAD, ASH_FORMS, STRATEGIES, Setting, all_settings

HOUR_S = 3600.0
FAR_US = 1500
"""What the stranger would like to move the clock by: 49 ticks."""
TICK_US = 31


def case_of(board: str, strategy: str, ash: str) -> Setting:
    """ENC-MIC-32, at the slow end of the board's band if it has one."""
    [case] = all_settings(board, [strategy], [5], ASH_FORMS[ash], SLOT_BOARDS[board].clock_hz)
    return case


def image_of(root: Path, case: Setting) -> bytes:
    """The image of a case."""
    return (root / f"build/firmware/{case.board}/slot-{case.strategy}.elf").read_bytes()


EVERYWHERE = list(itertools.product(SLOT_BOARDS, (*STRATEGIES, *AHEAD), ASH_FORMS))


@pytest.mark.early
@pytest.mark.parametrize(
    ("board", "strategy"),
    [*((board, "hardware") for board in SLOT_BOARDS), ("telosb", "ahead-software")],
)
@pytest.mark.turns(4)
def test_one_hour_at_30_ppm_each(root: Path, board: str, strategy: str) -> None:
    """In one simulated hour no frame is lost and no slot begins two ticks apart; left alone it
    would be 216 ms."""
    case = case_of(board, strategy, "paper")
    row = drift.run(case, image_of(root, case), ppm=30, seconds=HOUR_S, seed=1)
    assert row.free_us == 216_000
    assert row.slots == pytest.approx(HOUR_S * 1e6 / row.slot_us, abs=2)
    assert (row.lost, row.refused) == (0, 0)
    assert row.exchanges + row.beacons == pytest.approx(row.slots, abs=3)
    assert 15 < row.worst_us < 2 * TICK_US < row.guard_us


@pytest.mark.early
@pytest.mark.parametrize(
    ("board", "strategy", "ppm"),
    [
        ("telosb", "hardware", 30),
        ("telosb", "ahead-software", -30),
        ("openmote-cc2538", "hardware", -30),
    ],
)
def test_a_leaf_that_hears_one_ack_in_ten_knows_when_its_clock_may_be_wrong(
    root: Path, board: str, strategy: str, ppm: int, request: pytest.FixtureRequest
) -> None:
    """In one hour (a quarter of one without --long) no frame begins outside its guard time, and every
    data frame is heard. The leaf gives up within one slotframe of the sync limit. `make clocks`
    runs a day. A root that works ahead needs three headers to find a leaf's counter again that was
    away."""
    case = case_of(board, strategy, "paper")
    seconds = HOUR_S if request.config.getoption("long") else HOUR_S / 4
    row = sparse.run(case, image_of(root, case), ppm=ppm, seconds=seconds, seed=3)
    assert row.unheard <= (3 * row.given_up if strategy in AHEAD else 0)
    assert row.outside == 0
    assert row.data > seconds / row.slotframe_s / 4
    assert 10 * TICK_US < row.worst_us <= row.guard_us
    assert row.given_up >= seconds / 600
    assert row.limit_s - row.slotframe_s < row.soonest_s
    assert row.latest_s < row.limit_s + row.slotframe_s


@pytest.mark.parametrize(("board", "strategy", "ash"), EVERYWHERE)
def test_a_minute_in_every_strategy(root: Path, board: str, strategy: str, ash: str) -> None:
    """The same for a minute, in every strategy and with both nonces."""
    case = case_of(board, strategy, ash)
    row = drift.run(case, image_of(root, case), ppm=30, seconds=60, seed=2)
    assert (row.lost, row.refused) == (0, 0)
    assert row.worst_us < 2 * TICK_US


def test_what_is_measured_is_the_drift(root: Path) -> None:
    """Motes without drift begin their slots together; at 300 ppm each they are as far apart as a
    slot asks."""
    case = case_of("telosb", "hardware", "paper")
    near, far = (
        drift.run(case, image_of(root, case), ppm=ppm, seconds=60, seed=1) for ppm in (0, 300)
    )
    assert near.worst_us < TICK_US
    assert far.worst_us > 600 * far.slot_us / 1e6 > near.worst_us


@pytest.mark.parametrize(("board", "strategy", "ash"), EVERYWHERE)
@pytest.mark.parametrize("correction_us", [FAR_US, -FAR_US])
def test_the_key_moves_the_clock(
    root: Path, board: str, strategy: str, ash: str, correction_us: int
) -> None:
    """The stranger does reach the leaf: with the key, the next slot begins later by what the ack
    says."""
    case = case_of(board, strategy, ash)
    stranger = Stranger(case, image_of(root, case))
    seen = stranger.send(stranger.ack(correction_us))
    assert (seen.refused, seen.accepted, seen.correction_us) == (0, 1, correction_us)
    assert seen.spacing_us == pytest.approx(correction_us, abs=TICK_US)


@pytest.mark.parametrize(("board", "strategy", "ash"), EVERYWHERE)
@pytest.mark.parametrize(
    "attack",
    ["wrong key", "wrong MIC", "altered", "replayed", "replayed and renumbered", "unsecured"],
)
def test_without_the_key_no_clock_moves(
    root: Path, board: str, strategy: str, ash: str, attack: str
) -> None:
    """A forged or replayed ack is refused, counts as no ack, and the next slot begins where it
    would have."""
    case = case_of(board, strategy, ash)
    stranger = Stranger(case, image_of(root, case))
    right = stranger.ack(FAR_US)
    latest = stranger.acks[-1].psdu[:-2]
    sent = {
        "wrong key": stranger.ack(FAR_US, key=bytes(16)),
        "wrong MIC": right[:-1] + bytes([right[-1] ^ 1]),
        "altered": right[:-6] + bytes([right[-6] ^ 0x40]) + right[-5:],
        "replayed": latest,
        "replayed and renumbered": latest[:SEQUENCE]
        + bytes([stranger.sequence])
        + latest[SEQUENCE + 1 :],
        "unsecured": stranger.unsecured(FAR_US),
    }[attack]
    seen = stranger.send(sent)
    assert (seen.refused, seen.accepted) == (1, 0)
    assert seen.correction_us == seen.correction_before_us
    assert abs(seen.spacing_us) < 2 * TICK_US
