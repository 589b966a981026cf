# SPDX-License-Identifier: BSD-3-Clause
"""Image `events`: its loop sleeps, ticks and receives, comes back from overflows, and refuses what
cannot work."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from wardmote._motes import Simulation
from wardmote.boards import EVENT_BOARDS
from wardmote.measurements.system.campaign import expected, image_file
from wardmote.measurements.system.node import BLOCK, REPORT, Run, headers, setup_block
from wardmote.measurements.system.operations import NOTHING, OPERATIONS, Operation
from wardmote.measurements.system.situation import Situation, air_us
from wardmote.measurements.system.traffic import CHANNEL, OTHER, OWN, psdu
from wardmote.units import PS_PER_S

MS = PS_PER_S // 1000
LONG = OPERATIONS["hmac_sha256"]
NO_CHANGE: Mapping[str, int] = MappingProxyType({})
ASLEEP = {"telosb": "lpm0", "openmote-cc2538": "sleep"}


class Node:
    """A booted node and its report."""

    def __init__(
        self,
        board: str,
        situation: Situation,
        operation: Operation = NOTHING,
        changes: Mapping[str, int] = NO_CHANGE,
    ) -> None:
        """Boots image `events`, with `changes` to its block."""
        record = EVENT_BOARDS[board]
        result = b"" if operation is NOTHING else expected(operation.name)
        block = bytearray(
            setup_block(Run(record, record.clock_hz, operation, situation, result, 20, 1))
        )
        layout = headers().layout("events_setup", record.model)
        block[:] = layout.pack(**{**layout.unpack(bytes(block)), **changes})
        self._layout = headers().layout("events_report", record.model)
        self.simulation = Simulation(1)
        self.simulation.add_mote(
            board, image_file(board).read_bytes(), "node", clock_hz=record.clock_hz
        )
        self.simulation.write(0, self.simulation.symbol(0, BLOCK)[0], bytes(block))
        self._report = self.simulation.symbol(0, REPORT)[0]
        self.simulation.write(0, self._report, bytes(self._layout.size))
        self.simulation.run_while(
            0, self._report + self._layout.offset("state"), 1, 1, 2 * PS_PER_S
        )

    def report(self) -> dict[str, Any]:
        """`events_report`."""
        return self._layout.unpack(bytes(self.simulation.read(0, self._report, self._layout.size)))

    def send(self, octets: bytes, after_ms: int = 1) -> None:
        """Sends a frame and waits for a millisecond beyond its end."""
        at_ps = self.simulation.now_ps + after_ms * MS
        self.simulation.inject(CHANNEL, at_ps, octets)
        self.simulation.run_until(at_ps + (air_us(len(octets)) + 1000) * MS // 1000)

    def run(self, ms: int) -> dict[str, Any]:
        """The report after `ms` more milliseconds."""
        self.simulation.run_until(self.simulation.now_ps + ms * MS)
        return self.report()


@pytest.mark.parametrize("board", EVENT_BOARDS)
def test_idle_it_sleeps_and_ticks(board: str) -> None:
    """Without an operation the CPU sleeps except at its ticks. No tick is lost, and no rule of a
    chip is broken."""
    node = Node(board, Situation(tick_hz=1024, frames_per_s=0))
    node.run(50)
    before, ticks = _seconds(node), node.report()["ticks"]
    after = node.run(1000)
    slept = _seconds(node)[ASLEEP[board]] - before[ASLEEP[board]]
    assert slept > 0.95
    assert after["ticks"] - ticks in (1023, 1024, 1025)
    assert node.simulation.misuse(0) == []


def _seconds(node: Node) -> dict[str, float]:
    found: dict[str, float] = {}
    for row in node.simulation.meter(0):
        if row["device"] == "cpu":
            found[row["state"]] = found.get(row["state"], 0.0) + row["seconds"]
    return found


@pytest.mark.parametrize("reader", ["handler", "loop"])
@pytest.mark.parametrize("board", EVENT_BOARDS)
def test_it_comes_back_from_overflows(board: str, reader: str) -> None:
    """Frames that come while a long operation runs overflow the radio; afterwards every frame is
    received again."""
    node = Node(board, Situation(frames_per_s=0, reader=reader), LONG)
    number = 0
    while node.report()["state"] == headers().constants["EVENTS_RUNNING"]:
        for _ in range(4):
            node.send(psdu(number, OWN, 127))
            number += 1
    busy = node.run(100)
    assert busy["wrong"] == busy["damaged"] == 0
    if board == "telosb":
        assert 0 < busy["overflows"] <= busy["frames"] < number
    for more in range(5):
        node.send(psdu(100 + more, OWN, 127))
    after = node.report()
    assert after["frames"] == busy["frames"] + 5
    last = [after["log"][n % len(after["log"])] for n in range(busy["frames"], after["frames"])]
    assert last == [100, 101, 102, 103, 104]
    assert node.simulation.misuse(0) == []


@pytest.mark.parametrize("board", EVENT_BOARDS)
def test_whose_frames(board: str) -> None:
    """Frames for others are told from its own, or dropped by the radio; broadcasts are for all,
    damaged for none."""
    broadcast = 0xFFFF
    for to, handled, foreign in (("us", 3, 1), ("filtered", 2, 0)):
        node = Node(board, Situation(frames_per_s=0, to=to))
        node.run(20)
        for number, destination in enumerate((OWN, OTHER, broadcast)):
            node.send(psdu(number, destination, 30))
        report = node.report()
        assert (report["frames"], report["foreign"], report["damaged"]) == (handled, foreign, 0), to
        assert report["interrupts"] == report["reads"] == handled
        damaged = bytearray(psdu(9, OWN, 30))
        damaged[20] ^= 1
        node.send(bytes(damaged))
        assert (node.report()["frames"], node.report()["damaged"]) == (handled, 1)


@pytest.mark.parametrize("board", EVENT_BOARDS)
def test_stamps(board: str) -> None:
    """Each frame is stamped as often as the board's radio tells: at start and end on the TelosB, at
    the start else."""
    each = {"telosb": 2, "openmote-cc2538": 1}[board]
    for stamped, stamps in ((False, 0), (True, each)):
        node = Node(board, Situation(frames_per_s=0, stamped=stamped))
        node.run(20)
        for number in range(20):
            node.send(psdu(number, OWN, 20))
        report = node.report()
        assert (report["frames"], report["stamps"]) == (20, 20 * stamps)


@pytest.mark.parametrize("board", EVENT_BOARDS)
@pytest.mark.parametrize(
    "changes",
    [
        {"magic": 0},
        {"tick_hz": 100},
        {"tick_hz": 1},
        {"tick_hz": 2048},
        {"operation": 200},
        {"runs": 0},
        {"clock_hz": 5},
    ],
)
def test_a_block_that_cannot_work_stops_it(board: str, changes: dict[str, int]) -> None:
    """The image stops where a value is out of range, and says so."""
    node = Node(board, Situation(), changes=changes)
    assert node.report()["state"] == headers().constants["EVENTS_STOPPED"]
    assert node.run(100)["runs"] == 0
