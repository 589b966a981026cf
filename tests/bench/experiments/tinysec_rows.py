# SPDX-License-Identifier: BSD-3-Clause
"""Rows of a sub-verb of `wardmote tinysec`, measured now and kept by nobody."""

import dataclasses
import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from scripts.update_docs import close
from wardmote.boards import BOARDS
from wardmote.experiments.experiment import Experiment
from wardmote.views.document import texts

BOARD, VERSION, COMMIT = "mica2", "1.0", "c0ffee"
DOCUMENT = "docs/what-does-tinysec-cost.md"


def experiment(name: str) -> Experiment[Any, Any]:
    """What a sub-verb is."""
    module = import_module(f"wardmote.experiments.tinysec.verbs.{name}")
    found: Experiment[Any, Any] = module.EXPERIMENT
    return found


@cache
def rows_of(name: str) -> list[Any]:
    """Its rows with seed 1, as another process would hand them over: through JSON."""
    one = experiment(name)
    values = []
    for case in one.cases(BOARDS[BOARD], 1):
        artefacts = {kind: path.read_bytes() for kind, path in one.artefacts(case).items()}
        figures = json.loads(json.dumps(one.measure(case, artefacts)))
        values.append(dataclasses.asdict(case) | figures)
    made = {"wardmote": VERSION, "commit": COMMIT}
    return [one.from_values(dict(row) | made) for row in one.gathered(values)]


def of_everything(name: str, *fields: str) -> set[tuple[object, ...]]:
    """The different values of these fields in all rows."""
    return {tuple(getattr(row, field) for field in fields) for row in rows_of(name)}


def is_in_the_document(root: Path, name: str, slack: float, document: str = DOCUMENT) -> bool:
    """Whether the page has what is measured now, but for half a per cent or `slack`: a change of the
    image that is no larger does not need the page to be written again."""
    text = experiment(name).text
    assert text is not None
    kept = texts((root / document).read_text(encoding="utf-8"), f"tinysec-{name}")
    return close(kept["text"], text(rows_of(name)), slack)
