# SPDX-License-Identifier: BSD-3-Clause
"""What happens to a node that works ahead at moments that no template plans: an engine that fails, a
key that goes while a frame arrives, a CPU that comes too late."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.model.ieee802154_model import DATA
from tests.stack.conftest import target_named
from tests.stack.link.linklib import link_target, name_of
from tests.stack.link.simulation import LEAF, ROOT
from tests.stack.link.test_link_residue import PAYLOAD, Engine, beacon
from tests.stack.link.test_tsch_ahead import SLOT_S, Ahead, buffer, run
from tests.stack.link.test_tsch_ahead_cpus import HEADERS, AheadEngine

BLOCKS = 40
"""Of AES in three slots of two nodes: as many as a failure can be at."""
ENGINE = """
from tests.stack.link import test_ahead_moments
test_ahead_moments.each_failure({counter})
"""


def work_state(one: Ahead, node: int) -> dict[str, object]:
    """A node's wm_ahead."""
    layout = link_target("host").layout("wm_ahead")
    one.library.ahead_double_state.restype = ctypes.c_void_p
    return dict(layout.unpack(ctypes.string_at(one.library.ahead_double_state(node), layout.size)))


def each_failure(counter: bool) -> None:
    """The engine fails at each block in turn, and twice, and three times: the nodes go on, and lose a
    few frames at most."""
    for times in (1, 2, 3):
        for block in range(1, BLOCKS):
            one = run(Ahead(counter_carried=counter), 12)
            for _ in range(times):
                one.library.ahead_double_fail_at(block)
                one.run(2 * SLOT_S)
            one.library.ahead_double_fail_at(0)
            before = one.stats(LEAF)
            one.run(10 * SLOT_S)
            after = one.stats(LEAF)
            sent = after["data_sent"] - before["data_sent"]
            acked = after["data_acked"] - before["data_acked"]
            assert acked >= sent - 2 > 4, (times, block, before, after)
            assert after["data_sent"] - after["data_acked"] <= 2 * times + 2, (times, block)


@pytest.mark.parametrize("counter", [False, True])
def test_an_engine_that_fails_costs_its_slot(counter: bool) -> None:
    """In a process of its own: it has to end."""
    done = subprocess.run(
        (sys.executable, "-c", ENGINE.format(counter=counter)),
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


class Stopping(Ahead):
    """Does something at the root once its frame was taken, and before its end is noticed."""

    def __init__(self, then: Callable[[Stopping], None], **common: Any) -> None:
        """`then` is done once, when `armed`."""
        self.then, self.armed = then, False
        super().__init__(**common)

    def _deliver(self, index: int, octets: bytes, end: int) -> None:
        if self.armed and index == ROOT:
            self.armed = False
            self.then(self)
        super()._deliver(index, octets, end)


def new_key(one: Stopping) -> None:
    """The root gets another key."""
    assert work_state(one, ROOT)["followed"]
    assert work_state(one, ROOT)["verdict"] == 0
    one.library.port_double_run_as(ROOT)
    one.library.wm_port_key(1, bytes(16))


@pytest.mark.parametrize("counter", [False, True])
def test_a_key_that_goes_takes_the_frame_with_it(counter: bool) -> None:
    """A frame was found right under a key that is gone when the frame ends: it is refused, as by a node
    that secures at once, and wiped."""
    one = run(Stopping(new_key, counter_carried=counter), 12)
    before = one.stats(ROOT)
    one.armed = True
    for _ in range(64):
        one.run(SLOT_S / 16)
        if not one.armed:
            break
    one.run(SLOT_S / 4)
    after = one.stats(ROOT)
    assert after["data_received"] == before["data_received"]
    assert after["refused"] == before["refused"] + 1
    assert not any(buffer(one, ROOT))


def quiet(role: int) -> AheadEngine:
    """A node on a quiet board of this machine."""
    target = target_named("host", *HEADERS)
    return AheadEngine(target, Random(5), role)  # type: ignore[arg-type]


def put(node: AheadEngine, name: str, member: str, value: int) -> None:
    """Writes 16 bits into a node's wm_ahead or wm_tsch."""
    at = node.ahead if name == "wm_ahead" else node.tsch
    ctypes.memmove(
        int(at) + node.target.layout(name).offset(member), value.to_bytes(2, "little"), 2
    )


def test_a_failed_engine_leaves_no_keystream() -> None:
    """The CPU is slow, so a frame is loaded with its MIC. The engine fails at any block of it: nothing
    is left of keystream that met no octet."""
    begin, end = (link_target("host").layout("wm_ahead").offset(name)
                  for name in ("data_stream", "leaving"))  # fmt: skip
    failed = 0
    for block in range(1, 24):
        node = quiet(LEAF)
        node.hear(beacon(node.peer, 101, 1), asn=101)
        node.ring(2)
        put(node, "wm_ahead", "block_ticks", 400)
        node.target.call("wm_ahead_forget", node.ahead)
        node.target.call("ahead_double_fail_at", block)
        status = node.target.call("wm_ahead_secure", node.ahead, node.job("tx")).value
        node.target.call("ahead_double_fail_at", 0)
        if name_of(status) != "WM_OK":
            failed += 1
            assert not any(node.streams()[begin:end]), block
    assert failed > 10


def answer(*, works: bool) -> bytes:
    """The Enh-Ack of a root that sent a beacon before. `works`: it works at once, and does not do
    nothing until the data frame arrives."""
    node = quiet(ROOT)
    for _ in range(2):
        (node.ring if works else lambda: Engine.ring(node))()
    (node.sent if works else lambda: Engine.sent(node))()
    for _ in range(2):
        (node.ring if works else lambda: Engine.ring(node))()
    node.hear(node.peers(DATA, 5, ack_request=True, private_part=bytes(PAYLOAD)))
    node.ring()
    assert node.state("data_received") == 1
    length = ctypes.c_uint8()
    library = ctypes.CDLL(str(Ahead.file))
    library.port_double_sent.restype = ctypes.c_void_p
    address = library.port_double_sent(ROOT, ctypes.byref(length))
    return ctypes.string_at(address, length.value)


def test_a_beacon_without_mic_takes_no_answers_place() -> None:
    """The root has no time to make its beacon's MIC, and does nothing until a data frame arrives. Then
    the place of the beacon's CBC-MAC is that of an Enh-Ack, to which its tag is appended, and nothing
    else."""
    assert answer(works=False) == answer(works=True)


def test_a_frame_that_is_looked_at_too_late_is_refused_after_its_header() -> None:
    """Its Enh-Ack is overdue: no block of AES is made for it."""
    node = quiet(ROOT)
    node.ring(2)
    node.sent()
    node.ring(2)
    node.begin(node.peers(DATA, 5, ack_request=True, private_part=bytes(PAYLOAD)))
    layout = node.target.layout("wm_tsch")
    at = int(node.tsch) + layout.offset("frame_started")
    started = int.from_bytes(node.target.read(at, 2), "little")
    put(node, "wm_tsch", "frame_started", (started - 2000) & 0xFFFF)
    node.work()
    state = link_target("host").layout("wm_ahead").unpack(node.streams())
    assert state["followed"]
    assert state["verdict"] < 0


@pytest.mark.parametrize("node", [ROOT, LEAF])
def test_the_last_counters_are_used_once(node: int) -> None:
    """A node with three counters left sends as many frames at most, each with one of them, and then
    none, although it goes on to count its cells."""
    one = run(Ahead(counter_carried=True, key_id_mode=3), 12)
    one.set(node, "tx_counter", (2**32 - 4).to_bytes(4, "little"))
    one.sent.clear()
    one.run(30 * SLOT_S)
    own = [sent for sent in one.sent if sent.node == node]
    beacons = [sent for sent in own if sent.octets[0] & 7 == 0]
    counters = [sent.octets[22:26] for sent in own if sent not in beacons]
    last = [int.from_bytes(octets, "little") for octets in counters][1:]  # one was ready before
    assert len(set(counters)) == len(counters)
    assert set(last) <= {2**32 - 4, 2**32 - 3, 2**32 - 2}
    assert one.state(node)["tx_counter"] == 2**32 - 1
    assert one.stats(node)["last_error"] == 4 or node == LEAF


def test_the_last_asn_is_used_by_nobody() -> None:
    """Both nodes come to the end of the ASN: no frame has an ASN behind it, nor twice the last one."""
    one = run(Ahead(), 12)
    end = 2**40 - 1
    early = end - 8
    while one.state(ROOT)["state"] != 2 or one.state(LEAF)["state"] != 2:
        one.run(SLOT_S / 16)
    for node in (ROOT, LEAF):
        one.set(node, "asn", early.to_bytes(5, "big"))
    one.run(SLOT_S)
    one.sent.clear()
    one.run(30 * SLOT_S)
    sent = [(each.node, each.asn) for each in one.sent]
    assert len(sent) == len(set(sent)) > 4
    assert max(asn for _, asn in sent) < end
    assert one.asn(ROOT) == end
