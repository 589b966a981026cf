# SPDX-License-Identifier: BSD-3-Clause
"""Formats slot rows as an answer and its conditions."""

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.rows import SlotRow

BOARD_TITLES = {name: board.title for name, board in BOARDS.items()}
USUAL_LEVEL = 5
"""ENC-MIC-32, the level of WirelessHART and 6TiSCH."""


def clock_name(clock_hz: int) -> str:
    """A clock in MHz: 8 MHz, 4.19 MHz."""
    return f"{clock_hz / 1e6:.3g} MHz"


def published_text(row: SlotRow) -> str:
    """The printed duration without unit."""
    return "" if row.published_ms is None else f"{row.published_ms:g}"


def answer(rows: Sequence[SlotRow]) -> str:
    """One sentence for each board: the shortest slot of each strategy at the usual level, or at the
    highest measured level."""
    if not rows:
        return "Nothing was measured."
    names = dict.fromkeys(row.board for row in rows)
    return " ".join(_answer([row for row in rows if row.board == name]) for name in names)


def _answer(rows: Sequence[SlotRow]) -> str:
    levels = {row.level for row in rows}
    level = USUAL_LEVEL if USUAL_LEVEL in levels else max(levels)
    chosen = [row for row in rows if row.level == level]
    first = chosen[0]
    parts = ", ".join(f"{row.strategy} {_ends_ms(row)}" for row in chosen)
    kind = f"a secured slot at {first.level_name}" if level else "an unsecured slot"
    board = BOARDS[first.board]
    name = board.named[0].upper() + board.named[1:]
    printed = [row for row in chosen if row.published_ms is not None]
    beside = ""
    if printed:
        beside = f"; published {'/'.join(published_text(row) for row in printed)}"
        beside += f" ({'/'.join(row.strategy for row in printed)})"
    proven = sum(row.verified for row in rows)
    proof = f"; {proven} of {len(rows)} {'case' if len(rows) == 1 else 'cases'} proven"
    return (
        f"{name} at {clock_name(first.clock_hz)} needs for {kind}, in ms: {parts}{beside}{proof}."
    )


def _ends_ms(row: SlotRow) -> str:
    """TsSlotDuration; both ends of a timing band."""
    low = "" if row.low is None else f"{row.low.ts_slot_duration_us / 1000:.1f} to "
    return f"{low}{row.ts_slot_duration_ms:.1f}"


def ends_text(row: SlotRow, name: str) -> str:
    """A field of a row without decimals; both ends of a timing band."""
    low = "" if row.low is None else f"{getattr(row.low, name):.0f}–"
    return f"{low}{getattr(row, name):.0f}"


def conditions(rows: Sequence[SlotRow]) -> list[tuple[str, str]]:
    """What every figure depends on, as pairs of name and value. A value lists all that rows have."""

    def values(texts: Sequence[str]) -> str:
        return "; ".join(dict.fromkeys(texts))

    def ash(row: SlotRow) -> str:
        form = f"KeyIdMode {row.key_id_mode}, counter {row.counter}, {row.nonce} nonce"
        return f"{row.ash_octets} octets ({form})"

    sources = [row.provenance for row in rows]
    return [
        ("board", values([BOARD_TITLES.get(row.board, row.board) for row in rows])),
        (
            "clock",
            values(
                [
                    f"{clock_name(r.clock_hz)} asked for, {r.clock_measured_hz / 1e6:.4f} MHz "
                    "running"
                    for r in rows
                ]
            ),
        ),
        (
            "data frame",
            values([f"{row.frame_octets} octets, MIC and FCS included" for row in rows]),
        ),
        (
            "auxiliary security header",
            values([ash(row) if row.level else "none at level 0" for row in rows]),
        ),
        ("crystals", "root +10 ppm, leaf -10 ppm"),
        (
            "proof",
            values(
                [
                    f"{row.exchanges} exchanges a case, and one tick less in each of three values"
                    for row in rows
                ]
            ),
        ),
        ("compiler", values([source.compiler for source in sources])),
        ("flags", values([source.flags for source in sources])),
        ("commit", values([source.commit for source in sources])),
        ("seed", values([str(source.seed) for source in sources])),
        ("timing", values([source.timing_model for source in sources])),
    ]
