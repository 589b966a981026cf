# SPDX-License-Identifier: BSD-3-Clause
"""The entry of the command line. Whatever happens, a user sees one line and an exit code of
`errors.EXIT_CODES`."""

import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from wardmote.errors import (
    CLOSED_PIPE,
    INTERNAL,
    INTERRUPTED,
    OUTPUT,
    TERMINATED,
    USAGE,
    ClosedPipeError,
    WardmoteError,
)

TRACEBACK = "WARDMOTE_TRACEBACK"
"""The environment variable that asks for the traceback of a fault of our own."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; an error becomes one line on stderr."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if sys.stderr is None:  # Closed by who started us.
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        return _failed("the standard output is closed", OUTPUT)
    with _whole_output():
        return _answered(words)


def _answered(words: Sequence[str]) -> int:
    """The exit code of one command."""
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except (BrokenPipeError, ClosedPipeError):
        _abandon_output()
        return CLOSED_PIPE
    except WardmoteError as error:
        return _failed(str(error), error.code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if error.filename is not None:
            return _failed(f"{error.filename}: {error.strerror}", USAGE)
        _abandon_output()
        return _failed(f"the output cannot be written: {error.strerror or error}", OUTPUT)
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        return _failed(
            f"a fault of wardmote itself: {type(error).__name__}: {error}; please report it, with "
            f"what {TRACEBACK}=1 shows",
            INTERNAL,
        )
    finally:
        gc.enable()


@contextmanager
def _whole_output() -> Iterator[None]:
    """With PYTHONUNBUFFERED stdout drops what the system did not take at once, without an error.
    A buffer that is emptied after each line writes everything, or fails."""
    before = sys.stdout
    raw = getattr(before, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        yield
        return
    whole = io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=before.encoding,
        errors=before.errors,
        line_buffering=True,
    )
    sys.stdout = whole
    try:
        yield
    finally:
        sys.stdout = whole  # In place of what a printer of help texts may have put around it.
        _abandon_output()
        sys.stdout = before
        whole.detach().detach()


def _run(words: Sequence[str]) -> int:
    if words[:1] == ["frame"]:
        # A way of its own: importing the other commands takes longer than a capture of 100 000
        # frames, and so does the search for garbage in what is imported.
        gc.disable()
        from wardmote.commands.frame import run as run_frame

        return run_frame(words[1:])
    from wardmote.commands.app import run

    with _terminated_in_order():
        return run(words)


def _failed(text: str, code: int) -> int:
    """Says why in one line; the exit code."""
    try:
        sys.stderr.write(f"wardmote: {' '.join(text.split())}\n")
        sys.stderr.flush()
    except OSError:
        _abandon_output()
    return code


def _abandon_output() -> None:
    """Discards buffered output that cannot be written, so that the last flush does not fail
    again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            try:
                os.dup2(nowhere, stream.fileno())
            except (OSError, ValueError):
                continue
    os.close(nowhere)


@contextmanager
def _terminated_in_order() -> Iterator[None]:
    """Makes a request to end an ordinary exit: processes that measure end with this one."""
    import multiprocessing
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may set what a signal does.
        yield
        return

    def end(*_: object) -> None:
        # The pool is meant to break; silence its thread.
        threading.excepthook = lambda _: None
        for process in multiprocessing.active_children():
            process.terminate()
        raise SystemExit(TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
