# SPDX-License-Identifier: BSD-3-Clause
"""A verb for every experiment: `wardmote NAME`, with the options that all of them share and those of
its own."""

from collections.abc import Callable
from typing import Annotated, Any

from wardmote.choices import choices
from wardmote.commands.records import LIST, Text, Texts, option
from wardmote.commands.register import GROUPS, verb
from wardmote.commands.running import Running
from wardmote.commands.shared import DocumentOption, SeedOption, Shown
from wardmote.experiments import Place, placed
from wardmote.experiments.experiment import Experiment
from wardmote.paths import require_folder, write_atomically
from wardmote.views.document import Blocks, opened

ReportOption = Annotated[
    Text, option("Write the rows into this report folder, and a section into its page.")
]


def command_of(place: Place, experiment: Experiment[Any, Any]) -> Callable[..., int]:
    """The function behind the verb of one experiment."""
    boards = experiment.boards
    name, own = place.name, experiment.options
    words = f"Board: {', '.join(boards)}. {LIST} Default: all."

    def run(
        board: Annotated[Texts, option(words, *boards)] = None,
        seed: SeedOption = 1,
        *,
        wanted: own,  # type: ignore[valid-type]
        running: Running,
        report: ReportOption = None,
        document: DocumentOption = None,
        shown: Shown,
    ) -> int:
        shown = shown.checked(experiment.columns)
        folder = None if report is None else require_folder(report)
        blocks = Blocks(name, experiment.blocks)
        text = None if document is None else opened(document, blocks)
        runner = running.runner()
        names = choices("board", board or (), tuple(boards))
        rows = experiment.rows([boards[one] for one in names], seed, runner, wanted)
        if folder is not None:
            from wardmote.experiments.section import keep

            keep(folder, name, experiment, rows)
        if document is not None and text is not None:
            write_atomically(document, blocks.filled(text, rows).encode())
            if figure := experiment.figure(rows):
                write_atomically(document.with_name(f"{name}.svg"), figure.encode())
            if experiment.beside_documents:
                from wardmote.views.data import to_lines

                write_atomically(document.with_name(f"{name}.json"), to_lines(rows).encode())
        conditions = [
            *experiment.conditions(rows),
            *(("wardmote", rows[0].wardmote), ("commit", rows[0].commit)),
        ]
        shown.show(rows, experiment.columns, conditions, experiment.answer(rows))
        return 0

    run.__name__ = place.verb
    run.__doc__ = experiment.question
    return run


for number, (where, one) in enumerate(placed().items()):
    if where.group:
        GROUPS[where.group] = where.about
    verb("Experiments", 200 + number, where.group)(command_of(where, one))
