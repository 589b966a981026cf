# SPDX-License-Identifier: BSD-3-Clause
"""One case for each board and each size of the tables."""

from dataclasses import dataclass

from wardmote.boards import Board

STRATEGY = "software"
SIZES = ((1, 1), (8, 1), (32, 1), (8, 8), (32, 32))
"""Devices and keys: one key for all, or a key with each."""


@dataclass(frozen=True, slots=True)
class Tables:
    """A node among this many neighbours, at a board."""

    board: str
    devices: int
    keys: int
    """1: all share one. As many as devices: each has its own."""
    seed: int


@dataclass(frozen=True, slots=True)
class Case(Tables):
    """One that is measured."""

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.board}, {self.devices} devices, {self.keys} keys"


def cases(board: Board, seed: int) -> list[Case]:
    """Every size on a board."""
    return [Case(board.name, devices, keys, seed) for devices, keys in SIZES]
