# SPDX-License-Identifier: BSD-3-Clause
"""Errors that a user can act on: one line that says what is wrong and what is possible."""


class WardmoteError(Exception):
    """Base of all errors of the bench; its text is one line."""


class UsageError(WardmoteError):
    """A value that was asked for does not exist or cannot work."""


class ImageError(WardmoteError):
    """An image that cannot be loaded, crashes, or does not do what image `slot` does."""


class TemplateRefusedError(ImageError):
    """The image stops because its block cannot work: with a block of ours, because of the template
    in it."""


class TuningError(WardmoteError):
    """No template was found at which the image keeps its deadlines."""


class WorkerError(WardmoteError):
    """What measured a case was lost, and the case with it."""
