# SPDX-License-Identifier: BSD-3-Clause
"""Why an operation does not keep its limit beside the paper, by table and printed name; counted where it can be."""

from collections.abc import Callable, Mapping, Sequence

from wardmote.primitives.printed import CLOCKS_HZ, CPU
from wardmote.primitives.rows import PrimitiveRow
from wardmote.published import load

WHOLE_OCTETS = 128
KECCAK_ROUNDS = 24
STATE_WORDS = 100
"""200 octets in words of 16 bits."""
REGISTERS = 12
"""Free ones: as many words of the state may stay in them."""
WORD_OPERATIONS = 4 * (20 + 5 + 25 + 25 + 25)
"""XOR and AND of one round by word: in lanes, 20 and 5 for parities, 25 of theta, 50 of chi; a lane has 4 words."""
ROTATED_WORDS = 4 * (24 + 5)
"""Lanes that a round rotates: 24 of rho, 5 parities."""
CHANGED_IN_MEMORY = 4
"""Cycles of the cheapest instruction that reads, changes and writes a word of memory: `xor Rs, x(Rd)`."""


class Totals:
    """What reasons are computed from: the rows of the MSP430."""

    def __init__(self, rows: Sequence[PrimitiveRow]) -> None:
        self._cycles: dict[tuple[str, str, int], int] = {}
        for row in rows:
            if row.cpu == CPU and row.a_octets == 0:
                place = (row.primitive, row.operation, row.octets)
                self._cycles[place] = min(row.cycles, self._cycles.get(place, row.cycles))

    def cycles(self, primitive: str, operation: str, octets: int) -> int | None:
        """The least of all variants; None if it was not measured."""
        return self._cycles.get((primitive, operation, octets))


def keccak_floor() -> int:
    """Cycles under which no Keccak-f[1600] gets on an MSP430: once a round each word of the state is read, changed and
    written, in memory but for what registers hold; any other operation takes a cycle a word, and so does a rotation."""
    state = (STATE_WORDS - REGISTERS) * CHANGED_IN_MEMORY + REGISTERS
    return KECCAK_ROUNDS * (state + WORD_OPERATIONS - STATE_WORDS + ROTATED_WORDS)


def _keccak_final(totals: Totals) -> str:
    printed = load("primitives")["telosb"]
    final, update = printed["hash_final_ms"]["keccak"], printed["hash_update_ms"]["keccak"]
    limits = [int(final / 1000 * clock) for clock in CLOCKS_HZ]
    text = (
        "In ours a permutation falls in final, since padding ends a block; the printed final has room for none: the"
        f" printed update of 32 octets, where theirs fall, takes {update[0] / final:.0f} times as long. One permutation"
        f" changes {STATE_WORDS} words of state {KECCAK_ROUNDS} times, which takes an MSP430 {keccak_floor()} cycles at"
        f" least; the limits are {limits[0] // 2} and {limits[1]}."
    )
    ours = totals.cycles("sha3_256", "digest", WHOLE_OCTETS)
    if ours is not None:
        whole = printed["hash_init_ms"]["keccak"] + update[-1] + final
        ms = ours / CLOCKS_HZ[0] * 1000
        text += f" Init, update and final of {WHOLE_OCTETS} octets: {whole:.1f} ms printed, {ms:.1f} ms ours at 8 MHz."
    return text


WHY: Mapping[tuple[int, str], Callable[[Totals], str]] = {(7, "keccak"): _keccak_final}


def reason(table: int, name: str, totals: Totals) -> str:
    """The reason for a figure, or nothing if none is written."""
    return WHY[table, name](totals) if (table, name) in WHY else ""
