# SPDX-License-Identifier: BSD-3-Clause
"""Reasons why an operation misses its limit, and notes on how to read a ratio, by table and printed
name. Numbers in them are computed."""

from collections.abc import Callable, Mapping, Sequence

from wardmote.measurements.primitives.printed import CLOCKS_HZ, CPU
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.published import load

WHOLE_OCTETS = 128
KECCAK_ROUNDS = 24
STATE_WORDS = 100
"""200 octets in words of 16 bits."""
REGISTERS = 12
"""Free registers: each may hold one word of the state."""
WORD_OPERATIONS = 4 * (20 + 5 + 25 + 25 + 25)
"""XOR and AND of words in one round: 20 and 5 lanes for parities, 25 for theta, 50 for chi; a lane
has 4 words."""
ROTATED_WORDS = 4 * (24 + 5)
"""Words that a round rotates: 24 lanes of rho and 5 parities."""
CHANGED_IN_MEMORY = 4
"""Cycles of the cheapest instruction that reads, changes and writes a word of memory: `xor Rs,
x(Rd)`."""


class Totals:
    """Cycles of the MSP430, from which reasons are computed."""

    def __init__(self, rows: Sequence[PrimitiveRow]) -> None:
        self._cycles: dict[tuple[str, str, int], int] = {}
        for row in rows:
            if row.cpu == CPU and row.a_octets == 0:
                place = (row.primitive, row.operation, row.octets)
                self._cycles[place] = min(row.cycles, self._cycles.get(place, row.cycles))

    def cycles(self, primitive: str, operation: str, octets: int) -> int | None:
        """Cycles of the fastest variant; None if it was not measured."""
        return self._cycles.get((primitive, operation, octets))


def keccak_floor() -> int:
    """A lower bound for the cycles of Keccak-f[1600] on an MSP430.

    Each round reads, changes and writes every word of the state, in memory or in a register. Every
    other operation and every rotation takes one cycle for each word.
    """
    state = (STATE_WORDS - REGISTERS) * CHANGED_IN_MEMORY + REGISTERS
    return KECCAK_ROUNDS * (state + WORD_OPERATIONS - STATE_WORDS + ROTATED_WORDS)


def _keccak_final(totals: Totals) -> str:
    printed = load("primitives")["telosb"]
    final, update = printed["hash_final_ms"]["keccak"], printed["hash_update_ms"]["keccak"]
    fast, slow = (round(final / 1000 * clock) for clock in CLOCKS_HZ)
    text = (
        "Our final runs a permutation, because the padding completes a block. One permutation "
        f"changes {STATE_WORDS} words of state {KECCAK_ROUNDS} times. An MSP430 needs at least "
        f"{keccak_floor()} cycles for it. The printed final is too short for that at 4.19 MHz "
        f"({slow} cycles), not at 8 MHz ({fast}; half of them is our limit). The printed update of "
        f"32 octets takes {update[0] / final:.0f} times as long, so we suppose that the printed "
        "final runs none."
    )
    ours = totals.cycles("sha3_256", "digest", WHOLE_OCTETS)
    if ours is not None:
        whole = printed["hash_init_ms"]["keccak"] + update[-1] + final
        ms = ours / CLOCKS_HZ[0] * 1000
        text += (
            f" Init, update and final of {WHOLE_OCTETS} octets take {whole:.1f} ms as printed, "
            f"ours {ms:.1f} ms at 8 MHz."
        )
    return text


WHY: Mapping[tuple[int, str], Callable[[Totals], str]] = {(7, "keccak"): _keccak_final}


def _whole_hash(name: str, primitive: str) -> Callable[[Totals], str]:
    """The ratio of a whole hash. The ratio of update depends on which function processes a block."""

    def text(totals: Totals) -> str:
        update, digest = (
            totals.cycles(primitive, one, WHOLE_OCTETS) for one in ("update", "digest")
        )
        if update is None or digest is None:
            return ""
        printed = load("primitives")["telosb"]
        parts = (
            printed["hash_init_ms"][name],
            printed["hash_update_ms"][name][-1],
            printed["hash_final_ms"][name],
        )
        whole, ours = sum(parts), digest / CLOCKS_HZ[0] * 1000
        return (
            "The ratio of update depends on which function processes the last block: ours does "
            f"it in final. Of a hash of {WHOLE_OCTETS} octets, update is "
            f"{100 * update / digest:.0f} % in ours and {100 * parts[1] / whole:.0f} % as printed. "
            f"Init, update and final together take {whole:.2f} ms as printed, ours {ours:.2f} ms "
            f"at 8 MHz: the ratio is {whole / ours:.1f}."
        )

    return text


_WHOLE_OF = {
    "blake2s": _whole_hash("blake2s", "blake2s"),
    "keccak": _whole_hash("keccak", "sha3_256"),
}
NOTES: Mapping[tuple[int, str], Callable[[Totals], str]] = {
    (table, name): text for table in (5, 6) for name, text in _WHOLE_OF.items()
}
"""Notes on a ratio, for met and missed limits."""


def reason(table: int, name: str, totals: Totals, *, met: bool | None = False) -> str:
    """The reason for a missed limit, or the note on a ratio; empty if there is none."""
    texts = NOTES if met is not False else {**NOTES, **WHY}
    return texts[table, name](totals) if (table, name) in texts else ""
