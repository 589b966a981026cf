# SPDX-License-Identifier: BSD-3-Clause
"""Puts the figures of a report into the documents, between marks. With --check it names the
documents that are out of date.

    .venv/bin/python scripts/update_docs.py [--check] [FOLDER]

FOLDER is a report folder, build/report if not given. A document is out of date if its words differ
from what the report gives, or a number differs by more than 5 per cent (and, in tables of
microseconds, by more than a tick): a compiler moves figures a little, documents need not follow.
"""

import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from wardmote.batteries import DEFAULT_BATTERY
from wardmote.boards import BOARDS, SLOT_BOARDS, current_of
from wardmote.commands.battery import Use, measured
from wardmote.cpus import CPUS
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.footprint.measure import measure
from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.measurements.footprint.tables import MODELS, code, entries, networks
from wardmote.measurements.slot.definition import NEEDED, PAPER
from wardmote.measurements.slot.setting import AHEAD, STRATEGIES, TURNAROUND_US
from wardmote.rows import SlotRow
from wardmote.study.claims.slot import slot_claims
from wardmote.study.compare import compare
from wardmote.study.composition import PHASES, composition
from wardmote.study.definition import at_once, headline, plain
from wardmote.study.energy import energy_rows
from wardmote.study.limit import limits
from wardmote.study.parameters import assumed
from wardmote.study.throughput import Schedule, throughput_rows
from wardmote.units import cycles_to_us, ticks_to_us
from wardmote.views import battery as battery_view
from wardmote.views import claims as claims_view
from wardmote.views import compare as compare_view
from wardmote.views import energy as energy_view
from wardmote.views import footprint as footprint_view
from wardmote.views import parameters as parameters_view
from wardmote.views import throughput as throughput_view
from wardmote.views.folder import read_report
from wardmote.views.slot import COLUMNS as SLOT_COLUMNS
from wardmote.views.table import to_markdown
from wardmote.views.text import by
from wardmote.views.words import USUAL_LEVEL, clock_at, published_text

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (
    "README.md",
    "docs/how-is-a-template-tuned-and-proven.md",
    "docs/where-does-the-slot-time-go.md",
    "docs/where-does-the-charge-go.md",
    "docs/how-much-can-an-application-send.md",
    "docs/how-much-memory-does-security-take.md",
    "docs/how-do-we-compare-with-the-paper.md",
    "docs/do-the-claims-hold.md",
    "docs/what-do-the-numbers-rest-on.md",
    "docs/what-does-a-table-entry-cost.md",
)
FIRST = "telosb"
"""The board that where-does-the-slot-time-go takes apart."""
SECOND = "openmote-cc2538"
SEED = 1
BLOCK = re.compile(
    r"(<!-- wardmote: (?!end)([a-z0-9-]+) -->\n)(.*?)(<!-- wardmote: end -->)", re.DOTALL
)
GUARD_FIELDS = (
    *("board", "clock", "strategy", "definition", "ts_tx_offset_us", "offset_set_by"),
    "ts_rx_guard_us",
    *("guard_needed_us", "sync_limit_s", "ts_slot_duration_us"),
)
LIMIT_FIELDS = (
    *("board", "turnaround_us", "definition", "rx_guard_us", "ts_tx_offset_us"),
    *("ts_tx_ack_delay_us", "slot_us"),
)
HEADINGS = {
    "ts_tx_offset_us": "TsTxOffset, µs",
    "ts_tx_ack_delay_us": "TsTxAckDelay, µs",
    "offset_set_by": "set by",
    "sync_limit_s": "sync limit, s",
    "turnaround_us": "turnaround, µs",
    "guard_needed_us": "needed at 30 ppm, µs",
    **dict.fromkeys(("ts_rx_guard_us", "rx_guard_us"), "guard time, µs"),
    **dict.fromkeys(("ts_slot_duration_us", "slot_us"), "slot, µs"),
}
"""What a field is called in a table; other fields keep their name."""
NUMBER = re.compile(r"\d+(?:\.\d+)?")
TOLERANCE = 0.05
TICK_US = 31


def usual(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The rows of the level that networks use, as networks would run them. Frames are secured within
    the slot."""
    return at_once(of_usual_level(rows))


def of_usual_level(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The same, with those that are secured ahead of the slot."""
    return [row for row in headline(rows) if row.level == USUAL_LEVEL]


def of(rows: Sequence[SlotRow], board: str) -> list[SlotRow]:
    """Rows of one board."""
    return [row for row in rows if row.board == board]


def at_first_clock(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The rows at the default clock of their board."""
    return [row for row in rows if row.clock_hz == BOARDS[row.board].clock_hz]


def markdown(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A Markdown table, first column to the left, the others to the right."""
    rule = ["---", *("---:" for _ in header[1:])]
    return "".join(f"| {' | '.join(line)} |\n" for line in (header, rule, *body))


def cell(name: str, value: Any) -> str:
    """The value of a field as its heading says: microseconds are whole, seconds have a decimal."""
    if name == "board":
        return BOARDS[value].title
    if isinstance(value, str):
        return value
    return f"{value:.0f}" if name.endswith("_us") else f"{value:.1f}"


def field(row: Any, name: str) -> str:
    """The cell of a field; `clock` is clock and supply."""
    return clock_at(row) if name == "clock" else cell(name, getattr(row, name))


def fields_table(rows: Sequence[object], names: Sequence[str]) -> str:
    """A Markdown table of these fields of the rows."""
    header = [HEADINGS.get(name, name) for name in names]
    return markdown(header, [[field(row, name) for name in names] for row in rows])


def others(row: SlotRow, rows: Sequence[SlotRow]) -> list[SlotRow]:
    """The same case in all definitions."""
    case = (row.board, row.strategy, row.level, row.clock_hz)
    return [
        one for one in plain(rows) if (one.board, one.strategy, one.level, one.clock_hz) == case
    ]


def beside(row: SlotRow, rows: Sequence[SlotRow], definition: str) -> SlotRow:
    """The same case in another definition."""
    return next(one for one in others(row, rows) if one.definition == definition)


def answer_block(rows: Sequence[SlotRow]) -> str:
    """The shortest slots of each board and clock in words, and the rows of the usual level. Ahead of
    the slot there is no sum of sec1 to sec4, as security is not there alone, and no third guard
    time."""
    header = [
        "board",
        "clock and supply",
        "strategy",
        "sec1 + sec2 + sec3 + sec4, ms",
        "deployable slot, ms",
        "slot with the guard time that 30 ppm need, ms",
        "slot by the paper's definition, ms",
        "published, ms",
        "energy of the sender, deployable, µJ",
    ]
    body = []
    for row in of_usual_level(rows):
        cycles = row.sec1_cycles + row.sec2_cycles + row.sec3_cycles + row.sec4_cycles
        security_ms = cycles * 1000 / row.clock_measured_hz
        paper = beside(row, rows, PAPER)
        needed = None if row.strategy in AHEAD else beside(row, rows, NEEDED)
        figures = (
            "" if row.strategy in AHEAD else f"{security_ms:.2f}",
            f"{row.ts_slot_duration_ms:.2f}",
            f"{needed.ts_slot_duration_ms:.2f}" if needed else "",
            f"{paper.ts_slot_duration_ms:.2f}",
            published_text(paper),
            f"{row.energy_uj:.0f}",
        )
        body.append([BOARDS[row.board].title, clock_at(row), row.strategy, *figures])
    shortest = ". ".join(
        f"{BOARDS[board].title} ({clock}): "
        + ", ".join(
            f"{row.strategy} {row.ts_slot_duration_ms:.1f} ms" for row in of_usual_level(mine)
        )
        for (board, clock), mine in by(rows, lambda row: (row.board, clock_at(row))).items()
    )
    first = usual(rows)[0]
    guard = (
        f"with the standard's guard time, {first.ts_rx_guard_us:.0f} µs in whole ticks, either side"
    )
    proven = (
        f"{sum(row.verified for row in rows)} of {len(rows)} rows are proven: 48 cases in both "
        f"definitions, and {LEVEL_NAMES[USUAL_LEVEL]} ahead of the slot and at other clocks, guard "
        "times and turnarounds"
    )
    return (
        f"> **The shortest slot secured at ENC-MIC-32, deployable: {guard}.** {shortest}. "
        f"{proven}.\n\n{markdown(header, body)}"
    )


def guard_block(rows: Sequence[SlotRow]) -> str:
    """Guard times at the usual level, in all definitions, and what is needed."""
    listed = [one for row in usual(rows) for one in others(row, rows)]
    return f"{fields_table(listed, GUARD_FIELDS)}\n{one_tick_more(usual(rows))}\n"


def one_tick_more(rows: Sequence[SlotRow]) -> str:
    """What a guard time that is rounded up would give, where it sets TsTxOffset."""
    own = [row for row in rows if row.offset_set_by == "guard time"]
    slots = ", ".join(
        f"{row.strategy} on {BOARDS[row.board].named} ({clock_at(row)}) "
        f"{row.ts_slot_duration_ms + ticks_to_us(1) / 1000:.2f} ms"
        for row in own
    )
    ticks = own[0].ts_rx_guard_ticks if own else 0
    return (
        f"The standard's guard time is {ticks} ticks and a bit, and we round it down. With "
        f"{ticks + 1} ticks each deployable slot whose TsTxOffset the guard time sets is one tick "
        f"longer: {slots}."
    )


def turnaround_block(rows: Sequence[SlotRow]) -> str:
    """Slots with the short turnaround beside the same with the usual one."""
    header = ["board", "strategy", "definition", "slot, µs", "with 128 µs", "saved, µs"]
    body = []
    for quick in rows:
        if quick.turnaround_us != TURNAROUND_US:
            row = beside(quick, rows, quick.definition)
            pair = (row.ts_slot_duration_us, quick.ts_slot_duration_us)
            figures = (f"{us:.0f}" for us in (*pair, pair[0] - pair[1]))
            body.append([BOARDS[row.board].title, row.strategy, row.definition, *figures])
    return markdown(header, body)


def limit_block(_: Sequence[SlotRow]) -> str:
    """What the radio alone needs, by definition."""
    return fields_table(limits(), LIMIT_FIELDS)


def composition_block(rows: Sequence[SlotRow], board: str = FIRST) -> str:
    """The phases of the slot at the usual level, in microseconds, with a column for each
    strategy."""
    chosen = usual(at_first_clock(of(rows, board)))
    columns = [composition(row) for row in chosen]
    body = [[name, *(f"{column[i].us:.0f}" for column in columns)] for i, name in enumerate(PHASES)]
    body.append(["**TsSlotDuration**", *(f"**{row.ts_slot_duration_us:.0f}**" for row in chosen)])
    return markdown(["phase, µs", *(row.strategy for row in chosen)], body)


def sec1_block(rows: Sequence[SlotRow]) -> str:
    """The parts of sec1 at the usual level on each board: what builds the frame, and the rest."""
    header = [
        "board",
        "strategy",
        *(f"{part}, cycles" for part in ("key lookup", "header", "payload")),
        "security and loading, cycles",
        "sec1, cycles",
    ]
    body = []
    for row in usual(at_first_clock(rows)):
        found = (row.sec1_lookup_cycles, row.sec1_header_cycles, row.sec1_payload_cycles)
        parts = [cycles or 0 for cycles in found]
        figures = map(str, (*parts, row.sec1_cycles - sum(parts), row.sec1_cycles))
        body.append([BOARDS[row.board].title, row.strategy, *figures])
    return markdown(header, body)


def parts_block(rows: Sequence[SlotRow]) -> str:
    """The four operations in microseconds: moving an unsecured frame, and what security adds to
    it."""
    body = []
    for row in usual(at_first_clock(of(rows, FIRST))):
        bare = next(
            other
            for other in headline(of(rows, FIRST))
            if (other.strategy, other.level) == (row.strategy, 0)
        )
        for name in ("sec1", "sec2", "sec3", "sec4"):
            total, moved = (
                cycles_to_us(getattr(r, f"{name}_cycles"), r.clock_measured_hz) for r in (row, bare)
            )
            body.append(
                [row.strategy, name, *(f"{us:.0f}" for us in (moved, total - moved, total))]
            )
    return markdown(
        ["strategy", "operation", "without security, µs", "security adds, µs", "all, µs"], body
    )


def cases_block(rows: Sequence[SlotRow]) -> str:
    """All rows."""
    return to_markdown(rows, SLOT_COLUMNS)


def energy_block(rows: Sequence[SlotRow]) -> str:
    """Energy of a slot by node and device at the usual level."""
    body = [
        [
            row.strategy,
            *(f"{uj:.0f}" for uj in (row.energy_radio_uj, row.energy_cpu_uj, row.energy_uj)),
            *(
                f"{uj:.0f}"
                for uj in (
                    row.energy_receiver_radio_uj,
                    row.energy_receiver_cpu_uj,
                    row.energy_receiver_uj,
                )
            ),
        ]
        for row in usual(at_first_clock(of(rows, FIRST)))
    ]
    header = ["µJ a slot", "sender: radio", "CPU", "all", "receiver: radio", "CPU", "all"]
    return f"{markdown(header, body)}\n{shares(usual(at_first_clock(of(rows, FIRST))))}\n"


def shares(rows: Sequence[SlotRow]) -> str:
    """Which part of the energy the radio takes, and what the CPU draws beside it."""
    row = rows[0]
    parts = [
        radio / both
        for row in rows
        for radio, both in (
            (row.energy_radio_uj, row.energy_uj),
            (row.energy_receiver_radio_uj, row.energy_receiver_uj),
        )
    ]
    cpu, rx, tx = (
        current_of(row.board, device, state, row.clock_hz, supply_v=row.supply_v).ma
        for device, state in (("cpu", "active"), ("cc2420", "rx"), ("cc2420", "tx_0dbm"))
    )
    return (
        f"The radio takes {100 * min(parts):.0f} to {100 * max(parts):.0f} % of it. At "
        f"{clock_at(row)} the CPU draws {cpu:.2f} mA, {100 * cpu / rx:.0f} % of what the radio "
        f"draws while it listens ({rx:g} mA) and {100 * cpu / tx:.0f} % of what it draws while it "
        f"sends ({tx:g} mA)."
    )


def openmote_block(rows: Sequence[SlotRow]) -> str:
    """The same composition on the second board, slow end of its band."""
    return composition_block(rows, SECOND)


@cache
def footprints() -> tuple[FootprintRow, ...]:
    """Footprints of all boards."""
    return tuple(row for name in SLOT_BOARDS for row in measure(name, STRATEGIES, SEED))


def charge_block(rows: Sequence[SlotRow]) -> str:
    """Charge by phase of sender and receiver at the usual level and the default
    clock."""
    return to_markdown(energy_rows(usual(at_first_clock(rows))), energy_view.COLUMNS)


def throughput_block(rows: Sequence[SlotRow]) -> str:
    """Throughput with one slot in 101, at the usual level and without security."""
    shown = [row for row in at_once(headline(rows)) if row.level in (0, USUAL_LEVEL)]
    return to_markdown(throughput_rows(shown, Schedule(n_i=1, n_ts=101)), throughput_view.COLUMNS)


def battery_block(rows: Sequence[SlotRow]) -> str:
    """The life of a battery with one cell in 101 slots, at the usual level and the default clock."""
    found = [
        one
        for row in usual(at_first_clock(rows))
        for one in measured(row, Use(), DEFAULT_BATTERY, SEED)
    ]
    return to_markdown(found, battery_view.COLUMNS)


def footprint_block(_: Sequence[SlotRow]) -> str:
    """Footprints of all strategies."""
    return to_markdown(footprints(), footprint_view.COLUMNS)


def footprint_ahead_block(_: Sequence[SlotRow]) -> str:
    """Footprints of the strategies that work ahead of the slot."""
    rows = [row for name in SLOT_BOARDS for row in measure(name, AHEAD, SEED)]
    return to_markdown(rows, footprint_view.COLUMNS)


def modules_block(_: Sequence[SlotRow]) -> str:
    """The octets that security adds to each module."""
    return to_markdown(
        footprint_view.modules(footprints()), footprint_view.module_columns(footprints())
    )


def assumed_block(rows: Sequence[SlotRow]) -> str:
    """The assumed numbers in the boards' data files, which no datasheet gives."""
    parameters = assumed(list(dict.fromkeys(row.board for row in rows)))
    return f"{parameters_view.answer(parameters)}\n\n{to_markdown(parameters, parameters_view.COLUMNS)}"


def compare_block(rows: Sequence[SlotRow]) -> str:
    """Every printed figure beside the measured one."""
    comparisons = compare(rows, footprints())
    return f"{compare_view.answer(comparisons)}\n\n{to_markdown(comparisons, compare_view.COLUMNS)}"


def claims_block(rows: Sequence[SlotRow]) -> str:
    """Every claim of the paper with our verdict."""
    return claims_view.block(slot_claims(rows, footprints()))


def entries_block(_: Sequence[SlotRow]) -> str:
    """Octets of each entry of the security tables."""
    body = [
        [row.entry, f"`{row.record}`", row.memory, *(str(row.octets[name]) for name in MODELS)]
        for row in entries()
    ]
    return markdown(["octets of one", "struct", "lies in", *MODELS], body)


def networks_block(_: Sequence[SlotRow]) -> str:
    """Sums of entries for three nodes."""
    header = ["octets", *(f"{name}, {memory}" for name in MODELS for memory in ("flash", "RAM"))]
    body = [
        [
            row.network,
            *(
                str(octets[name])
                for name in MODELS
                for octets in (row.flash_octets, row.ram_octets)
            ),
        ]
        for row in networks()
    ]
    return markdown(header, body)


def procedures_block(_: Sequence[SlotRow]) -> str:
    """Code of the security procedures by source file."""
    rows = code()
    body = [
        [f"security_{row.module}.c", *(str(row.flash_octets[name]) for name in CPUS)]
        for row in rows
    ]
    body.append(["**all**", *(str(sum(row.flash_octets[name] for row in rows)) for name in CPUS)])
    return markdown(["octets of flash", *CPUS], body)


BLOCKS: dict[str, Callable[[Sequence[SlotRow]], str]] = {
    "answer": answer_block,
    "guard": guard_block,
    "turnaround": turnaround_block,
    "limit": limit_block,
    "composition": composition_block,
    "composition-openmote": openmote_block,
    "sec1": sec1_block,
    "parts": parts_block,
    "cases": cases_block,
    "energy": energy_block,
    "charge": charge_block,
    "throughput": throughput_block,
    "battery": battery_block,
    "footprint": footprint_block,
    "footprint-ahead": footprint_ahead_block,
    "modules": modules_block,
    "compare": compare_block,
    "claims": claims_block,
    "assumed": assumed_block,
    "entries": entries_block,
    "networks": networks_block,
    "procedures": procedures_block,
}
# The additional tolerance for small numbers: one tick, or the rounding of the last digit.
SLACK = {
    "answer": 0.11,
    "guard": TICK_US,
    "limit": 0,
    "composition": TICK_US,
    "composition-openmote": TICK_US,
    "parts": TICK_US,
    "cases": TICK_US,
    "energy": 1,
}
SLACK |= {
    "charge": 1,
    "throughput": TICK_US,
    "footprint": 32,
    "footprint-ahead": 32,
    "modules": 32,
    "compare": 1,
    "claims": 1,
    "assumed": 0,
}
SLACK |= {"entries": 0, "networks": 0, "procedures": 32}
SLACK |= {"turnaround": TICK_US, "sec1": 20, "battery": 1}


def updated(text: str, rows: Sequence[SlotRow]) -> str:
    """The document with every block as the report gives it."""
    return BLOCK.sub(lambda block: f"{block[1]}{BLOCKS[block[2]](rows)}{block[4]}", text)


def close(have: str, want: str, slack: float) -> bool:
    """Same words, and numbers within the tolerance or within `slack` of each other."""
    if NUMBER.sub("#", have) != NUMBER.sub("#", want):
        return False
    pairs = zip(NUMBER.findall(have), NUMBER.findall(want), strict=True)
    return all(
        abs(float(a) - float(b)) <= max(slack, TOLERANCE * max(float(a), float(b)))
        for a, b in pairs
    )


def stale(text: str, rows: Sequence[SlotRow]) -> list[str]:
    """Names of the blocks that are out of date."""
    return [
        block[2]
        for block in BLOCK.finditer(text)
        if not close(block[3], BLOCKS[block[2]](rows), SLACK[block[2]])
    ]


def main(arguments: Sequence[str]) -> int:
    """Updates or checks all documents."""
    folders = [word for word in arguments if word != "--check"]
    rows = read_report(Path(folders[0]) if folders else ROOT / "build/report")
    faults = 0
    for name in DOCUMENTS:
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        if "--check" not in arguments:
            path.write_text(updated(text, rows), encoding="utf-8")
            continue
        for block in stale(text, rows):
            print(f"{name}: figures of `{block}` are out of date: run `make docs`", file=sys.stderr)
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
