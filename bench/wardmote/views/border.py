# SPDX-License-Identifier: BSD-3-Clause
"""What a border router has done, in lines of a terminal."""

from __future__ import annotations

from collections.abc import Mapping

WIDTH = 80
PAIRS = (("host in", "host out"), ("packets in", "packets out"), ("frames in", "frames out"))
NAMES = "host", "motes", "frames"
REPEATED = "frames repeated"


def live(counts: Mapping[str, int], refused: Mapping[str, int], seconds: float) -> str:
    """One line of at most 80 columns: packets of the host, packets and frames of the air, each in and
    out, and what went nowhere."""
    parts = [f"{seconds:6.0f} s"]
    for name, (came, went) in zip(NAMES, PAIRS, strict=True):
        parts.append(f"{name} {counts.get(came, 0)}/{counts.get(went, 0)}")
    parts.append(f"refused {sum(refused.values())}")
    return "  ".join(parts)[:WIDTH]


def ended(counts: Mapping[str, int], refused: Mapping[str, int]) -> str:
    """A table of everything that was counted, refusals by side and reason."""
    names = [name for pair in PAIRS for name in pair] + [REPEATED]
    lines = [f"{counts.get(name, 0):10}  {name}" for name in names]
    lines += [
        f"{number:10}  refused, {reason}"
        for reason, number in sorted(refused.items(), key=lambda one: (-one[1], one[0]))
    ]
    return "\n".join(line[:WIDTH] for line in lines)
