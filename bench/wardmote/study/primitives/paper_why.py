# SPDX-License-Identifier: BSD-3-Clause
"""Why an operation does not keep its limit beside the paper, or what a ratio does not say, by table
and printed name; counted where it can be."""

from collections.abc import Callable, Mapping, Sequence

from wardmote.measurements.primitives.printed import CLOCKS_HZ, CPU
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.published import load

WHOLE_OCTETS = 128
KECCAK_ROUNDS = 24
STATE_WORDS = 100
"""200 octets in words of 16 bits."""
REGISTERS = 12
"""Free ones: as many words of the state may stay in them."""
WORD_OPERATIONS = 4 * (20 + 5 + 25 + 25 + 25)
"""XOR and AND of one round by word: in lanes, 20 and 5 for parities, 25 of theta, 50 of chi; a lane
has 4 words."""
ROTATED_WORDS = 4 * (24 + 5)
"""Lanes that a round rotates: 24 of rho, 5 parities."""
CHANGED_IN_MEMORY = 4
"""Cycles of the cheapest instruction that reads, changes and writes a word of memory: `xor Rs,
x(Rd)`."""


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
    """Cycles under which no Keccak-f[1600] gets on an MSP430: once a round each word of the state
    is read, changed and written, in memory but for what registers hold; any other operation takes a
    cycle a word, and so does a rotation."""
    state = (STATE_WORDS - REGISTERS) * CHANGED_IN_MEMORY + REGISTERS
    return KECCAK_ROUNDS * (state + WORD_OPERATIONS - STATE_WORDS + ROTATED_WORDS)


def _keccak_final(totals: Totals) -> str:
    printed = load("primitives")["telosb"]
    final, update = printed["hash_final_ms"]["keccak"], printed["hash_update_ms"]["keccak"]
    limits = [int(final / 1000 * clock) for clock in CLOCKS_HZ]
    text = (
        "In ours a permutation falls in final, since padding ends a block; the printed final "
        "has room for none: the"
        f" printed update of 32 octets, where theirs fall, takes {update[0] / final:.0f} times "
        "as long. One permutation"
        f" changes {STATE_WORDS} words of state {KECCAK_ROUNDS} times, which takes an MSP430 "
        f"{keccak_floor()} cycles at"
        f" least; the limits are {limits[0] // 2} and {limits[1]}."
    )
    ours = totals.cycles("sha3_256", "digest", WHOLE_OCTETS)
    if ours is not None:
        whole = printed["hash_init_ms"]["keccak"] + update[-1] + final
        ms = ours / CLOCKS_HZ[0] * 1000
        text += (
            f" Init, update and final of {WHOLE_OCTETS} octets: {whole:.1f} ms "
            "printed, "
            f"{ms:.1f} ms ours at 8 MHz."
        )
    return text


WHY: Mapping[tuple[int, str], Callable[[Totals], str]] = {(7, "keccak"): _keccak_final}


def _whole_hash(name: str, primitive: str) -> Callable[[Totals], str]:
    """The ratio of a whole hash: that of update alone depends on which function works on a
    block."""

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
            "A ratio of update says in which function blocks are worked on. Ours keeps the "
            "last one for final: of"
            f" {WHOLE_OCTETS} octets update is {100 * update / digest:.0f} % of the whole, of "
            "the printed"
            f" {100 * parts[1] / whole:.0f} %. The whole, init, update and final: {whole:.2f} "
            f"ms printed, {ours:.2f} ms"
            f" ours at 8 MHz, {whole / ours:.1f} times."
        )

    return text


_WHOLE_OF = {
    "blake2s": _whole_hash("blake2s", "blake2s"),
    "keccak": _whole_hash("keccak", "sha3_256"),
}
NOTES: Mapping[tuple[int, str], Callable[[Totals], str]] = {
    (table, name): text for table in (5, 6) for name, text in _WHOLE_OF.items()
}
"""What a ratio does not say, whether a limit is met or not."""


def reason(table: int, name: str, totals: Totals, *, met: bool | None = False) -> str:
    """The reason for a figure that does not keep its limit, or what it does not say; nothing if
    none is written."""
    texts = NOTES if met is not False else {**NOTES, **WHY}
    return texts[table, name](totals) if (table, name) in texts else ""
