# SPDX-License-Identifier: BSD-3-Clause
"""Nodes whose engine does CCM* whole, ahead of the slot and while frames are on the air. They exchange
frames with nodes that secure at once; frames that are lost, changed, cut or too long cost their own
slot and leave no plaintext; a broken engine accepts nothing."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Mapping
from typing import Any

import pytest

from tests.stack.link.simulation import KEYS, LEAF, ROOT, Sent
from tests.stack.link.test_tsch_ahead import (
    BOTH,
    SLOT_S,
    Ahead,
    Endless,
    assert_no_nonce_twice,
    buffer,
    run,
)

WORKS, DOES_NOT_BEGIN, DOES_NOT_END = range(3)
HEADER = 23
"""Octets of the header of a data frame with ASN in its nonce."""


class ByEngine(Ahead):
    """`nodes` have such an engine, with m in the radio until its end, or not."""

    in_radio = True

    def _init(self, node: int, changes: Mapping[str, Any]) -> str:
        if node in self.ahead:
            self.library.ahead_engine_double_use(node, self.in_radio)
        self.library.ahead_engine_double_work.restype = ctypes.c_bool
        return super(Ahead, self)._init(node, changes)

    def work(self, node: int, times: int) -> None:
        """wm_ahead_engine_work, while there is something to do."""
        self.running = node
        while times > 0 and self.library.ahead_engine_double_work(node):
            times -= 1


class InMemory(ByEngine):
    """With m in the memory of the node."""

    in_radio = False


ENGINES = [ByEngine, InMemory]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("nodes", [BOTH, (ROOT,), (LEAF,)])
@pytest.mark.parametrize("level", range(1, 8))
def test_nodes_of_both_kinds_understand_each_other(
    level: int, nodes: tuple[int, ...], engine: type[ByEngine]
) -> None:
    """At each level, with ASN and with frame counter, nothing is lost or refused; data frames and
    Enh-Acks are those that were prepared."""
    for counter in (False, True):
        one = run(
            engine(
                nodes=nodes,
                level=level,
                counter_carried=counter,
                key_id_mode=3 if counter else 1,
                profile=int(level == 4),
            )
        )
        root, leaf = one.stats(ROOT), one.stats(LEAF)
        assert leaf["data_acked"] >= leaf["data_sent"] - 1 > 10, root
        assert root["refused"] == leaf["refused"] == 0
        assert_no_nonce_twice(one)
        if LEAF in nodes:
            assert one.library.ahead_engine_double_prepared(LEAF) >= leaf["data_sent"] - 1
        if ROOT in nodes:
            assert one.library.ahead_engine_double_answered(ROOT) >= root["acks_sent"]


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_received_is_what_was_sent(engine: type[ByEngine]) -> None:
    """m is in the buffer of the root before the next slot."""
    one = run(engine(), 20)
    received = buffer(one, ROOT)[HEADER:100]
    assert received == one._member(LEAF, "tx_frame", 127)[HEADER:100]
    assert any(received)
    one.library.ahead_engine_double_keeps.restype = ctypes.c_bool
    assert not one.library.ahead_engine_double_keeps(ROOT)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("counter", [False, True])
def test_a_lost_frame_is_all_that_is_lost(counter: bool, engine: type[ByEngine]) -> None:
    """Three in ten frames, of any kind: every data frame that arrives is answered."""
    rng = random.Random(7)
    kept: dict[int, bool] = {}

    def lossy(sent: Sent) -> bytes | None:
        return sent.octets if kept.setdefault(id(sent), rng.random() < 0.7) else None

    one = run(engine(medium=lossy, counter_carried=counter), 120)
    root, leaf = one.stats(ROOT), one.stats(LEAF)
    assert root["data_received"] == root["acks_sent"] > 20
    assert root["refused"] == leaf["refused"] == 0
    assert_no_nonce_twice(one)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("place", [-1, 60, 10, 0])
def test_a_changed_frame_is_refused_and_wiped(place: int, engine: type[ByEngine]) -> None:
    """One bit of the MIC, the payload, an address or the type. It is not answered, and the next frame
    is accepted."""
    changed: set[int] = set()

    def forger(sent: Sent) -> bytes:
        octets = bytearray(sent.octets)
        if sent.node == LEAF and sent.asn % 3 == 0:
            octets[place] ^= 1
            changed.add(sent.asn)
        return bytes(octets)

    one = engine(medium=forger)
    one.library.ahead_engine_double_keeps.restype = ctypes.c_bool
    seen: list[bytes] = []

    def look() -> None:
        if one.stats(ROOT)["refused"] > len(seen):
            seen.append(buffer(one, ROOT))
            assert not one.library.ahead_engine_double_keeps(ROOT)

    for slot in range(60):
        one.at(int(slot * SLOT_S * 1e9), look)
    run(one, 60)
    root, leaf = one.stats(ROOT), one.stats(LEAF)
    assert root["refused"] >= len(changed) - 1 > 5
    assert root["data_received"] == root["acks_sent"] >= leaf["data_sent"] - root["refused"] - 1
    assert seen
    assert not any(map(any, seen))


@pytest.mark.parametrize("engine", ENGINES)
def test_octets_that_stop_leave_nothing(engine: type[ByEngine]) -> None:
    """Of each frame only the first octets arrive, up to any of them."""
    for cut in (1, 3, 20, 23, 40, 60, 100, 125, 127):
        one = run(engine(), 12)
        one.library.ahead_engine_double_keeps.restype = ctypes.c_bool
        before = one.stats(ROOT)["data_received"]
        one.cut = cut
        one.run(4 * SLOT_S)
        one.cut = 0
        assert one.stats(ROOT)["data_received"] == before, cut
        assert not any(buffer(one, ROOT)[HEADER:]), cut
        assert not one.library.ahead_engine_double_keeps(ROOT)
        one.run(8 * SLOT_S)
        assert one.stats(ROOT)["data_received"] > before, "at most its own slot is lost"


class EndlessEngine(Endless, ByEngine):
    """With an engine, and an end that is not noticed."""

    def work(self, node: int, times: int) -> None:
        """Nothing once an end was missed."""
        if not (node == ROOT and self.missed):
            ByEngine.work(self, node, times)


def test_a_verdict_is_of_one_frame() -> None:
    """A frame is begun, and its end is not noticed. The next ones are forged, and end before anything
    was done with them: they are refused."""
    forged = False

    def forger(sent: Sent) -> bytes:
        octets = bytearray(sent.octets)
        octets[-1] ^= forged and sent.node == LEAF
        return bytes(octets)

    one = run(EndlessEngine(medium=forger), 12)
    one.endless = True
    for _ in range(64):
        one.run(SLOT_S / 8)
        if one.missed:
            break
    assert one.missed
    before, forged = one.stats(ROOT), True
    one.run(6 * SLOT_S)
    after = one.stats(ROOT)
    assert after["data_received"] == before["data_received"] > 5
    assert after["refused"] >= before["refused"] + 3


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("fault", [DOES_NOT_BEGIN, DOES_NOT_END])
@pytest.mark.parametrize("node", BOTH)
def test_a_broken_engine_accepts_nothing(node: int, fault: int, engine: type[ByEngine]) -> None:
    """And goes on when it works again."""
    one = run(engine(), 12)
    name = "data_received" if node == ROOT else "data_acked"
    one.library.ahead_engine_double_breaks(node, fault)
    one.run(2 * SLOT_S)
    before = one.stats(node)
    one.run(4 * SLOT_S)
    after = one.stats(node)
    assert after[name] == before[name] > 5
    assert after["refused"] > before["refused"]
    assert not any(buffer(one, node))
    one.library.ahead_engine_double_breaks(node, WORKS)
    one.run(8 * SLOT_S)
    assert one.stats(node)[name] > after[name]


def test_a_wrong_fcs_is_refused() -> None:
    """With the MIC right."""
    one = run(ByEngine(), 12)
    before = one.stats(ROOT)["data_received"]
    one.fcs_ok = False
    one.run(3 * SLOT_S)
    assert one.stats(ROOT)["data_received"] == before
    assert one.stats(ROOT)["refused"] >= 2
    assert not any(buffer(one, ROOT))


def test_a_key_that_changes_takes_with_it_what_was_begun() -> None:
    """Both nodes get another key between slots: the next frames have it, and are accepted."""
    one = run(ByEngine(), 12)
    before = one.stats(LEAF)["data_acked"]
    for key in (bytes(16), KEYS[1]):
        for node in BOTH:
            one.running = node
            one.library.port_double_run_as(node)
            one.library.wm_port_key(1, key)
        one.run(10 * SLOT_S)
    assert one.stats(ROOT)["refused"] <= 2
    assert one.stats(LEAF)["data_acked"] > before + 5


def change_key(one: ByEngine) -> None:
    """Key 1 of the root is loaded anew."""
    one.running = ROOT
    one.library.port_double_run_as(ROOT)
    one.library.wm_port_key(1, KEYS[1])


def test_a_key_that_changes_wipes_an_authenticated_m_in_the_radio() -> None:
    """Between the verdict and the Enh-Ack, when m was not read yet."""
    one = run(ByEngine(), 12)
    one.library.ahead_engine_double_keeps.restype = ctypes.c_bool
    for _ in range(512):
        if one.library.ahead_engine_double_keeps(ROOT):
            break
        one.run(SLOT_S / 128)
    assert one.library.ahead_engine_double_keeps(ROOT), "m waits for the Enh-Ack"
    change_key(one)
    assert not one.library.ahead_engine_double_keeps(ROOT)


class ByEngineKeyed(ByEngine):
    """At the end of the next frame to the root, before the node hears of it, a key changes."""

    armed = keyed = False
    left: bytes | None = None
    """The root's buffer when it has heard of that end."""

    def _deliver(self, index: int, octets: bytes, end: int) -> None:
        if self.armed and index == ROOT:
            self.armed, self.keyed = False, True
            change_key(self)
        super()._deliver(index, octets, end)

    def _run(self, node: int, at_ns: int, function: str, *args: int) -> None:
        super()._run(node, at_ns, function, *args)
        if self.keyed and node == ROOT and function == "wm_tsch_on_frame_end":
            self.keyed, self.left = False, buffer(self, ROOT)


class InMemoryKeyed(ByEngineKeyed):
    """With m in the memory of the node."""

    in_radio = False


@pytest.mark.parametrize("engine", [ByEngineKeyed, InMemoryKeyed])
def test_a_key_that_changes_takes_the_verdict_with_it(engine: type[ByEngineKeyed]) -> None:
    """A frame that was begun under the key before is refused and wiped at its end."""
    one = run(engine(), 12)
    before, one.armed = one.stats(ROOT), True
    while one.left is None:
        one.run(SLOT_S / 8)
    assert one.stats(ROOT)["refused"] == before["refused"] + 1
    assert not any(one.left)
    one.run(8 * SLOT_S)
    assert one.stats(ROOT)["data_received"] > before["data_received"] + 3


@pytest.mark.parametrize("engine", ENGINES)
def test_other_rules_refuse_what_was_opened(engine: type[ByEngine]) -> None:
    """Right frames that are refused all the same are wiped and not answered, in the engine too."""
    one = run(engine(), 12)
    one.library.ahead_engine_double_keeps.restype = ctypes.c_bool
    one.library.ahead_engine_double_refuses(ROOT, True)
    one.run(SLOT_S)
    before = one.stats(ROOT)
    for _ in range(40):
        one.run(SLOT_S / 8)
        if one.stats(ROOT)["refused"] > before["refused"] + 2:
            break
    after = one.stats(ROOT)
    assert after["refused"] > before["refused"] + 2
    assert after["data_received"] == before["data_received"] == after["acks_sent"]
    assert not any(buffer(one, ROOT))
    assert not one.library.ahead_engine_double_keeps(ROOT)
    one.library.ahead_engine_double_refuses(ROOT, False)
    one.run(8 * SLOT_S)
    assert one.stats(ROOT)["data_received"] > after["data_received"] + 2


def test_the_rest_of_a_frame_is_asked_for_while_it_leaves() -> None:
    """After the radio was told to send each data frame."""
    one = run(ByEngine(nodes=(LEAF,)), 20)
    loads = one.library.ahead_engine_double_loads
    assert loads(LEAF) >= one.stats(LEAF)["data_sent"] > 10


@pytest.mark.parametrize("level", [1, 5])
def test_no_octet_is_waited_for_before_a_header_is_judged(level: int) -> None:
    """Data frames whose m the engine takes out of the radio: their header alone, or else all that is
    authenticated."""
    one = run(ByEngine(level=level), 20)
    clear = one.library.ahead_engine_double_read(ROOT)
    assert one.stats(ROOT)["data_received"] > 10
    assert clear == (HEADER if level == 5 else 127 - 4 - 2), "but for MIC and FCS"
