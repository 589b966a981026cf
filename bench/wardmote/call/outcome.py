# SPDX-License-Identifier: BSD-3-Clause
"""What a call did and what it met."""

from dataclasses import dataclass
from typing import Literal

TraceMode = Literal["off", "hash", "full"]


@dataclass(frozen=True, slots=True)
class Trace:
    """The path and accesses of a recorded run. The lists are empty unless it was recorded in
    full."""

    pc_hash: int
    address_hash: int
    pcs: tuple[int, ...]
    accesses: tuple[tuple[int, bool], ...]
    branches: tuple[tuple[int, int, int], ...]
    access_pcs: tuple[int, ...] = ()
    cycles: tuple[int, ...] = ()
    """Cycles since the call began, after each instruction of `pcs`."""
    sps: tuple[int, ...] = ()
    """Stack pointer after each instruction of `pcs`."""
    dependences: tuple[tuple[int, str, tuple[str, ...]], ...] = ()
    """Of a followed run: instructions that show secrets; how (`branch`, `address` or `time`), and
    which. `branches` then has every condition: times it held, and times it did not."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a call. A figure that the target does not count is None."""

    value: int
    buffers: tuple[bytes, ...]
    cycles: int | None = None
    stack_octets: int | None = None
    trace: Trace | None = None
    instructions: int | None = None
