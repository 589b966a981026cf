# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote ahead`: energy and blocks of an exchange when cells stay empty."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts.update_docs import close
from tests.firmware.test_slot_ahead import TEMPLATES
from wardmote.boards import SLOT_BOARDS
from wardmote.errors import ImageError
from wardmote.experiments.ahead import EXPERIMENT, view
from wardmote.experiments.ahead.cases import ASH, AT_ONCE, DATA_EVERY, STRATEGIES, setting_of
from wardmote.experiments.ahead.measure import (
    CELLS,
    EQUAL,
    SHORTEST,
    SLOTFRAMES,
    AheadRow,
    Counted,
    Reading,
    compared,
    counted,
    longest,
    of_strategy,
    per_exchange,
    shortest,
)
from wardmote.experiments.experiment import BoardCase
from wardmote.measurements.slot.ahead import Blocks
from wardmote.measurements.slot.timing import Timing
from wardmote.paths import slot_image
from wardmote.views.document import texts
from wardmote.views.table import to_markdown

SEED = 1
COUNTING = ("ahead-software", "ahead-hybrid")
PAGE = "docs/what-does-work-ahead-cost.md"


def values(strategy: str, empty: int, uj: tuple[float, float], **others: Any) -> dict[str, Any]:
    """A row that is made up, before it is compared."""
    blocks = dict.fromkeys(("sender_made", "sender_wiped", "receiver_made", "receiver_wiped"))
    figures = {"sender_uj": uj[0], "receiver_uj": uj[1], **blocks, **others}
    return {
        "strategy": strategy, "template": SHORTEST, "clock_hz": 8_000_000, "supply_v": 3.6,
        "tx_offset_ticks": 45, "tx_ack_delay_ticks": 20, "tail_ticks": 17, "slot_us": 9185.791,
        "empty_percent": empty, "exchanges": 160, **figures,
    }  # fmt: skip


def named(line: str) -> list[str]:
    """Board, template and strategy of a line of the page's table."""
    cells = line.strip("| ").split(" | ")
    return [*cells[:2], *cells[3:4]]


def test_energy_and_blocks_of_an_exchange_by_hand() -> None:
    """Two slotframes with two exchanges each. The receiver takes 2000 and 2020 uJ in them, 4020 / 4 a
    time, and wipes 16 of 68 blocks in each; a sender without counters has none."""
    before, after = Reading(500.0, Blocks(100, 7)), Reading(2500.0, Blocks(168, 23))
    second = Reading(2020.0, Blocks(68, 16))
    sender = [Reading(1100.5, None), Reading(1099.5, None)]
    found = Counted(4, {"sender": sender, "receiver": [after.since(before), second]})
    assert per_exchange(found) == {
        "exchanges": 4, "sender_uj": 550.0, "sender_made": None, "sender_wiped": None,
        "receiver_uj": 1005.0, "receiver_made": 34.0, "receiver_wiped": 8.0,
    }  # fmt: skip


def test_every_field_of_a_row() -> None:
    """Of figures that are made up: 560 is 12 % more than 500, 920 is 15 % more than 800. An exchange
    needs the 22 blocks that are made for it at full use."""
    full = {"sender_made": 22.0, "sender_wiped": 0.0, "receiver_made": 23.0, "receiver_wiped": 1.0}
    half = full | {"receiver_made": 34.0, "receiver_wiped": 8.0}
    found = compared(
        [
            values("software", 0, (400.0, 500.0)),
            values("software", 50, (500.0, 800.0)),
            values("ahead-software", 0, (400.0, 450.0), **full),
            values("ahead-software", 50, (560.0, 920.0), **half),
        ]
    )
    made: dict[str, Any] = {"board": "telosb", "seed": SEED, "wardmote": "1", "commit": "c"}
    at_once, _, ahead_full, ahead = (AheadRow(**made, **one) for one in found)
    assert (at_once.sender_more_percent, at_once.receiver_more_percent) == (None, None)
    assert (at_once.sender_used, at_once.receiver_used) == (None, None)
    assert (ahead_full.sender_more_percent, ahead_full.receiver_more_percent) == (0.0, -10.0)
    assert (ahead.sender_more_percent, ahead.receiver_more_percent) == (12.0, 15.0)
    assert (ahead.sender_used, ahead.receiver_used) == (22.0, 22.0)
    assert view.energies(ahead_full) == "400 / 450 (+0.0 / −10.0 %)"
    assert view.energies(replace(ahead, receiver_more_percent=-0.04)).endswith("/ +0.0 %)")
    assert view.energies(ahead) == "560 / 920 (+12.0 / +15.0 %)"


def test_the_summary_by_hand() -> None:
    """A cell that stays empty is what an exchange takes more with one of them."""
    found = []
    for template in (SHORTEST, EQUAL):
        made = [
            values(name, empty, uj)
            for name in STRATEGIES
            for empty, uj in (
                ((0, (420.0, 510.0)), (50, (440.0, 770.0)))
                if name in AT_ONCE
                else ((0, (400.0, 500.0)), (50, (410.0, 700.0)))
            )
        ]
        found += [one | {"template": template} for one in compared(made)]
    common: dict[str, Any] = {"board": "telosb", "seed": SEED, "wardmote": "1", "commit": "c"}
    lines = view.summary([AheadRow(**common, **one) for one in found]).splitlines()
    assert len(lines) == 2 + len(AT_ONCE)
    cells = lines[2].strip("| ").split(" | ")
    assert cells[:2] == ["TelosB", "ahead-software"]
    assert cells[2:4] == ["+5.0 / +2.0 %"] * 2
    assert cells[4:6] == ["+7.3 / +10.0 %"] * 2
    assert cells[6:] == ["20 / 260 (10 / 200)"] * 2


def test_the_equal_template_leaves_time_for_all() -> None:
    """The most of each value, guard times included."""
    assert longest([Timing(45, 20, 1, 30, 7), Timing(44, 33, 2, 36, 5)]) == Timing(45, 33, 2, 36, 7)


@pytest.mark.parametrize("strategy", COUNTING)
@pytest.mark.parametrize("board", SLOT_BOARDS)
def test_a_receiver_wipes_eight_blocks_of_each_empty_cell(board: str, strategy: str) -> None:
    """Of 127 octets 86 are encrypted, with S_1 to S_6; S_0 is for the MIC, and one more for that of the
    Enh-Ack. With a frame in each cell none is wiped, and a sender wipes none."""
    image, timing = slot_image(board, strategy).read_bytes(), TEMPLATES[board, strategy, ASH]
    made = {}
    for every in DATA_EVERY:
        found = counted(setting_of(board, strategy), image, timing, every, SEED)
        empty = SLOTFRAMES * (CELLS - CELLS // every)
        counts = [one.blocks for one in found.readings["receiver"]]
        assert sum(one.wasted for one in counts if one) == 8 * empty
        assert found.exchanges == SLOTFRAMES * CELLS - empty
        figures = per_exchange(found)
        assert figures["sender_wiped"] == 0
        made[every] = figures["sender_made"], figures["receiver_made"]
    assert {sender for sender, _ in made.values()} == {22}
    assert [receiver for _, receiver in made.values()] == [22 + 12 * (n - 1) for n in DATA_EVERY]


@pytest.mark.parametrize("strategy", ["software", "ahead-hardware"])
def test_others_count_no_blocks(strategy: str) -> None:
    """Who works at once makes none ahead, and an engine that does CCM* whole none either."""
    timing = Timing(158, 196, 52)
    image = slot_image("telosb", strategy).read_bytes()
    figures = per_exchange(counted(setting_of("telosb", strategy), image, timing, 10, SEED))
    blocks = [
        figures[f"{node}_{what}"] for node in ("sender", "receiver") for what in ("made", "wiped")
    ]
    assert blocks == [None] * 4
    assert 0 < figures["sender_uj"] < figures["receiver_uj"]


def test_a_template_that_is_too_short_is_refused() -> None:
    """No figures come of exchanges that were lost or late."""
    image, short = slot_image("telosb", "software").read_bytes(), Timing(45, 21, 17)
    with pytest.raises(ImageError):
        counted(setting_of("telosb", "software"), image, short, 1, SEED)


def test_the_page_has_these_figures(root: Path) -> None:
    """Both strategies of a TelosB with AES in the radio, each in its own shortest slot. All strategies
    of a board are on the page, and their equal slot is as long as the longest of the others."""
    ahead = "ahead-hybrid"
    found = []
    for strategy in (AT_ONCE[ahead], ahead):
        image = slot_image("telosb", strategy).read_bytes()
        timing = shortest("telosb", strategy, image, SEED)
        case = BoardCase("telosb", SEED)
        for every in DATA_EVERY:
            figures = of_strategy(case, strategy, image, timing, every)
            found.append({"strategy": strategy, "template": SHORTEST, **figures})
    made: dict[str, Any] = {"board": "telosb", "seed": SEED, "wardmote": "", "commit": ""}
    rows = [AheadRow(**made, **one) for one in compared(found)]
    page = texts((root / PAGE).read_text(encoding="utf-8"), "ahead")
    have = page["text"].splitlines()
    wanted = to_markdown(view.lines(rows), view.line_columns(rows)).splitlines()
    for want in wanted[2:]:
        [line] = [one for one in have if named(one) == named(want)]
        assert close(line, want, 0.3), line
    blocks = to_markdown([row for row in rows if row.strategy == ahead], view.BLOCK_COLUMNS)
    assert blocks in page["text"]
    lines = [line.strip("| ").split(" | ")[:4] for line in have if line.startswith("| ")]
    slots = {
        (board, template, name): float(ms)
        for board, template, ms, name in lines
        if name in STRATEGIES
    }
    assert set(slots) == {
        (board, template, name)
        for board in EXPERIMENT.boards
        for template in (SHORTEST, EQUAL)
        for name in STRATEGIES
    }
    for board in EXPERIMENT.boards:
        [equal] = {slots[board, EQUAL, name] for name in STRATEGIES}
        assert equal >= max(slots[board, SHORTEST, name] for name in STRATEGIES)
