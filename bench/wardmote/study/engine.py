# SPDX-License-Identifier: BSD-3-Clause
"""Times of the security engines and of the bus to them: parameters of the instrument, and measured
times."""

from collections.abc import Sequence

from wardmote.boards import board_data
from wardmote.rows import SlotRow

CCM_BLOCKS_OF_119 = 16
"""AES blocks of CCM* over a = 50 and m = 69 octets, the datasheet's example: CBC-MAC 1 + 4 + 5, CTR
5 + 1."""

MEASURED_ENGINE = ("spi_full_frame_ms",)
"""Figures that are measured; the others are parameters of the instrument."""
BLOCK_BITS = 128
FRAME_BLOCKS = 8
"""Blocks of 127 octets. The paper prints 12 Mbit/s for CCM and 85 us for a single block of 128 bits
(section 4.1); at 12 Mbit/s a block takes 10.7 us, and eight blocks take 85.3."""


def parameter(board: str, *path: str) -> float | None:
    """A number of a board's record; None if it is missing."""
    entry = board_data(board)
    for word in ("timing", *path):
        entry = entry.get(word, {})
    return float(entry["value"]) if "value" in entry else None


def engine_figures(rows: Sequence[SlotRow]) -> dict[str, tuple[str, float]]:
    """Unit and value of our figures, by the names of published/tsch_slot.toml."""
    found: dict[str, tuple[str, float]] = {}
    if (block := parameter("telosb", "cc2420", "saes")) is not None:
        found["cc2420.aes_block_us"] = ("us", block)
    if (block := parameter("telosb", "cc2420", "inline_block")) is not None:
        found["cc2420.ccm_119_bytes_us"] = ("us", CCM_BLOCKS_OF_119 * block)
    # At level 0 nothing is secured: when the frame is built, sec1 only moves it over SPI.
    moved = [
        r
        for r in rows
        if (r.board, r.level, r.strategy, r.frame_octets) == ("telosb", 0, "hardware", 127)
    ]
    if moved:
        row = moved[0]
        built = (row.sec1_header_cycles or 0) + (row.sec1_payload_cycles or 0)
        cycles = row.sec1_cycles - built
        found["cc2420.spi_full_frame_ms"] = ("ms", 1000 * cycles / row.clock_measured_hz)
    block = parameter("openmote-cc2538", "cc2538", "aes_block")
    step = parameter("openmote-cc2538", "cc2538", "ccm_block")
    if block is not None and step is not None:
        # CCM takes two steps a block: one to encrypt, one to authenticate.
        found["cc2538.aes_mbps"] = ("Mbit/s", BLOCK_BITS / block)
        found["cc2538.ccm_mbps"] = ("Mbit/s", BLOCK_BITS / (2 * step))
        found["cc2538.aes_block_us"] = ("us", block)
        found["cc2538.ccm_block_us"] = ("us", 2 * step)
        found["cc2538.ccm_block_us_for_a_frame"] = ("us", 2 * FRAME_BLOCKS * step)
    return found
