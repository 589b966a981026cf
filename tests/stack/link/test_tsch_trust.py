# SPDX-License-Identifier: BSD-3-Clause
"""Frames that must not move a clock, and frames that must not be accepted."""

import itertools
from collections.abc import Callable

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.simulation import CALL_NS, LEAF, LONG, ROOT, Sent, exchange, flip, kind


def damaged_ack(change: Callable[[bytes], bytes]) -> Callable[[Sent], bytes]:
    """A medium that changes every Enh-Ack."""
    return lambda sent: change(sent.octets) if kind(sent) == model.ACK else sent.octets


@pytest.mark.parametrize("level", [1, 2, 3, 5, 6, 7])
@pytest.mark.parametrize("at", [25, 26, -1], ids=["correction", "nack", "mic"])
def test_refused_ack_does_not_move_the_clock(level: int, at: int) -> None:
    """An Enh-Ack with a wrong MIC changes neither time nor the count of acks, for any correction in
    it."""
    simulation = exchange(0.3, level=level)
    before = simulation.stats(LEAF)
    simulation.medium = damaged_ack(flip(at))
    simulation.run(0.5)
    after = simulation.stats(LEAF)
    assert after["data_acked"] - before["data_acked"] <= 1
    assert after["correction_us"] == before["correction_us"]
    assert after["refused"] - before["refused"] > 10
    assert after["last_error"] == 10
    assert simulation.state(LEAF)["shift"] == 0


def test_level_4_ack_does_not_move_the_clock() -> None:
    """Level 4 verifies nothing: a correction that anyone may have written is not applied."""
    simulation = exchange(0.3, level=4, profile=1)
    simulation.medium = damaged_ack(
        lambda octets: octets[:25] + model.time_correction(2000)[2:] + octets[27:]
    )
    simulation.run(0.5)
    assert simulation.stats(LEAF)["correction_us"] == 0
    assert simulation.stats(LEAF)["data_acked"] > 10


def test_correction_is_applied() -> None:
    """In an unsecured network an Enh-Ack's correction shifts the next slot by its nearest ticks."""
    simulation = exchange(0.3, level=0)
    octets = model.time_correction(305)[2:]
    starts: list[int] = []

    def medium(sent: Sent) -> bytes:
        if kind(sent) == model.DATA:
            starts.append(simulation.state(LEAF)["slot_start"])
        if kind(sent) == model.ACK and len(starts) == 3:
            return sent.octets[:23] + octets + sent.octets[25:]
        return sent.octets

    simulation.medium = medium
    simulation.run(0.2)
    steps = [(b - a) % 65536 for a, b in itertools.pairwise(starts)]
    assert steps[2] == LONG["ts_slot_duration"] + 10


def test_ack_of_another_frame_is_refused() -> None:
    """An Enh-Ack that echoes another sequence number is not for the frame just sent."""
    simulation = exchange(0.3, level=0)
    acked = simulation.stats(LEAF)["data_acked"]
    simulation.medium = damaged_ack(flip(2))
    simulation.run(0.3)
    assert simulation.stats(LEAF)["data_acked"] - acked <= 1
    assert simulation.stats(LEAF)["last_error"] == 13


def test_replayed_data_is_refused() -> None:
    """A data frame recorded in an earlier slot is refused: by its counter, or by the ASN it was
    secured under."""
    for carried, error in ((True, 4), (False, 10)):
        simulation = exchange(0.3, counter_carried=carried)
        old = next(sent.octets for sent in simulation.sent if kind(sent) == model.DATA)
        received = simulation.stats(ROOT)["data_received"]
        simulation.medium = lambda sent, old=old: old if kind(sent) == model.DATA else sent.octets  # type: ignore[misc]
        simulation.run(0.3)
        stats = simulation.stats(ROOT)
        assert stats["data_received"] - received <= 1
        assert (stats["refused"] > 5, stats["last_error"]) == (True, error)


def test_forged_counter_mutes_nobody() -> None:
    """A forged frame with a counter far ahead is refused and does not advance the peer's expected
    counter."""
    simulation = exchange(0.3, counter_carried=True)
    clean = simulation.medium
    simulation.medium = lambda sent: (
        sent.octets[:22] + b"\xfe\xff\xff\xff" + sent.octets[26:]
        if kind(sent) == model.DATA
        else sent.octets
    )
    simulation.run(0.3)
    assert simulation.stats(ROOT)["refused"] > 5
    simulation.medium = clean
    received = simulation.stats(ROOT)["data_received"]
    simulation.run(0.3)
    assert simulation.stats(ROOT)["data_received"] > received + 5


def test_a_slot_ends_with_its_refusal() -> None:
    """The root waits for nothing more in the slot of a frame that it refused: sec2 is the slot's last
    work."""
    simulation = exchange(0.3)
    marks = simulation.nodes[ROOT].marks
    marks.clear()
    simulation.medium = lambda sent: (
        flip(-1)(sent.octets) if kind(sent) == model.DATA else sent.octets
    )
    simulation.run(0.3)
    ends = [
        (after[0], after[1] - ns)
        for (name, ns), after in itertools.pairwise(marks)
        if name == "sec2-"
    ]
    assert len(ends) > 5
    assert {name for name, _ in ends[1:]} == {"slot-"}
    assert max(ns for _, ns in ends[1:]) < 10 * CALL_NS


@pytest.mark.parametrize("secured", [ROOT, LEAF])
def test_unsecured_and_secured_do_not_mix(secured: int) -> None:
    """A node with security refuses frames without, and a node without refuses frames with."""
    other = {"level": 0, "frame_len": 100}
    simulation = exchange(
        1, root=other if secured == LEAF else {}, leaf=other if secured == ROOT else {}
    )
    leaf = simulation.stats(LEAF)
    assert (leaf["joined"], leaf["refused"] > 0, leaf["last_error"]) == (0, True, 8)
    assert simulation.stats(ROOT)["data_received"] == 0


def test_wrong_fcs() -> None:
    """Frames that the radio received with errors are counted and not used."""
    simulation = exchange(0.3)
    simulation.fcs_ok = False
    received = simulation.stats(ROOT)["data_received"]
    simulation.run(0.3)
    stats = simulation.stats(ROOT)
    assert stats["data_received"] - received <= 1
    assert stats["last_error"] == 12
