# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee throughput`: what a link carries follows from the air and from AES by hand, and
with the paper's idle time and AES it is what the paper prints."""

from pathlib import Path

import pytest

from tests.bench.experiments.group_rows import COMMIT, VERSION
from tests.bench.experiments.zigbee_rows import ZIGBEE
from wardmote import cli
from wardmote.experiments.zigbee.energy import TIMES, ZigbeeEnergyRow
from wardmote.experiments.zigbee.rate import CLEAR, ZigbeeThroughputRow
from wardmote.experiments.zigbee.wiring import LINES, PERIPHERAL

pytestmark = pytest.mark.xdist_group("zigbee energy")
CRYPT_MS, DECRYPT_MS = 2.64, 3.56
BACKOFFS_MS = 3.5 * 0.32
"""The mean of 0 to 7."""
SPACE_MS = 0.64
"""Between an ack and the back-off of the next frame (LIFS). A rest hides it."""
SPARE_MS = 0.4
"""Of it, what is left when the next frame in clear is made: so much encryption takes no time."""


def one(way: str, blocks: int = 1, paced: bool = False) -> ZigbeeThroughputRow:
    """A row."""
    rows: list[ZigbeeThroughputRow] = ZIGBEE.rows_of("throughput")
    [found] = [
        row for row in rows if (row.way, row.blocks, row.period_ms > 0) == (way, blocks, paced)
    ]
    return found


def test_with_its_idle_time_the_paper_is_right() -> None:
    """61 ms and 2.1 kbit/s in clear, 63.6 and 2.0 with its AES."""
    clear, paper = one(CLEAR, paced=True), one(TIMES, paced=True)
    assert (clear.paper_ms_per_packet, clear.paper_kbps) == (61.0, 2.1)
    assert (paper.paper_ms_per_packet, paper.paper_kbps) == (63.6, 2.0)
    for row in (clear, paper):
        assert row.ms_per_packet == pytest.approx(row.paper_ms_per_packet, rel=0.003)
        assert round(row.kbps, 1) == row.paper_kbps
        assert (row.period_ms, row.rest_ms) == (61.0, clear.rest_ms)
    assert 0 < one(CLEAR).ms_per_packet - (61 - clear.rest_ms) < SPACE_MS
    assert one("AES tab", paced=True).slower < 0.01
    assert one("AES tab", paced=True).paper_kbps is None


@pytest.mark.parametrize("blocks", [1, 6])
def test_a_packet_in_clear_by_hand(blocks: int) -> None:
    """Back-off, CCA, turnaround, frame, turnaround and ack, and what the sender computes."""
    row = one(CLEAR, blocks)
    frame_ms = (33 + 16 * blocks) * 0.032
    air_ms = BACKOFFS_MS + 0.128 + 0.192 + frame_ms + 0.192 + 0.352
    assert 0.5 < row.ms_per_packet - air_ms < 2.2
    assert row.octets == 16 * blocks


def test_what_encryption_adds_is_what_the_energy_says() -> None:
    """A block's time for each block, but for what the space hides and chance in the back-offs. In a
    packet of six the mode and the engine's key are set up once."""
    rows: list[ZigbeeEnergyRow] = ZIGBEE.rows_of("energy")
    block = {row.way: row.crypt_ms for row in rows} | {TIMES: CRYPT_MS}
    for way in ("AES fix", "AES small", "AES tab", "CC2420's engine", TIMES):
        for blocks in (1, 6):
            added = one(way, blocks).ms_per_packet - one(CLEAR, blocks).ms_per_packet
            least = 1 if blocks == 1 else 0.8
            wanted = blocks * block[way]
            assert least * wanted - SPARE_MS - 0.08 < added < 1.05 * wanted + 0.08


def test_coprocessors_by_hand() -> None:
    """A peripheral's block is 36 octets at 1 Mbaud, and 212 clocks; the mote adds its loops to each. On
    the lines a long packet waits for its 96 octets, at 38 462 baud and a little less than that."""
    block_ms = 36 * 10 / 1000 + 212 / 8000
    for blocks in (1, 6):
        added = one(PERIPHERAL, blocks).ms_per_packet - one(CLEAR, blocks).ms_per_packet
        assert blocks * block_ms - SPARE_MS - 0.08 < added < blocks * (block_ms + 0.1) + 0.08
    line_ms = 960 / 38.462
    assert line_ms < one(LINES, 6).ms_per_packet < 1.12 * line_ms
    assert one(LINES).ms_per_packet == pytest.approx(one(CLEAR).ms_per_packet, rel=0.03)


def test_rates_and_shares_by_hand() -> None:
    """In each row."""
    rows: list[ZigbeeThroughputRow] = ZIGBEE.rows_of("throughput")
    for row in rows:
        clear = one(CLEAR, row.blocks, row.period_ms > 0)
        assert row.kbps == pytest.approx(row.octets * 8 / row.ms_per_packet, abs=0.01)
        assert row.slower == pytest.approx(row.ms_per_packet / clear.ms_per_packet - 1, abs=1e-5)
        assert row.setting == (row.way == TIMES)
        assert row.packets == 100


def test_what_was_measured() -> None:
    """The same in all rows."""
    found = ZIGBEE.of_everything("throughput", "board", "seed", "wardmote", "commit")
    assert found == {("atmega1281-cc2420", 1, VERSION, COMMIT)}


@pytest.mark.parametrize("period", ["19", "1001", "-1"])
def test_a_period_that_cannot_be_is_refused(
    period: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line that says what is possible."""
    assert cli.main(["zigbee", "throughput", "--period", period]) == 2
    assert "20 to 1000" in capsys.readouterr().err


def test_the_document_has_it(root: Path) -> None:
    """What is measured now."""
    assert ZIGBEE.is_in_the_document(root, "throughput", 0.02)
