# SPDX-License-Identifier: BSD-3-Clause
"""Compares every figure that the paper on timeslot length prints with ours.

We have its text and not its Figs. 3 to 8, so the numbers come from its text. The 10 ms of the
standard are a limit, not a result; the rows show which cases keep it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wardmote.boards import BOARDS, SLOT_BOARDS, Board
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.measurements.slot.setting import KEY_ID_OCTETS, AshForm
from wardmote.measurements.slot.timing import TS_MAX_ACK_TICKS, TS_MAX_TX_TICKS
from wardmote.published import key, load
from wardmote.rows import SlotRow
from wardmote.study.definition import of_the_paper
from wardmote.study.energy import energy_rows
from wardmote.study.engine import MEASURED_ENGINE, engine_figures
from wardmote.study.payload import PRINTED_NAMES, application_bits
from wardmote.study.why import WHY
from wardmote.units import ticks_to_us

LEVEL = 5
MEASURED, SETTING, FORMAT = "measured", "setting", "format"
READ_AS = {"ccm_block_us_for_a_frame": "ccm_block_us"}
"""Figures of ours that stand beside a printed one in a second reading of it."""
FAR = 0.2
"""A row that differs by more has a sentence with the reason."""


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One printed figure and ours."""

    figure: str
    unit: str
    published: float
    published_to: float | None
    """The other end of a printed range."""
    ours: float
    ours_low: float | None
    """Our figure at the fast end of a timing band; `ours` is at the slow end."""
    ratio: float
    """The printed figure, or the nearer end of a printed range, over ours: above 1, ours is less. 1
    inside a range."""
    basis: str
    """Origin of our figure: a measurement, a setting of the instrument, or the formats of the
    standard. Only a measurement can agree or disagree."""
    differs: bool
    why: str


def compare(rows: Sequence[SlotRow], footprints: Sequence[FootprintRow]) -> list[ComparisonRow]:
    """All printed figures that `rows` and `footprints` have too, in the order of
    published/tsch_slot.toml. Slots are those by the paper's own definition."""
    printed, rows = load("tsch_slot"), of_the_paper(rows)
    parts = (
        _slots(printed, rows),
        _constants(printed),
        _ratios(printed, rows),
        _savings(printed, rows),
        _footprints(printed, footprints),
        _engines(printed, rows),
        _facts(printed, rows),
        _payloads(printed, rows),
        _ash(printed),
    )
    return [row for part in parts for row in part]


def row_of(
    figure: str,
    unit: str,
    printed: float | Sequence[float],
    ours: float,
    ours_low: float | None = None,
    *,
    basis: str = MEASURED,
) -> ComparisonRow:
    """A row; it has a reason if the figures differ."""
    ends = [float(printed)] if isinstance(printed, int | float) else [float(end) for end in printed]
    least, most = min(ends), max(ends)
    nearest = min(max(ours, least), most)
    differs = abs(ours / nearest - 1) > FAR
    return ComparisonRow(
        figure=figure,
        unit=unit,
        published=ends[0],
        published_to=ends[1] if len(ends) > 1 else None,
        ours=round(ours, 4),
        ours_low=None if ours_low is None else round(ours_low, 4),
        ratio=round(nearest / ours, 3),
        basis=basis,
        differs=differs,
        why=WHY.get(figure, "") if differs else "",
    )


def usual(rows: Sequence[SlotRow], board: Board, strategy: str) -> SlotRow | None:
    """The case that the paper prints: ENC-MIC-32, frames of 127 octets, ASH of 14, full clock at a
    supply that allows it."""
    ash = AshForm(3, True).octets(LEVEL)
    wanted = (board.name, strategy, LEVEL, ash, 127, board.clock_hz, True)
    have = (
        r
        for r in rows
        if (
            r.board,
            r.strategy,
            r.level,
            r.ash_octets,
            r.frame_octets,
            r.clock_hz,
            r.clock_allowed,
        )
        == wanted
    )
    return next(have, None)


Rows = Iterator[ComparisonRow]
Printed = dict[str, dict[str, object]]


def _boards(table: object) -> Iterator[tuple[Board, dict[str, float]]]:
    """Sub-tables of published/ about our boards."""
    assert isinstance(table, dict)
    for board in SLOT_BOARDS.values():
        if key(board.name) in table:
            yield board, table[key(board.name)]


def _low_ms(row: SlotRow) -> float | None:
    return None if row.low is None else row.low.ts_slot_duration_us / 1000


def _slots(printed: Printed, rows: Sequence[SlotRow]) -> Rows:
    for board, strategies in _boards(printed["timeslot_min_ms"]):
        for strategy, ms in strategies.items():
            if row := usual(rows, board, strategy):
                yield row_of(
                    f"slot {board.name} {strategy}", "ms", ms, row.ts_slot_duration_ms, _low_ms(row)
                )


def _constants(printed: Printed) -> Rows:
    constants = printed["constants_ms"]
    for name, ticks in (("ts_max_tx", TS_MAX_TX_TICKS), ("ts_max_ack", TS_MAX_ACK_TICKS)):
        yield row_of(
            name, "ms", float(str(constants[name])), ticks_to_us(ticks) / 1000, basis=FORMAT
        )


def _ratios(printed: Printed, rows: Sequence[SlotRow]) -> Rows:
    telosb, openmote = BOARDS["telosb"], BOARDS["openmote-cc2538"]
    slow, fast = usual(rows, telosb, "software"), usual(rows, openmote, "software")
    between = printed["ratios"]["openmote_vs_telosb_software_slot"]
    assert isinstance(between, list)
    if slow and fast:
        low = None if fast.low is None else slow.ts_slot_duration_us / fast.low.ts_slot_duration_us
        yield row_of(
            "software slot, telosb over openmote",
            "x",
            between,
            slow.ts_slot_duration_us / fast.ts_slot_duration_us,
            low,
        )
    within = printed["ratios"]["hardware_vs_software_slot"]
    assert isinstance(within, list)
    for board in SLOT_BOARDS.values():
        software, hardware = usual(rows, board, "software"), usual(rows, board, "hardware")
        if software and hardware:
            ratio = software.ts_slot_duration_us / hardware.ts_slot_duration_us
            yield row_of(f"slot {board.name}, software over hardware", "x", within, ratio)


def _savings(printed: Printed, rows: Sequence[SlotRow]) -> Rows:
    energies = energy_rows(rows)
    for board, strategies in _boards(printed["energy_saving_vs_software"]):
        for strategy, fraction in strategies.items():
            saved = [
                row.saving
                for row in energies
                if (row.board, row.strategy, row.node) == (board.name, strategy, "sender")
                and row.level
                if row.saving is not None
            ]
            if saved:
                yield row_of(
                    f"energy saved {board.name} {strategy}", "%", 100 * fraction, 100 * max(saved)
                )


def _footprints(printed: Printed, footprints: Sequence[FootprintRow]) -> Rows:
    for board, memories in _boards(printed["footprint_fraction"]):
        for memory, printed_fraction in memories.items():
            ends = (
                printed_fraction if isinstance(printed_fraction, list) else [printed_fraction] * 2
            )
            for strategy, fraction in zip(("hardware", "software"), ends, strict=True):
                for row in footprints:
                    if (row.board, row.strategy) == (board.name, strategy):
                        ours = row.flash_percent if memory == "flash" else row.ram_percent
                        yield row_of(f"{memory} {board.name} {strategy}", "%", 100 * fraction, ours)


def _engines(printed: Printed, rows: Sequence[SlotRow]) -> Rows:
    for name, (unit, ours) in engine_figures(rows).items():
        chip, figure = name.split(".")
        table = printed["engine"][chip]
        assert isinstance(table, dict)
        yield row_of(
            f"{chip} {figure}",
            unit,
            table[READ_AS.get(figure, figure)],
            ours,
            basis=MEASURED if figure in MEASURED_ENGINE else SETTING,
        )


def _facts(printed: Printed, rows: Sequence[SlotRow]) -> Rows:
    for board, facts in _boards(printed["platform"]):
        running = [
            row.clock_measured_hz
            for row in rows
            if (row.board, row.clock_hz) == (board.name, board.clock_hz)
        ]
        if running:
            yield row_of(
                f"clock {board.name}",
                "MHz",
                facts["clock_mhz_max"],
                max(running) / 1e6,
                basis=SETTING,
            )
        yield row_of(
            f"flash of {board.name}",
            "KiB",
            facts["flash_kb"],
            board.flash_octets / 1024,
            basis=SETTING,
        )
        yield row_of(
            f"RAM of {board.name}", "KiB", facts["ram_kb"], board.ram_octets / 1024, basis=SETTING
        )


def _payloads(printed: Printed, rows: Sequence[SlotRow]) -> Rows:
    """Bits with the measured ASH; docs/how-much-can-an-application-send.md explains the printed
    list."""
    forms = {row.ash_octets for row in rows if row.level} or {AshForm(3, True).octets(LEVEL)}
    for level, name in enumerate(PRINTED_NAMES):
        bits = float(str(printed["application_payload_max_bits"][name]))
        yield row_of(
            f"A_j {LEVEL_NAMES[level]}",
            "bit",
            bits,
            application_bits(level, max(forms)),
            basis=FORMAT,
        )


def _ash(printed: Printed) -> Rows:
    ends = printed["ash_bytes"]["range_2011"]
    assert isinstance(ends, list)
    forms = [AshForm(mode, True).octets(LEVEL) for mode in range(len(KEY_ID_OCTETS))]
    yield row_of("ASH, shortest with a counter", "octets", ends[0], min(forms), basis=FORMAT)
    yield row_of("ASH, longest", "octets", ends[1], max(forms), basis=FORMAT)
    saved = AshForm(3, True).octets(LEVEL) - AshForm(3, False).octets(LEVEL)
    yield row_of(
        "ASH, saved without a counter",
        "octets",
        float(str(printed["ash_bytes"]["tsch_frame_counter_elided_saves"])),
        saved,
        basis=FORMAT,
    )
