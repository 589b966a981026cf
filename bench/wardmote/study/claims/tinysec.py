# SPDX-License-Identifier: BSD-3-Clause
"""The figures that the claims of the paper on TinySec are judged by, as far as they follow from the
format of its packets. What needs a network of motes is not judged.

A function that @figure registers can be called in an expression of published/tinysec_claims.toml.
"""

from typing import Any

from wardmote.published import load
from wardmote.study.claims.judge import ClaimRow, judged
from wardmote.study.claims.register import Figures

PAPER = "tinysec"
WORDS: dict[str, Any] = {"none": "none", "auth": "auth", "ae": "ae"}
HEADER, TAG, IV, BLOCK, GROUP_AND_CRC = 4, 4, 4, 8, 3
"""Octets."""

figure = Figures()


def tinysec_claims() -> list[ClaimRow]:
    """Every claim of the paper with our verdict."""
    return judged(PAPER, figure.of(None), WORDS)


@figure
def octets(_: None, mode: str, data: int) -> int:
    """Octets of a packet, without start symbol and synchronisation."""
    return {
        "none": HEADER + GROUP_AND_CRC + data,
        "auth": HEADER + data + TAG,
        "ae": HEADER + IV + max(BLOCK, data) + TAG,
    }[mode]


@figure
def more(_: None, mode: str) -> int:
    """Octets that a mode adds to a packet of 24 octets of data."""
    return octets(None, mode, 24) - octets(None, "none", 24)


@figure
def increase(_: None, mode: str) -> float:
    """The same as a part of all that the paper counts on the air."""
    return more(None, mode) / float(load(PAPER)["packet"]["none"]["total"])


@figure
def air_ms(_: None, count: float) -> float:
    """Time of octets at the paper's bandwidth."""
    return 8 * count / float(load(PAPER)["platform"]["bandwidth_kbps"])
