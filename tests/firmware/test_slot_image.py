# SPDX-License-Identifier: BSD-3-Clause
"""Image `slot` on emulated boards: strategies and boards that talk to each other, wrong keys, and
why it stops."""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.model.ieee802154_model import fcs
from wardmote._motes import Simulation
from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot import block
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE, Mote
from wardmote.measurements.slot.setting import ASH_FORMS, STRATEGIES, Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.measurements.slot.ways import SLOW_LEAF
from wardmote.units import PS_PER_S, ticks_to_ps

LONG_SLOT = Timing(tx_offset=1000, tx_ack_delay=1000, tail=1058)
SHORT_SLOT = Timing(tx_offset=100, tx_ack_delay=100, tail=50)
EXCHANGES = 6
TELOSB, OPENMOTE = "telosb", "openmote-cc2538"
HOPPING = (16, 17, 23, 18, 26, 15, 25, 22, 19, 11, 12, 13, 24, 14, 20, 21)
"""Default sequence of 16 channels (2015 6.2.10)."""


@dataclass(frozen=True, slots=True)
class Node:
    """A board and the strategy of its image."""

    board: str
    strategy: str

    def case(self, level: int, ash: str, clock_hz: int | None = None) -> Setting:
        """At the board's own clock, if no other is asked for."""
        clock_hz = clock_hz or SLOT_BOARDS[self.board].clock_hz
        return Setting(self.board, self.strategy, level, ASH_FORMS[ash], clock_hz)

    def image(self) -> bytes:
        """The executable."""
        return (ROOT / f"build/firmware/{self.board}/slot-{self.strategy}.elf").read_bytes()


NODES = [Node(board, strategy) for board in (TELOSB, OPENMOTE) for strategy in STRATEGIES]
PAIRS = [
    (a, b) for a, b in permutations(NODES, 2) if a.board == b.board or a.strategy == b.strategy
]
"""Two strategies on one board, or one strategy on two boards."""


def _name(value: object) -> str:
    return f"{value.board}-{value.strategy}" if isinstance(value, Node) else str(value)


class Network:
    """Motes, each with an image and a block of its own."""

    def __init__(self, *nodes: Node, changes: Mapping[str, float] | None = None) -> None:
        """The first is the root, the second, if there is one, the leaf. `changes` are numbers of
        the boards' records."""
        self.simulation = Simulation(5)
        self.nodes = nodes
        self.motes = [
            self.simulation.add_mote(
                node.board, node.image(), mote.name, ppm=SLOW_LEAF[mote.name], changes=changes
            )
            for node, mote in zip(nodes, (ROOT_MOTE, LEAF_MOTE), strict=False)
        ]

    def program(self, mote: int, octets: bytes) -> None:
        """Writes a mote's block into its flash."""
        self.simulation.write(mote, self.simulation.symbol(mote, "slot_block_address")[0], octets)

    def configure(self, level: int, ash: str, timing: Timing) -> None:
        """The same setting for all."""
        for mote, node, end in zip(self.motes, self.nodes, (ROOT_MOTE, LEAF_MOTE), strict=False):
            self.program(mote, block.slot_block(node.case(level, ash), end, timing))

    def run(self, seconds: float) -> None:
        """Lets all live."""
        self.simulation.run_for(int(seconds * PS_PER_S))

    def field(self, mote: int, name: str) -> bytes:
        """Octets of a member of the node object."""
        layout = block.node_layout(SLOT_BOARDS[self.nodes[mote].board].model)
        address = self.simulation.symbol(self.motes[mote], "slot_node")[0] + layout.offset(name)
        return self.simulation.read(self.motes[mote], address, layout.sizeof(name))

    def stats(self, mote: int) -> dict[str, Any]:
        """A node's counters."""
        layout = block.stats_layout(SLOT_BOARDS[self.nodes[mote].board].model)
        return dict(layout.unpack(self.field(mote, "stats")))

    def fault(self, mote: int) -> str:
        """Name of the reason why the image stopped."""
        address = self.simulation.symbol(mote, "slot_fault")[0]
        return block.fault_name(self.simulation.read(mote, address, 1)[0])


@pytest.mark.parametrize("ash", ASH_FORMS)
@pytest.mark.parametrize("level", [1, 4, 5, 7])
@pytest.mark.parametrize(("at_root", "at_leaf"), PAIRS, ids=_name)
def test_strategies_and_boards_understand_each_other(
    at_root: Node, at_leaf: Node, level: int, ash: str
) -> None:
    """A frame that one strategy or board secured is opened by the others: none is right only with
    itself."""
    network = Network(at_root, at_leaf)
    network.configure(level, ash, LONG_SLOT)
    network.run(11 + 0.1 * EXCHANGES)
    receiver, sender = (network.stats(mote) for mote in network.motes)
    assert sender["joined"] == 1
    assert sender["data_sent"] >= EXCHANGES
    assert sender["data_sent"] - sender["data_acked"] <= 1, "the last one may be under way"
    assert sender["refused"] == receiver["refused"] == 0


@pytest.mark.parametrize("late", [0, 3, 8])
@pytest.mark.parametrize("strategy", ["hybrid", "hardware"])
def test_a_usart_that_begins_late_costs_no_frame(strategy: str, late: int) -> None:
    """The reads over SPI look at no flag, and the user's guide does not bound how late the wire
    begins. With an octet misread no frame would be accepted."""
    node = Node(TELOSB, strategy)
    network = Network(node, node, changes={"timing.msp430f1611.usart_start": late})
    network.configure(5, "paper", LONG_SLOT)
    network.run(11 + 0.1 * EXCHANGES)
    receiver, sender = (network.stats(mote) for mote in network.motes)
    assert sender["data_acked"] >= EXCHANGES - 1
    assert sender["refused"] == receiver["refused"] == 0


@pytest.mark.parametrize("node", NODES, ids=_name)
@pytest.mark.parametrize(("slot", "name"), [(0, "beacon"), (1, "data")])
def test_a_wrong_key_is_refused(node: Node, slot: int, name: str) -> None:
    """A leaf with another K1 never joins; with another K2 it joins and none of its frames is
    accepted."""
    network = Network(node, node)
    network.configure(5, "paper", LONG_SLOT)
    octets = bytearray(block.slot_block(node.case(5, "paper"), LEAF_MOTE, LONG_SLOT))
    layout = block.headers().layout("slot_block", SLOT_BOARDS[node.board].model)
    octets[layout.offset("key") + 16 * slot] ^= 1
    network.program(network.motes[1], bytes(octets))
    network.run(12)
    receiver, sender = (network.stats(mote) for mote in network.motes)
    if name == "beacon":
        assert sender["joined"] == 0
        assert sender["refused"] > 0
    else:
        assert sender["joined"] == 1
        assert sender["data_sent"] > 0
        assert sender["data_acked"] == receiver["data_received"] == 0
        assert receiver["refused"] > 0
    assert (sender if name == "beacon" else receiver)["last_error"] == -block.headers().constants[
        "WM_ERR_SECURITY"
    ]


SLOT_PIN = {TELOSB: (6, 0), OPENMOTE: (3, 3)}
"""The pin that marks a slot: P6.0 and PD3."""


def inject_slot_by_slot(network: Network, frames: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Puts one frame into each of the next slots, at the time when the root listens. Yields the
    root's statistics at the end of each slot."""
    network.simulation.marks(0)
    network.run(0.03)
    begins = [
        at
        for port, bit, rises, _, at in network.simulation.marks(0)
        if rises and (port, bit) == SLOT_PIN[network.nodes[0].board]
    ]
    asn = int.from_bytes(network.field(0, "asn"), "big")
    for slot, frame in enumerate(frames, start=1):
        begin = begins[-1] + ticks_to_ps(slot * SHORT_SLOT.slot_duration)
        for channel in {HOPPING[(asn + slot + off) % 16] for off in (-1, 0)}:
            network.simulation.inject(
                channel, begin + ticks_to_ps(SHORT_SLOT.tx_offset), frame + fcs(frame)
            )
        network.simulation.run_until(begin + ticks_to_ps(SHORT_SLOT.slot_duration - 20))
        yield network.stats(0)


def _header(source: Mote, destination: Mote, counter: int) -> bytes:
    """Data frame of the paper's form at level 4 without payload: FCF, sequence, PAN, addresses,
    ASH."""
    ash = struct.pack("<BI", 3 << 3 | 4, counter) + block.KEY_SOURCE + bytes([block.DATA_KEY_INDEX])
    addresses = destination.eui64[::-1] + source.eui64[::-1]
    return struct.pack("<HBH", 0xEC29, 1, block.PAN) + addresses + ash


@pytest.mark.parametrize("node", [node for node in NODES if node.board == OPENMOTE], ids=_name)
def test_a_frame_with_nothing_to_secure_is_answered(node: Node) -> None:
    """Level 4 without payload has empty a and m, with which the CC2538's engine never ends: the
    node goes on."""
    network = Network(node)
    network.configure(4, "paper", SHORT_SLOT)
    network.run(2)
    frames = (_header(LEAF_MOTE, ROOT_MOTE, slot) for slot in range(1, EXCHANGES + 1))
    for slot, stats in enumerate(inject_slot_by_slot(network, frames), start=1):
        assert (stats["data_received"], stats["acks_sent"], stats["refused"]) == (slot, slot, 0)


def _without_magic(octets: bytes) -> bytes:
    return bytes(2) + octets[2:]


def _other_version(octets: bytes) -> bytes:
    return octets[:2] + b"\x7f\x7f" + octets[4:]


def _as_it_is(octets: bytes) -> bytes:
    return octets


@pytest.mark.parametrize("board", [TELOSB, OPENMOTE])
@pytest.mark.parametrize(
    ("change", "clock_hz", "why"),
    [
        (_without_magic, None, "SLOT_NO_BLOCK"),
        (_other_version, None, "SLOT_BAD_BLOCK"),
        (_as_it_is, 60_000_000, "SLOT_BAD_BLOCK"),
    ],
    ids=["no magic", "another version", "a clock beyond the chip"],
)
def test_it_says_why_it_stops(
    board: str, change: Callable[[bytes], bytes], clock_hz: int | None, why: str
) -> None:
    """Set up wrongly it stops, names the reason, and has begun no slot."""
    node = Node(board, "hardware")
    network = Network(node)
    network.program(
        0, change(block.slot_block(node.case(5, "paper", clock_hz), ROOT_MOTE, LONG_SLOT))
    )
    network.run(3)
    assert network.fault(0) == why
    assert network.simulation.cpu(0)["symbol"].startswith("slot_stop")
    assert not any(level for _, _, level, _, _ in network.simulation.marks(0))
