# SPDX-License-Identifier: BSD-3-Clause
"""The row of one operation in one situation, with the conditions of its figures."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parts:
    """Cost of each kind of interrupt, measured alone in a delay loop."""

    board: str
    clock_hz: int
    psdu_octets: int
    cycles_per_tick: float
    cycles_per_interrupt: float
    """An interrupt of the radio, without the reading of a frame."""
    cycles_per_read: float
    """What the handler takes in addition to read a frame."""
    cycles_per_stamp: float
    """An interrupt that records the start or the end of a frame."""
    cycles_per_turn: float
    """What one turn of the event loop takes in addition to the bare operation."""

    @property
    def cycles_per_frame(self) -> float:
        """Cycles of a frame that the handler reads."""
        return self.cycles_per_interrupt + self.cycles_per_read


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One operation in one situation."""

    board: str
    clock_hz: int
    band: str | None
    """End of the timing band; None where timing is exact."""
    operation: str
    octets: int
    situation: str
    tick_hz: int
    frames_per_s: int | None
    """None: the radio is off."""
    to: str
    reader: str
    psdu_octets: int
    stamped: bool
    runs: int
    bare_cycles: int
    """Without event loop and interrupts; the marks are not counted."""
    cycles_mean: float
    cycles_min: int
    cycles_max: int
    overhead_percent: float
    """How much the mean exceeds the bare cycles."""
    overhead_min_percent: float
    overhead_max_percent: float
    predicted_percent: float
    """Overhead computed from the number of interrupts and the cost of each."""
    system_percent: float
    """Share of the CPU's time for the loop and all events, also between the runs."""
    ticks_in: int
    interrupts_in: int
    """Interrupts of the radio while the operation ran, over all runs."""
    reads_in: int
    stamps_in: int
    frames_sent: int
    frames_handled: int
    frames_lost: int
    """Frames that the radio does not drop by their address, but that no handler saw."""
    overflows: int
    frame_latency_us: float | None
    """Mean time from a frame's last octet to its event."""
    frame_latency_max_us: float | None
    tick_latency_max_us: float | None
    """In addition to the latency of an idle mote."""
    parts: Parts
    seed: int
    timing_model: str
    image: str
    image_sha256: str
    wardmote: str
    commit: str


@dataclass(frozen=True, slots=True)
class Result:
    """Rows, and the cost of interrupts on each board."""

    rows: tuple[SystemRow, ...]
    parts: tuple[Parts, ...]
