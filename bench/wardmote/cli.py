# SPDX-License-Identifier: BSD-3-Clause
"""The command line. Exit codes: 0 done, 1 a threshold or a proof failed, 2 the input cannot work, 130 interrupted."""

import gc
import sys
from collections.abc import Sequence

from wardmote.errors import WardmoteError


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; an error becomes one line on stderr."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if words[:1] == ["frame"]:
            # By a way of its own: what the other commands import takes longer than a capture of 100 000 frames, and so
            # does the search for garbage in what is imported.
            gc.disable()
            from wardmote.commands.frame import run as run_frame

            return run_frame(words[1:])
        from wardmote.commands.app import run

        return run(words)
    except WardmoteError as error:
        sys.stderr.write(f"wardmote: {' '.join(str(error).split())}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        gc.enable()
