# SPDX-License-Identifier: BSD-3-Clause
"""Formats parts of a whole."""


def percent(part: float | None, digits: int = 1) -> str:
    """A part as per cent, or nothing where there is none."""
    return "" if part is None else f"{100 * part:.{digits}f}"
