# SPDX-License-Identifier: BSD-3-Clause
"""Joining a network by its EBs, and configurations that are refused."""

from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.simulation import (
    CONFIG,
    LEAF,
    LONG,
    ROOT,
    Sent,
    Simulation,
    assert_clean,
    exchange,
    flip,
    kind,
)


def test_unverified_asn_is_not_kept() -> None:
    """A scanning leaf must believe an EB's ASN to check it, and forgets it when the MIC is
    wrong."""
    simulation = Simulation()
    simulation.medium = flip_asn
    simulation.start(ROOT)
    simulation.start(LEAF, 1_000_000)
    simulation.run(2)
    leaf = simulation.stats(LEAF)
    assert (leaf["joined"], leaf["refused"] > 0, leaf["last_error"]) == (0, True, 10)
    assert simulation.asn(LEAF) == 0


def flip_asn(sent: Sent) -> bytes:
    """A medium that changes the ASN of every EB."""
    return flip(25)(sent.octets) if kind(sent) == model.BEACON else sent.octets


def test_replayed_beacon_does_not_bring_old_nonces_back() -> None:
    """A leaf that lost its time refuses an authentic EB from before: that ASN has secured frames
    already."""
    simulation = exchange(2)
    old = next(sent.octets for sent in simulation.sent if kind(sent) == model.BEACON)
    simulation.medium = lambda sent: None
    simulation.run(18)
    assert simulation.stats(LEAF)["joined"] == 0
    refused = simulation.stats(LEAF)["refused"]
    simulation.medium = lambda sent: old if kind(sent) == model.BEACON else None
    simulation.run(5)
    leaf = simulation.stats(LEAF)
    assert (leaf["joined"], leaf["refused"] > refused, leaf["last_error"]) == (0, True, 4)


@pytest.mark.parametrize(
    ("what", "at", "octets"),
    [
        ("slotframe of 0 slots", -8, b"\0\0"),
        ("slotframe of 1 slot", -8, b"\1\0"),
        ("hopping sequence 7", -13, b"\7"),
        ("slot of 0 us", -17, b"\0\0"),
        ("a guard time of 6 ms either side", -25, b"\xe0\x2e"),
        ("a guard time before the slot", -25, b"\x40\x3f"),
    ],
)
def test_beacon_that_cannot_be_followed(what: str, at: int, octets: bytes) -> None:
    """An accepted EB whose content cannot work does not stop the leaf: it keeps scanning."""
    simulation = Simulation(level=0)

    def medium(sent: Sent) -> bytes:
        if kind(sent) != model.BEACON:
            return sent.octets
        where = len(sent.octets) + at
        return sent.octets[:where] + octets + sent.octets[where + len(octets) :]

    simulation.medium = medium
    simulation.start(ROOT)
    simulation.start(LEAF, 1_000_000)
    simulation.run(1)
    leaf = simulation.stats(LEAF)
    assert (leaf["joined"], leaf["last_error"]) == (0, 1), what
    simulation.medium = lambda sent: sent.octets
    simulation.run(5)
    assert simulation.stats(LEAF)["joined"] == 1


def test_leaf_takes_the_template_of_the_network() -> None:
    """A joining leaf takes timeslot template and slotframe length from the EB."""
    timing = dict(LONG) | {"ts_slot_duration": 900, "ts_tx_offset": 180}
    simulation = exchange(2, root={"timing": timing, "slotframe_length": 5})
    config = simulation.state(LEAF)["config"]
    assert (config["timing"], config["slotframe_length"]) == (timing, 5)
    assert_clean(simulation)


def test_joining_may_take_longer_than_a_slot() -> None:
    """A leaf that verifies its first EB for longer than the slot lasts finds the slot that comes
    next."""
    simulation = Simulation()
    simulation.work_ns[1] = 61_000_000
    simulation.start(ROOT)
    simulation.start(LEAF, 1_000_000)
    simulation.run(0.095)
    simulation.work_ns[1] = 2_000_000
    assert simulation.stats(LEAF)["joined"] == 1
    simulation.run(1)
    assert simulation.stats(LEAF)["data_acked"] > 20
    assert simulation.stats(LEAF)["late_slot"] == 0


def test_beacon_of_another_time_sends_the_leaf_back_to_scanning() -> None:
    """An authentic EB with an ASN that is not ours means that our time is not the network's."""
    simulation = exchange(0.5, counter_carried=True)
    # A multiple of slotframe and hopping sequence: only the number itself is wrong.
    simulation.set(LEAF, "asn", (simulation.asn(LEAF) + 7 * 16).to_bytes(5, "big"))
    simulation.run(0.5)
    assert simulation.stats(LEAF)["joined"] == 0


def test_events_out_of_place_change_nothing() -> None:
    """Alarms and frame events that the state does not wait for are ignored."""
    simulation = exchange(0.3)
    while simulation.state(LEAF)["state"] != 2:
        simulation.run(0.001)
    before = simulation.state(LEAF)
    simulation.library.port_double_run_as(LEAF)
    simulation.library.wm_tsch_on_frame_start(simulation._tsch(LEAF), 1)
    simulation.library.wm_tsch_on_frame_end(simulation._tsch(LEAF), 2)
    assert simulation.state(LEAF) == before


# Configurations.


OUT_OF_RANGE: dict[str, tuple[Any, ...]] = {
    "level": (8, 4),
    "key_id_mode": (4,),
    "profile": (2,),
    "role": (2,),
    "join_channel": (10, 27),
    "pan": (0xFFFF,),
    "peer": (bytes.fromhex("00124b0000000002"),),
    "beacon_key_index": (0,),
    "data_key_index": (0,),
    "slotframe_length": (0, 1, 0x8000),
    "data_cells": (0,),
    "frame_len": (128, 28),
}
BAD_TIMING: dict[str, tuple[int, ...]] = {
    "ts_tx_offset": (7, 36 + 7),
    "ts_tx_ack_delay": (7, 16 + 7),
    "ts_max_tx": (139,),
    "ts_max_ack": (0,),
    "ts_rx_guard": (0, 3, 200 - 7, 0xFFFF),
    "ts_ack_guard": (0, 200 - 7, 0xFFFF),
    "ts_slot_duration": (618, 0x4000),
}


@pytest.mark.parametrize(
    "change",
    [
        *({name: value} for name, values in OUT_OF_RANGE.items() for value in values),
        *(
            {"timing": dict(LONG) | {name: value}}
            for name, values in BAD_TIMING.items()
            for value in values
        ),
        {"slotframe_length": 16, "join_channel": 17},
        {"slotframe_length": 8, "join_channel": 26},
    ],
    ids=str,
)
def test_configurations_that_cannot_work(change: dict[str, Any]) -> None:
    """A value out of its range, or values that cannot work together, are refused at the start."""
    assert Simulation(leaf=change).status[LEAF] == "WM_ERR_PARAM"


@pytest.mark.parametrize(
    "change",
    [
        {"level": 4, "profile": 1}, {"frame_len": 29}, {"slotframe_length": 16, "join_channel": 16},
        {"slotframe_length": 8, "join_channel": 19}, {"key_id_mode": 0, "beacon_key_index": 0, "data_key_index": 0},
        {"level": 0, "beacon_key_index": 0}, {"timing": dict(LONG) | {"ts_slot_duration": 619}},
        {"timing": dict(LONG) | {"ts_tx_offset": 36 + 7 + 1}}, {"timing": dict(LONG) | {"ts_tx_ack_delay": 16 + 7 + 1}},
        {"timing": dict(LONG) | {"ts_rx_guard": 4}}, {"timing": dict(LONG) | {"ts_rx_guard": 200 - 7 - 1}},
        {"join_channel": 11}, {"join_channel": 26}, {"pan": 0xFFFE}, {"slotframe_length": 0x7FFF},
    ],
    ids=str,
)  # fmt: skip
def test_configurations_at_the_limit(change: dict[str, Any]) -> None:
    """The same values just inside their range are accepted."""
    assert dict(CONFIG) | change
    assert Simulation(leaf=change).status[LEAF] == "WM_OK"
