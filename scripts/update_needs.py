# SPDX-License-Identifier: BSD-3-Clause
"""Puts file lists, octets and symbols of the stack's parts into the document about using it.

.venv/bin/python scripts/update_needs.py
"""

import sys
from pathlib import Path

from wardmote.measurements.needs.measure import all_needs
from wardmote.views import needs as view
from wardmote.views.document import opened

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/how-do-i-use-the-stack-in-my-project.md"


def main() -> int:
    """Builds, measures and writes."""
    text = opened(DOCUMENT, view.BLOCKS)
    found = all_needs(ROOT / "stack", ROOT / "build/needs")
    DOCUMENT.write_text(view.BLOCKS.filled(text, found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
