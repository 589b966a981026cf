# SPDX-License-Identifier: BSD-3-Clause
"""What one operation of one primitive costs on one CPU, with everything the figures depend on."""

from dataclasses import dataclass

from wardmote.measurements.primitives.host32_rows import Host32Row, OperationRow


@dataclass(frozen=True, slots=True)
class PrimitiveRow(OperationRow):
    """Cycles, energy and memory of one operation with one length."""

    cycles: int
    """The most over all secrets; of a CPU whose timing is a band, at its slow end."""
    cycles_min: int
    """The least over all secrets."""
    cycles_low: int | None
    """At the fast end of a band; None where timing is exact."""
    board: str
    """Whose clock and current time and energy are at."""
    clock_hz: int
    supply_v: float
    current_ma: float
    """Of the running CPU; nothing else of the board is counted."""
    current_source: str
    time_us: float
    time_us_low: float | None
    energy_uj: float
    energy_uj_low: float | None
    flash_octets: int
    """Of everything that all operations of the primitive need, the cipher under a mode included."""
    static_ram_octets: int
    """Of tables that lie in RAM."""
    ram_octets: int
    """Of expanded keys and contexts, which the caller keeps."""
    stack_octets: int
    constant_time: bool
    """All verdicts hold."""
    constant_cycles: bool
    no_secret_branch: bool
    no_secret_address: bool | None
    """None where secrets change the path: then the addresses were not compared."""
    no_dependence: bool
    """No instruction depends on the key or the message, whether or not a run showed it."""
    dependences: int
    """Instructions that do."""
    dependence: str | None
    """The first of them, in words."""
    published_ms: float | None
    """What the paper printed for a TelosB; at which clock it measured it does not say."""
    published_ratio_8mhz: float | None
    """The printed time over ours at 8 MHz: above 1, ours is shorter."""
    published_ratio_4_19mhz: float | None
    published_source: str | None
    runs: int
    """Sets of secrets."""
    seed: int
    executable: str
    executable_sha256: str
    wardmote: str
    commit: str


@dataclass(frozen=True, slots=True)
class Missing:
    """A primitive that a library does not hold."""

    cpu: str
    primitive: str
    library: str
    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """Rows in the order of the table, what could not be measured, and how much was there
    already."""

    rows: tuple[PrimitiveRow, ...]
    missing: tuple[Missing, ...]
    reused: int
    """Cases that were measured before."""
    measured: int
    host32_rows: tuple[Host32Row, ...] = ()
    """Of this machine, if it is among the CPUs."""
