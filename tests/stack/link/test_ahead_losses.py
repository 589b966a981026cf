# SPDX-License-Identifier: BSD-3-Clause
"""A forged frame, a frame that stops arriving, an underflow, a lost frame cost nodes that work ahead
of the slot at most their own slot, at a template that has no time for a second attempt."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.planted import Change, host_library
from tests.stack.link.ahead_losses import FAULTS, HEADER_FAULTS, SLOT_S, TIGHT, Faulty, runs
from tests.stack.link.linklib import link_target
from tests.stack.link.simulation import LEAF, ROOT, Sent, kind

COUNTED: dict[str, Any] = {"counter_carried": True, "key_id_mode": 3}
ASN: dict[str, Any] = {"counter_carried": False, "key_id_mode": 1}
ROOMY: dict[str, int] = {**TIGHT, "ts_slot_duration": 420}
"""A slot that has the time for one late frame: as the shortest of all boards have."""


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
def test_forged_headers_in_a_row(fault: str) -> None:
    """However many: nobody believes a header that is not authenticated."""
    found = Faulty(0, faults=(fault,), share=0.5, forged_max=20, timing=ROOMY, **COUNTED).whole()
    assert found.faults[fault] > 40
    assert found.lost == []


EVERY: dict[str, Any] = {"timing": ROOMY, "quiet_slots": 0, **COUNTED}


def mislead(one: Faulty) -> None:
    """The root is told that its peer's counter is another, in each part of a slot."""
    for part in range(8):
        one.at(int(0.5e9 + part * SLOT_S * 1e9 / 8), lambda: one.mislead(5))


class Alternate(Faulty):
    """One data frame in `period` is the leaf's, the first or the second one and so on; the others are
    forged."""

    period = 2

    def __init__(self, seed: int, first: int, **common: Any) -> None:
        self.first, self.count = first, 0
        super().__init__(seed, **common)

    def happens(self, fault: str) -> bool:
        """Not by chance."""
        return False

    def bounded(self, sent: Sent, fate: str) -> str:
        """By turns."""
        if kind(sent) != model.DATA:
            return ""
        self.count += 1
        forged = self.count % self.period != 1 - self.first
        self.found.faults["far"] += forged
        return "far" if forged else ""

    def count_from(self, counter: int) -> None:
        """The leaf's first counter, which the root does not know."""
        octets = link_target("host").layout("wm_tsch").sizeof("tx_counter")
        self.set(LEAF, "tx_counter", counter.to_bytes(octets, "little"))


class Again(Alternate):
    """Says the leaf's first data frame again, so often that it is worked on again."""

    period = 4
    first_frame = b""

    def altered(self, sent: Sent) -> bytes:
        """The frame as it arrives."""
        if kind(sent) == model.DATA and not self.first_frame:
            self.first_frame = sent.octets
        if self.fates[sent.at_ns] == "far":
            return self.first_frame
        return super().altered(sent)


@pytest.mark.parametrize("start", [0, 7])
@pytest.mark.parametrize("first", [0, 1])
def test_a_forger_who_is_there_from_the_start(first: int, start: int) -> None:
    """The root does not know its peer's counter: with `start` the leaf's is not 0, and with `first` its
    first frame, which has 0, does not arrive. The first one that does tells it, and is lost, as
    without a forger."""
    one = Alternate(0, first, **EVERY)
    one.count_from(start)
    found = one.whole()
    assert found.faults["far"] > 30
    assert len(found.lost) == (start != 0 or first)
    assert one.stats(ROOT)["data_received"] > 30


def test_a_peer_that_begins_anew_is_found() -> None:
    """Its counter is far from what the root expects. Where a slot has the time for a late frame, that
    costs three frames; else it costs two more, and forged frames in between do not change that."""
    for timing, most in ((ROOMY, 3), (TIGHT, 5)):
        one = Faulty(0, share=0, timing=timing, **COUNTED)
        mislead(one)
        assert 0 < len(one.whole().lost) <= most


class ForgedAcks(Faulty):
    """Three Enh-Acks in a row are forged, once."""

    acks = 0

    def happens(self, fault: str) -> bool:
        """Not by chance."""
        return False

    def bounded(self, sent: Sent, fate: str) -> str:
        """By their number."""
        self.acks += kind(sent) == model.ACK
        return "far" if kind(sent) == model.ACK and self.acks in (30, 31, 32) else ""


@pytest.mark.parametrize("timing", [ROOMY, TIGHT])
def test_forged_acks_in_a_row(timing: Mapping[str, int]) -> None:
    """The third is worked on, which costs the next slot. Both nodes count that slot, so that both know
    each other's counter afterwards."""
    one = ForgedAcks(0, timing=timing, **COUNTED)
    found = one.whole()
    last = max(found.cells)
    assert len([asn for asn in found.cells if asn > last - 40 and not found.cells[asn].acked]) <= 1
    assert len(found.lost) <= 1
    assert one.acks > 60


def test_a_peer_that_is_seldom_heard() -> None:
    """Its counter follows its cells for longer than 255 of them."""
    one = Faulty(0, share=0, data_every=300, **COUNTED)
    found = one.whole(1300)
    assert len([asn for asn in found.cells if found.cells[asn].acked]) >= 3
    assert len(found.lost) <= 1


def test_a_late_frame_that_is_sent_again_is_not_believed_again() -> None:
    """The leaf's first frame tells the root its counter, but the root gave it up: its counter is not
    stored, and it may come again. That costs the leaf nothing."""
    one = Again(0, 0, **EVERY)
    one.count_from(7)
    found = one.whole()
    assert len(found.lost) == 1
    assert one.stats(ROOT)["data_received"] > 15


PLAN, RECEIVE = "stack/src/link/tsch_ahead_plan.c", "stack/src/link/tsch_ahead_receive.c"
LATE: dict[str, tuple[type[Alternate], Change]] = {
    "no late frame is worked on": (
        Alternate,
        (RECEIVE, "2u * ahead->plan_ticks))) {\n        return false;",
         "2u * ahead->plan_ticks))) {\n        return true;"),
    ),
    "a late frame is believed each time it comes": (
        Again, (PLAN, "} else if (peer->late) {", "} else if (false) {"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LATE)
def test_what_else_a_forger_would_cost(name: str, tmp_path: Path) -> None:
    """With this defect in the stack."""
    kind_of, change = LATE[name]
    library = host_library(tmp_path, [change])

    class Planted(kind_of):  # type: ignore[misc, valid-type]
        file = library

    one = Planted(0, 0, **EVERY)
    one.count_from(7)
    assert len(one.whole().lost) > 1


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
    mislead(one)
    assert len(one.whole().lost) in (1, 2, 3, 4)
