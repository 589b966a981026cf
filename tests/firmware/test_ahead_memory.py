# SPDX-License-Identifier: BSD-3-Clause
"""Emulated motes that work ahead of the slot hold plaintext that nobody has authenticated in the
engine's buffer only, and only until the verdict; no keystream of frames that are over; and no two
frames on the air have one nonce. `make ahead` looks at more slots."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.firmware.ahead_memory import BY_BLOCKS, FAULTS, TIMINGS, Search
from tests.planted import Change, image

SLOTS, CUTS, PLANTED_SLOTS = 5, 6, 8
LINK = "stack/src/link/tsch_ahead"
NONCE = "    wm_copy5(sec.asn, job->asn);\n"
JUDGE = "    status = judge(ahead, tsch, frame, &plan.split);\n"
WIPE_AT_VERDICT = """    if (ahead->verdict < 0) {
        wm_wipe(tsch->rx_frame, sizeof tsch->rx_frame);"""
DEFECTS: Mapping[str, tuple[str, tuple[Change, ...]]] = {
    "plaintext is copied to a place of its own": (
        "plaintext",
        ((f"{LINK}_receive.c", JUDGE,
          "    static volatile uint8_t early[16];\n    for (uint8_t i = 0; i < 16; i++) {\n"
          f"        early[i] = job->frame[plan.split.m_start + i];\n    }}\n{JUDGE}"),),
    ),
    "a refused frame stays in the buffer": (
        "in the buffer",
        ((f"{LINK}_receive.c", WIPE_AT_VERDICT, "    if (ahead->verdict < 0) {"),
         (f"{LINK}_receive.c", "        wm_wipe(job->frame, WM_PSDU_MAX);\n", "")),
    ),
    "keystream is not wiped behind a block": (
        "keystream",
        ((f"{LINK}_receive.c", "        wm_block_wipe(&stream[number]);\n", ""),),
    ),
    "two slots have one nonce": (
        "used twice",
        ((f"{LINK}.c", NONCE, f"{NONCE}    sec.asn[4] |= 1;\n"),),  # the leaf joins at ASN 101
    ),
}  # fmt: skip


@pytest.mark.parametrize("strategy", BY_BLOCKS)
@pytest.mark.parametrize("board", TIMINGS)
def test_nothing_is_found(board: str, strategy: str) -> None:
    """At many moments while forged frames arrive, and when each was refused."""
    search = Search(board, strategy)
    counts = search.slots(SLOTS)
    assert {fault: counts[fault] for fault in FAULTS} == dict.fromkeys(FAULTS, 0)
    assert counts["frames"] >= SLOTS - 1
    assert counts["decrypted"] > 100 * SLOTS, "plaintext is seen where it may be"
    assert search.network.stats("root")["refused"] >= SLOTS - 1
    assert search.network.stats("root")["data_received"] == 0


def test_a_frame_that_stops_leaves_nothing() -> None:
    """The sender's power fails while its frame is on the air."""
    counts = Search("telosb", "ahead-software").stops(CUTS)
    assert {fault: counts[fault] for fault in FAULTS} == dict.fromkeys(FAULTS, 0)
    assert counts["frames that stopped"] > CUTS // 3
    assert counts["decrypted"] > 0


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_found(name: str, tmp_path: Path) -> None:
    """The search finds what was put into the image."""
    fault, changes = DEFECTS[name]
    built = image(tmp_path, "telosb", "slot-ahead-software", changes)
    search = Search("telosb", "ahead-software", image=built, forged=fault != "used twice")
    assert search.slots(PLANTED_SLOTS)[fault] > 0
