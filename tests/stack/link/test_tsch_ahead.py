# SPDX-License-Identifier: BSD-3-Clause
"""Nodes that work ahead of the slot. They exchange frames with nodes that secure at once; frames that
are lost, changed, cut or too long cost their own slot and leave no plaintext; no nonce comes twice,
whenever the work is done."""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.stack.link.linklib import link_target
from tests.stack.link.simulation import KEYS, LEAF, ROOT, Sent, Simulation

SLOT_S = 800 / 32768
BOTH = (ROOT, LEAF)
PSDU_MAX = 127


class Ahead(Simulation):
    """`nodes` work ahead: once after each event, and so often again as `more` says. Of a frame that is
    heard, `cut` octets arrive when it begins; 0: all."""

    def __init__(
        self,
        *,
        nodes: tuple[int, ...] = BOTH,
        more: Callable[[], int] = lambda: 64,
        **common: Any,
    ) -> None:
        """As its base."""
        self.ahead, self.more, self.cut = nodes, more, 0
        super().__init__(**common)

    def _init(self, node: int, changes: Mapping[str, Any]) -> str:
        if node in self.ahead:
            self.library.ahead_double_use(node)
        self.library.ahead_double_work.restype = ctypes.c_bool
        return super()._init(node, changes)

    def work(self, node: int, times: int) -> None:
        """wm_ahead_work, while there is something to do."""
        self.running = node
        self.library.port_double_run_as(node)
        while times > 0 and self.library.ahead_double_work(node):
            times -= 1

    def _run(self, node: int, at_ns: int, function: str, *args: int) -> None:
        due = self.nodes[node].now_ns <= self.time_ns
        super()._run(node, at_ns, function, *args)
        if due and node in self.ahead:
            self.work(node, 1 + self.more())

    def _hear(self, index: int, sent: Sent, sfd: int, end: int) -> None:
        length = ctypes.c_uint8()
        self.library.port_double_run_as(1 - index)
        address = self.library.port_double_sent(1 - index, ctypes.byref(length))
        whole = Sent(
            sent.at_ns, sent.node, sent.channel, sent.asn, ctypes.string_at(address, length.value)
        )
        self.sent = [whole if one is sent else one for one in self.sent]
        before = len(self.events)
        super()._hear(index, whole, sfd, end)
        if len(self.events) > before and index in self.ahead:
            octets = self.medium(whole)
            assert octets is not None
            self.library.port_double_run_as(index)
            self.library.port_double_deliver(index, octets, len(octets), int(self.fcs_ok))
            self.library.ahead_double_arrives(index, self.cut)

    def _deliver(self, index: int, octets: bytes, end: int) -> None:
        node = self.nodes[index]
        if index not in self.ahead:
            super()._deliver(index, octets, end)
        elif node.on_until_ns is None or node.on_until_ns >= end:
            self._edge(index, end, "wm_tsch_on_frame_end")


def run(simulation: Simulation, slots: int = 30) -> Any:
    """Starts both nodes and runs."""
    simulation.start(ROOT)
    simulation.start(LEAF)
    simulation.run(slots * SLOT_S)
    return simulation


def assert_no_nonce_twice(simulation: Simulation) -> None:
    """Of each node, every frame has an ASN of its own; beacons have another key."""
    sent = [(one.node, one.asn) for one in simulation.sent]
    assert len(sent) == len(set(sent)) > 10


@pytest.mark.parametrize("nodes", [BOTH, (ROOT,), (LEAF,)])
@pytest.mark.parametrize("level", range(1, 8))
def test_nodes_of_both_kinds_understand_each_other(level: int, nodes: tuple[int, ...]) -> None:
    """At each level, with ASN and with frame counter, nothing is lost or refused."""
    for counter in (False, True):
        one = run(
            Ahead(
                nodes=nodes,
                level=level,
                counter_carried=counter,
                key_id_mode=3 if counter else 1,
                profile=int(level == 4),
            )
        )
        leaf = one.stats(LEAF)
        assert leaf["data_acked"] >= leaf["data_sent"] - 1 > 10, one.stats(ROOT)
        assert one.stats(ROOT)["refused"] == leaf["refused"] == 0
        assert_no_nonce_twice(one)


@pytest.mark.parametrize("counter", [False, True])
def test_a_lost_frame_is_all_that_is_lost(counter: bool) -> None:
    """Three in ten frames, of any kind: every data frame that arrives is answered."""
    rng = random.Random(7)
    kept: dict[int, bool] = {}

    def lossy(sent: Sent) -> bytes | None:
        return sent.octets if kept.setdefault(id(sent), rng.random() < 0.7) else None

    one = run(Ahead(medium=lossy, counter_carried=counter), 120)
    root, leaf = one.stats(ROOT), one.stats(LEAF)
    assert root["data_received"] == root["acks_sent"] > 20
    assert root["refused"] == 0
    assert leaf["refused"] == 0
    assert_no_nonce_twice(one)


def buffer(simulation: Simulation, node: int) -> bytes:
    """The engine's buffer of received frames."""
    return simulation._member(node, "rx_frame", PSDU_MAX)


@pytest.mark.parametrize("counter", [False, True])
@pytest.mark.parametrize("place", [-1, 60, 10])
def test_a_changed_frame_is_refused_and_wiped(place: int, counter: bool) -> None:
    """One bit of the MIC, the payload or the header. The next frame is accepted."""
    seen: list[bytes] = []

    def forger(sent: Sent) -> bytes:
        if sent.node == LEAF and sent.asn % 3 == 0:
            octets = bytearray(sent.octets)
            octets[place] ^= 1
            return bytes(octets)
        return sent.octets

    one = Ahead(medium=forger, counter_carried=counter)

    def look() -> None:
        if one.stats(ROOT)["refused"] > len(seen):
            seen.append(buffer(one, ROOT))

    for slot in range(60):
        one.at(int(slot * SLOT_S * 1e9), look)
    run(one, 60)
    root, leaf = one.stats(ROOT), one.stats(LEAF)
    changed = sum(sent.node == LEAF and sent.asn % 3 == 0 for sent in one.sent)
    assert changed - 1 <= root["refused"] <= changed
    assert root["refused"] > 5
    assert root["data_received"] == root["acks_sent"] >= leaf["data_sent"] - changed - 1
    assert seen
    assert not any(map(any, seen))


def test_octets_that_stop_leave_nothing() -> None:
    """Of each frame only the first octets arrive, up to any of them: nothing is received, and no
    plaintext is left."""
    for cut in (1, 3, 20, 23, 40, 60, 100, 125, 127):
        one = run(Ahead(), 12)
        before = one.stats(ROOT)["data_received"]
        one.cut = cut
        one.run(4 * SLOT_S)
        one.cut = 0
        assert one.stats(ROOT)["data_received"] == before
        assert not any(buffer(one, ROOT)[23:]), cut
        one.run(8 * SLOT_S)
        assert one.stats(ROOT)["data_received"] > before, "at most its own slot is lost"


class Endless(Ahead):
    """Once it is `endless`, the end of a frame is not noticed, and from then on the root does no work
    between two events."""

    endless = missed = False

    def work(self, node: int, times: int) -> None:
        """Nothing once an end was missed."""
        if not (node == ROOT and self.missed):
            super().work(node, times)

    def _deliver(self, index: int, octets: bytes, end: int) -> None:
        if self.endless and index == ROOT and not self.missed:
            self.missed = True
        else:
            super()._deliver(index, octets, end)


def test_a_verdict_is_of_one_frame() -> None:
    """A frame is taken while it arrives, and found right, but its end is not noticed. The next ones
    are forged, and end before anything was done with them: they are refused."""
    forged = False

    def forger(sent: Sent) -> bytes:
        octets = bytearray(sent.octets)
        octets[-1] ^= forged and sent.node == LEAF
        return bytes(octets)

    one = run(Endless(medium=forger), 12)
    one.endless = True
    while not one.missed:
        one.run(SLOT_S / 8)
    before, forged = one.stats(ROOT), True
    one.run(6 * SLOT_S)
    after = one.stats(ROOT)
    assert after["data_received"] == before["data_received"] > 5
    assert after["refused"] >= before["refused"] + 3


def state_of(simulation: Simulation) -> dict[str, Any]:
    """The root's wm_ahead."""
    layout = link_target("host").layout("wm_ahead")
    simulation.library.ahead_double_state.restype = ctypes.c_void_p
    at = simulation.library.ahead_double_state(ROOT)
    return dict(layout.unpack(ctypes.string_at(at, layout.size)))


def test_the_right_tag_of_a_wrong_frame_is_wiped() -> None:
    """As soon as the verdict is known, before anything else is done."""
    one = run(Ahead(medium=lambda sent: sent.octets[:-1] + bytes([sent.octets[-1] ^ 1])
                    if sent.node == LEAF and sent.asn > 12 else sent.octets), 12)  # fmt: skip
    before = one.stats(ROOT)["refused"]
    verdicts = 0
    for _ in range(6 * 64):
        one.run(SLOT_S / 64)
        state = state_of(one)
        if state["followed"] and state["verdict"] < 0:
            verdicts += 1
            assert not any(bytes(state["data"]["mac"]["x"]["octet"]))
    assert one.stats(ROOT)["refused"] > before
    assert verdicts > 0


def test_a_frame_that_would_be_late_is_given_up() -> None:
    """Its blocks could be made before the slot ends, but not before its Enh-Ack is due."""
    one = run(Ahead(), 12)
    before = one.stats(ROOT)
    layout = link_target("host").layout("wm_ahead")
    wasted = state_of(one)["wasted"]
    state = one.library.ahead_double_state(ROOT)
    ctypes.memmove(state + layout.offset("block_ticks"), (40).to_bytes(2, "little"), 2)
    one.run(6 * SLOT_S)
    after = one.stats(ROOT)
    assert after["data_received"] == before["data_received"]
    assert after["refused"] >= before["refused"] + 4
    assert not any(buffer(one, ROOT))
    assert state_of(one)["wasted"] >= wasted + 4 * 2, "S_0 and keystream that met no frame"


def test_time_on_the_air() -> None:
    """Ticks of a frame with 6 octets before its PSDU, 32 us an octet, never fewer than that takes."""
    library = run(Ahead(), 1).library
    for octets in range(128):
        exact = (octets + 6) * 32e-6 * 32768
        assert exact <= library.ahead_double_air(octets) < exact + 1.2


def test_a_wrong_fcs_is_refused() -> None:
    """With the MIC right."""
    one = run(Ahead(), 12)
    before = one.stats(ROOT)["data_received"]
    one.fcs_ok = False
    one.run(3 * SLOT_S)
    assert one.stats(ROOT)["data_received"] == before
    assert one.stats(ROOT)["refused"] >= 2
    assert not any(buffer(one, ROOT))


def test_a_key_that_changes_takes_its_keystream_with_it() -> None:
    """Both nodes get another key between slots: the next frames have it, and are accepted."""
    one = run(Ahead(), 12)
    before = one.stats(LEAF)["data_acked"]
    for node in BOTH:
        one.running = node
        one.library.port_double_run_as(node)
        one.library.wm_port_key(1, bytes(16))
    one.run(10 * SLOT_S)
    assert one.stats(ROOT)["refused"] <= 1
    assert one.stats(LEAF)["data_acked"] > before + 5
    for node in BOTH:
        one.library.port_double_run_as(node)
        one.library.wm_port_key(1, KEYS[1])
    one.run(10 * SLOT_S)
    assert one.stats(ROOT)["refused"] <= 2


@pytest.mark.parametrize("counter", [False, True])
def test_every_schedule_of_bounded_length(counter: bool) -> None:
    """However many pieces of work are done after each event, four events over and again: no nonce
    comes twice, and every frame is accepted."""
    for schedule in itertools.product((0, 1, 64), repeat=4):
        turns = itertools.cycle(schedule)
        one = run(Ahead(more=turns.__next__, counter_carried=counter), 12)
        leaf = one.stats(LEAF)
        assert leaf["data_acked"] >= leaf["data_sent"] - 1 > 4, schedule
        assert one.stats(ROOT)["refused"] == 0, schedule
        sent = [(sent.node, sent.asn) for sent in one.sent]
        assert len(sent) == len(set(sent)), schedule


@pytest.mark.parametrize("level", [2, 6])
def test_a_node_that_looks_for_its_network_keeps_nothing(level: int) -> None:
    """All that a leaf hears has a wrong MIC, until it scans: neither a right tag nor keystream is
    left."""
    broken = False

    def forger(sent: Sent) -> bytes:
        octets = bytearray(sent.octets)
        octets[-1] ^= broken and sent.node == ROOT
        return bytes(octets)

    one = run(Ahead(medium=forger, level=level), 12)
    one.library.ahead_double_keeps.restype = ctypes.c_bool
    broken = True
    for _ in range(2000):
        one.run(SLOT_S)
        if not one.stats(LEAF)["joined"]:
            break
    assert not one.stats(LEAF)["joined"]
    assert one.stats(LEAF)["refused"] > 0
    one.work(LEAF, 1)
    assert not one.library.ahead_double_keeps(LEAF)
