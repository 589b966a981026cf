# SPDX-License-Identifier: BSD-3-Clause
"""Draws figures with matplotlib; the same rows give the same octets.

matplotlib is imported where it is needed, since most commands draw nothing.
"""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 150


@contextmanager
def drawing(width: float, height: float) -> Iterator["Figure"]:
    """An empty figure of a size in inches, in the style of the report."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {
        "svg.hashsalt": "wardmote",
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.size": 9,
    }
    with mpl.rc_context(style):
        yield Figure(figsize=(width, height), layout="constrained")


def bars(
    axis: "Axes", parts: Sequence[Sequence[tuple[float, str]]], names: Sequence[str]
) -> list[float]:
    """Stacked bars, the first on top, each of parts with width and colour; gives where they end."""
    ends = []
    for place, row in enumerate(parts):
        left = 0.0
        for width, colour in row:
            axis.barh(place, width, left=left, color=colour, height=0.78)
            left += width
        ends.append(left)
    axis.set_yticks(range(len(parts)), names)
    axis.set_ylim(len(parts) - 0.4, -0.8)
    axis.spines[["top", "right"]].set_visible(False)
    return ends


def to_svg(figure: "Figure") -> str:
    """The figure as an SVG element."""
    out = io.StringIO()
    figure.savefig(out, format="svg", dpi=DPI, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def to_png(figure: "Figure") -> bytes:
    """The figure as a PNG file."""
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=DPI, metadata={"Software": None})
    return out.getvalue()
