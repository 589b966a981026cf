# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee picture`: what was sent is what was received, and an eavesdropper has noise."""

import math
import zlib
from base64 import b64decode
from pathlib import Path

import pytest

from bench.targets import picture
from tests.bench.experiments.group_rows import COMMIT, VERSION
from tests.bench.experiments.zigbee_rows import ZIGBEE
from wardmote.boards import BOARDS
from wardmote.experiments.zigbee import scene
from wardmote.experiments.zigbee.transfer import ZigbeePictureRow, cases_of
from wardmote.experiments.zigbee.wiring import LINES, PERIPHERAL

pytestmark = [pytest.mark.xdist_group("zigbee picture"), pytest.mark.early, pytest.mark.turns(3)]
LEAST_BITS = 7.99


def rows() -> list[ZigbeePictureRow]:
    """All of them."""
    return ZIGBEE.rows_of("picture")


def pixels(png: str) -> bytes:
    """Of a picture without filters, as every program reads it."""
    octets = b64decode(png)
    at = octets.index(b"IDAT") + 4
    lines = zlib.decompress(octets[at:])
    stride = 1 + scene.SMALL.width * scene.DEPTH
    return b"".join(lines[n + 1 : n + stride] for n in range(0, len(lines), stride))


def blocks(octets: bytes) -> list[bytes]:
    """Of 16 octets."""
    return [octets[at : at + 16] for at in range(0, len(octets), 16)]


def test_every_picture_comes_over() -> None:
    """Octet for octet, also with frames and acks lost."""
    sent = scene.drawn(scene.SMALL)
    for row in rows():
        assert row.equal, row.way
        assert pixels(row.received_png) == pixels(row.sent_png) == sent
        assert row.packets == row.octets // 16 == len(sent) // 16
    lossy = [row for row in rows() if row.loss]
    assert [row.way for row in lossy] == ["AES tab", LINES]
    for row in lossy:
        assert row.loss == 0.1
        assert min(row.retries, row.resent, row.repeated, row.duplicates) > 0


def test_an_eavesdropper_has_noise_but_of_ecb() -> None:
    """Entropy and blocks that come again; in clear he has the picture."""
    sent = scene.drawn(scene.SMALL)
    repeated = len(sent) // 16 - len(set(blocks(sent)))
    assert repeated > 1000
    for row in rows():
        assert row.overheard_octets == row.octets
        if row.way == "in clear":
            assert pixels(row.overheard_png) == sent
        elif row.chained:
            assert row.overheard_entropy_bits >= LEAST_BITS
            assert row.overheard_repeated_blocks == 0
        else:
            assert row.overheard_entropy_bits < 7
            assert row.overheard_repeated_blocks == repeated


def test_what_the_picture_itself_shows() -> None:
    """The same in all rows: its size, its blocks that come again, and the entropy of its octets by
    the definition, a second time."""
    sent = scene.drawn(scene.SMALL)
    whole = len(sent)
    bits = sum(n / whole * math.log2(whole / n) for n in map(sent.count, range(256)) if n)
    before: set[bytes] = set()
    again = 0
    for block in blocks(sent):
        again += block in before
        before.add(block)
    for row in rows():
        assert (row.width, row.height, row.octets) == (128, 80, 128 * 80 * 3)
        assert row.entropy_bits == pytest.approx(bits, abs=1e-4)
        assert row.repeated_blocks == again


def test_time_and_rate_by_hand() -> None:
    """Of the whole picture, from its packets. No packet is faster than its frame, its ack and the
    turnarounds before both, nor than its 16 octets on the serial line."""
    air_ms = 0.192 + 49 * 0.032 + 0.192 + 11 * 0.032
    serial_ms = 16 * 10 / 38.4
    for row in rows():
        assert row.ms_per_packet == pytest.approx(1000 * row.seconds / (row.octets // 16), abs=1e-3)
        assert row.kbps == pytest.approx(row.octets * 8 / row.seconds / 1000, abs=0.01)
        assert row.ms_per_packet > max(air_ms, serial_ms)


def test_losses_and_encryption_take_time() -> None:
    """In this order."""
    ms = {(row.way, row.chained, row.loss): row.ms_per_packet for row in rows()}
    clear, engine, tab = (ms[way, True, 0.0] for way in ("in clear", "CC2420's engine", "AES tab"))
    assert clear < engine < tab < ms["AES small", True, 0.0] < ms["AES tab", True, 0.1]
    assert ms[LINES, True, 0.0] < ms[LINES, True, 0.1]


def test_coprocessors_by_hand() -> None:
    """On the lines they take no time of the mote's. As a peripheral a block is 3 octets out and a
    status back, 16 out and 16 back, at 1 Mbaud, and 212 clocks; the mote adds its own loops."""
    ms = {row.way: row.ms_per_packet for row in rows() if row.chained and not row.loss}
    assert ms[LINES] == pytest.approx(ms["in clear"], rel=0.02)
    octets_ms = (3 + 1 + 16 + 16) * 10 / 1000 + 212 / 8000
    spare_ms = 0.4  # of the space between frames, when the next frame in clear is made
    assert octets_ms - spare_ms < ms[PERIPHERAL] - ms["in clear"] < octets_ms + 0.2


def test_the_document_has_it(root: Path) -> None:
    """What is measured now."""
    assert ZIGBEE.is_in_the_document(root, "picture", 0.02)


def test_the_papers_picture_has_its_size() -> None:
    """282 kB, and whole blocks."""
    assert (scene.PAPER.octets, scene.PAPER.octets % 16) == (282_000, 0)


def test_the_papers_picture_is_sent_within_two_minutes() -> None:
    """With an eavesdropper, and with frames and acks lost; of processor time, which other processes
    do not lengthen."""
    cases = cases_of(BOARDS["atmega1281-cc2420"], 1, scene.PAPER)
    for lossy in (case for case in cases if case.loss):
        processor, _, simulated, whole = picture.run(lossy)
        assert whole
        assert simulated > 17_625 * 0.0048
        assert processor < picture.MOST_S == 120


def test_what_was_measured() -> None:
    """The same in all rows."""
    found = ZIGBEE.of_everything("picture", "board", "seed", "wardmote", "commit")
    assert found == {("atmega1281-cc2420", 1, VERSION, COMMIT)}
