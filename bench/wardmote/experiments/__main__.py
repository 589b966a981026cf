# SPDX-License-Identifier: BSD-3-Clause
"""`python -m wardmote.experiments FOLDER [--full]`: measures every experiment into a report folder;
those that take minutes with `--full` alone."""

import sys
from collections.abc import Callable, Sequence

from wardmote.cli import main
from wardmote.experiments import placed


def run(arguments: Sequence[str], command: Callable[[Sequence[str]], int] = main) -> int:
    """Runs the verb of each experiment; the worst exit code."""
    folder, *options = arguments
    chosen = [
        [*([place.group] if place.group else []), place.verb]
        for place, one in placed().items()
        if "--full" in options or not one.takes_minutes
    ]
    left = [place.name for place, one in placed().items() if one.takes_minutes]
    if left and "--full" not in options:
        sys.stderr.write(f"not run, for they take minutes: {', '.join(left)}; FULL=1 runs them\n")
    return max((command([*words, "--report", folder]) for words in chosen), default=0)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
