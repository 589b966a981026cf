# SPDX-License-Identifier: BSD-3-Clause
"""Puts the figures of a report into the documents, between marks; with --check, says where a document is out of date.

    .venv/bin/python scripts/update_docs.py [--check] [FOLDER]

FOLDER is a report folder, build/report if not given. A document is out of date if its words differ from what the report
gives, or a number differs by more than 5 per cent (and, in tables of microseconds, by more than a tick): a compiler
moves figures a little, documents need not follow.
"""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from wardmote.rows import SlotRow
from wardmote.units import cycles_to_us
from wardmote.views.composition import PHASES, composition
from wardmote.views.folder import read_report
from wardmote.views.table import markdown_table
from wardmote.views.words import USUAL_LEVEL, answer, published_text

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ("README.md", "docs/where-does-the-slot-time-go.md")
BLOCK = re.compile(r"(<!-- wardmote: (?!end)([a-z-]+) -->\n)(.*?)(<!-- wardmote: end -->)", re.DOTALL)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
TOLERANCE = 0.05
TICK_US = 31


def usual(rows: Sequence[SlotRow]) -> list[SlotRow]:
    """Rows of the level that networks use."""
    return [row for row in rows if row.level == USUAL_LEVEL]


def markdown(header: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A Markdown table, first column to the left, the others to the right."""
    rule = ["---", *("---:" for _ in header[1:])]
    return "".join(f"| {' | '.join(line)} |\n" for line in (header, rule, *body))


def answer_block(rows: Sequence[SlotRow]) -> str:
    """The answer in words and the rows of the usual level."""
    header = [
        "strategy",
        "sec1 + sec2 + sec3 + sec4, ms",
        "shortest slot, ms",
        "published, ms",
        "energy of the sender, µJ",
    ]
    body = []
    for row in usual(rows):
        cycles = row.sec1_cycles + row.sec2_cycles + row.sec3_cycles + row.sec4_cycles
        security_ms = cycles * 1000 / row.clock_measured_hz
        figures = (f"{security_ms:.2f}", f"{row.ts_slot_duration_ms:.2f}", published_text(row), f"{row.energy_uj:.0f}")
        body.append([row.strategy, *figures])
    return f"> {answer(rows)}\n\n{markdown(header, body)}"


def composition_block(rows: Sequence[SlotRow]) -> str:
    """The phases of the slot at the usual level, in microseconds, a column a strategy."""
    chosen = usual(rows)
    columns = [composition(row) for row in chosen]
    body = [[name, *(f"{column[i].us:.0f}" for column in columns)] for i, name in enumerate(PHASES)]
    body.append(["**TsSlotDuration**", *(f"**{row.ts_slot_duration_us:.0f}**" for row in chosen)])
    return markdown(["phase, µs", *(row.strategy for row in chosen)], body)


def parts_block(rows: Sequence[SlotRow]) -> str:
    """The four operations in microseconds: what moving an unsecured frame takes, and what security adds."""
    body = []
    for row in usual(rows):
        bare = next(other for other in rows if (other.strategy, other.level) == (row.strategy, 0))
        for name in ("sec1", "sec2", "sec3", "sec4"):
            total, moved = (cycles_to_us(getattr(r, f"{name}_cycles"), r.clock_measured_hz) for r in (row, bare))
            body.append([row.strategy, name, *(f"{us:.0f}" for us in (moved, total - moved, total))])
    return markdown(["strategy", "operation", "without security, µs", "security adds, µs", "all, µs"], body)


def cases_block(rows: Sequence[SlotRow]) -> str:
    """All rows."""
    return "".join(f"{line}\n" for line in markdown_table(rows))


def energy_block(rows: Sequence[SlotRow]) -> str:
    """Energy of a slot by node and device at the usual level."""
    body = [
        [
            row.strategy,
            *(f"{uj:.0f}" for uj in (row.energy_radio_uj, row.energy_cpu_uj, row.energy_uj)),
            *(f"{uj:.0f}" for uj in (row.energy_receiver_radio_uj, row.energy_receiver_cpu_uj, row.energy_receiver_uj)),
        ]
        for row in usual(rows)
    ]
    header = ["µJ a slot", "sender: radio", "CPU", "all", "receiver: radio", "CPU", "all"]
    return markdown(header, body)


BLOCKS: dict[str, Callable[[Sequence[SlotRow]], str]] = {
    "answer": answer_block,
    "composition": composition_block,
    "parts": parts_block,
    "cases": cases_block,
    "energy": energy_block,
}
# By how much a small number may be off besides: a tick, or what the last digit is rounded by.
SLACK = {"answer": 0.11, "composition": TICK_US, "parts": TICK_US, "cases": TICK_US, "energy": 1}


def updated(text: str, rows: Sequence[SlotRow]) -> str:
    """The document with every block as the report gives it."""
    return BLOCK.sub(lambda block: f"{block[1]}{BLOCKS[block[2]](rows)}{block[4]}", text)


def close(have: str, want: str, slack: float) -> bool:
    """Same words, and numbers within the tolerance or within `slack` of each other."""
    if NUMBER.sub("#", have) != NUMBER.sub("#", want):
        return False
    pairs = zip(NUMBER.findall(have), NUMBER.findall(want), strict=True)
    return all(abs(float(a) - float(b)) <= max(slack, TOLERANCE * max(float(a), float(b))) for a, b in pairs)


def stale(text: str, rows: Sequence[SlotRow]) -> list[str]:
    """Names of the blocks that are out of date."""
    return [block[2] for block in BLOCK.finditer(text) if not close(block[3], BLOCKS[block[2]](rows), SLACK[block[2]])]


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
