# SPDX-License-Identifier: BSD-3-Clause
"""Runs one mote with image `events` in one situation and reads its pins and counters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from wardmote import prototypes
from wardmote._motes import MoteError, Simulation
from wardmote.boards import Board
from wardmote.cpus import Band
from wardmote.errors import ImageError
from wardmote.measurements.system.operations import OUTPUT_OCTETS, Operation
from wardmote.measurements.system.situation import Situation
from wardmote.measurements.system.traffic import CHANNEL, OWN, PAN, Sent, Traffic
from wardmote.paths import ROOT
from wardmote.units import PS_PER_S

IMAGE = ROOT / "firmware/image/events"
BLOCK, REPORT = "slot_block_address", "events_report_block"
BOOT_PS = 3 * PS_PER_S
"""Start-up and clock calibration take less."""
CHUNK_PS = PS_PER_S // 50
"""Period in which frames are announced and events are read."""
TAIL_PS = PS_PER_S // 10
"""After the last run the loop continues without the operation: it handles what still waits, and
ticks at once."""
SLOWEST = 20
"""The simulation gives up after so many seconds for each run."""


@cache
def headers() -> prototypes.Prototypes:
    """Declarations of the image's headers."""
    return prototypes.read_public(ROOT, IMAGE / "events_block.h", IMAGE / "operations.h")


def slow_end(board: Board) -> Band | None:
    """The end of a board's timing band that is measured; None where timing is exact."""
    return board.bands[-1] if board.bands else None


@dataclass(frozen=True, slots=True)
class Run:
    """What runs, and how often."""

    board: Board
    clock_hz: int
    operation: Operation
    situation: Situation | None
    """None: without event loop and interrupts."""
    expected: bytes
    runs: int
    seed: int


@dataclass(frozen=True, slots=True)
class Observed:
    """Observations of one mote."""

    windows: tuple[int, ...]
    """Cycles between the marks of each run."""
    span: int
    """Cycles from the beginning of the first run to that of the last."""
    counts: Mapping[str, int]
    """Counters of `events_report`, by name."""
    sent: int
    frame_us: tuple[float, ...]
    """Time from the last octet of each handled frame to its event."""
    tick_us: tuple[float, ...]
    """Delay of each tick's event, relative to the earliest one."""

    @property
    def cycles(self) -> int:
        """Sum of all windows."""
        return sum(self.windows)


def observe(run: Run, image: bytes) -> Observed:
    """Boots a mote, lets it run and sends it frames; raises ImageError if a result is wrong."""
    mote = _Mote(run, image)
    mote.boot()
    traffic = Traffic(mote.simulation, run.situation or Situation(), run.seed)
    mote.run(traffic)
    counts = mote.counts()
    if counts["wrong"]:
        raise ImageError(
            f"{run.operation.name} on {run.board.name}: {counts['wrong']} results are not the "
            "host's"
        )
    if counts["damaged"]:
        raise ImageError(f"{run.board.name}: {counts['damaged']} frames arrive damaged, none was")
    begins, windows = _windows(mote.edges["sec1"])
    if len(windows) != run.runs:
        raise ImageError(
            f"{run.board.name}: {len(windows)} runs are marked, {run.runs} were wanted"
        )
    return Observed(
        windows=tuple(windows),
        span=begins[-1] - begins[0],
        counts={name: counts[name] for name in COUNTERS},
        sent=len(traffic.sent),
        frame_us=tuple(_frame_latencies(mote, traffic.sent)),
        tick_us=tuple(_tick_latencies(mote, run.situation)),
    )


COUNTERS = (
    *("runs", "ticks", "ticks_in", "interrupts", "interrupts_in", "stamps_in"),
    *("reads", "reads_in", "frames", "foreign", "overflows"),
)


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of a mark."""

    level: bool
    cycle: int
    ps: int


class _Mote:
    """The simulation of a run."""

    def __init__(self, run: Run, image: bytes) -> None:
        """Adds the mote and writes its block; raises ImageError if the image is not `events`."""
        self._run = run
        self._layout = headers().layout("events_report", run.board.model)
        self.edges: dict[str, list[Edge]] = {name: [] for name in run.board.marks.values()}
        self.handled: list[int] = []
        """Sequence numbers of the frames handled."""
        try:
            self.simulation = Simulation(run.seed)
            index = self.simulation.add_mote(
                run.board.name, image, "node", clock_hz=run.clock_hz, band=slow_end(run.board)
            )
            self.simulation.write(index, self.simulation.symbol(index, BLOCK)[0], setup_block(run))
            self._report, have = self.simulation.symbol(index, REPORT)
            if have != self._layout.size:
                raise ImageError(f"no image `events` of this version: {REPORT} has {have} octets")
            # RAM starts with arbitrary contents.
            self.simulation.write(index, self._report, bytes(self._layout.size))
        except MoteError as error:
            raise ImageError(str(error)) from error

    def counts(self) -> dict[str, Any]:
        """The counters as they are now."""
        return self._layout.unpack(bytes(self.simulation.read(0, self._report, self._layout.size)))

    def boot(self) -> None:
        """Runs until the operation begins."""
        states = headers().constants
        started = self._report + self._layout.offset("state")
        if not self.simulation.run_while(0, started, 1, states["EVENTS_RUNNING"], BOOT_PS):
            raise ImageError(f"{self._run.board.name}: image `events` does not start")
        if self.counts()["state"] == states["EVENTS_STOPPED"]:
            raise ImageError(
                f"{self._run.board.name}: image `events` stops: its block or the board does not "
                "work"
            )

    def run(self, traffic: Traffic) -> None:
        """Runs until every run is done and every frame has arrived, and TAIL_PS longer."""
        while self.counts()["state"] != headers().constants["EVENTS_DONE"]:
            until = self.simulation.now_ps + CHUNK_PS
            traffic.send_until(until)
            self._advance(until)
            self._check_progress()
        last_ps = traffic.sent[-1].end_ps if traffic.sent else 0
        while self.simulation.now_ps < last_ps:
            self._advance(min(last_ps, self.simulation.now_ps + CHUNK_PS))
        self._advance(self.simulation.now_ps + TAIL_PS)

    def _check_progress(self) -> None:
        """Raises ImageError if the system leaves no time for the operation."""
        begins = [edge for edge in self.edges["sec1"][-4:] if edge.level][-2:]
        if len(begins) == 2 and begins[1].cycle - begins[0].cycle > self._run.clock_hz:
            raise ImageError(
                f"{self._run.board.name}: a run of {self._run.operation.name} takes more than a "
                "second"
            )
        if self.simulation.now_ps > BOOT_PS + SLOWEST * self._run.runs * PS_PER_S:
            raise ImageError(
                f"{self._run.board.name}: {self._run.operation.name} does not come to an end"
            )

    def _advance(self, until_ps: int) -> None:
        """Runs to a time and keeps marks and log entries, which the mote overwrites."""
        self.simulation.run_until(until_ps)
        for port, bit, level, cycle, ps in self.simulation.marks(0):
            self.edges[self._run.board.marks[port, bit]].append(Edge(level, cycle, ps))
        counts = self.counts()
        log = counts["log"]
        for number in range(len(self.handled), counts["frames"]):
            self.handled.append(log[number % len(log)])


def setup_block(run: Run) -> bytes:
    """Octets of `events_setup`."""
    constants, situation = headers().constants, run.situation
    listening = situation is not None and situation.frames_per_s is not None
    in_loop = situation is not None and situation.reader == "loop"
    return bytes(
        headers()
        .layout("events_setup", run.board.model)
        .pack(
            magic=constants["EVENTS_MAGIC"],
            clock_hz=run.clock_hz,
            runs=run.runs,
            tick_hz=situation.tick_hz if situation else 0,
            pan=PAN,
            address=OWN,
            operation=constants[run.operation.number],
            loop=int(situation is not None),
            channel=CHANNEL if listening else 0,
            reader=constants["EVENTS_READ_IN_LOOP" if in_loop else "EVENTS_READ_IN_HANDLER"],
            stamp=int(situation is not None and situation.stamped),
            recognise=int(situation is not None and situation.to == "filtered"),
            octets=run.operation.octets,
            output_len=len(run.expected),
            expected=run.expected.ljust(OUTPUT_OCTETS, b"\0"),
        )
    )


def _windows(edges: Sequence[Edge]) -> tuple[list[int], list[int]]:
    """The cycle in which each run began, and the cycles that it took."""
    begins: list[int] = []
    windows: list[int] = []
    for edge in edges:
        if edge.level:
            begins.append(edge.cycle)
        elif len(begins) > len(windows):
            windows.append(edge.cycle - begins[-1])
    return begins, windows


def _frame_latencies(mote: _Mote, sent: Sequence[Sent]) -> Iterator[float]:
    """Latency of each handled frame. Frames are handled in the order of sending; some are lost."""
    rises = [edge.ps for edge in mote.edges["sec2"] if edge.level]
    remaining = iter(sent)
    for number, at_ps in zip(mote.handled, rises, strict=True):
        frame = next((one for one in remaining if one.number == number), None)
        if frame is None:
            raise ImageError(f"frame {number} was handled, but not sent")
        yield (at_ps - frame.end_ps) / 1e6


def _tick_latencies(mote: _Mote, situation: Situation | None) -> list[float]:
    """Delay of each tick relative to the earliest, which came while nothing ran."""
    if situation is None or not situation.tick_hz:
        return []
    period_ps = PS_PER_S // situation.tick_hz
    rises = [edge.ps for edge in mote.edges["sec3"] if edge.level]
    late = [ps - n * period_ps for n, ps in enumerate(rises)]
    soonest = min(late)
    return [(one - soonest) / 1e6 for one in late]
