# SPDX-License-Identifier: BSD-3-Clause
"""The command line. Exit codes: 0 done, 1 a threshold or a proof failed, 2 the input cannot work,
130 interrupted, 143 terminated."""

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from wardmote.errors import WardmoteError

TERMINATED = 143


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; an error becomes one line on stderr."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if words[:1] == ["frame"]:
            # By a way of its own: what the other commands import takes longer than a capture of 100
            # 000 frames, and so does the search for garbage in what is imported.
            gc.disable()
            from wardmote.commands.frame import run as run_frame

            return run_frame(words[1:])
        from wardmote.commands.app import run

        with _terminated_in_order():
            return run(words)
    except WardmoteError as error:
        sys.stderr.write(f"wardmote: {' '.join(str(error).split())}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        gc.enable()


@contextmanager
def _terminated_in_order() -> Iterator[None]:
    """A request to end is an exit as any other: processes that measure are ended with this one, not
    left behind."""
    import multiprocessing
    import signal
    import threading

    if (
        threading.current_thread() is not threading.main_thread()
    ):  # Others may not say what a signal does.
        yield
        return

    def end(*_: object) -> None:
        # That a pool breaks, of which a thread of its own would tell, is what is wanted.
        threading.excepthook = lambda _: None
        for process in multiprocessing.active_children():
            process.terminate()
        raise SystemExit(TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
