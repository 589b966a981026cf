# SPDX-License-Identifier: BSD-3-Clause
"""`make libraries`: AES-128 and CCM* of other libraries beside ours, on every emulated CPU.

    .venv/bin/python -m wardmote.bench_libraries [--page FILE]

Sources are fetched by cargo and apt, in pinned versions, into build/libraries. With --page the table is put between the
marks of that document. Exit code 1 if ours is not the quickest on every CPU.
"""

import argparse
import re
import sys
from pathlib import Path

from wardmote.errors import UsageError, WardmoteError
from wardmote.libraries.measure import CPUS, LIBRARIES, library_rows
from wardmote.paths import write_atomically
from wardmote.views import libraries as view
from wardmote.views.plain import show

MARKED = re.compile(r"(<!-- wardmote: libraries -->\n)(.*?)(<!-- wardmote: end -->)", re.DOTALL)


def write_page(page: Path, text: str) -> None:
    """Puts `text` between the marks of a document."""
    old = page.read_text() if page.is_file() else ""
    if not MARKED.search(old):
        raise UsageError(
            f"{page}: no marks `<!-- wardmote: libraries -->` and `<!-- wardmote: end -->` to write between"
        )
    write_atomically(page, MARKED.sub(lambda match: f"{match[1]}{text}{match[3]}", old).encode())


def main() -> int:
    """Measures all of them."""
    parser = argparse.ArgumentParser(prog="python -m wardmote.bench_libraries")
    parser.add_argument("--page", type=Path, help="document that receives the table, between its marks")
    asked = parser.parse_args()
    try:
        rows = library_rows(LIBRARIES, CPUS, lambda text: sys.stderr.write(f"{text}\n"))
        if asked.page is not None:
            write_page(asked.page, view.block(rows))
    except WardmoteError as error:
        sys.stderr.write(f"libraries: {error}\n")
        return 2
    show(rows, view.COLUMNS, "table", conditions=view.conditions(rows), answer=view.answer(rows))
    return 0 if all(view.first(rows, cpu) for cpu in CPUS) else 1


if __name__ == "__main__":
    sys.exit(main())
