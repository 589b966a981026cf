# SPDX-License-Identifier: BSD-3-Clause
"""The slot state machine of root and leaf: joining, exchanges, drift, deadlines."""

import itertools
from dataclasses import replace

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.simulation import (
    CALL_NS,
    LATE,
    LEAF,
    LONG,
    ROOT,
    Simulation,
    assert_clean,
    exchange,
    kind,
)

LEVELS = range(8)
# 9 of these 12 ticks are lost in 4.5 s at 61 ppm; the other three may be gone from the start.
NARROW = dict(LONG) | {"ts_rx_guard": 12}
NARROW_S = 9 * 16384 / 32768


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("carried", [False, True], ids=["asn", "counter"])
def test_join_and_exchange(level: int, mode: int, carried: bool) -> None:
    """At every level, with every KeyIdMode and either nonce, a leaf joins by an EB and every frame
    is acknowledged."""
    simulation = exchange(
        level=level, key_id_mode=mode, counter_carried=carried, profile=int(level == 4)
    )
    assert_clean(simulation)
    data = [sent for sent in simulation.sent if kind(sent) == model.DATA]
    assert {len(sent.octets) + 2 for sent in data} == {127}


def test_frames_are_those_of_the_model() -> None:
    """EB, data and Enh-Ack on the air are, octet for octet, what the model secures."""
    simulation = exchange()
    root, leaf = (bytes.fromhex("00124b000000000" + digit) for digit in "12")
    keys = (b"6TiSCH minimal15", bytes.fromhex("deadbeeffacecafedeadbeeffacecafe"))
    for sent in simulation.sent[-30:]:
        secured = sent.octets
        ack = kind(sent) == model.ACK
        beacon = kind(sent) == model.BEACON
        ash = model.Ash(1 if beacon else 5, 1, None, True, key_index=1 if beacon else 2)
        frame = model.Frame(kind(sent), 2, secured[2], ash=ash)
        own, peer = (leaf, root) if sent.node == LEAF else (root, leaf)
        frame = replace(frame, src=own, dst=b"\xff\xff" if beacon else peer, compression=beacon)
        frame = replace(frame, ack_request=not ack and not beacon)
        if ack:
            frame = replace(frame, header_ies=secured[23:27])
        elif beacon:
            frame = replace(frame, header_ies=model.HT1, private_part=secured[19:-4])
        else:
            first = secured[2] - 1  # The payload counts as the sequence number does.
            frame = replace(frame, private_part=bytes((first + i) & 0xFF for i in range(98)))
        assert model.secure(frame, keys[not beacon], "asn", sent.asn) == secured
        assert sent.channel == model.channel(sent.asn)


def test_counters_never_repeat() -> None:
    """With carried counters no frame of a node repeats one; without, no ASN is used twice for one
    kind of frame."""
    simulation = exchange(counter_carried=True)
    for node in (ROOT, LEAF):
        at = {model.BEACON: 16, model.DATA: 22, model.ACK: 22}
        sent = [s.octets[at[kind(s)] : at[kind(s)] + 4] for s in simulation.sent if s.node == node]
        counters = [int.from_bytes(octets, "little") for octets in sent]
        assert counters == sorted(set(counters))
    simulation = exchange(counter_carried=False)
    used = [(s.node, kind(s), s.asn) for s in simulation.sent]
    assert len(used) == len(set(used))


@pytest.mark.parametrize("cells", [1, 3])
def test_both_sleep_in_slots_without_a_cell(cells: int) -> None:
    """A slotframe of 2.5 s, further than the alarm reaches: beacons in slot 0, data in so many slots
    after it, and neither node wakes its radio in the others."""
    simulation = exchange(60, slotframe_length=101, data_cells=cells)
    assert_clean(simulation)
    assert {sent.asn % 101 for sent in simulation.sent} == set(range(cells + 1))
    for node in simulation.nodes:
        slots = [name for name, _ in node.marks if name == "slot+"]
        assert len(slots) == pytest.approx((1 + cells) * 60 / (101 * 800 / 32768), abs=cells + 2)


def test_data_at_an_interval() -> None:
    """Data for one of four cells: the leaf sleeps in the other three, in which the root listens for
    nothing."""
    simulation = exchange(60, data_every=4)
    assert_clean(simulation)
    data = [sent.asn for sent in simulation.sent if kind(sent) == model.DATA]
    cells = [asn for asn in range(data[0], data[-1] + 1) if asn % 7]
    assert data == cells[::4]
    root, leaf = simulation.nodes
    listened = [name for name, _ in root.marks if name == "slot+"]
    sent = [name for name, _ in leaf.marks if name == "slot+"]
    assert len(listened) > 6 / 7 * data[-1]
    assert len(sent) == pytest.approx((6 / 4 + 1) / 7 * data[-1], abs=5)


@pytest.mark.parametrize("keep_alive", [0, 120_000])
def test_a_leaf_without_data_keeps_its_time(keep_alive: int) -> None:
    """A beacon in one of 16 slotframes, every 2.7 s, and no data. As soon as the leaf has 3.66 of its
    4.5 s left, in the fifth slotframe after a correction, it sends an empty frame, and the Enh-Ack
    corrects its clock. It may also send none."""
    simulation = exchange(
        60,
        **{"data_every": 0xFFFF, "beacon_every": 16, "keep_alive": keep_alive, "timing": NARROW},
        ppm=(30, -30),
        data_cells=1,
    )
    data = [sent for sent in simulation.sent if kind(sent) == model.DATA]
    beacons = [sent.asn for sent in simulation.sent if kind(sent) == model.BEACON]
    assert beacons == list(range(0, beacons[-1] + 1, 7 * 16))
    if not keep_alive:
        assert len(data) == 1
        return
    assert_clean(simulation)
    assert 50 < len(data) < 75
    header = 2 + 1 + 2 + 8 + 8 + 2
    assert {len(sent.octets) for sent in data[1:]} == {header + 4}


@pytest.mark.parametrize(
    ("ppm", "level"),
    [((30, -30), 0), ((30, -30), 4), ((-30, 30), 4), ((-30, 30), 5), ((30, -30), 5), ((30, 30), 5)],
)
def test_drift(ppm: tuple[int, int], level: int) -> None:
    """Crystals 60 ppm apart until that is more than the guard time: no frame is lost. Level 4 has
    only its beacons."""
    simulation = exchange(8, ppm=ppm, level=level, profile=int(level == 4), timing=NARROW)
    assert_clean(simulation)


def test_drift_needs_correction() -> None:
    """Without any correction two clocks 60 ppm apart lose each other: what test_drift shows is not
    luck."""
    simulation = exchange(2, ppm=(30, -30), timing=NARROW)
    simulation.set(LEAF, "sync_left", b"\xff\xff\xff\x7f")
    simulation.medium = lambda sent: sent.octets if kind(sent) == model.DATA else None
    simulation.run(8)
    received = simulation.stats(ROOT)["data_received"]
    assert received > 150
    simulation.run(1)
    assert simulation.stats(ROOT)["data_received"] == received


def test_leaf_comes_back() -> None:
    """A leaf that heard nothing for too long scans, and joins again with a later ASN than it ever
    used."""
    simulation = exchange(2)
    medium = simulation.medium
    simulation.medium = lambda sent: None
    simulation.run(18)
    assert simulation.stats(LEAF)["joined"] == 0
    last = max(sent.asn for sent in simulation.sent if sent.node == LEAF)
    count = len(simulation.sent)
    simulation.medium = medium
    simulation.run(5)
    assert simulation.stats(LEAF)["joined"] == 1
    again = [sent.asn for sent in simulation.sent[count:] if sent.node == LEAF]
    assert again
    assert min(again) > last


@pytest.mark.parametrize("ppm", [(30, -30), (-30, 30)], ids=str)
def test_the_guard_in_use_says_when_the_clocks_are_lost(ppm: tuple[int, int]) -> None:
    """No ack comes back, crystals 60 ppm apart: the root hears every frame until the leaf gives its
    time up, one slot before the guard time's drift has passed or less."""
    simulation = exchange(2, ppm=ppm, timing=NARROW)
    simulation.medium = lambda sent: sent.octets if kind(sent) == model.DATA else None
    before = simulation.time_ns
    sent, heard = simulation.stats(LEAF)["data_sent"], simulation.stats(ROOT)["data_received"]
    while simulation.stats(LEAF)["joined"]:
        simulation.run(0.01)
    seconds = (simulation.time_ns - before) / 1e9
    assert NARROW_S - 2 * LONG["ts_slot_duration"] / 32768 < seconds < NARROW_S + 0.02
    sent = simulation.stats(LEAF)["data_sent"] - sent
    assert sent > 100
    assert simulation.stats(ROOT)["data_received"] - heard == pytest.approx(sent, abs=1)


# Deadlines.


def tuned(needs: list[dict[str, int]], **shorter: int) -> dict[str, int]:
    """The template that the needs of root and leaf ask for."""
    worst = {name: max(n[name] for n in needs) for name in ("tx_offset", "tx_ack_delay", "tail")}
    timing = dict(LONG) | {
        "ts_tx_offset": worst["tx_offset"],
        "ts_tx_ack_delay": worst["tx_ack_delay"],
    }
    parts = sum(
        timing[name] for name in ("ts_tx_offset", "ts_max_tx", "ts_tx_ack_delay", "ts_max_ack")
    )
    timing["ts_slot_duration"] = parts + worst["tail"]
    for name, less in shorter.items():
        timing[name] -= less
        if name != "ts_slot_duration":
            timing["ts_slot_duration"] -= less
    return timing


def measured(seconds: float = 4, call_ns: int = CALL_NS) -> list[dict[str, int]]:
    """Needs of both nodes with the long template."""
    simulation = exchange(seconds, secure_us=2345, receive_us=1357, call_ns=call_ns)
    return [simulation.stats(node)["needs"] for node in (ROOT, LEAF)]


# The slow clock takes longer than a tick to set: a frame can become late between the alarm and the
# clock.
@pytest.mark.parametrize("call_ns", [CALL_NS, 33_000], ids=["fast", "slow"])
def test_needs_make_a_template(call_ns: int) -> None:
    """A template with exactly the measured needs loses nothing."""
    timing = tuned(measured(call_ns=call_ns))
    simulation = exchange(4, secure_us=2345, receive_us=1357, timing=timing, call_ns=call_ns)
    assert_clean(simulation)


@pytest.mark.parametrize(
    ("name", "counter"),
    [
        ("ts_tx_offset", "late_tx_offset"),
        ("ts_tx_ack_delay", "late_tx_ack_delay"),
        ("ts_slot_duration", "late_slot"),
    ],
)
@pytest.mark.parametrize("call_ns", [CALL_NS, 33_000], ids=["fast", "slow"])
def test_one_tick_less_fails(name: str, counter: str, call_ns: int) -> None:
    """Each of the three values one tick shorter makes the check of the node that needs it fail, and
    no other."""
    short = tuned(measured(call_ns=call_ns), **{name: 1})
    simulation = exchange(4, secure_us=2345, receive_us=1357, timing=short, call_ns=call_ns)
    late = {name: sum(simulation.stats(node)[name] for node in (ROOT, LEAF)) for name in LATE}
    assert [name for name in LATE if late[name]] == [counter], late


def test_needs_are_the_time_that_security_takes() -> None:
    """sec1 to sec4 are measured in ticks by the node itself; the marks enclose the same time."""
    simulation = exchange(secure_us=3000, receive_us=1500)
    root, leaf = (simulation.stats(node)["needs"] for node in (ROOT, LEAF))
    assert leaf["sec1"] == pytest.approx(3000 / 30.5, abs=2)
    assert root["sec2"] == pytest.approx(1500 / 30.5, abs=2)
    assert root["sec3"] == pytest.approx(3000 / 30.5, abs=2)
    assert leaf["sec4"] == pytest.approx(1500 / 30.5, abs=2)
    for node, own in ((ROOT, {"sec2", "sec3"}), (LEAF, {"sec1", "sec4"})):
        marks = simulation.nodes[node].marks
        assert {name[:-1] for name, _ in marks} == own | {"slot"}
        for first, second in itertools.pairwise(m for m in marks if m[0][:-1] != "slot"):
            assert first[0][-1] == "-" or second[0] == first[0][:-1] + "-"


def test_radio_is_off_while_nothing_is_awaited() -> None:
    """A sender turns its receiver off until the Enh-Ack is due, a receiver while it verifies."""
    simulation = exchange()
    leaf, root = (" ".join(simulation.nodes[node].radio) for node in (LEAF, ROOT))
    assert leaf.count("tune send idle listen idle") > 20
    assert root.count("tune listen idle send idle") > 20
    assert "listen listen" not in leaf + root


def slow_for_a_second(node: int, work_ns: int) -> tuple[Simulation, int, list[int]]:
    """Makes the security of one node slow for a second. Gives the simulation, the number of data
    frames acknowledged meanwhile, and the kinds of the frames sent."""
    simulation = exchange(0.5)
    count, acked = len(simulation.sent), simulation.stats(LEAF)["data_acked"]
    assert acked > 5
    simulation.work_ns[node] = work_ns
    simulation.run(1)
    more = simulation.stats(LEAF)["data_acked"] - acked
    return simulation, more, [kind(sent) for sent in simulation.sent[count:]]


def test_frame_not_ready_is_not_sent() -> None:
    """A data frame that security makes late is given up, visibly, and the next slot begins on
    time."""
    simulation, acked, sent = slow_for_a_second(0, 12_000_000)
    assert simulation.stats(LEAF)["late_tx_offset"] > 10
    assert acked <= 1
    assert sent.count(model.DATA) <= 1


def test_late_ack_is_not_sent() -> None:
    """An Enh-Ack that is not ready at TsTxAckDelay is not sent."""
    simulation, acked, sent = slow_for_a_second(1, 6_000_000)
    assert simulation.stats(ROOT)["late_tx_ack_delay"] > 10
    assert acked <= 1
    assert sent.count(model.ACK) <= 1


TIGHT = dict(LONG) | {"ts_tx_offset": 36 + 7 + 1}
"""The receiver is to be ready one tick into the slot."""


@pytest.mark.parametrize(
    ("call_ns", "late"), [(CALL_NS, False), (33_000, True)], ids=["fast", "slow"]
)
def test_guard_time_is_whole_or_the_slot_is_late(call_ns: int, late: bool) -> None:
    """A receiver that is not ready at TsRxOffset does not listen with the rest of its guard time:
    the slot counts as late."""
    simulation = exchange(1.5, secure_us=300, receive_us=300, call_ns=call_ns, timing=TIGHT)
    root = simulation.stats(ROOT)
    assert (root["late_rx_offset"] > 10, root["data_received"] == 0) == (late, late)
    assert ("listen" not in simulation.nodes[ROOT].radio) == late


@pytest.mark.parametrize("less", [0, 1])
def test_the_receiver_says_what_it_needs(less: int) -> None:
    """TsRxOffset and TsRxAckDelay as long as the nodes noted hold, and one tick less is late."""
    needs = measured(call_ns=33_000)
    rx_offset = max(n["rx_offset"] for n in needs)
    rx_ack = max(n["rx_ack_delay"] for n in needs)
    assert 8 < rx_offset < 14
    assert 8 < rx_ack < 14
    timing = tuned(needs)
    for name, guard, need in (
        ("ts_tx_offset", "ts_rx_guard", rx_offset),
        ("ts_tx_ack_delay", "ts_ack_guard", rx_ack),
    ):
        wide = timing | {guard: timing[name] - need + less}
        simulation = exchange(4, secure_us=2345, receive_us=1357, timing=wide, call_ns=33_000)
        late = {n: sum(simulation.stats(node)[n] for node in (ROOT, LEAF)) for n in LATE}
        assert [n for n in LATE if late[n]] == [name.replace("ts_tx", "late_rx")] * less, late


def test_slot_that_begins_late_is_skipped() -> None:
    """Security that takes longer than the slot costs slots only. ASN and time stay the
    network's."""
    simulation = exchange(0.5)
    simulation.work_ns[1] = 30_000_000
    simulation.run(0.5)
    assert simulation.stats(ROOT)["late_slot"] > 0
    simulation.work_ns[1] = 2_000_000
    acked = simulation.stats(LEAF)["data_acked"]
    simulation.run(1)
    assert simulation.stats(LEAF)["data_acked"] > acked + 10
    assert abs(simulation.asn(ROOT) - simulation.asn(LEAF)) <= 1
