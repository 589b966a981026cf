# SPDX-License-Identifier: BSD-3-Clause
"""The rows of `wardmote measure`: one for each CPU, with everything its figures depend on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leak:
    """The first difference between two runs that differ only in their secrets."""

    verdict: str
    """The verdict that it refutes: `cycles`, `branch` or `address`."""
    pc: int | None
    """Address of the instruction; None if only the numbers of cycles are known to differ."""
    function: str
    instruction: str
    source: str
    """FILE:LINE, empty where the executable does not say."""
    first: str
    """What the first run does there; `second` says it of the second run."""
    second: str
    secrets_first: dict[str, str]
    """Secret inputs of the first run, in hex; the second's are `secrets_second`."""
    secrets_second: dict[str, str]
    public: dict[str, str]
    """The other inputs, the same in both."""


@dataclass(frozen=True, slots=True)
class Dependence:
    """An instruction that depends on secrets, whether or not an input showed it."""

    kind: str
    """`branch` (a branch, a skip, an instruction under a condition, a computed jump), `address`, or
    `time` (an operand of an instruction whose time depends on its operands)."""
    pc: int
    function: str
    instruction: str
    source: str
    """FILE:LINE, empty where the executable does not say."""
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A condition of which the inputs saw one side only. It depends on no secret."""

    pc: int
    function: str
    source: str
    """FILE:LINE, empty where the executable does not say."""
    held: bool
    """The condition held each time; else it never did."""


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One function on one CPU. The host counts no cycles: those figures are None."""

    cpu: str
    primitive: str
    variant: str
    operation: str
    failure: str | None
    """Why this CPU could not be measured; every figure is None then. None if it was measured."""
    octets: int
    """Octets that a call works on: the given length, else the longest buffer that the function may
    write, else the longest buffer."""
    cycles_min: int | None
    """The least over all inputs. If the CPU's timing is a band, this and the next two are at its
    slow end."""
    cycles_median: int | None
    cycles_max: int | None
    cycles_min_low: int | None
    """This and the next two are at the fast end of a band; None if timing is exact."""
    cycles_median_low: int | None
    cycles_max_low: int | None
    instructions: int | None
    """Median number of executed instructions, for a CPU whose cycles are not counted."""
    unstepped: str | None
    """Why the host's calls were not followed instruction by instruction. None if they were, and on
    other CPUs."""
    board: str | None
    """Board whose clock and current give time and energy. This and the next fields are None on the
    host."""
    clock_hz: int | None
    supply_v: float | None
    current_ma: float | None
    """Current of the running CPU; nothing else of the board is counted."""
    current_source: str | None
    """`datasheet`, `measured` or `assumed`, and where the current is printed."""
    time_us: float | None
    """Time of `cycles_median`; `time_us_low` is the time at the fast end of a band."""
    time_us_low: float | None
    energy_uj: float | None
    """What the CPU draws in that time; `energy_uj_low` is at the fast end of a band."""
    energy_uj_low: float | None
    flash_octets: int | None
    ram_octets: int | None
    stack_octets: int | None
    constant_time: bool | None
    """All verdicts hold; the host gives only the last two. None if no argument is secret or nothing
    was traced."""
    constant_cycles: bool | None
    no_secret_branch: bool | None
    no_secret_address: bool | None
    leaks: tuple[Leak, ...]
    no_dependence: bool | None
    """No instruction on the paths of the inputs depends on a secret. None if no argument is secret,
    and on the host, which is not followed."""
    dependences: tuple[Dependence, ...]
    paths: int | None
    """Different sequences of instructions that the inputs took; this and the next are None on the
    host."""
    inputs: int | None
    """Inputs that were followed."""
    uncovered: tuple[Uncovered, ...]
    """Conditions that depend on no secret, whose other side no input took."""
    published: tuple[str, ...]
    """Functions whose results were declared public."""
    secrets: tuple[str, ...]
    expected: bool | None
    """The outputs are as expected; None if nothing was expected."""
    unexpected: str | None
    """The first output that is not as expected; None if there is none."""
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
        """No output contradicts the expected one or that of another CPU."""
        return self.expected is not False and self.disagreement is None
