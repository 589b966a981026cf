# SPDX-License-Identifier: BSD-3-Clause
"""What programs of the toolchain say about our own files, such as headers preprocessed by clang. A
wheel holds the answers, so that nobody who installs it needs these programs."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from wardmote.paths import IS_CHECKOUT, ROOT, write_atomically

FOLDER = ROOT / "answers"
_kept_in: list[Path] = []


def answer(question: Callable[[], str], ask: Callable[[], str]) -> str:
    """The answer of `ask`, or the one that this wheel holds. `question` gives all that the answer
    depends on; a checkout asks anew each time."""
    if IS_CHECKOUT and not _kept_in:
        return ask()
    name = f"{hashlib.sha256(question().encode()).hexdigest()[:40]}.txt"
    if not IS_CHECKOUT and (FOLDER / name).is_file():
        return (FOLDER / name).read_text(encoding="utf-8")
    said = ask()
    for folder in _kept_in:
        write_atomically(folder / name, said.encode())
    return said


def keep_in(folder: Path) -> None:
    """Keeps every answer from now on in a folder: for whoever builds a wheel."""
    _kept_in.append(folder)
