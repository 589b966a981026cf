# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote policy`: what a table entry costs is the same for each entry, and a slot grows by it."""

import sys
from math import ceil
from pathlib import Path

import pytest

from scripts.update_docs import close
from wardmote.boards import BOARDS as BOARD_RECORDS
from wardmote.campaign.cases import IMAGE
from wardmote.experiments.policy import EXPERIMENT
from wardmote.experiments.policy.cases import STRATEGY, Case, cases
from wardmote.experiments.policy.measure import PolicyRow, added_cycles, measure
from wardmote.experiments.policy.view import COLUMNS
from wardmote.measurements.slot.definition import Needs
from wardmote.paths import slot_image
from wardmote.views.document import texts
from wardmote.views.table import to_markdown

SECS = ("sec1", "sec2", "sec3", "sec4")
BOARDS = {"telosb": (12_000, 18_000), "openmote-cc2538": (8_000, 14_000)}
"""Bounds on the cycles of all four operations with one device: found once, then kept."""


@pytest.mark.parametrize("board", BOARDS)
def test_each_entry_costs_the_same(board: str) -> None:
    """From 1 to 8 to 32 entries every operation grows by whole multiples of one step. Another device
    is compared once where a frame comes in, twice where an ack does, and never where a frame goes
    out; another key is looked through by all four."""
    found = {
        size: added_cycles(board, *size) for size in ((1, 1), (8, 1), (32, 1), (8, 8), (32, 32))
    }
    steps: dict[str, dict[str, int]] = {}
    for what, middle, most in (("device", (8, 1), (32, 1)), ("both", (8, 8), (32, 32))):
        steps[what] = {}
        for sec in SECS:
            grown = found[middle][sec] - found[1, 1][sec], found[most][sec] - found[1, 1][sec]
            step, rest = divmod(grown[0], 7)
            assert (rest, grown[1]) == (0, 31 * step), (board, what, sec)
            steps[what][sec] = step
    device, both = steps["device"], steps["both"]
    assert device["sec1"] == device["sec3"] == 0
    assert 8 * 10 < device["sec2"] < device["sec4"] < 2 * device["sec2"] < 8 * 60
    assert 8 * 10 < both["sec1"] == both["sec3"] < 8 * 30
    assert device["sec2"] < both["sec2"]
    assert both["sec4"] - device["sec4"] == both["sec2"] - device["sec2"]
    least, most_cycles = BOARDS[board]
    assert least < sum(found[1, 1].values()) < most_cycles


def test_a_slot_grows_by_whole_ticks() -> None:
    """A TelosB in software, where security sets every value: TsTxOffset, TsTxAckDelay and the tail
    grow by the ticks of 1/32 768 s that the cycles at 8 MHz begin."""
    image = slot_image("telosb", STRATEGY).read_bytes()
    row = measure(Case("telosb", 32, 32, 1), {IMAGE: image})
    sec1, sec2, sec3, sec4 = (row[f"{sec}_added_cycles"] for sec in SECS)
    ticks = sum(ceil(cycles * 32768 / 8_000_000) for cycles in (sec1, sec2 + sec3, sec4))
    assert row["slot_with_us"] == pytest.approx(row["slot_us"] + ticks * 1e6 / 32768, abs=0.01)
    assert row["slot_us"] == pytest.approx(622 * 1e6 / 32768, abs=31)
    assert row["added_us"] == pytest.approx((sec1 + sec2 + sec3 + sec4) / 8, abs=0.1)


def test_every_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of operations that are made up: 4 300 cycles at 8 MHz are 537.5 us. TsTxOffset grows by the 5
    ticks that 1 000 cycles begin, TsTxAckDelay by 11 for 2 500, the tail by 4 for 800; before they
    are 150, 200 and 40 ticks, beside 140 of the frame and 79 of the ack."""
    module = sys.modules[measure.__module__]
    added = dict(zip(SECS, (1000, 2000, 500, 800), strict=True))
    monkeypatch.setattr(module, "added_cycles", lambda *_: added)
    needs = Needs(tx_offset=150, tx_ack_delay=200, tail=40, rx_offset=50, rx_ack_delay=20)
    monkeypatch.setattr(module, "needs_of", lambda *_: needs)
    row = measure(Case("telosb", 8, 1, 1), {IMAGE: b""})
    assert row == {
        "clock_hz": 8_000_000, "sec1_added_cycles": 1000, "sec2_added_cycles": 2000,
        "sec3_added_cycles": 500, "sec4_added_cycles": 800, "added_us": 537.5,
        "slot_us": 18585.205, "slot_with_us": 19195.557,
    }  # fmt: skip


def test_the_document_has_these_figures(root: Path) -> None:
    """The page says what is measured now, within half a per cent or a tick."""
    document = (root / "docs/what-does-a-table-entry-cost.md").read_text(encoding="utf-8")
    lines = texts(document, "policy")["text"].splitlines()
    rows = []
    for board in BOARDS:
        image = slot_image(board, STRATEGY).read_bytes()
        for case in cases(BOARD_RECORDS[board], 1):
            tables = {name: getattr(case, name) for name in ("board", "devices", "keys", "seed")}
            row = PolicyRow(**tables, **measure(case, {IMAGE: image}), wardmote="", commit="")
            rows.append(row)
            *_, want = to_markdown([row], COLUMNS).splitlines()
            start = " | ".join(want.split(" | ")[:3]) + " |"
            [have] = [line for line in lines if line.startswith(start)]
            assert close(have, want, 31), have
    short = (root / "docs/where-does-the-slot-time-go.md").read_text(encoding="utf-8")
    assert close(texts(short, "policy")["answer"], EXPERIMENT.blocks["answer"](rows), 0.031)
