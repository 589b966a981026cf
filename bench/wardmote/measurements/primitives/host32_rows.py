# SPDX-License-Identifier: BSD-3-Clause
"""What one operation of one primitive costs on this machine as a 32-bit x86, with the conditions of
its time."""

import os
import platform
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class OperationRow:
    """What was called: one operation of one primitive with one length."""

    cpu: str
    primitive: str
    variant: str
    operation: str
    functions: str
    """The functions, in order."""
    octets: int
    """Of the message; 0 where its length does not matter."""
    a_octets: int


@dataclass(frozen=True, slots=True)
class Host32Row(OperationRow):
    """One operation with one length. Cycles are not counted, and there is no energy: nobody says
    what this processor draws for one function."""

    instructions: int
    """The most over all secrets: exact, and the same on every machine."""
    instructions_min: int
    time_us: float | None
    """Median over the batches, of this machine; below 0.005 it is nothing. None where it was not
    asked for."""
    time_us_low: float | None
    """Lower quartile."""
    time_us_high: float | None
    """Upper quartile."""
    calls: int
    """In a batch."""
    batches: int
    processor: str
    clock_source: str
    compiler: str
    options: str
    ram_octets: int
    """Of expanded keys and contexts, which the caller keeps."""
    stack_octets: int
    no_secret_branch: bool
    """The path is the same for all secrets. Which addresses are used is not compared here."""
    runs: int
    """Sets of secrets."""
    seed: int
    executable: str
    executable_sha256: str
    wardmote: str
    commit: str


@cache
def processor() -> str:
    """This machine's processor as it names itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return (
        f"{next(named, platform.processor() or platform.machine())}, "
        f"{os.cpu_count()} "
        "processors seen"
    )


@cache
def clock_source() -> str:
    """The clock that times are read from."""
    try:
        path = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
        source = path.read_text(encoding="utf-8").strip()
    except OSError:
        source = "unknown"
    return f"CLOCK_MONOTONIC of Linux, {source}"
