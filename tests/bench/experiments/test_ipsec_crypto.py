# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote ipsec crypto`: cycles follow from blocks, and times from cycles and clocks."""

from math import ceil
from pathlib import Path

import pytest

from tests.bench.experiments.ipsec_rows import is_in_the_document, of_everything, rows_of
from wardmote.experiments.ipsec.crypto import CryptoRow
from wardmote.experiments.ipsec.verbs.crypto import one

pytestmark = [pytest.mark.xdist_group("ipsec crypto"), pytest.mark.early]
CLOCKS = {"telosb": 8_000_000, "openmote-cc2538": 32_000_000}
BLOCK = {("telosb", "fast"): (1550, 2500), ("openmote-cc2538", "fast"): (700, 1400)}
"""Least and most cycles of a block of AES and its mode."""


def of(suite: str, data: int, form: str = "fast", board: str = "telosb") -> CryptoRow:
    """A row."""
    return one(rows_of("crypto"), suite, data, form, board)


def blocks(suite: str, data: int) -> int:
    """Blocks of AES for one packet, of suites that have no hash: XCBC over the IPv6 packet and AH, or
    over ESP; CTR over padded payload; CCM's first block, its two octets with the 8 of SPI and sequence
    number, and each block twice."""
    if suite.startswith("AH"):
        return ceil((40 + 24 + 8 + data) / 16)
    plain = ceil((8 + data + 2) / 4) * 4
    if "CCM" in suite:
        return 2 + 2 * ceil(plain / 16) + 1
    iv = 8 if "CTR" in suite else 0
    return (ceil(plain / 16) if iv else 0) + ceil((8 + iv + plain) / 16)


@pytest.mark.parametrize(("board", "form"), BLOCK)
@pytest.mark.parametrize("suite", ["AH XCBC", "ESP NULL+XCBC", "ESP CTR+XCBC", "ESP CCM-8"])
def test_what_data_add_is_their_blocks(suite: str, board: str, form: str) -> None:
    """From 16 octets to 512."""
    least, most = BLOCK[board, form]
    more = blocks(suite, 512) - blocks(suite, 16)
    long, short = of(suite, 512, form, board), of(suite, 16, form, board)
    for cycles in (long.out_cycles - short.out_cycles, long.in_cycles - short.in_cycles):
        assert least * more < cycles < most * more


def test_times_follow_from_cycles() -> None:
    """In and out, at the board's clock, and of the TelosB at 3.9 MHz."""
    for row in rows_of("crypto"):
        assert row.clock_hz == CLOCKS[row.board]
        both = row.out_cycles + row.in_cycles
        assert row.out_ms == pytest.approx(1000 * row.out_cycles / row.clock_hz, abs=1e-4)
        assert row.in_ms == pytest.approx(1000 * row.in_cycles / row.clock_hz, abs=1e-4)
        assert row.both_ms == pytest.approx(1000 * both / row.clock_hz, abs=1e-4)
        if row.board == "telosb":
            assert row.slow_both_ms == pytest.approx(both / 3900, abs=1e-4)
        else:
            assert row.slow_both_ms is None


def test_octets_and_services() -> None:
    """Of the longest datagram."""
    for suite, octets, service in (
        ("AH XCBC", 560 + 24, "authentication"),
        ("ESP CTR", 560 + 18 + 2, "encryption"),
        ("ESP NULL+SHA1", 560 + 22 + 2, "authentication"),
        ("ESP CBC+XCBC", 560 + 38 + 6, "both"),
        ("ESP CCM-8", 560 + 26 + 2, "both"),
    ):
        row = of(suite, 512)
        assert (row.packet_octets, row.service) == (octets, service)


def test_the_paper_compares_so() -> None:
    """AH takes less than ESP that encrypts for large datagrams; ESP without encryption takes less
    than AH for all; HMAC-SHA1 takes more than XCBC, by a fixed cost."""
    assert of("AH XCBC", 512).both_ms < of("ESP CTR+XCBC", 512).both_ms / 1.5
    for data in (16, 32, 64, 128, 256, 512):
        assert of("ESP NULL+XCBC", data).both_ms < of("AH XCBC", data).both_ms
        assert of("AH XCBC", data).both_ms < of("AH SHA1", data).both_ms
    assert of("AH SHA1", 16).both_ms > 2.5 * of("AH XCBC", 16).both_ms


def test_bounds() -> None:
    """512 octets, request and answer, on a TelosB at 8 MHz."""
    assert of("AH XCBC", 512).both_ms <= 20.0
    assert of("ESP CTR+XCBC", 512).both_ms <= 35.5


def test_the_small_form_is_slower() -> None:
    """Its AES makes round keys with each block, and takes a table of 256 octets."""
    for board in CLOCKS:
        for suite in ("AH XCBC", "ESP CTR+XCBC"):
            part = of(suite, 512, "small", board).both_ms / of(suite, 512, board=board).both_ms
            assert 2 < part < 13


def test_what_was_measured() -> None:
    """Every suite, in both forms, on both boards."""
    found = of_everything("crypto", "board", "form", "seed", "wardmote", "commit")
    wanted = {(board, form, 1) for board in CLOCKS for form in ("fast", "small")}
    assert found == {(*one, "1.0", "c0ffee") for one in wanted}
    assert {row.data_octets for row in rows_of("crypto")} == {16, 32, 64, 128, 256, 512}
    assert len(rows_of("crypto")) == 2 * 2 * 16 * 6


def test_the_document_has_these_figures(root: Path) -> None:
    """As measured now, but for half a millisecond."""
    assert is_in_the_document(root, "crypto", 0.5)
