# SPDX-License-Identifier: BSD-3-Clause
"""Why a call failed."""

from wardmote.errors import WardmoteError


class CallError(WardmoteError):
    """A call that cannot be made or did not return; the text is one line."""


class GuardError(CallError):
    """A function wrote outside the octets it was given, or into octets it promised to leave
    alone."""


class StepError(CallError):
    """A call that cannot be followed one instruction at a time; the text is one line."""
