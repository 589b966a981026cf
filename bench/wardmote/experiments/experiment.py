# SPDX-License-Identifier: BSD-3-Clause
"""What an experiment says of itself, and how its cases become rows."""

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from wardmote import __version__
from wardmote.boards import Board
from wardmote.campaign.cases import Artefacts, C, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.errors import UsageError
from wardmote.measurements.slot.provenance import commit
from wardmote.schemas import read
from wardmote.views.table import Column

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class BoardCase:
    """A case of an experiment that has one case for each board."""

    board: str
    seed: int

    @property
    def label(self) -> str:
        """How messages name it."""
        return self.board


@dataclass(frozen=True, slots=True)
class Experiment(Generic[C, Row]):
    """One question, measured on boards."""

    question: str
    """One sentence: the help text of the verb and the title of the section."""
    image: str
    """The folder of firmware/image that a board must have."""
    cases: Callable[[Board, int], Sequence[C]]
    """The cases of a board with a seed."""
    artefacts: Callable[[C], Mapping[str, Path]]
    """Files that a case needs, by the names that `measure` uses."""
    measure: Callable[[C, Artefacts], Figures]
    """Measures one case. A function of a module: other processes find it by its name."""
    row: type[Row]
    """A frozen dataclass. Its fields are fields of the case, figures, `wardmote` and `commit`."""
    columns: Sequence[Column[Row]]
    answer: Callable[[Sequence[Row]], str]
    """The answer in words and numbers."""
    figure: Callable[[Sequence[Row]], str] = lambda _: ""
    """SVG for the section, or nothing."""
    takes_minutes: bool = False
    """The verb measures for minutes: `make report` leaves it out."""
    text: Callable[[Sequence[Row]], str] | None = None
    """Markdown for documents, which have the figure beside them as NAME.svg."""

    def rows(self, boards: Sequence[Board], seed: int, runner: Runner) -> list[Row]:
        """Measures every case of these boards."""
        cases = [case for board in boards for case in self.cases(board, seed)]
        found = runner.run(Campaign(self.measure, cases, self.artefacts)).figures
        return [self._row(case, figures) for case, figures in zip(cases, found, strict=True)]

    def _row(self, case: Any, figures: Figures) -> Row:
        values = dataclasses.asdict(case) | figures
        return self.from_values(values | {"wardmote": __version__, "commit": commit()})

    def from_values(self, values: Mapping[str, Any]) -> Row:
        """A row from its values by name."""
        names = [field.name for field in dataclasses.fields(self.row)]  # type: ignore[arg-type]
        return self.row(**{name: values[name] for name in names})

    def read(self, path: Path) -> list[Row]:
        """The rows that a report keeps; raises UsageError if the file does not hold such rows."""
        try:
            return [self.from_values(read(one, self.row)) for one in json.loads(path.read_bytes())]
        except (OSError, ValueError, KeyError, TypeError, UsageError) as error:
            raise UsageError(f"{path}: not the rows of this experiment: {error}") from error
