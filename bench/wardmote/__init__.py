# SPDX-License-Identifier: BSD-3-Clause
"""The instrument's bench: experiments on emulated motes, their rows, and the views of rows."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Air", "Mote", "NotSeenError", "__version__", "measure", "profile"]

if TYPE_CHECKING:
    from wardmote.boot.air import Air, Mote, NotSeenError
    from wardmote.measurements.function.api import measure, profile

_PLACES = {
    **dict.fromkeys(("measure", "profile"), "wardmote.measurements.function.api"),
    **dict.fromkeys(("Air", "Mote", "NotSeenError"), "wardmote.boot.air"),
}


def __getattr__(name: str) -> Any:
    """What programs use, on its first use."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(import_module(_PLACES[name]), name)
    return globals()[name]
