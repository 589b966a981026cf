# SPDX-License-Identifier: BSD-3-Clause
"""Nodes whose encryption engine is broken accept no frame, send none that is not secured, keep no
plaintext, go on, and work again when the engine does. A frame of level 4 whose keystream was whole
before the engine broke is right, and may go."""

from __future__ import annotations

import struct
from typing import Literal

import pytest

from tests.firmware.test_slot_image import (
    LONG_SLOT,
    OPENMOTE,
    SHORT_SLOT,
    TELOSB,
    Network,
    Node,
    inject_slot_by_slot,
)
from tests.stack.oracle import seal_openssl
from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot import block
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE

Fault = Literal["deaf", "late", "echo", "dark"]
AT_ONCE: tuple[Fault, ...] = ("deaf", "late", "echo")
FAULTS: tuple[Fault, ...] = (*AT_ONCE, "dark")
"""The last one begins when a CC2538 wakes."""
WITH_ENGINE = [
    Node(board, strategy)
    for board in (TELOSB, OPENMOTE)
    for strategy in ("hybrid", "hardware", "ahead-hybrid", "ahead-hardware", "ahead-hardware-pib")
]
LEVELS = range(1, 8)
ROOT, LEAF = 0, 1
ACK_TYPE = 2
HEADER = 35
"""Octets of the header of a data frame with the ASH of the paper."""
JOINED_S, BROKEN_S, MENDED_S = 10.5, 0.5, 30
ENGINE = -block.headers().constants["WM_ERR_ENGINE"]
SLEEP = block.headers().constants.get("WM_TSCH_SLEEP", 2)
RAM = {TELOSB: (0x1100, 10_240), OPENMOTE: (0x2000_0000, 32_768)}
PLAIN = bytes(range(8, 24))
"""A part of the payload of every data frame: the test puts it into the message, behind its number."""


def _id(value: object) -> str:
    return f"{value.board}-{value.strategy}" if isinstance(value, Node) else str(value)


class Breakable(Network):
    """Two nodes that have exchanged frames."""

    def __init__(self, node: Node, level: int) -> None:
        super().__init__(node, node)
        self.configure(level, "paper", LONG_SLOT)
        asn = block.node_layout(SLOT_BOARDS[node.board].model).offset("asn")
        for mote in self.motes:
            self.simulation.capture(mote, "slot_node", asn)
        self.run(JOINED_S)
        at, octets = self.simulation.symbol(LEAF, "message")
        self.simulation.write(LEAF, at + len(PLAIN), PLAIN + bytes(octets - 2 * len(PLAIN)))
        self.run(BROKEN_S)
        assert self.copies(ROOT) > 0, "in a frame that was accepted"
        assert self.stats(LEAF)["data_acked"] > 0

    def break_between_slots(self, mote: int, fault: Fault | None) -> None:
        """No operation is under way."""
        while any(self.field(each, "state") != bytes([SLEEP]) for each in self.motes):
            self.run(0.001)
        self.simulation.break_engine(mote, fault)

    def accepted(self, mote: int) -> tuple[int, int]:
        """Data frames and Enh-Acks that a node has taken for right."""
        stats = self.stats(mote)
        return stats["data_received"], stats["data_acked"]

    def sent(self, mote: int, since_ps: int) -> list[bytes]:
        """What a node has sent to its end since then."""
        return [
            psdu
            for sender, at, _, psdu, complete in self.simulation.frames()
            if sender == mote and at >= since_ps and complete
        ]

    def copies(self, mote: int) -> int:
        """How often the payload lies in a node's RAM, message and frame to send aside."""
        ram = self.simulation.read(mote, *RAM[self.nodes[mote].board])
        own = int(mote == LEAF) + self.field(mote, "tx_frame").count(PLAIN)
        assert ram.count(PLAIN) >= own
        return ram.count(PLAIN) - own


def _made_before(node: Node, level: int) -> int:
    """Frames that need no block any more when the engine breaks: a level without MIC wants nothing but
    keystream, and that was made ahead of the slot."""
    return int(level == 4 and node.strategy == "ahead-hybrid")


def _is_right(psdu: bytes) -> bool:
    """Whether a frame of level 4 is what OpenSSL makes of the message. Of an Enh-Ack all is clear."""
    if psdu[0] & 7 == ACK_TYPE:
        return True
    source, counter, m = psdu[13:21][::-1], psdu[22:26][::-1], psdu[HEADER:-2]
    nonce = source + counter + bytes([4])
    return PLAIN in seal_openssl(block.DATA_KEY, nonce, b"", m, 0)[0]


@pytest.mark.early
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("node", WITH_ENGINE, ids=_id)
def test_a_broken_engine_fails_closed(node: Node, level: int) -> None:
    """At the sender and at the receiver, each fault after the other."""
    network = Breakable(node, level)
    for mote in (LEAF, ROOT):
        for fault in FAULTS:
            network.break_between_slots(mote, fault)
            begin, accepted = network.simulation.now_ps, network.accepted(mote)
            asn = network.field(mote, "asn")
            network.run(BROKEN_S)
            case = f"{fault} at {mote}"
            sent = network.sent(mote, begin)
            more = sum(network.accepted(mote)) - sum(accepted)
            assert max(len(sent), more) <= _made_before(node, level), case
            assert all(_is_right(psdu) for psdu in sent), case
            assert network.stats(mote)["last_error"] == ENGINE, case
            assert network.copies(mote) == 0, case
            assert network.field(mote, "asn") > asn, case
            network.break_between_slots(mote, None)
            before = network.accepted(LEAF)
            for _ in range(MENDED_S):
                network.run(1)
                if network.accepted(LEAF) != before:
                    break
            assert network.accepted(LEAF) != before, case


RIGHT, WRONG = 0x00, 0xFF
"""What a CC2420 writes in place of a MIC's last octet."""


def _forged(level: int, counter: int, last: int) -> bytes:
    """A data frame to the root with a payload, and a MIC whose octets are all `last`."""
    ash = struct.pack("<BI", 3 << 3 | level, counter) + block.KEY_SOURCE
    addresses = ROOT_MOTE.eui64[::-1] + LEAF_MOTE.eui64[::-1]
    header = struct.pack("<HBH", 0xEC29, 1, block.PAN) + addresses + ash
    return header + bytes([block.DATA_KEY_INDEX]) + PLAIN + bytes([last]) * (0, 4, 8, 16)[level & 3]


@pytest.mark.parametrize("last", [RIGHT, WRONG])
@pytest.mark.parametrize("fault", AT_ONCE)
@pytest.mark.parametrize("node", WITH_ENGINE, ids=_id)
def test_a_broken_engine_accepts_no_forgery(node: Node, fault: Fault, last: int) -> None:
    """The sender knows what the engine does not do, and writes the verdict itself."""
    for level in LEVELS:
        network = Network(node)
        network.configure(level, "paper", SHORT_SLOT)
        network.run(2)
        network.simulation.break_engine(ROOT, fault)
        *_, stats = inject_slot_by_slot(
            network, (_forged(level, slot, last) for slot in range(1, 5))
        )
        assert (stats["data_received"], stats["last_error"]) == (0, ENGINE), level
        assert stats["refused"] > 0, level
