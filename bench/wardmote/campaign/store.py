# SPDX-License-Identifier: BSD-3-Clause
"""Where figures are kept: a file a case, named by the case's identity."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from wardmote.campaign.cases import Figures, canonical
from wardmote.paths import cache_folder, write_atomically


@dataclass(frozen=True, slots=True)
class Store:
    """Keeps figures in a folder. Several runs may use it at once: a file is whole or not there."""

    folder: Path = field(default_factory=lambda: cache_folder() / "campaign")
    fresh: bool = False
    """Nothing that is kept is used."""

    def get(self, identity: str) -> Figures | None:
        """The figures kept for a case; None if there are none or their file is damaged."""
        if self.fresh:
            return None
        try:
            kept = json.loads(self._path(identity).read_bytes())
            figures: Figures = kept["figures"]
            return figures if kept["sha256"] == _digest(canonical(figures)) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, identity: str, text: str) -> None:
        """Keeps the canonical text of a case's figures."""
        whole = f'{{"sha256":"{_digest(text)}","figures":{text}}}\n'
        write_atomically(self._path(identity), whole.encode())

    def _path(self, identity: str) -> Path:
        return self.folder / identity[:2] / f"{identity[2:]}.json"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
