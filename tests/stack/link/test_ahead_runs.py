# SPDX-License-Identifier: BSD-3-Clause
"""Random runs of nodes that work ahead of the slot, and schedules of bounded length: no keystream
meets two frames. `make ahead` has more of them."""

from __future__ import annotations

import ctypes
import itertools
from random import Random

import pytest

from tests.stack.link.ahead_runs import FAULTS, SLOTS, Run, counts_up, runs
from tests.stack.link.ahead_schedules import EVENTS, check
from tests.stack.link.keystreams import DATA, Ledger
from tests.stack.link.simulation import KEYS, LEAF, Sent
from tests.stack.link.test_tsch_ahead import BOTH, Ahead, run

SHORT = 60


def test_an_answer_that_was_prepared_and_not_sent() -> None:
    """In this run a frame is refused after its Enh-Ack was prepared, and comes again with the same
    number at another time: its Enh-Ack has a correction of its own, and a MIC that belongs to it."""
    counts = Run(1546).whole().counts
    assert counts["refused"] > 0
    assert counts["unknown"] == 0


def test_random_runs() -> None:
    """Everything that may happen does, and nothing that must not."""
    counts = runs(range(SHORT))
    assert [counts[fault] for fault in FAULTS] == [0] * len(FAULTS)
    for event in ("lost", "changed", "cut", "fcs", "again", "empty", "time", "key", "queue"):
        assert counts[event] > 2, event
    assert counts["keystreams used"] > SHORT * SLOTS / 4
    assert counts["accepted"] > counts["refused"] > SHORT
    assert counts["searched"] > 100 * SHORT


def ledger_of(one: Ahead, eye_of: Ledger) -> Ledger:
    """What the instrument sees of twelve slots."""
    eye = eye_of.eye()
    one.library.ahead_double_watch(ctypes.byref(eye))
    run(one, 12)
    for node in BOTH:
        eye_of.enter(node)
    one.library.ahead_double_watch(None)
    return eye_of


@pytest.mark.parametrize("counter", [False, True])
def test_each_use_in_every_schedule_of_bounded_length(counter: bool) -> None:
    """One, two or all pieces of work after each of three events, and each of three frames heard,
    changed or lost: each frame that is loaded has a keystream of its own."""
    fates = ("heard", "changed", "lost")
    for turns, happens in itertools.product(
        itertools.product((0, 1, 64), repeat=3), itertools.product(fates, repeat=3)
    ):
        fate: dict[int, str] = {}
        more, next_fate = itertools.cycle(turns), itertools.cycle(happens)

        def medium(sent: Sent) -> bytes | None:
            what = "heard" if sent.asn < 2 else fate.get(sent.at_ns) or next(next_fate)  # noqa: B023
            fate[sent.at_ns] = what  # noqa: B023
            if what == "changed":
                return sent.octets[:-1] + bytes([sent.octets[-1] ^ 1])
            return sent.octets if what == "heard" else None

        one = Ahead(medium=medium, more=more.__next__, counter_carried=counter)
        ledger = ledger_of(one, Ledger([list(KEYS), list(KEYS)], counter, asn=one.asn))
        found = (ledger.twice, ledger.foreign, ledger.unknown, ledger.wrong)
        assert found == ([], [], [], 0), (turns, happens)
        assert len(one.sent) >= 10, (turns, happens)
        loaded = len(ledger.uses) - len(
            one.sent
        )  # when time stops: the latest frame, still to leave
        assert loaded in (0, 1), (turns, happens)


def test_every_schedule_of_two_slots() -> None:
    """Each event that may happen, in each of two slots in a row, with the work done and not done."""
    counts = check(2, work=(-1, 64))
    assert [counts[fault] for fault in FAULTS] == [0] * len(FAULTS)
    steps = len(EVENTS) * 2
    assert counts["schedules"] == 2 * steps**2
    assert all(counts[event] >= 4 * steps for event in EVENTS)
    assert counts["keystreams used"] > 10 * counts["schedules"]


def test_the_instrument_sees_a_second_use() -> None:
    """A node sends what it has secured once more, under the same nonce and another payload."""
    one = Run(3)
    one.whole()
    ledger = one.ledger
    owner, frames = next(each for each in ledger.uses.items() if each[1][0][0] & 7 == DATA)
    again = bytearray(frames[0])
    load = (ctypes.c_uint8 * len(again)).from_buffer(again)
    ledger.recent[LEAF].append(owner)
    ledger.load(LEAF, len(again) + 2, ctypes.addressof(load), len(again))
    ledger.enter(LEAF)
    assert ledger.twice == [owner]


def test_runs_that_count_up_are_found() -> None:
    """Wherever they are, over 0xFF too; nearly all other octets are none."""
    source = Random(1)
    for first in range(256):
        octets = bytearray(source.randbytes(64))
        assert not counts_up(octets)
        at = source.randrange(58)
        octets[at : at + 6] = bytes((first + i) & 255 for i in range(6))
        assert counts_up(octets)
