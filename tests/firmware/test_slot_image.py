# SPDX-License-Identifier: BSD-3-Clause
"""Image `slot` on emulated boards: strategies that talk to each other, wrong keys, and why it stops."""

from collections.abc import Callable
from pathlib import Path

import pytest

from wardmote import prototypes
from wardmote._motes import Simulation
from wardmote.slot import block
from wardmote.slot.block import LEAF_MOTE, ROOT_MOTE
from wardmote.slot.cases import ASH_FORMS, STRATEGIES, Case
from wardmote.slot.timing import Timing
from wardmote.units import PS_PER_S

LONG_SLOT = Timing(tx_offset=1000, tx_ack_delay=1000, tail=1058)
EXCHANGES = 6
CLOCK_HZ = 8_000_000


class Pair:
    """A root and a leaf, each with an image and a block of its own."""

    def __init__(self, images: Path, root: str, leaf: str) -> None:
        """Both strategies by name."""
        self.simulation = Simulation(5)
        self.motes = [
            self.simulation.add_mote("telosb", (images / f"slot-{name}.elf").read_bytes(), mote.name, ppm=mote.ppm)
            for name, mote in ((root, ROOT_MOTE), (leaf, LEAF_MOTE))
        ]

    def program(self, mote: int, octets: bytes) -> None:
        """Writes a mote's block into its information flash."""
        self.simulation.write(mote, block.block_address(), octets)

    def run(self, seconds: float) -> None:
        """Lets both live."""
        self.simulation.run_for(int(seconds * PS_PER_S))

    def stats(self, mote: int) -> dict[str, int]:
        """A node's counters."""
        layout, node = block.stats_layout(), block.node_layout()
        address = self.simulation.symbol(mote, "slot_node")[0] + node.offset("stats")
        return dict(layout.unpack(self.simulation.read(mote, address, layout.size)))

    def fault(self, mote: int) -> str:
        """Name of the reason why the image stopped."""
        address = self.simulation.symbol(mote, "slot_fault")[0]
        return block.fault_name(self.simulation.read(mote, address, 1)[0])


def _case(level: int, ash: str, clock_hz: int = CLOCK_HZ) -> Case:
    return Case("telosb", "software", level, ASH_FORMS[ash], clock_hz)


@pytest.mark.parametrize("ash", ASH_FORMS)
@pytest.mark.parametrize("level", [1, 4, 5, 7])
@pytest.mark.parametrize(("at_root", "at_leaf"), [(a, b) for a in STRATEGIES for b in STRATEGIES if a != b])
def test_strategies_understand_each_other(slot_images: Path, at_root: str, at_leaf: str, level: int, ash: str) -> None:
    """A frame that one strategy secured is opened by the others: none is right only with itself."""
    pair = Pair(slot_images, at_root, at_leaf)
    for mote, end in zip(pair.motes, (ROOT_MOTE, LEAF_MOTE), strict=True):
        pair.program(mote, block.slot_block(_case(level, ash), end, LONG_SLOT))
    pair.run(11 + 0.1 * EXCHANGES)
    receiver, sender = (pair.stats(mote) for mote in pair.motes)
    assert sender["joined"] == 1
    assert sender["data_sent"] >= EXCHANGES
    assert sender["data_sent"] - sender["data_acked"] <= 1, "the last one may be under way"
    assert sender["refused"] == receiver["refused"] == 0


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("slot", "name"), [(0, "beacon"), (1, "data")])
def test_a_wrong_key_is_refused(slot_images: Path, strategy: str, slot: int, name: str) -> None:
    """A leaf with another K1 never joins; with another K2 it joins and none of its frames is accepted."""
    pair = Pair(slot_images, strategy, strategy)
    for mote, end in zip(pair.motes, (ROOT_MOTE, LEAF_MOTE), strict=True):
        octets = bytearray(block.slot_block(_case(5, "paper"), end, LONG_SLOT))
        if end is LEAF_MOTE:
            key = block.headers().layout("slot_block", prototypes.MSP430).offset("key") + 16 * slot
            octets[key] ^= 1
        pair.program(mote, bytes(octets))
    pair.run(12)
    receiver, sender = (pair.stats(mote) for mote in pair.motes)
    if name == "beacon":
        assert sender["joined"] == 0
        assert sender["refused"] > 0
    else:
        assert sender["joined"] == 1
        assert sender["data_sent"] > 0
        assert sender["data_acked"] == receiver["data_received"] == 0
        assert receiver["refused"] > 0
    assert (sender if name == "beacon" else receiver)["last_error"] == -block.headers().constants["WM_ERR_SECURITY"]


def _without_magic(octets: bytes) -> bytes:
    return bytes(2) + octets[2:]


def _other_version(octets: bytes) -> bytes:
    return octets[:2] + b"\x7f\x7f" + octets[4:]


def _as_it_is(octets: bytes) -> bytes:
    return octets


@pytest.mark.parametrize(
    ("change", "clock_hz", "why"),
    [
        (_without_magic, CLOCK_HZ, "SLOT_NO_BLOCK"),
        (_other_version, CLOCK_HZ, "SLOT_BAD_BLOCK"),
        (_as_it_is, 60_000_000, "SLOT_BAD_BLOCK"),
    ],
    ids=["no magic", "another version", "a clock beyond the chip"],
)
def test_it_says_why_it_stops(slot_images: Path, change: Callable[[bytes], bytes], clock_hz: int, why: str) -> None:
    """Set up wrongly it stops, names the reason, and has begun no slot."""
    pair = Pair(slot_images, "hardware", "hardware")
    pair.program(pair.motes[0], change(block.slot_block(_case(5, "paper", clock_hz), ROOT_MOTE, LONG_SLOT)))
    pair.run(3)
    assert pair.fault(pair.motes[0]) == why
    assert pair.simulation.cpu(pair.motes[0])["symbol"].startswith("slot_stop")
    assert not any(level for _, _, level, _, _ in pair.simulation.marks(pair.motes[0]))
