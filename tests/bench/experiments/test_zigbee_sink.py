# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee sink`: what a sink takes is what senders send, until the air or its CPU is full,
and how busy it is follows from times by hand."""

from pathlib import Path

import pytest

from tests.bench.experiments.group_rows import COMMIT, VERSION
from tests.bench.experiments.zigbee_rows import ZIGBEE
from wardmote.experiments.zigbee.energy import TIMES
from wardmote.experiments.zigbee.pace import BOTH
from wardmote.experiments.zigbee.rate import CLEAR
from wardmote.experiments.zigbee.sink import (
    FREE_MS,
    PAIRS,
    SENDERS,
    SINK,
    STACK_MS,
    WAYS,
    ZigbeeSinkRow,
)

pytestmark = [pytest.mark.xdist_group("zigbee sink"), pytest.mark.early, pytest.mark.turns(3)]
CALM = 4
"""Senders that do not hinder each other."""
EDGE = 1.1
"""Packets a second by which counts may differ, as one begins and ends beside the other."""
SECONDS = 3


def rows() -> list[ZigbeeSinkRow]:
    """All of them."""
    return ZIGBEE.rows_of("sink")


def one(way: str, senders: int, network: str = SINK) -> ZigbeeSinkRow:
    """A row."""
    [found] = [
        row for row in rows() if (row.way, row.senders, row.network) == (way, senders, network)
    ]
    return found


@pytest.mark.parametrize("way", WAYS)
def test_few_senders_get_all_of_theirs_over(way: str) -> None:
    """Each has a packet every 61 ms, and waits for back-off, frame and ack."""
    for senders in (1, CALM):
        row = one(way, senders)
        assert row.offered_per_s == pytest.approx(senders * 1000 / 61, rel=0.1)
        assert row.sent_per_s == pytest.approx(row.offered_per_s, rel=0.03)
        assert row.packets_per_s == pytest.approx(row.sent_per_s, abs=EDGE)
        assert row.kbps == pytest.approx(row.packets_per_s * 0.128, abs=0.01)
        assert row.overflows_per_s < (EDGE if way == BOTH else 0.01)
        assert row.resent_per_s < EDGE


def test_how_busy_a_sink_is_by_hand() -> None:
    """A packet takes what the stack takes, and what AES takes."""
    block_ms = {CLEAR: 0, "AES tab": 0.4, TIMES: 3.56, BOTH: 3.56 + 4.56 - 0.47}
    for way, ms in block_ms.items():
        row = one(way, CALM)
        assert row.busy == pytest.approx(row.packets_per_s * (ms + 0.52) / 1000, abs=0.015)


def test_a_slow_cpu_loses_what_its_radio_has_acknowledged() -> None:
    """123 packets a second are the most that 8.12 ms allow. Pairs share the work."""
    slow, pair, paper = one(BOTH, 12), one(BOTH, 12, PAIRS), one(TIMES, 12)
    assert slow.packets_per_s < 1000 / (3.56 + 4.56)
    assert slow.lost_per_s == pytest.approx(slow.sent_per_s - slow.packets_per_s, abs=0.02)
    assert slow.lost_per_s > 10
    assert slow.overflows_per_s > 10
    assert slow.busy > 0.8
    for row in (pair, paper):
        assert row.lost_per_s < EDGE
        assert row.packets_per_s > 1.3 * slow.packets_per_s
    assert pair.busy < slow.busy / 4


def test_with_our_aes_the_air_is_full_first() -> None:
    """However many senders."""
    for senders in SENDERS:
        row = one("AES tab", senders)
        assert row.busy < 0.25
        assert row.overflows_per_s == 0
        assert row.lost_per_s < EDGE


def test_many_senders_break_csma_down() -> None:
    """Frames collide, and what is sent again collides again."""
    for way in WAYS:
        crowd, fewer = one(way, 16), one(way, 8)
        assert crowd.packets_per_s < fewer.packets_per_s < crowd.offered_per_s
        assert crowd.retries_per_s > crowd.sent_per_s
        assert crowd.resent_per_s > 100


def test_what_its_senders_and_its_receiver_take_was_measured() -> None:
    """Two times that the senders' rests and the paper's stack are made with."""
    [paced] = [row for row in ZIGBEE.rows_of("throughput") if row.way == CLEAR and row.period_ms]
    assert paced.period_ms - paced.rest_ms == pytest.approx(FREE_MS, abs=0.1)
    alone = one(CLEAR, CALM)
    assert 1000 * alone.busy / alone.packets_per_s == pytest.approx(STACK_MS, abs=0.12)


def test_what_was_measured() -> None:
    """The same in all rows, and who is a setting."""
    found = ZIGBEE.of_everything("sink", "board", "seed", "wardmote", "commit")
    assert found == {("atmega1281-cc2420", 1, VERSION, COMMIT)}
    assert {row.way for row in rows() if row.setting} == {TIMES, BOTH}


def test_the_document_has_it(root: Path) -> None:
    """What is measured now."""
    assert ZIGBEE.is_in_the_document(root, "sink", 0.02)
