# SPDX-License-Identifier: BSD-3-Clause
"""Formats a profile as folded stacks, for viewers such as speedscope, and as a flame graph in SVG."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from wardmote.views.templates import rendered

WIDTH, MARGIN = 1200, 10
ROW, TOP = 18, 46
LETTER = 7
"""Width of a letter of the labels."""
LEAST_WIDTH = 0.3
"""Pixels of the narrowest box that is drawn."""
Stack = tuple[str, ...]
"""Functions, the outermost first."""


@dataclass
class _Node:
    """A function below its callers."""

    cycles: int = 0
    children: dict[str, "_Node"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Box:
    """A function below one caller, as it is drawn: place and size in pixels."""

    x: float
    y: float
    width: float
    colour: str
    tip: str
    label: str
    """The name as far as it fits."""


def folded(stacks: Mapping[Stack, int]) -> str:
    """One line for each stack: functions from the outermost, a blank, cycles."""
    return "".join(f"{';'.join(stack)} {cycles}\n" for stack, cycles in sorted(stacks.items()))


def flame_graph(stacks: Mapping[Stack, int], title: str) -> str:
    """An SVG file. A box is a function below one caller, its width is its cycles; callees stand on
    their caller."""
    root = _tree(stacks)
    height = TOP + ROW * max(map(len, stacks), default=0) + MARGIN
    scale = (WIDTH - 2 * MARGIN) / max(1, root.cycles)
    boxes = _boxes(root, MARGIN, scale, root.cycles, height - MARGIN)
    sizes = {"width": WIDTH, "height": height, "margin": MARGIN, "row": ROW}
    return rendered("flame.svg.j2", title=title, boxes=boxes, **sizes) + "\n"


def _tree(stacks: Mapping[Stack, int]) -> _Node:
    root = _Node()
    for stack, cycles in sorted(stacks.items()):
        node = root
        node.cycles += cycles
        for name in stack:
            node = node.children.setdefault(name, _Node())
            node.cycles += cycles
    return root


def _boxes(node: _Node, x: float, scale: float, whole: int, bottom: float) -> Iterator[Box]:
    for name, child in node.children.items():
        width = child.cycles * scale
        if width >= LEAST_WIDTH:
            tip = f"{name}: {child.cycles} cycles, {100 * child.cycles / max(1, whole):.1f} %"
            yield Box(x, bottom - ROW, width, _colour(name), tip, _label(name, width))
            yield from _boxes(child, x, scale, whole, bottom - ROW)
        x += width


def _label(name: str, width: float) -> str:
    fits = int((width - 6) / LETTER)
    return name if len(name) <= fits else f"{name[: fits - 1]}…" if fits >= 3 else ""


def _colour(name: str) -> str:
    """A warm colour; a function has the same one in every graph."""
    first, second = hashlib.sha256(name.encode()).digest()[:2]
    return f"hsl({first * 40 // 255 + 12},{60 + second * 25 // 255}%,{66 + first % 12}%)"
