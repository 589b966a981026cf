# SPDX-License-Identifier: BSD-3-Clause
"""Nodes whose engine does CCM* whole, ahead of the slot: no nonce meets two frames, nothing of a refused
frame stays, and a fault costs its own slot alone. Defects that are put into the stack are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.planted import Change, host_library
from tests.stack.link import ahead_losses
from tests.stack.link.ahead_engine_runs import (
    LOSSES,
    RUNS,
    EngineRun,
    EngineScheduled,
    FaultyEngine,
    faulty,
    runs,
)
from tests.stack.link.ahead_losses import HEADER_FAULTS, SLOT_S
from tests.stack.link.ahead_runs import FAULTS, SLOTS
from tests.stack.link.ahead_schedules import EVENTS, check
from tests.stack.link.test_ahead_losses import ASN, COUNTED

SHORT, LOSSES_RUNS, MOST_RUNS = 30, 12, 200
ENGINE = "stack/src/link/tsch_ahead_engine.c"
OPENED = "        status = wm_port_opened(job, &ahead->plan, &ahead->rest);\n"
DROP = "        drop(ahead, job->frame);\n        return status;\n"
DEFECTS: Mapping[str, tuple[str, Change]] = {
    "two slots have one nonce": (
        "used twice",
        ("stack/src/link/link_security.c", "    to[4] = asn[4];", "    to[4] = asn[4] | 1;"),
    ),
    "a refused frame stays in the engine": ("left over", (ENGINE, DROP, "        return status;\n")),
    "plaintext is copied to a place of its own": (
        "plaintext",
        (ENGINE, OPENED,
         f"{OPENED}        wm_port_open_rest(job, &ahead->plan);\n"
         "        for (uint8_t i = 0; i < 16; i++) {\n"
         "            tsch->tx_frame[90 + i] = job->frame[ahead->plan.split.m_start + i];\n        }\n"),
    ),
}  # fmt: skip


def test_random_runs() -> None:
    """Everything that may happen does, and nothing that must not."""
    counts = runs(range(SHORT))
    assert [counts[fault] for fault in FAULTS] == [0] * len(FAULTS)
    for event in ("lost", "changed", "cut", "fcs", "again", "time", "key", "queue", "engine"):
        assert counts[event] > 2, event
    assert counts["keystreams used"] > SHORT * SLOTS / 4
    assert counts["accepted"] > counts["refused"] == counts["wiped"] > SHORT
    assert counts["searched"] > 100 * SHORT


def test_every_schedule_of_one_slot() -> None:
    """Each event that may happen, with the work done, late and not done."""
    counts = check(1, kind=EngineScheduled)
    assert [counts[fault] for fault in FAULTS] == [0] * len(FAULTS)
    assert counts["schedules"] == 6 * len(EVENTS)
    assert counts["keystreams used"] > 10 * counts["schedules"]


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_found(name: str, tmp_path: Path) -> None:
    """With m at either place."""
    fault, change = DEFECTS[name]
    library = host_library(tmp_path, [change])
    for base in RUNS:
        kind = type("Planted", (base,), {"file": library})
        assert issubclass(kind, EngineRun)
        counts: Counter[str] = Counter()
        for seed in range(MOST_RUNS):
            counts += kind(seed).whole().counts
            if counts[fault]:
                break
        assert counts[fault], (name, base)


def test_at_most_its_own_slot_is_lost() -> None:
    """Random runs, with all faults, both forms of the nonce and both places of m."""
    cells, lost, faults = ahead_losses.runs(range(LOSSES_RUNS), faulty)
    assert lost == 0
    assert cells > 500
    assert all(faults[fault] > 2 for fault in LOSSES)


@pytest.mark.parametrize("in_radio", [True, False])
@pytest.mark.parametrize("fault", LOSSES)
def test_each_fault_alone(fault: str, *, in_radio: bool) -> None:
    """With a counter in the nonce; headers are forged as often in a row as one likes, for an engine
    guesses nothing."""
    one = FaultyEngine(1, faults=(fault,), forged_max=len(HEADER_FAULTS) * 100, **COUNTED)
    one.in_radio = in_radio
    found = one.whole()
    assert found.faults[fault] > 10
    assert found.lost == []


@pytest.mark.parametrize("form", [ASN, COUNTED])
def test_nothing_is_lost_where_nothing_happens(form: dict[str, Any]) -> None:
    """Not the first exchange either."""
    found = FaultyEngine(0, share=0, **form).whole()
    assert len(found.cells) > 100
    assert (found.lost, found.late) == ([], 0)


def test_a_template_without_time_to_spare() -> None:
    """The test sees what comes too late: a node that prepares nothing answers nothing in time."""

    class Idle(FaultyEngine):
        def work(self, node: int, times: int) -> None:
            """Nothing, once both have joined."""
            if self.time_ns < 60 * SLOT_S * 1e9:
                super().work(node, times)

    assert len(Idle(0, share=0, **ASN).whole().lost) > 50
