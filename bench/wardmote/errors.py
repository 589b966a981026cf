# SPDX-License-Identifier: BSD-3-Clause
"""Errors that a user can act on: one line that says what is wrong and what is possible. Each has
the exit code of the command that meets it."""

DONE = 0
FAILED = 1
"""A threshold is missed, a proof fails, a frame is refused, or a text does not come; the output is
complete."""
USAGE = 2
NOTHING = 3
OUTPUT = 4
MISSING = 5
PARTLY = 6
INTERNAL = 70
INTERRUPTED = 130
CLOSED_PIPE = 141
TERMINATED = 143

EXIT_CODES = {
    DONE: "done",
    FAILED: "done, but a threshold is missed, a proof fails, a frame is refused, or a text does not "
    "come",
    USAGE: "an option or an input file cannot be used",
    NOTHING: "nothing was measured: no case works, or no row is left",
    OUTPUT: "the output could not be written",
    MISSING: "a tool or an image is missing",
    PARTLY: "done, but not on every CPU: a row says why",
    INTERNAL: "a fault of wardmote itself",
    INTERRUPTED: "interrupted (Ctrl-C)",
    CLOSED_PIPE: "the reader of the output closed the pipe, as `head` does",
    TERMINATED: "terminated",
}
"""Every exit code and what it means. The help texts and the tests read this table."""


class WardmoteError(Exception):
    """Base of all errors of the bench; its text is one line."""

    code = USAGE


class UsageError(WardmoteError):
    """A value that was asked for does not exist or cannot work."""


class StoppedError(WardmoteError):
    """The user interrupted the run. Finished cases are kept."""

    code = INTERRUPTED


class OldRowsError(UsageError):
    """Rows that another version has measured, whose fields are others."""


class MissingError(UsageError):
    """A program or an image that is needed is not there."""

    code = MISSING


class OutputError(UsageError):
    """A file cannot be written."""

    code = OUTPUT


class NothingError(WardmoteError):
    """Everything was asked for correctly, and no row came of it."""

    code = NOTHING


class ClosedPipeError(WardmoteError):
    """The reader of the output has enough."""

    code = CLOSED_PIPE


class ImageError(WardmoteError):
    """An image that cannot be loaded, crashes, or does not do what image `slot` does."""


class TemplateRefusedError(ImageError):
    """The image stops because its block cannot work: with a block of ours, because of the template
    in it."""


class GuardError(UsageError):
    """A guard time that does not fit, or is too short for the crystals."""


class TuningError(NothingError):
    """No template was found at which the image keeps its deadlines."""


class WorkerError(NothingError):
    """The process or worker that measured a case is lost, and so is the case."""
