# SPDX-License-Identifier: BSD-3-Clause
"""Puts what the commands of the tutorial say into it, below each of them. With --check it names the
commands that say something else today.

    .venv/bin/python -m scripts.update_tutorial [--check]
"""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.outputs import said
from scripts.update_docs import close

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/tutorial.md"
BLOCK = re.compile(r"(    wardmote ([^\n]+)\n\n<!-- run -->\n)(.*?)(<!-- end -->)", re.DOTALL)
WIDTH = 90
LEFT_OUT = "Left out to fit"


def told(words: str) -> str:
    """What a command prints below its conditions, as a block."""
    parts = said(words, WIDTH).split("\n\n")[1:]
    kept = [part for part in parts if not part.startswith(LEFT_OUT)]
    return "```text\n{}\n```\n".format("\n\n".join(kept).strip("\n"))


def filled(text: str, run: Callable[[str], str] = told) -> str:
    """The document with what its commands say now."""
    return BLOCK.sub(lambda block: f"{block[1]}{run(block[2])}{block[4]}", text)


def stale(text: str, run: Callable[[str], str] = told) -> list[str]:
    """The commands that say something else: other words, or a number that differs by more than 5
    per cent."""
    return [
        block[2]
        for block in BLOCK.finditer(text)
        if not close(in_a_row(block[3]), in_a_row(run(block[2])), 1.0)
    ]


def in_a_row(text: str) -> str:
    """The words and numbers of a text, wherever its lines end."""
    return re.sub(r"-{2,}", "--", " ".join(text.split()))


def main(arguments: Sequence[str]) -> int:
    """Updates or checks the tutorial."""
    text = DOCUMENT.read_text(encoding="utf-8")
    if "--check" in arguments:
        found = stale(text)
        sys.stderr.write("".join(f"{DOCUMENT.name}: out of date: {one}\n" for one in found))
        return 1 if found else 0
    DOCUMENT.write_text(filled(text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
