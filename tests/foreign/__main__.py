# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.foreign FOLDER`: how many cases of each file agree; exit code 1 if one does
not."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.foreign.checks import File
from tests.foreign.files import FILES
from wardmote.call import HostTarget
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import read_public


def outcome(target: HostTarget, file: File, path: Path) -> tuple[int, int]:
    """Cases that agree, and all; none of a file that has another form."""
    try:
        found = list(file.check(target, path))
    except (ArithmeticError, AssertionError, LookupError, RuntimeError, ValueError) as error:
        sys.stderr.write(f"foreign: {path} is not {file.what} as {file.origin} has it: {error!r}\n")
        return 0, 0
    return sum(found), len(found)


def main() -> int:
    """Reads the folder, prints a line a file."""
    known = "\n".join(f"  {file.name:<24}{file.what} ({file.origin})" for file in FILES)
    parser = argparse.ArgumentParser(
        prog="python -m tests.foreign",
        description="The stack on this machine against vector files of other projects.",
        epilog=f"files that are understood:\n{known}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="where the files are")
    folder = parser.parse_args().folder
    there = [file for file in FILES if (folder / file.name).is_file()]
    if not there:
        sys.stderr.write(
            f"foreign: {folder} holds none of the files that are understood: --help lists them\n"
        )
        return 2
    target = HostTarget(BUILD / "stack/host/libwardmote.so", read_public(ROOT))
    wrong = 0
    for file in there:
        agree, cases = outcome(target, file, folder / file.name)
        target.reset()
        fault = "" if agree == cases else "  DIFFER" if cases >= file.cases else ""
        if cases < file.cases:
            fault = f"  {file.cases} were expected"
        wrong += bool(fault) or agree != cases
        sys.stdout.write(f"{file.name:<24}{agree:>6} of {cases:<6}{file.what}{fault}\n")
    for file in (file for file in FILES if file not in there):
        sys.stdout.write(f"{file.name:<24}not there\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
