# SPDX-License-Identifier: BSD-3-Clause
"""`make libraries`: AES-128, CCM* and the other primitives of other libraries beside ours, on every
emulated CPU.

    .venv/bin/python -m bench.targets.libraries [--page FILE] [--engine ENGINE] [--jobs N] [--fresh]

cargo, apt, npm and pip fetch pinned versions of the sources into build/libraries. With --page the
tables are written between the marks of that document. Exit code 1 means that another library is
quicker than ours in something on some CPU.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from wardmote.campaign.choice import LOCAL
from wardmote.commands.running import Running
from wardmote.cpus import CPU_NAMES
from wardmote.errors import UsageError, WardmoteError
from wardmote.measurements.libraries.builds import LIBRARIES
from wardmote.measurements.libraries.campaign import primitive_rows
from wardmote.measurements.libraries.measure import library_rows
from wardmote.measurements.libraries.rows import LibraryPrimitiveRow
from wardmote.paths import write_atomically
from wardmote.study.libraries import all_first, first
from wardmote.views import libraries as view
from wardmote.views.show import show
from wardmote.views.table import Column

MARK = "libraries"
PRIMITIVES_MARK = "primitives of libraries"


def write_page(page: Path, texts: Mapping[str, str]) -> None:
    """Puts each text between its marks in a document, or nothing at all."""
    document = page.read_text() if page.is_file() else ""
    for mark, text in texts.items():
        begin, end = f"<!-- wardmote: {mark} -->", "<!-- wardmote: end -->"
        head, found, rest = document.partition(f"{begin}\n")
        _, closed, tail = rest.partition(end)
        if not found or not closed:
            raise UsageError(f"{page}: no marks `{begin}` and `{end}` to write between")
        document = f"{head}{found}{text}{closed}{tail}"
    write_atomically(page, document.encode())


def main() -> int:
    """Measures all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench.targets.libraries")
    parser.add_argument(
        "--page", type=Path, help="document that receives the table, between its marks"
    )
    parser.add_argument("--engine", default=LOCAL, help="as of `wardmote slot`")
    parser.add_argument("--jobs", type=int, help="cases measured at a time")
    parser.add_argument("--fresh", action="store_true", help="measure again what is kept")
    asked = parser.parse_args()

    def say(text: str) -> object:
        return sys.stderr.write(f"{text}\n")

    try:
        runner = Running(asked.engine, asked.jobs, asked.fresh).runner()
        rows = library_rows(LIBRARIES, CPU_NAMES, say, runner)
        primitives = primitive_rows(CPU_NAMES, say, runner)
        if asked.page is not None:
            write_page(
                asked.page,
                {MARK: view.block(rows), PRIMITIVES_MARK: view.primitives_block(primitives)},
            )
    except WardmoteError as error:
        sys.stderr.write(f"libraries: {error}\n")
        return 2
    show(
        [(rows, view.COLUMNS)], "table", conditions=view.conditions(rows), answer=view.answer(rows)
    )
    cpu: Column[LibraryPrimitiveRow] = Column("cpu", lambda row: row.cpu, text=True)
    answer = view.primitives_answer(primitives)
    show(
        [(primitives, (cpu, *view.PRIMITIVE_COLUMNS))],
        "table",
        conditions=view.conditions(primitives),
        answer=answer,
    )
    return 0 if all(first(rows, cpu) for cpu in CPU_NAMES) and all_first(primitives) else 1


if __name__ == "__main__":
    sys.exit(main())
