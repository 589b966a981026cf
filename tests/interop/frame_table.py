# SPDX-License-Identifier: BSD-3-Clause
"""How many frames of which kind there are, and who can judge them: the tables of
docs/who-reads-our-frames.md.

.venv/bin/python -m tests.interop.frame_table      writes them there; a test says when that is due
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tests.interop.frame_cases import TYPES, Case, cases
from tests.interop.frame_tshark import supports
from wardmote.paths import ROOT

PAGE = ROOT / "docs/who-reads-our-frames.md"
BLOCK = re.compile(
    r"(<!-- wardmote: (frames|not-judged) -->\n)(.*?)(<!-- wardmote: end -->)", re.DOTALL
)
EDITION = {0: "version 0 (2003)", 1: "version 1 (2006, 2011)", 2: "version 2 (2012e, 2015)"}


def table(header: Sequence[str], body: Iterable[Sequence[object]]) -> str:
    """A Markdown table, first column to the left, the others to the right."""
    rule = ["---", *("---:" for _ in header[1:])]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in (header, rule, *body))


def _row(name: str, frames: Sequence[Case]) -> list[object]:
    judged = sum(not supports(case) for case in frames)
    return [name, len(frames), judged, len(frames) - judged]


def frames_block() -> str:
    """Frames by version and type."""
    kinds: dict[str, list[Case]] = {}
    for case in cases():
        kind = (
            f"{EDITION[case.shape.version]}, {TYPES[case.shape.type]}"
            if case.secured
            else "without security"
        )
        kinds.setdefault(kind, []).append(case)
    rows = [_row(name, frames) for name, frames in kinds.items()]
    header = ["frames", "made, and opened by the model", "judged by tshark", "beyond tshark"]
    return table(header, [*rows, _row("**all**", cases())])


def not_judged_block() -> str:
    """What tshark cannot judge, by its reason."""
    reasons = Counter(reason for case in cases() if (reason := supports(case)))
    return table(["why tshark cannot judge", "frames"], reasons.most_common())


BLOCKS = {"frames": frames_block, "not-judged": not_judged_block}


def updated(text: str) -> str:
    """A document with fresh tables between its marks."""
    return BLOCK.sub(lambda found: f"{found[1]}{BLOCKS[found[2]]()}{found[4]}", text)


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
