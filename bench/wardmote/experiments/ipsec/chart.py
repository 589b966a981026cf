# SPDX-License-Identifier: BSD-3-Clause
"""Draws what grows with the length of a datagram."""

from collections.abc import Mapping, Sequence

from wardmote.views.drawing import drawing, to_svg


def by_length(lengths: Sequence[int], lines: Mapping[str, Sequence[float]], upward: str) -> str:
    """SVG: a line for each name."""
    with drawing(6.4, 3.2) as page:
        axis = page.subplots()
        for name, values in lines.items():
            axis.plot(lengths, values, "o-", markersize=3, linewidth=1, label=name)
        axis.set(xlabel="octets of data", ylabel=upward)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(fontsize=7, frameon=False)
        return to_svg(page)
