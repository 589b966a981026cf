# SPDX-License-Identifier: BSD-3-Clause
"""What one operation costs in one situation, with everything the figures depend on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parts:
    """What each interrupt costs, measured in a delay loop, each kind by itself."""

    board: str
    clock_hz: int
    psdu_octets: int
    cycles_per_tick: float
    cycles_per_interrupt: float
    """The radio's, without reading a frame."""
    cycles_per_read: float
    """What the handler needs for reading a frame besides."""
    cycles_per_stamp: float
    """An interrupt that only notes when a frame starts or ends."""
    cycles_per_turn: float
    """What the loop takes to come to the operation again, beyond the bare one."""

    @property
    def cycles_per_frame(self) -> float:
        """A frame that the handler reads."""
        return self.cycles_per_interrupt + self.cycles_per_read


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One operation in one situation."""

    board: str
    clock_hz: int
    band: str | None
    """End of the timing model; None where timing is exact."""
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
    """Without loop, interrupts disabled, marks not counted."""
    cycles_mean: float
    cycles_min: int
    cycles_max: int
    overhead_percent: float
    """Of the mean over the bare cycles."""
    overhead_min_percent: float
    overhead_max_percent: float
    predicted_percent: float
    """From how many interrupts came in between and what each costs."""
    system_percent: float
    """Share of the CPU's time that the loop and all its events take, between the runs too."""
    ticks_in: int
    interrupts_in: int
    """Of the radio, while the operation ran, over all runs."""
    reads_in: int
    stamps_in: int
    frames_sent: int
    frames_handled: int
    frames_lost: int
    """Of those that the radio does not drop as addressed to others."""
    overflows: int
    frame_latency_us: float | None
    """Mean, from a frame's last octet to its event."""
    frame_latency_max_us: float | None
    tick_latency_max_us: float | None
    """Beyond that of an idle mote."""
    parts: Parts
    seed: int
    timing_model: str
    image: str
    image_sha256: str
    wardmote: str
    commit: str


@dataclass(frozen=True, slots=True)
class Result:
    """Rows, and what the parts cost on each board."""

    rows: tuple[SystemRow, ...]
    parts: tuple[Parts, ...]
