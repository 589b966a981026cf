# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote primitives`: what every cipher, hash, code and mode of the stack costs."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from wardmote import options
from wardmote.choices import choices
from wardmote.commands import primitives_anchors
from wardmote.commands import primitives_study as study
from wardmote.commands.records import LIST, Text, Texts, option
from wardmote.commands.register import verb
from wardmote.commands.running import Running
from wardmote.commands.shared import CostBoardsOption, DocumentOption, SeedOption, Shown
from wardmote.cpus import CPU_NAMES
from wardmote.errors import UsageError
from wardmote.measurements.function.board import boards
from wardmote.measurements.primitives.campaign import PLACES, Selection
from wardmote.measurements.primitives.entry import Primitive
from wardmote.measurements.primitives.host32 import CPU as HOST32
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.paths import require_checkout, require_folder, write_atomically
from wardmote.views import claims as claims_view
from wardmote.views.document import opened
from wardmote.views.primitives import anchors as anchors_view
from wardmote.views.primitives import choice as choice_view
from wardmote.views.primitives import page as page
from wardmote.views.primitives import paper as paper_view
from wardmote.views.primitives import table as view
from wardmote.views.table import Column

SIZES = (12, 16, 32, 36, 60, 64, 84, 96, 108, 128)
"""Every length in the paper's tables, and both ends."""
MOST_OCTETS = 1024
RUNS = 8
NAMES = tuple(dict.fromkeys(one.name for one in PRIMITIVES))
SHOWN = {
    "paper": study.show_paper,
    "best": study.show_best,
    "anchors": primitives_anchors.show_anchors,
    "forms": primitives_anchors.show_forms,
    "claims": study.show_claims,
}
"""What is shown instead of rows, by option."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is measured."""

    cpu: Annotated[
        Texts,
        option(
            f"CPU: {', '.join(CPU_NAMES)}, or host32 (this machine). {LIST} Default: all.",
            *PLACES,
        ),
    ] = None
    only: Annotated[
        Texts, option("Primitives by name, such as cmac,aes128. Default: all.", *NAMES)
    ] = None
    size: Annotated[
        str,
        option(
            "Lengths of the message in octets, such as 12,64,128. Default: every length in the "
            "paper's tables."
        ),
    ] = ""
    board: CostBoardsOption = None
    runs: Annotated[
        int, option("Sets of random secrets, from which the verdict on constant time comes.")
    ] = RUNS
    seed: SeedOption = 1

    def selection(self, *, everywhere: bool) -> Selection:
        """All that is measured; a board may be of any CPU if that is done `everywhere`."""
        cpus = choices("CPU", self.cpu or (), PLACES) if self.cpu or runs_x86() else CPU_NAMES
        primitives = chosen_of(self.only or ())
        return Selection(
            cpus=cpus,
            primitives=primitives,
            sizes=sizes_of(self.size, primitives),
            boards=boards(self.board or (), PLACES if everywhere else cpus),
            # One run could not differ from another.
            runs=at_least_two(options.positive("number of runs", self.runs, 1000)),
            seed=self.seed,
        )


@dataclass(frozen=True, slots=True)
class Instead:
    """What is written or shown instead of rows: one of these at most."""

    document: DocumentOption = None
    paper: Annotated[
        bool, option("Show every figure of the paper's Tables 3 to 25 beside ours.", name="--paper")
    ] = False
    best: Annotated[
        bool,
        option("Show what costs least, by kind, CPU and message length.", name="--best"),
    ] = False
    report: Annotated[
        Text, option("Folder for a page with the paper's figures, drawn from our rows.")
    ] = None
    anchors: Annotated[
        bool,
        option("What others say their code takes, beside ours, instead.", name="--anchors"),
    ] = False
    forms: Annotated[
        bool,
        option("The fast form of each primitive beside the small one, instead.", name="--forms"),
    ] = False
    claims: Annotated[
        bool, option("Every claim of the paper with our verdict, instead.", name="--claims")
    ] = False

    def refuse_effectless(self, wanted: Wanted) -> None:
        """Refuses two at once, and options that would have no effect."""
        given = {f"--{name}": getattr(self, name) for name in (*SHOWN, "report", "document")}
        one_of_these(given)
        if self.paper:
            of_its_own("--paper", "primitives", {"--only": wanted.only})
        own = {"--cpu": wanted.cpu, "--only": wanted.only, "--size": wanted.size}
        if self.report is not None:
            of_its_own("--report", "CPUs, primitives and lengths", own)
        if self.claims:
            of_its_own("--claims", "CPUs, primitives and lengths", own)

    def columns(self, cpus: Sequence[str]) -> list[Sequence[Column[Any]]]:
        """Those of each table that is shown for these CPUs."""
        own: dict[str, Sequence[Column[Any]]] = {
            "best": choice_view.CHOICES,
            "anchors": anchors_view.ANCHORS,
            "forms": anchors_view.FORMS,
            "claims": claims_view.COLUMNS,
        }
        if instead := [columns for name, columns in own.items() if getattr(self, name)]:
            return instead
        emulated: Sequence[Column[Any]] = paper_view.TELOSB if self.paper else view.COLUMNS
        host: Sequence[Column[Any]] = paper_view.EDISON if self.paper else view.HOST32_COLUMNS
        both = ((emulated, set(cpus) - {HOST32}), (host, HOST32 in cpus))
        return [columns for columns, there in both if there]


@verb("Measure code", 100)
def primitives(wanted: Wanted, running: Running, instead: Instead, shown: Shown) -> int:
    """What does each cipher, hash, authentication code and mode cost, operation by operation?"""
    require_checkout("primitives")
    instead.refuse_effectless(wanted)
    folder = None if instead.report is None else require_folder(instead.report)
    selection = wanted.selection(everywhere=bool(folder or instead.document))
    for columns in instead.columns(selection.cpus):
        shown = shown.checked(columns)
    asked = study.Asked(selection, running.runner(), shown, sizes_given=bool(wanted.size))
    for name, show in SHOWN.items():
        if getattr(instead, name):
            return show(asked)
    if folder is not None:
        return study.write_page(asked, folder)
    return show_rows(asked, instead.document)


def show_rows(asked: study.Asked, document: Path | None) -> int:
    """Shows every row; if there is a document, its figures are written first."""
    text = (
        None
        if document is None
        else opened(document, view.BLOCKS, page.BLOCKS, anchors_view.BLOCKS)
    )
    if document is not None and text is not None and page.BLOCKS.are_in(text):
        return study.fill(asked, document, text)
    if document is not None and text is not None and anchors_view.BLOCKS.are_in(text):
        return primitives_anchors.fill(asked, document, text)
    result = asked.measure(asked.selection)
    if document is not None and text is not None:
        write_atomically(document, view.BLOCKS.filled(text, result.rows).encode())
    view.show(result, asked.shown.form, asked.shown.columns)
    return study.told(result)


def runs_x86() -> bool:
    """Whether this machine can be `host32` without being asked for it."""
    return platform.system() == "Linux" and platform.machine() in ("x86_64", "i686")


def one_of_these(given: Mapping[str, object]) -> None:
    """What is written or shown is one thing."""
    names = [name for name, value in given.items() if value]
    if len(names) > 1:
        raise UsageError(f"{' and '.join(names)} are different things: give one")


def of_its_own(name: str, what: str, given: Mapping[str, object]) -> None:
    """What would have no effect is refused."""
    names = [one for one, value in given.items() if value]
    if names:
        raise UsageError(f"{name} has {what} of its own: give no {' and no '.join(names)} with it")


def chosen_of(texts: list[str] | tuple[()]) -> tuple[Primitive, ...]:
    """Every variant of the primitives that are named."""
    names = choices("primitive", texts, NAMES)
    return tuple(one for one in PRIMITIVES if one.name in names)


def sizes_of(text: str, chosen: tuple[Primitive, ...]) -> tuple[int, ...]:
    """Lengths in ascending order; of each primitive a variant must take one of them."""
    found = set()
    for part in (part.strip() for part in text.split(",") if text):
        if not part.isascii() or not part.isdigit() or not 1 <= int(part) <= MOST_OCTETS:
            raise UsageError(f"no size {part!r}: possible are 1 to {MOST_OCTETS} octets")
        found.add(int(part))
    sizes = tuple(sorted(found or SIZES))
    for name in dict.fromkeys(one.name for one in chosen):
        variants = [one for one in chosen if one.name == name]
        if not any(one.fixed is not None or any(map(one.takes, sizes)) for one in variants):
            possible = " or ".join(dict.fromkeys(map(view.lengths, variants)))
            raise UsageError(
                f"no size of {', '.join(map(str, sizes))} is possible for {name}: {possible}"
            )
    return sizes


def at_least_two(runs: int) -> int:
    """A number of runs of which one can differ from another."""
    if runs < 2:
        raise UsageError(f"{runs} run has nothing to be compared with: give at least 2")
    return runs
