# SPDX-License-Identifier: BSD-3-Clause
"""A verb for every experiment: `wardmote NAME`, with the options that all of them share."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from wardmote import options
from wardmote.boards import with_image
from wardmote.campaign.choice import LOCAL
from wardmote.choices import choices
from wardmote.commands.register import verb
from wardmote.commands.running import EngineOption, FreshOption, JobsOption, runner_of
from wardmote.commands.shared import LIST, ColumnsOption, FormatOption, SeedOption, completion
from wardmote.experiments import registered
from wardmote.experiments.experiment import Experiment
from wardmote.paths import require_folder
from wardmote.views.show import show

ReportOption = Annotated[
    str | None,
    typer.Option(help="Write the rows into this report folder, and a section into its page."),
]


def command_of(name: str, experiment: Experiment[Any, Any]) -> Callable[..., int]:
    """The function behind the verb of one experiment."""
    boards = with_image(experiment.image)
    words = f"Board: {', '.join(boards)}. {LIST} Default: all."

    def run(
        board: Annotated[
            list[str] | None, typer.Option(help=words, autocompletion=completion(*boards))
        ] = None,
        seed: SeedOption = 1,
        engine: EngineOption = LOCAL,
        jobs: JobsOption = None,
        fresh: FreshOption = False,
        report: ReportOption = None,
        form: FormatOption = "table",
        columns: ColumnsOption = "",
    ) -> int:
        form = options.output_format(form)
        folder = None if report is None else require_folder(report)
        runner = runner_of(engine, jobs, fresh=fresh)
        names = choices("board", board or (), tuple(boards))
        rows = experiment.rows([boards[one] for one in names], seed, runner)
        if folder is not None:
            from wardmote.experiments.section import keep

            keep(folder, name, experiment, rows)
        conditions = [("wardmote", rows[0].wardmote), ("commit", rows[0].commit)]
        answer = experiment.answer(rows)
        show(rows, experiment.columns, form, conditions=conditions, answer=answer, names=columns)
        return 0

    run.__name__ = name
    run.__doc__ = experiment.question
    return run


for place, (title, one) in enumerate(registered().items()):
    verb("Experiments", 200 + place)(command_of(title, one))
