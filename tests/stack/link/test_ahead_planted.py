# SPDX-License-Identifier: BSD-3-Clause
"""The instrument of the random runs ahead of the slot finds what it looks for: each of these defects,
put into the stack, shows within a few runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.planted import Change, host_library
from tests.stack.link.ahead_runs import FAULTS, Run
from tests.stack.link.ahead_schedules import Scheduled, check

PLAN = "stack/src/link/tsch_ahead.c"
RECEIVE = "stack/src/link/tsch_ahead_receive.c"
NONCE = "    wm_copy5(sec.asn, job->asn);\n"
DEFECTS: Mapping[str, tuple[str, Change]] = {
    "two slots have one nonce": ("used twice", (PLAN, NONCE, f"{NONCE}    sec.asn[4] &= 0xFE;\n")),
    "a keystream is not compared with its frame": (
        "another's",
        (PLAN, "wm_ct_diff(frame->nonce, nonce, NONCE_LEN) == 0", "wm_ct_diff(frame->nonce, nonce, 0) == 0"),
    ),
    "a key changes and its keystream stays": (
        "unknown",
        (PLAN, "{\n    wm_ahead_wipe(ahead, &ahead->data);\n    wm_ahead_wipe(ahead, &ahead->ack);\n", "{\n"),
    ),
    "plaintext is copied before its tag": (
        "plaintext",
        (RECEIVE, "    status = judge(ahead, tsch, frame, split);\n",
         "    for (uint8_t i = 0; i < 16; i++) {\n"
         "        tsch->tx_frame[90 + i] = tsch->rx.frame[split->m_start + i];\n    }\n"
         "    status = judge(ahead, tsch, frame, split);\n"),
    ),
    "keystream of a shorter frame stays": (
        "left over",
        (PLAN, "        ahead->wasted++;\n        wm_block_wipe(stream + frame->made);\n", "        (void)stream;\n"),
    ),
    "a tag that failed looks like one": (
        "unknown",
        (PLAN, "        frame->begun = false; /*", "        (void)frame; frame->at = frame->a_len; /*"),
    ),
}  # fmt: skip
MOST_RUNS = 400
IN_SCHEDULES = ("two slots have one nonce", "a key changes and its keystream stays")


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_found(name: str, tmp_path: Path) -> None:
    """By what the instrument calls it."""
    fault, change = DEFECTS[name]
    library = host_library(tmp_path, [change])
    assert fault in FAULTS

    class Planted(Run):
        file = library

    counts: Counter[str] = Counter()
    for seed in range(MOST_RUNS):
        counts += Planted(seed).whole().counts
        if counts[fault]:
            return
    raise AssertionError(f"{name}: not found in {MOST_RUNS} runs: {dict(counts)}")


@pytest.mark.parametrize("name", IN_SCHEDULES)
def test_a_defect_is_found_in_schedules(name: str, tmp_path: Path) -> None:
    """Every schedule of one slot is enough."""
    fault, change = DEFECTS[name]
    library = host_library(tmp_path, [change])

    class Planted(Scheduled):
        file = library

    assert check(1, kind=Planted)[fault] > 0
