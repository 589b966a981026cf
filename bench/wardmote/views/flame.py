# SPDX-License-Identifier: BSD-3-Clause
"""Formats a profile as folded stacks, for viewers such as speedscope, and as a flame graph in SVG."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from wardmote.measurements.function.profile import Profile, Stack

WIDTH, MARGIN = 1200, 10
ROW, TOP = 18, 46
LETTER = 7
"""Width of a letter of the labels."""
LEAST_WIDTH = 0.3
"""Pixels of the narrowest box that is drawn."""
STYLE = (
    "text{font:12px "
    "ui-monospace,Menlo,Consolas,monospace;fill:#111}.t{font-size:15px;font-weight:bold}"
    "rect{stroke:#fff;stroke-width:.6}g:hover>rect{stroke:#111}"
)


@dataclass
class _Node:
    """A function below its callers."""

    cycles: int = 0
    children: dict[str, "_Node"] = field(default_factory=dict)


def folded(profile: Profile) -> str:
    """One line for each stack: functions from the outermost, a blank, cycles."""
    return "".join(
        f"{';'.join(stack)} {cycles}\n" for stack, cycles in sorted(profile.folded.items())
    )


def flame_graph(profile: Profile) -> str:
    """An SVG file. A box is a function below one caller, its width is its cycles; callees stand on
    their caller."""
    root = _tree(profile.folded)
    depth = max(map(len, profile.folded))
    height = TOP + ROW * depth + MARGIN
    title = (
        f"{profile.operation} of {profile.octets} octets on {profile.cpu}: {profile.cycles} cycles"
    )
    boxes = "".join(
        _boxes(
            root, MARGIN, (WIDTH - 2 * MARGIN) / max(1, root.cycles), root.cycles, height - MARGIN
        )
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#fbfbf8"/>\n'
        f'<text class="t" x="{MARGIN}" y="20">{escape(title)}</text>\n'
        f'<text x="{MARGIN}" y="37">Width: cycles. A box stands on its caller. Hover for '
        "figures.</text>\n"
        f"{boxes}</svg>\n"
    )


def _tree(stacks: Mapping[Stack, int]) -> _Node:
    root = _Node()
    for stack, cycles in sorted(stacks.items()):
        node = root
        node.cycles += cycles
        for name in stack:
            node = node.children.setdefault(name, _Node())
            node.cycles += cycles
    return root


def _boxes(node: _Node, x: float, scale: float, whole: int, bottom: float) -> Iterator[str]:
    for name, child in node.children.items():
        width = child.cycles * scale
        if width >= LEAST_WIDTH:
            yield _box(name, child.cycles, whole, (x, bottom - ROW, width))
            yield from _boxes(child, x, scale, whole, bottom - ROW)
        x += width


def _box(name: str, cycles: int, whole: int, place: tuple[float, float, float]) -> str:
    x, y, width = place
    fits = int((width - 6) / LETTER)
    label = name if len(name) <= fits else f"{name[: fits - 1]}…" if fits >= 3 else ""
    tip = f"{name}: {cycles} cycles, {100 * cycles / max(1, whole):.1f} %"
    text = f'<text x="{x + 3:.2f}" y="{y + 13:.1f}">{escape(label)}</text>' if label else ""
    box = (
        f'<rect x="{x:.2f}" y="{y:.1f}" width="{width:.2f}" height="{ROW}" fill="{_colour(name)}"/>'
    )
    return f"<g><title>{escape(tip)}</title>{box}{text}</g>\n"


def _colour(name: str) -> str:
    """A warm colour; a function has the same one in every graph."""
    first, second = hashlib.sha256(name.encode()).digest()[:2]
    return f"hsl({first * 40 // 255 + 12},{60 + second * 25 // 255}%,{66 + first % 12}%)"
