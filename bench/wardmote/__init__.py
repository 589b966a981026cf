# SPDX-License-Identifier: BSD-3-Clause
"""The instrument's bench: experiments on emulated motes, their rows, and the views of rows."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "measure", "profile"]

if TYPE_CHECKING:
    from wardmote.measurements.function.api import measure, profile


def __getattr__(name: str) -> Any:
    """The functions `measure` and `profile`, on their first use."""
    if name not in ("measure", "profile"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from wardmote.measurements.function import api

    globals().update(measure=api.measure, profile=api.profile)
    return globals()[name]
