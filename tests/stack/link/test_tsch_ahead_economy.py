# SPDX-License-Identifier: BSD-3-Clause
"""What nodes that work ahead of the slot do not do: blocks that no frame needs, frames whose Enh-Ack
would be late, frames longer than their time, frames that have no nonce or no place."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.linklib import link_target, name_of
from tests.stack.link.simulation import LEAF, LONG, ROOT, Sent, kind
from tests.stack.link.test_tsch_ahead import BOTH, SLOT_S, Ahead, run

SLEEP, RX_LISTEN = 2, 9  # wm_tsch_state
MALFORMED = 2  # WM_ERR_MALFORMED, as last_error has it
MIC, HEADER = 4, 23  # octets of ENC-MIC-32's MIC; of a data frame's header


def host_layout() -> Any:
    """Where the members of a wm_ahead are."""
    return link_target("host").layout("wm_ahead")


def place(simulation: Ahead, node: int) -> int:
    """The address of the node's wm_ahead."""
    simulation.library.ahead_double_state.restype = ctypes.c_void_p
    return int(simulation.library.ahead_double_state(node))


def state_of(simulation: Ahead, node: int) -> Mapping[str, Any]:
    """The node's wm_ahead."""
    layout = host_layout()
    read: Mapping[str, Any] = layout.unpack(ctypes.string_at(place(simulation, node), layout.size))
    return read


def blocks(octets: int) -> int:
    """Whole blocks for so many octets."""
    return -(-octets // 16)


def needed(sent: Sent) -> int:
    """Blocks of AES of a frame: S_0, B_0, the header behind its length of two octets; of data
    keystream and CBC-MAC too."""
    mac = len(sent.octets) - MIC
    a = HEADER if kind(sent) == model.DATA else mac
    return 2 + blocks(2 + a) + 2 * blocks(mac - a)


@pytest.mark.parametrize("node", BOTH)
def test_no_block_too_many(node: int) -> None:
    """Where nothing is lost, a node makes the blocks that its frames and those of its peer need, and
    not one more; a leaf takes beacons as a whole, not ahead."""
    one = run(Ahead(), 12)
    before, first = state_of(one, node), len(one.sent)
    one.run(28 * SLOT_S)
    after = state_of(one, node)
    frames = [sent for sent in one.sent[first:] if node == ROOT or kind(sent) != model.BEACON]
    assert len(frames) > 40
    assert after["made"] - before["made"] == sum(map(needed, frames))
    assert after["wasted"] == before["wasted"]


def one_piece(wanted: int) -> int:
    """Blocks that the root makes when it is asked once in this state, having done nothing yet."""
    one = run(Ahead(nodes=(ROOT,), more=lambda: -1), 12)
    while one.state(ROOT)["state"] != wanted or not one.state(ROOT)["slot_used"]:
        one.run(SLOT_S / 100)
    one.nodes[ROOT].now_ns = one.time_ns
    before = state_of(one, ROOT)["made"]
    one.work(ROOT, 1)
    return int(state_of(one, ROOT)["made"] - before)


def test_a_node_that_may_be_called_stops_after_a_block() -> None:
    """While it listens a frame may begin at any time: one block. While it sleeps it knows for how
    long, and makes all that there is to make before the slot: keystream, S_0 and B_0."""
    assert one_piece(RX_LISTEN) == 1
    assert one_piece(SLEEP) > 1


class Slow(Ahead):
    """When a data frame begins, the root thinks that a block takes so many ticks."""

    block_ticks = 0

    def _hear(self, index: int, sent: Sent, sfd: int, end: int) -> None:
        super()._hear(index, sent, sfd, end)
        ticks = self.block_ticks if index == ROOT else 0
        at = place(self, index) + host_layout().offset("block_ticks")
        ctypes.memmove(at, ticks.to_bytes(2, "little"), 2)


def answered(block_ticks: int) -> bool:
    """Whether the next data frame, of 40 octets, is answered."""
    one = run(Slow(frame_len=40), 12)
    before = one.stats(ROOT)
    one.block_ticks = block_ticks
    while kind(one.sent[-1]) != model.DATA or one.sent[-1].at_ns < 12 * SLOT_S * 1e9:
        one.run(SLOT_S / 8)
    one.run(SLOT_S / 2)
    after = one.stats(ROOT)
    assert after["acks_sent"] + after["refused"] > before["acks_sent"] + before["refused"]
    return bool(after["refused"] == before["refused"])


def test_a_frame_whose_answer_would_be_late_is_left() -> None:
    """Behind the header two blocks are left, the second of a and that of m. They may take the time
    from the SFD to the last moment at which the Enh-Ack can be sent, and not a tick more."""
    on_air, sfd, turnaround = 47, 5, 7  # ticks of 44 octets; of 5; of the radio
    room = on_air - sfd + LONG["ts_tx_ack_delay"] - turnaround
    most = max(ticks for ticks in range(room) if 2 * (ticks + 1) < room)
    assert answered(most)
    assert not answered(most + 1)


@pytest.mark.parametrize("ticks", [139, 140])
def test_a_frame_longer_than_its_time(ticks: int) -> None:
    """A frame of 127 octets takes 140 ticks. Where TsMaxTx is less, its length says that it cannot
    be received; else its MIC does."""

    def lengthened(sent: Sent) -> bytes:
        return sent.octets if sent.node == ROOT else sent.octets.ljust(125, b"\0")

    one = run(Ahead(frame_len=60, timing={**LONG, "ts_max_tx": ticks}, medium=lengthened), 20)
    root = one.stats(ROOT)
    assert root["data_received"] == 0
    assert root["refused"] > 5
    assert (root["last_error"] == MALFORMED) == (ticks < 140), root["last_error"]


@pytest.mark.parametrize("member", ["tx_counter", "asn"])
@pytest.mark.parametrize("node", BOTH)
def test_a_used_up_nonce_sends_nothing(node: int, member: str) -> None:
    """With the last counter, or the last ASN, behind it a node sends no frame of any kind again,
    whatever it made ahead."""
    octets = {"tx_counter": 4, "asn": 5}[member]
    one = run(Ahead(counter_carried=member == "tx_counter"), 12)
    one.set(node, member, b"\xff" * octets)
    one.run(4 * SLOT_S)
    one.sent.clear()
    one.run(40 * SLOT_S)
    assert {sent.node for sent in one.sent} <= {1 - node}
    assert node == LEAF or one.stats(ROOT)["last_error"] == 4


def test_a_frame_shorter_than_its_map_is_not_loaded() -> None:
    """The length of a job does not reach its private payload: nothing of it is secured."""
    one = run(Ahead(), 12)
    one.running = LEAF
    one.library.port_double_run_as(LEAF)
    job = int(one._tsch(LEAF).value or 0) + one.layout.offset("tx")
    layout = link_target("host").layout("wm_frame_job")
    kinds = layout.unpack(ctypes.string_at(job, layout.size))["mhr"]
    assert kinds["type"] == model.DATA
    ctypes.memmove(job + layout.offset("len"), b"\5", 1)
    length = ctypes.c_uint8()
    one.library.port_double_sent(LEAF, ctypes.byref(length))
    before = length.value
    secure = one.library.wm_ahead_secure
    status = secure(ctypes.c_void_p(place(one, LEAF)), ctypes.c_void_p(job))
    one.library.port_double_sent(LEAF, ctypes.byref(length))
    assert (name_of(status), length.value) == ("WM_ERR_MALFORMED", before)
