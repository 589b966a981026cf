# SPDX-License-Identifier: BSD-3-Clause
"""What an experiment says of itself, and how its cases become rows."""

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from wardmote import __version__
from wardmote.boards import Board, with_image
from wardmote.campaign.cases import Artefacts, C, Campaign, Figures
from wardmote.campaign.runner import Runner
from wardmote.errors import OldRowsError, UsageError
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
class NoOptions:
    """An experiment has the options that all share, and no others."""


NO_OPTIONS = NoOptions()


@dataclass(frozen=True, slots=True)
class Experiment(Generic[C, Row]):
    """One question, measured on boards."""

    question: str
    """One sentence: the help text of the verb and the title of the section."""
    image: str
    """The folder of firmware/image that a board must have."""
    cases: Callable[..., Sequence[C]]
    """The cases of a board with a seed, and with the options of this experiment if it has some."""
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
    only: tuple[str, ...] = ()
    """Boards that the question is about; none: every board with the image."""
    options: type = NoOptions
    """A frozen dataclass whose fields are options, as in commands/records.py. `cases` gets it as its
    third argument and raises UsageError for what cannot be."""
    gathered: Callable[[Sequence[Mapping[str, Any]]], Sequence[Mapping[str, Any]]] = tuple
    """The values of rows, made of the values of cases: fields of the case and figures. Without it
    each case is a row."""
    conditions: Callable[[Sequence[Row]], Sequence[tuple[str, str]]] = lambda _: ()
    """What every figure depends on, besides version and commit."""
    beside_documents: bool = False
    """A document has the rows beside it, as NAME.json: they take hours, and claims are judged by
    them where a report has none."""
    text: Callable[[Sequence[Row]], str] | None = None
    """Markdown for documents, which have the figure beside them as NAME.svg."""

    @property
    def boards(self) -> Mapping[str, Board]:
        """The boards that are measured, by name."""
        found = with_image(self.image)
        return {name: found[name] for name in self.only or found}

    @property
    def blocks(self) -> dict[str, Callable[[Sequence[Row]], str]]:
        """What a document may have of it: all of `text`, or the answer alone."""
        if self.text is None:
            return {}
        return {"answer": lambda rows: f"{self.answer(rows)}\n", "text": self.text}

    def rows(
        self, boards: Sequence[Board], seed: int, runner: Runner, options: Any = NO_OPTIONS
    ) -> list[Row]:
        """Measures every case of these boards."""
        asked = () if options == NO_OPTIONS else (options,)
        cases = [case for board in boards for case in self.cases(board, seed, *asked)]
        found = runner.run(Campaign(self.measure, cases, self.artefacts)).figures
        values = [_values(case) | figures for case, figures in zip(cases, found, strict=True)]
        made = {"wardmote": __version__, "commit": commit()}
        return [self.from_values(dict(one) | made) for one in self.gathered(values)]

    def from_values(self, values: Mapping[str, Any]) -> Row:
        """A row from its values by name."""
        names = [field.name for field in dataclasses.fields(self.row)]  # type: ignore[arg-type]
        return self.row(**{name: values[name] for name in names})

    def read(self, path: Path) -> list[Row]:
        """The rows that a report keeps; raises UsageError if the file does not hold such rows, which
        is an OldRowsError if they are of another version."""
        try:
            return [self.from_values(read(one, self.row)) for one in json.loads(path.read_bytes())]
        except OldRowsError as error:
            raise OldRowsError(f"{path}: {error}") from error
        except (OSError, ValueError, KeyError, TypeError, UsageError) as error:
            raise UsageError(f"{path}: not the rows of this experiment: {error}") from error


def _values(case: Any) -> Figures:
    return dataclasses.asdict(case)
