# SPDX-License-Identifier: BSD-3-Clause
"""The instrument's bench: experiments on emulated motes, their rows, and the views of rows."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "measure", "profile"]

if TYPE_CHECKING:
    from wardmote.measure.api import measure, profile
else:
    # The name is the function's, which __getattr__ fetches when it is asked for: it imports much.
    # The package of that name is loaded here so that it does not become the attribute later; it is
    # reached by `from wardmote.measure.…`.
    import wardmote.measure  # noqa: F401

    del measure


def __getattr__(name: str) -> Any:
    """The functions `measure` and `profile`, on their first use."""
    if name not in ("measure", "profile"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from wardmote.measure import api

    globals().update(measure=api.measure, profile=api.profile)
    return globals()[name]
