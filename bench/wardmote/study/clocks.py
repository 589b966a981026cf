# SPDX-License-Identifier: BSD-3-Clause
"""The clocks that tables of slots have beside each other."""

from wardmote.boards import Board


def clocks_hz(board: Board) -> list[int]:
    """The first clock of a board, and the fastest one that its usual supply allows if that is
    another."""
    supply = board.supply
    legal = [hz for hz in board.clocks_hz.values() if supply.allows(hz, supply.usual_v)]
    return list(dict.fromkeys((board.clock_hz, max(legal))))
