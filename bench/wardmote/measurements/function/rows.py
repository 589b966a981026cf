# SPDX-License-Identifier: BSD-3-Clause
"""What a measured call is: one row a CPU, with everything its figures depend on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leak:
    """Where two runs that differ in their secrets alone part for the first time."""

    verdict: str
    """What it refutes: `cycles`, `branch` or `address`."""
    pc: int | None
    """The instruction; None if only the numbers of cycles are known to differ."""
    function: str
    instruction: str
    source: str
    """FILE:LINE, empty where the executable does not say."""
    first: str
    """What the first run does there; the second is `second`."""
    second: str
    secrets_first: dict[str, str]
    """Secret inputs of the first run, in hex; the second's are `secrets_second`."""
    secrets_second: dict[str, str]
    public: dict[str, str]
    """The other inputs, the same in both."""


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One function on one CPU. The host counts no cycles: those figures are None."""

    cpu: str
    primitive: str
    variant: str
    operation: str
    octets: int
    """What a call works on: the length that was given, else the longest buffer it may write, else
    the longest."""
    cycles_min: int | None
    """Over all inputs; of a CPU whose timing is a band, at its slow end. So are the next two."""
    cycles_median: int | None
    cycles_max: int | None
    cycles_min_low: int | None
    """At the fast end of a band; None where timing is exact. So are the next two."""
    cycles_median_low: int | None
    cycles_max_low: int | None
    instructions: int | None
    """Median of those that were executed, where cycles are not counted."""
    unstepped: str | None
    """Why the host's calls were not followed instruction by instruction; None if they were, and on
    other CPUs."""
    board: str | None
    """Whose clock and current time and energy are at; None on the host. So are the next ones."""
    clock_hz: int | None
    supply_v: float | None
    current_ma: float | None
    """Of the running CPU; nothing else of the board is counted."""
    current_source: str | None
    """`datasheet`, `measured` or `assumed`, and where the current is printed."""
    time_us: float | None
    """Of `cycles_median`; at the fast end of a band `time_us_low`."""
    time_us_low: float | None
    energy_uj: float | None
    """What the CPU draws in that time; at the fast end of a band `energy_uj_low`."""
    energy_uj_low: float | None
    flash_octets: int | None
    ram_octets: int | None
    stack_octets: int | None
    constant_time: bool | None
    """All verdicts hold, of which the host gives the last two; None if no argument is secret, or
    nothing was traced."""
    constant_cycles: bool | None
    no_secret_branch: bool | None
    no_secret_address: bool | None
    leaks: tuple[Leak, ...]
    secrets: tuple[str, ...]
    expected: bool | None
    """The outputs are those that were expected; None if none were."""
    unexpected: str | None
    """The first output that is not the one expected; None if there is none."""
    disagreement: str | None
    """How the outputs differ from those of the first CPU; None if they do not."""
    runs: int
    seed: int
    prototype: str
    arguments: tuple[str, ...]
    compiler: str
    flags: str
    timing_model: str
    wardmote: str
    commit: str
    files: str
    file_sha256: str

    @property
    def holds(self) -> bool:
        """Nothing contradicts what was expected or what another CPU answered."""
        return self.expected is not False and self.disagreement is None
