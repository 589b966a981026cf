# SPDX-License-Identifier: BSD-3-Clause
"""Formats the comparison with figures of other code, and of fast forms with small ones."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.study.primitives.anchors import HOW, AnchorRow, FormRow
from wardmote.views.columns import Fields
from wardmote.views.document import Blocks
from wardmote.views.primitives.table import KIND
from wardmote.views.table import Column, band, number, to_markdown
from wardmote.views.text import bullets, by, label

_anchor, _form = Fields(AnchorRow), Fields(FormRow)


@dataclass(frozen=True, slots=True)
class Compared:
    """All rows of the document."""

    anchors: tuple[AnchorRow, ...]
    forms: tuple[FormRow, ...]


def _digits(row: AnchorRow) -> int:
    return 0 if row.unit == "whole" else 1


def _doubt(row: AnchorRow) -> str:
    return "" if row.certain else "?"


def what(row: AnchorRow) -> str:
    """What is compared: an operation with a length, or the cost of one more octet."""
    if row.unit != "whole":
        return f"{row.operations}, an octet from {row.from_octets} to {row.octets}"
    length = f" of {row.octets}" if row.octets else ""
    return f"{row.operations}{length}{f' and {row.a_octets}' if row.a_octets else ''}"


def theirs(row: AnchorRow) -> str:
    """The figure, marked where it could not be verified."""
    return f"{number(row.theirs_cycles, _digits(row))}{_doubt(row)}"


def verdict(row: AnchorRow) -> str:
    """Whether ours is not slower."""
    return "" if row.held is None else f"{'yes' if row.held else 'no'}{_doubt(row)}"


def whose(row: AnchorRow) -> str:
    """A short name of the source."""
    return re.split("[,:]", row.source)[0]


def known(row: AnchorRow) -> str:
    """The note on a figure, and the reason if ours is slower."""
    return ". ".join(part.rstrip(".") for part in (row.note, row.why) if part)


ANCHORS: tuple[Column[AnchorRow], ...] = (
    *_anchor.words("cpu", "primitive", "variant", rank=0),
    Column("operation", what, text=True, rank=0),
    Column("ours", lambda row: band(row.ours_cycles_low, row.ours_cycles, _digits(row)), rank=0),
    Column("theirs", theirs, rank=0),
    _anchor.number("x", "ratio", 2, rank=0),
    Column("held", verdict, text=True, rank=1),
    _anchor.word("how", rank=4),
    Column("whose", whose, text=True, rank=3, wrap=True),
    Column("why", known, text=True, rank=5, wrap=True),
)
FORMS: tuple[Column[FormRow], ...] = (
    *_form.words("cpu", "primitive", rank=0),
    *_form.words("fast", "small", rank=3),
    _form.word("operation", rank=0),
    _form.number("octets", rank=0),
    _form.band("cycles fast", "fast_cycles", rank=0),
    _form.band("cycles small", "small_cycles", rank=0),
    _form.number("flash fast", "fast_flash_octets"),
    _form.number("flash small", "small_flash_octets"),
    _form.number("RAM fast", "fast_ram_octets", rank=4),
    _form.number("RAM small", "small_ram_octets", rank=4),
    _form.number("stack fast", "fast_stack_octets", rank=5),
    _form.number("stack small", "small_stack_octets", rank=5),
)


def answer(rows: Sequence[AnchorRow]) -> str:
    """Counts the figures of others that ours holds."""
    certain = [row for row in rows if row.certain]
    doubtful = [row for row in rows if not row.certain]
    doubts = (
        f"; {_held(doubtful)} of {len(doubtful)} that could not be verified" if doubtful else ""
    )
    return f"{_held(certain)} of {len(certain)} anchors held{doubts}."


def _held(rows: Sequence[AnchorRow]) -> int:
    return sum(bool(row.held) for row in rows)


def forms_answer(rows: Sequence[FormRow]) -> str:
    """How much flash small forms save and how many cycles they cost."""
    if not rows:
        return "No forms."
    flash = sorted(row.small_flash_octets / row.fast_flash_octets for row in rows)
    cycles = sorted(row.small_cycles / row.fast_cycles for row in rows)
    return (
        f"{len(rows)} pairs: a small form takes {_percent(flash)} of the flash and "
        f"{_percent(cycles)} of the cycles, the median in brackets."
    )


def _percent(parts: Sequence[float]) -> str:
    low, middle, high = (100 * one for one in (parts[0], parts[len(parts) // 2], parts[-1]))
    return f"{low:.0f} to {high:.0f} % ({middle:.0f})"


def conditions(given: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The conditions of the rows on which the comparison depends."""
    return [
        *((name, text) for name, text in given if name in ("cycles", "commit")),
        ("held", "the best of our variants takes no more; of a band, at its slow end"),
        ("?", "a figure that could not be verified, and is not counted among the others"),
    ]


def forms_conditions(given: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """What the table of forms depends on."""
    return [(name, text) for name, text in given if name in ("cycles", "flash", "RAM", "commit")]


def reasons(rows: Sequence[AnchorRow]) -> str:
    """One line for each figure where ours is slower, with the reason."""
    return "".join(
        f"{label(row)}, {row.cpu}, {what(row)}: {row.why}\n" for row in rows if row.held is False
    )


def slower(rows: Sequence[AnchorRow]) -> str:
    """A list of the figures where ours is slower, with the reason."""
    return (
        bullets(
            f"**{label(row)}** on {row.cpu}, {what(row)}: {number(row.ours_cycles, _digits(row))}, "
            f"{whose(row)} {theirs(row)}. {row.why}"
            for row in rows
            if row.held is False
        )
        or "None.\n"
    )


def counts(rows: Sequence[AnchorRow]) -> str:
    """Counts the figures by kind."""
    groups = by(rows, lambda row: row.how)
    certain = {how: [row for row in groups.get(how, ()) if row.certain] for how in HOW}
    columns: list[Column[str]] = [
        Column("how", str, text=True),
        Column("certain", lambda how: str(len(certain[how]))),
        Column("held", lambda how: str(_held(certain[how]))),
        Column("not verified", lambda how: str(len(groups.get(how, ())) - len(certain[how]))),
    ]
    return to_markdown(HOW, columns)


def nobody(compared: Compared) -> str:
    """Primitives with two forms, with the CPUs for which no figure of others is known."""
    cpus = dict.fromkeys(row.cpu for row in compared.forms)
    have = {(row.cpu, row.primitive) for row in compared.anchors}
    found = {
        name: ", ".join(cpu for cpu in cpus if (cpu, name) not in have)
        for name in by(compared.forms, lambda row: row.primitive)
    }
    return "; ".join(f"{name} ({lacking})" for name, lacking in found.items() if lacking) + ".\n"


def sources(rows: Sequence[AnchorRow]) -> str:
    """Every source in full."""
    return bullets(dict.fromkeys(row.source for row in rows))


BLOCKS: Blocks[Compared] = Blocks(
    KIND,
    {
        "anchors-answer": lambda all_: f"{answer(all_.anchors)}\n",
        "anchors-slower": lambda all_: slower(all_.anchors),
        "anchors-counts": lambda all_: counts(all_.anchors),
        "anchors": lambda all_: to_markdown(all_.anchors, ANCHORS),
        "anchors-nobody": nobody,
        "anchors-sources": lambda all_: sources(all_.anchors),
        "forms-answer": lambda all_: f"{forms_answer(all_.forms)}\n",
        "forms": lambda all_: to_markdown(all_.forms, FORMS),
    },
)
"""Blocks of docs/how-fast-is-the-code.md."""
