# SPDX-License-Identifier: BSD-3-Clause
"""The figures that the claims of the paper on timeslot length are judged by.

A function that @figure registers can be called in an expression of
published/tsch_slot_claims.toml.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from wardmote.boards import BOARDS, SLOT_BOARDS
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.measurements.slot.setting import FRAME_OCTETS, KEY_ID_OCTETS, STRATEGIES, AshForm
from wardmote.rows import SlotRow
from wardmote.study.claims.judge import ClaimRow, judged
from wardmote.study.claims.register import Figures, first, there
from wardmote.study.definition import at_once, of_the_paper
from wardmote.study.energy import EnergyRow, energy_rows
from wardmote.study.engine import CCM_BLOCKS_OF_119, engine_figures
from wardmote.study.payload import PRINTED_ASH_OCTETS, application_bits, mic_octets
from wardmote.units import TICKS_PER_S, ticks_to_us

PAPER = "tsch_slot"
USUAL = LEVEL_NAMES.index("ENC-MIC-32")
SECURED = range(1, len(LEVEL_NAMES))
OPERATIONS = ("sec1", "sec2", "sec3", "sec4")
WORDS: dict[str, Any] = {
    **{name.split("-")[0]: name for name in SLOT_BOARDS},
    **{name: name for name in STRATEGIES},
    **{name.lower().replace("-", "_"): level for level, name in enumerate(LEVEL_NAMES)},
}
"""Boards, strategies and levels as an expression writes them."""


@dataclass(frozen=True)
class Facts:
    """All that is known of slots."""

    rows: Sequence[SlotRow]
    footprints: Sequence[FootprintRow]

    def row(self, board: str, strategy: str, level: int) -> SlotRow:
        """The row of one case; raises NotMeasuredError if there is none."""
        return first(
            row
            for row in self.rows
            if (row.board, row.strategy, row.level) == (board, strategy, level)
        )

    def footprint(self, board: str, strategy: str) -> FootprintRow:
        """The footprint of one strategy; raises NotMeasuredError if there is none."""
        found = (row for row in self.footprints if (row.board, row.strategy) == (board, strategy))
        return first(found)

    def energies(self, board: str, strategy: str, node: str = "sender") -> list[EnergyRow]:
        """The energy of a node at every level."""
        own = [row for row in self.rows if row.board == board]
        found = [row for row in energy_rows(own) if (row.strategy, row.node) == (strategy, node)]
        return there(found)


figure = Figures()


def of_paper(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The rows that are compared with the paper: its definition of the slot, its strategies, full
    clock, longest frame and header."""
    longest = AshForm(3, True)
    return [
        row
        for row in at_once(of_the_paper(rows))
        if (row.ash_octets, row.frame_octets) == (longest.octets(row.level), FRAME_OCTETS)
        and row.clock_hz == BOARDS[row.board].clock_hz
        and row.clock_allowed
    ]


def slot_claims(rows: Sequence[SlotRow], footprints: Sequence[FootprintRow]) -> list[ClaimRow]:
    """Every claim of the paper with our verdict."""
    facts = Facts(of_paper(rows), footprints)
    return judged(PAPER, figure.of(facts), WORDS)


@figure
def slot_ms(facts: Facts, board: str, strategy: str, level: int = USUAL) -> float:
    """TsSlotDuration."""
    return facts.row(board, strategy, level).ts_slot_duration_ms


@figure
def slots_ms(facts: Facts) -> list[float]:
    """TsSlotDuration of every strategy at the usual level."""
    return there([row.ts_slot_duration_ms for row in facts.rows if row.level == USUAL])


@figure
def other_slots_ms(facts: Facts) -> list[float]:
    """The same of all but an OpenMote with hardware."""
    left_out = (WORDS["openmote"], "hardware")
    return there(
        [
            row.ts_slot_duration_ms
            for row in facts.rows
            if row.level == USUAL and (row.board, row.strategy) != left_out
        ]
    )


@figure
def software_over_hardware(facts: Facts, board: str) -> list[float]:
    """Length of the slot of software divided by that of hardware, at each secured level."""
    return [
        slot_ms(facts, board, "software", level) / slot_ms(facts, board, "hardware", level)
        for level in SECURED
    ]


@figure
def security_ms(facts: Facts, board: str, strategy: str) -> list[float]:
    """sec1 to sec4 together, at each level with encryption and authentication."""
    found = []
    for level in SECURED:
        if mic_octets(level) and level > USUAL - 1:
            row = facts.row(board, strategy, level)
            cycles = sum(getattr(row, f"{name}_cycles") for name in OPERATIONS)
            found.append(1000 * cycles / row.clock_measured_hz)
    return found


@figure
def operation_us(facts: Facts, board: str, strategy: str, name: str) -> float:
    """One of the four operations at the usual level."""
    row = facts.row(board, strategy, USUAL)
    return float(1e6 * getattr(row, f"{name}_cycles") / row.clock_measured_hz)


@figure
def least_room_us(facts: Facts) -> float:
    """The least time that a slot leaves after the operations of Eq. 1, over all cases."""
    least: list[float] = []
    for row in there(list(facts.rows)):
        sec1, sec2, sec3, sec4 = (
            1e6 * getattr(row, f"{name}_cycles") / row.clock_measured_hz for name in OPERATIONS
        )
        least += [
            row.ts_tx_offset_us - sec1,
            row.ts_tx_ack_delay_us - sec2 - sec3,
            ticks_to_us(row.tail_ticks, row.tick_hz) - sec4,
        ]
    return min(least)


@figure
def sums_that_differ(facts: Facts) -> int:
    """Number of slots that are not the sum of their parts in Table III."""
    return sum(
        row.ts_slot_duration_ticks
        != row.ts_tx_offset_ticks
        + row.ts_max_tx_ticks
        + row.ts_tx_ack_delay_ticks
        + row.ts_max_ack_ticks
        + row.tail_ticks
        for row in there(list(facts.rows))
    )


@figure
def fixed_ms(facts: Facts, name: str) -> list[float]:
    """TsMaxTx or TsMaxAck of every case."""
    return there(
        [ticks_to_us(getattr(row, f"{name}_ticks"), row.tick_hz) / 1000 for row in facts.rows]
    )


@figure
def cases(facts: Facts) -> int:
    """Number of cases."""
    return len(facts.rows)


@figure
def frames_octets(facts: Facts) -> list[int]:
    """Lengths of the data frames."""
    return there(sorted({row.frame_octets for row in facts.rows}))


@figure
def headers_octets(facts: Facts) -> list[int]:
    """Lengths of the Auxiliary Security Header in the secured cases."""
    return there(sorted({row.ash_octets for row in facts.rows if row.level}))


@figure
def most_beyond_median_us(facts: Facts, board: str) -> float:
    """How much longer than its median an operation takes at most."""
    beyond: list[float] = [
        1e6
        * (getattr(row, f"{name}_cycles") - getattr(row, f"{name}_cycles_median"))
        / row.clock_measured_hz
        for row in facts.rows
        if row.board == board
        for name in OPERATIONS
    ]
    return max(there(beyond))


@figure
def tick_us(facts: Facts) -> float:
    """Resolution of a counter at 32 768 Hz."""
    return 1e6 / TICKS_PER_S


@figure
def images(facts: Facts) -> int:
    """The most images that serve the levels of one strategy."""
    by_strategy: dict[tuple[str, str], set[str]] = {}
    for row in there(list(facts.rows)):
        place = by_strategy.setdefault((row.board, row.strategy), set())
        place.add(row.provenance.image_sha256)
    return max(len(found) for found in by_strategy.values())


@figure
def flash(facts: Facts, board: str, strategy: str) -> float:
    """Flash that security takes, in per cent of the board's."""
    return facts.footprint(board, strategy).flash_percent


@figure
def ram(facts: Facts, board: str, strategy: str) -> float:
    """RAM that security takes, the stack included, in per cent of the board's."""
    return facts.footprint(board, strategy).ram_percent


@figure
def module(facts: Facts, board: str, strategy: str, name: str) -> int:
    """Octets of flash that security adds to one module."""
    modules = facts.footprint(board, strategy).modules
    return next((one.flash_octets for one in modules if one.module == name), 0)


@figure
def sender_uj(facts: Facts, board: str, strategy: str) -> list[float]:
    """Energy of the sender in a slot, at each level; the first is without security."""
    return [row.energy_uj for row in facts.energies(board, strategy)]


@figure
def ack_us(facts: Facts, board: str, strategy: str) -> list[float]:
    """How long the receiver of a frame transmits its acknowledgment, turnaround included, at each
    level."""
    return [row.tx_us for row in facts.energies(board, strategy, "receiver")]


@figure
def saved(facts: Facts, board: str, strategy: str) -> float:
    """The largest saving of the sender's energy over all secured levels, in per cent."""
    found = [
        row.saving
        for row in facts.energies(board, strategy)
        if row.level and row.saving is not None
    ]
    return 100 * max(there(found))


@figure
def openmote_over_telosb(facts: Facts) -> list[float]:
    """Energy of an OpenMote's sender over that of a TelosB's, in every case."""
    return [
        theirs / ours
        for strategy in STRATEGIES
        for theirs, ours in zip(
            sender_uj(facts, WORDS["openmote"], strategy),
            sender_uj(facts, WORDS["telosb"], strategy),
            strict=True,
        )
    ]


@figure
def throughput_percent(facts: Facts) -> list[float]:
    """Eq. 2 with security, in per cent of that without, in every secured case."""
    found = []
    for row in facts.rows:
        if row.level:
            bare = facts.row(row.board, row.strategy, 0)
            rates = [
                application_bits(one.level, one.ash_octets) / one.ts_slot_duration_us
                for one in (row, bare)
            ]
            found.append(100 * rates[0] / rates[1])
    return there(found)


@figure
def longer_is_slower(facts: Facts) -> bool:
    """Whether a longer slot always gives less throughput than a shorter one of the same level."""
    for level in range(len(LEVEL_NAMES)):
        own = sorted(
            (row for row in facts.rows if row.level == level),
            key=lambda row: row.ts_slot_duration_us,
        )
        rates = [application_bits(level, row.ash_octets) / row.ts_slot_duration_us for row in own]
        if rates != sorted(rates, reverse=True):
            return False
    return True


@figure
def engine(facts: Facts, name: str) -> float:
    """A time of an engine or its bus, by its name in published/."""
    return first(found for one, (_, found) in engine_figures(facts.rows).items() if one == name)


@figure
def ccm_of_119_us(facts: Facts) -> float:
    """CCM of 119 octets in the CC2538's engine."""
    return CCM_BLOCKS_OF_119 * engine(facts, "cc2538.ccm_block_us") / 2


@figure
def clock(facts: Facts, board: str) -> float:
    """The highest clock of a board that its images are measured at, in MHz."""
    return BOARDS[board].clock_hz / 1e6


@figure
def memory_kib(facts: Facts, board: str, which: str) -> float:
    """Flash or RAM of a board."""
    return float(getattr(BOARDS[board], f"{which}_octets")) / 1024


@figure
def mic(facts: Facts, level: int) -> int:
    """Length of a MIC in octets."""
    return mic_octets(level)


@figure
def mic_lengths(facts: Facts) -> list[int]:
    """All lengths of a MIC in octets."""
    return sorted({mic_octets(level) for level in SECURED} - {0})


@figure
def ash(facts: Facts, key_id_mode: int, carried: int) -> int:
    """Length of a header with or without its counter."""
    return AshForm(key_id_mode, bool(carried)).octets(USUAL)


@figure
def key_source(facts: Facts) -> list[int]:
    """Lengths of the key identifier, the shortest and the longest."""
    return [min(KEY_ID_OCTETS), max(KEY_ID_OCTETS)]


@figure
def aes_block(facts: Facts) -> int:
    """Octets of a block of AES."""
    return first(one.fixed for one in PRIMITIVES if one.name == "aes128" and one.fixed)


@figure
def falls(facts: Facts, figures: Sequence[float]) -> bool:
    """Whether each figure is less than the one before."""
    return all(one > other for one, other in pairwise(figures))


@figure
def first_is_least(facts: Facts, figures: Sequence[float]) -> bool:
    """Whether all others are more."""
    return all(figures[0] < one for one in figures[1:])


@figure
def a_j(facts: Facts, level: int, shortest: int = 0) -> int:
    """Bits of Eq. 2, with the header of our rows or with the shortest of 6TiSCH."""
    octets = PRINTED_ASH_OCTETS if shortest else AshForm(3, True).octets(USUAL)
    return application_bits(level, octets)
