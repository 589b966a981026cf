# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the sub-verbs of a group of experiments, measured now and kept by nobody."""

import dataclasses
import json
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from scripts.update_docs import close
from wardmote.boards import BOARDS
from wardmote.experiments.experiment import Experiment
from wardmote.views.document import texts

VERSION, COMMIT = "1.0", "c0ffee"


@dataclass(frozen=True)
class Group:
    """A group, on some boards."""

    name: str
    boards: tuple[str, ...]
    document: str

    def experiment(self, name: str) -> Experiment[Any, Any]:
        """What a sub-verb is."""
        module = import_module(f"wardmote.experiments.{self.name}.verbs.{name}")
        found: Experiment[Any, Any] = module.EXPERIMENT
        return found

    def rows_of(self, name: str) -> list[Any]:
        """Its rows with seed 1, as another process would hand them over: through JSON."""
        return _rows(self, name)

    def of_everything(self, name: str, *fields: str) -> set[tuple[object, ...]]:
        """The different values of these fields in all rows."""
        return {tuple(getattr(row, field) for field in fields) for row in self.rows_of(name)}

    def is_in_the_document(self, root: Path, name: str, slack: float, document: str = "") -> bool:
        """Whether the page has what is measured now, but for half a per cent or `slack`: a change of
        the image that is no larger does not need the page to be written again."""
        text = self.experiment(name).text
        assert text is not None
        page = (root / (document or self.document)).read_text(encoding="utf-8")
        kept = texts(page, f"{self.name}-{name}")
        return close(kept["text"], text(self.rows_of(name)), slack)


@cache
def _rows(group: Group, name: str) -> list[Any]:
    one, values = group.experiment(name), []
    for case in (case for board in group.boards for case in one.cases(BOARDS[board], 1)):
        artefacts = {kind: path.read_bytes() for kind, path in one.artefacts(case).items()}
        figures = json.loads(json.dumps(one.measure(case, artefacts)))
        values.append(dataclasses.asdict(case) | figures)
    made = {"wardmote": VERSION, "commit": COMMIT}
    return [one.from_values(dict(row) | made) for row in one.gathered(values)]
