# SPDX-License-Identifier: BSD-3-Clause
"""Every field of a row of `wardmote system`, by hand from runs that are made up."""

import dataclasses
import hashlib
from pathlib import Path

import pytest

from wardmote import __version__
from wardmote.boards import BOARDS
from wardmote.campaign.runner import Runner
from wardmote.campaign.store import Store
from wardmote.measurements.slot.provenance import commit
from wardmote.measurements.system import campaign
from wardmote.measurements.system.node import Observed, Run
from wardmote.measurements.system.operations import NOTHING, WAIT
from wardmote.measurements.system.rows import Parts
from wardmote.measurements.system.situation import Situation

CLOCK_HZ = 8_000_000
SECONDS = 0.0275
"""A turn of the bare loop takes 11 000 cycles: 20 of them."""
BUSY = Situation(tick_hz=128, frames_per_s=50, psdu_octets=100, stamped=True)
COUNTS = {"ticks_in": 7, "interrupts_in": 11, "reads_in": 13, "stamps_in": 17, "frames": 28,
          "overflows": 2}  # fmt: skip


def waited(run: Run) -> Observed:
    """The delay loop: 1 000 000 cycles, and what each kind of interrupt takes: a tick 30, an
    interrupt 40, a frame that is read 500, a stamp 25; a turn of the loop 60."""
    turn, situation, ticks, interrupts, reads, stamps = 5000, run.situation, 0, 0, 0, 0
    if situation:
        turn += 60
        ticks = 100 if situation.tick_hz else 0
        interrupts = 200 if situation.frames_per_s else 0
        reads = 190 if interrupts and situation.reader == "handler" else 0
        stamps = 380 if situation.stamped else 0
    took = 1_000_000 + 30 * ticks + 40 * interrupts + 500 * reads + 25 * stamps
    counts = {
        "ticks_in": ticks,
        "interrupts_in": interrupts,
        "reads_in": reads,
        "stamps_in": stamps,
    }
    return Observed((took,), turn * (run.runs - 1), counts, 0, (), ())


def observed(run: Run, _elf: bytes) -> Observed:
    """The marks take 20 cycles, the bare operation 10 000; in its situation mostly 10 100."""
    if run.operation is WAIT:
        return waited(run)
    if run.operation is NOTHING:
        return Observed((20, 20, 20, 20), 99, {}, 0, (), ())
    if run.situation is None:
        return Observed((10_020,) * 4, 33_000, {}, 0, (), ())
    assert run.runs == 20
    windows = (*[10_120] * 9, 11_170, *[10_120] * 9, 10_070)
    return Observed(windows, 220_000, COUNTS, 31, (100.0, 300.04, 201.22), (3.0, 12.34, 0.0))


def test_every_field(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    """On average 10 150 cycles, at least 10 050, at most 11 150. Of 220 000 cycles 19 bare turns take
    209 000. The interrupts are 7 x 30 + 11 x 40 + 13 x 500 + 17 x 25 = 7575 of 200 000 cycles."""
    monkeypatch.setattr(campaign, "observe", observed)
    selection = campaign.Selection({"telosb": CLOCK_HZ}, ("aes128",), (BUSY,), SECONDS, 9)
    result = campaign.measure(selection, Runner(store=Store(fresh=True)))
    parts = {
        "board": "telosb", "clock_hz": CLOCK_HZ, "psdu_octets": 100, "cycles_per_tick": 30.0,
        "cycles_per_interrupt": 40.0, "cycles_per_read": 500.0, "cycles_per_stamp": 25.0,
        "cycles_per_turn": 60.0,
    }  # fmt: skip
    assert result.parts == (Parts(**parts),)  # type: ignore[arg-type]
    assert result.parts[0].cycles_per_frame == 540.0
    [row] = result.rows
    image = (root / "build/firmware/telosb/events.elf").read_bytes()
    assert dataclasses.asdict(row) == {
        "board": "telosb", "clock_hz": CLOCK_HZ, "band": None, "operation": "aes128", "octets": 16,
        "situation": "tick 128 Hz, 50 frames/s, stamped", "tick_hz": 128, "frames_per_s": 50,
        "to": "us", "reader": "handler", "psdu_octets": 100, "stamped": True, "runs": 20,
        "bare_cycles": 10_000, "cycles_mean": 10_150.0, "cycles_min": 10_050,
        "cycles_max": 11_150, "overhead_percent": 1.5, "overhead_min_percent": 0.5,
        "overhead_max_percent": 11.5, "predicted_percent": 3.7875, "system_percent": 5.0,
        "ticks_in": 7, "interrupts_in": 11, "reads_in": 13, "stamps_in": 17, "frames_sent": 31,
        "frames_handled": 28, "frames_lost": 3, "overflows": 2, "frame_latency_us": 200.4,
        "frame_latency_max_us": 300.0, "tick_latency_max_us": 12.3, "parts": parts, "seed": 9,
        "timing_model": BOARDS["telosb"].timing_model, "image": "build/firmware/telosb/events.elf",
        "image_sha256": hashlib.sha256(image).hexdigest(), "wardmote": __version__,
        "commit": commit(),
    }  # fmt: skip


def test_what_is_not_for_us_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that the radio drops are handled by nobody; without frames and ticks there is no
    latency; a short time still has 16 runs."""

    def quiet(run: Run, elf: bytes) -> Observed:
        if run.operation in (WAIT, NOTHING) or run.situation is None:
            return observed(run, elf)
        assert run.runs == 16
        return Observed((10_020,) * 16, 165_000, dict.fromkeys(COUNTS, 0), 31, (), ())

    monkeypatch.setattr(campaign, "observe", quiet)
    situation = dataclasses.replace(BUSY, to="filtered")
    selection = campaign.Selection({"telosb": CLOCK_HZ}, ("aes128",), (situation,), 0.0, 9)
    [row] = campaign.measure(selection, Runner(store=Store(fresh=True))).rows
    assert (row.frames_sent, row.frames_handled, row.frames_lost) == (31, 0, 0)
    assert (row.frame_latency_us, row.frame_latency_max_us, row.tick_latency_max_us) == (None,) * 3
    assert (row.overhead_percent, row.system_percent, row.predicted_percent) == (0.0, 0.0, 0.0)
