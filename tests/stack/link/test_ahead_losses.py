# SPDX-License-Identifier: BSD-3-Clause
"""A forged frame, a frame that stops arriving, an underflow, a lost frame cost nodes that work ahead
of the slot at most their own slot, at a template that has no time for a second attempt."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stack.link.ahead_losses import FAULTS, HEADER_FAULTS, SLOT_S, Faulty, runs

COUNTED: dict[str, Any] = {"counter_carried": True, "key_id_mode": 3}
ASN: dict[str, Any] = {"counter_carried": False, "key_id_mode": 1}


def test_at_most_its_own_slot_is_lost() -> None:
    """Random runs, with all faults and both forms of the nonce."""
    cells, lost, faults = runs(range(12))
    assert lost == 0
    assert cells > 500
    assert all(faults[fault] > 2 for fault in FAULTS)


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_alone(fault: str) -> None:
    """With a counter in the nonce, where a node has to know what its peer used up."""
    found = Faulty(1, faults=(fault,), **COUNTED).whole()
    assert found.faults[fault] > 10
    assert found.lost == []


@pytest.mark.parametrize("fault", HEADER_FAULTS)
def test_three_forged_headers_in_a_row(fault: str) -> None:
    """They are believed, for a peer that began anew looks the same: the slot after them is lost too.
    Then the node knows better."""
    found = Faulty(0, faults=(fault,), share=0.3, forged_max=3, **COUNTED).whole()
    assert 0 < len(found.lost) < found.faults[fault] / 3


@pytest.mark.parametrize("form", [ASN, COUNTED])
@pytest.mark.parametrize("every", [0, 3])
def test_nothing_is_lost_where_nothing_happens(form: dict[str, Any], every: int) -> None:
    """Not the first exchange either, nor those after cells in which the leaf had nothing to send."""
    found = Faulty(0, share=0, data_every=every, **form).whole()
    assert len(found.cells) > 100 / max(every, 1) - 5
    assert found.lost == []
    assert found.late == 0


def test_a_template_without_time_to_spare() -> None:
    """The test sees what a wrong guess costs: the root is told that its peer's counter is another."""
    one = Faulty(0, share=0, **COUNTED)
    for part in range(8):
        one.at(int(0.5e9 + part * SLOT_S * 1e9 / 8), lambda: one.mislead(5))
    assert len(one.whole().lost) in (1, 2, 3)
