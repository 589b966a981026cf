# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: how fast the emulated motes run, and what the primitives cost on them.

Images `primitives-...` run on emulated boards with all devices attached, and in other simulators:
mspdebug, simavr and unicorn. Exit code 1 means that the instrument is too slow. After that the
functions of the stack are called, and the exact cycles of AES-128, CCM*, hashes, message
authentication codes and Ascon are printed.
"""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.targets.speed import (
    Band,
    Places,
    Run,
    SpeedRow,
    compare,
    in_mspdebug,
    in_simavr,
    in_unicorn,
)
from wardmote._motes import MoteError
from wardmote.call import Buffer, Outcome, Target, open_target
from wardmote.errors import ImageError, WardmoteError


@dataclass(frozen=True, slots=True)
class Race:
    """A board, an image, the other simulator, and how many times as fast the board must be. Where
    the CPU's timing is a band, also which end of it."""

    board: str
    image: str
    other: str
    run_other: Callable[[Path, Places], Run]
    least_ratio: float
    band: Band | None = None


RACES = (
    Race("telosb", "primitives-tab", "mspdebug", in_mspdebug, 4.0),
    Race("atmega128", "primitives-small", "simavr", in_simavr, 2.0),
    Race("atmega128", "primitives-tab", "simavr", in_simavr, 2.0),
    Race("openmote-cc2538", "primitives-small", "unicorn", in_unicorn, 1.5, "low"),
    Race("openmote-cc2538", "primitives-small", "unicorn", in_unicorn, 1.4, "high"),
    Race("openmote-cc2538", "primitives-tab", "unicorn", in_unicorn, 1.0, "low"),
    # Unicorn counts no cycles and has no devices. Ten runs gave 1.07 to 1.13.
    Race("openmote-cc2538", "primitives-tab", "unicorn", in_unicorn, 1.0, "high"),
)
HASHES = {"sha1": 20, "sha256": 32, "blake2s": 32, "sha3_256": 32, "ascon_hash256": 32}
"""Octets of the digest of each hash, by the name that its functions have."""
FRAME = ("aes128", "ccm")
MODES = ("sha1", "sha256", "hmac", "aes128", "cmac", "ascon_aead128")
"""Headers of the functions that are called."""
VARIANTS = {
    "msp430": ("tab", "small"),
    "avr": ("tab", "small", "fix"),
    "armv7m": ("tab", "small", "fix"),
}


@dataclass(frozen=True, slots=True)
class CostRow:
    """Exact cycles of one operation."""

    operation: str
    cycles: int
    stack_octets: int


def cost(operation: str, outcome: Outcome) -> CostRow:
    """Cycles and stack of a call; an emulated CPU counts both."""
    if outcome.cycles is None or outcome.stack_octets is None:
        raise ImageError(f"{operation}: nothing was counted")
    return CostRow(operation, outcome.cycles, outcome.stack_octets)


def expanded_key(target: Target, variant: str) -> tuple[bytearray, CostRow]:
    """A key in the form of the variant, and what expanding it costs."""
    own = variant == "fix"
    expanded = target.pack("wm_aes128_slices" if own else "wm_aes128")
    function = "wm_aes128_fix_expand" if own else "wm_aes128_expand"
    return expanded, cost(
        f"AES-128 {variant}, key", target.call(function, expanded, bytes(range(16)))
    )


def bound_key(target: Target, variant: str) -> Buffer:
    """A key of the variant that the modes take."""
    key = target.pack(f"wm_aes128_{variant}_key")
    target.call(f"wm_aes128_{variant}_init", key, bytes(range(16)))
    return target.buffer(key)


def primitive_costs(target: Target, variant: str) -> list[CostRow]:
    """AES-128 and CCM* of the worst-case frame of `--ash paper`: a = 35, m = 86, tag of 4
    octets."""
    a_octets, m_octets, tag_octets = 35, 86, 4
    expanded, row = expanded_key(target, variant)
    rows = [row]
    if variant == "fix":
        pair = target.call("wm_aes128_fix_encrypt2", bytes(expanded), bytearray(16), bytearray(16))
        rows.append(cost("AES-128 fix, two blocks", pair))
    else:
        block = target.call(f"wm_aes128_{variant}_encrypt", bytes(expanded), bytearray(16))
        rows.append(cost(f"AES-128 {variant}, one block", block))
    key = bound_key(target, variant)
    a, m, tag = bytes(a_octets), bytearray(m_octets), bytearray(tag_octets)
    outcome = target.call("wm_ccm_seal", key, bytes(13), a, a_octets, m, m_octets, tag, tag_octets)
    if outcome.value:
        raise ImageError(f"wm_ccm_seal refuses the worst-case frame with status {outcome.value}")
    rows.append(
        cost(f"CCM* seal, {variant}, a = {a_octets}, m = {m_octets}, tag {tag_octets}", outcome)
    )
    return rows


def hash_costs(target: Target) -> list[CostRow]:
    """Digests of 0 and of 128 octets."""
    return [
        cost(
            f"{name}, {octets} octets",
            target.call(f"wm_{name}_digest", bytes(octets), octets, bytearray(digest_octets)),
        )
        for name, digest_octets in HASHES.items()
        for octets in (0, 128)
    ]


def total(operation: str, outcomes: Sequence[Outcome]) -> CostRow:
    """Cycles of calls one after the other, and the most stack of any."""
    rows = [cost(operation, outcome) for outcome in outcomes]
    return CostRow(
        operation, sum(row.cycles for row in rows), max(row.stack_octets for row in rows)
    )


def mode_costs(target: Target) -> list[CostRow]:
    """HMAC and CMAC of 128 octets from init to final, and Ascon-AEAD128 of the worst-case frame."""
    octets, key, tag = bytes(128), bytes(16), bytearray(16)
    rows: list[CostRow] = []
    for hash_ in ("sha1", "sha256"):
        context = target.pack("wm_hmac")
        descriptor = target.address_of(f"wm_hash_{hash_}")
        calls = [target.call("wm_hmac_init", context, descriptor, key, len(key))]
        calls.append(target.call("wm_hmac_update", context, octets, len(octets)))
        calls.append(target.call("wm_hmac_final", context, tag, len(tag)))
        rows.append(total(f"HMAC over {hash_}, {len(octets)} octets", calls))
    cmac_key, context = target.buffer(target.pack("wm_cmac_key")), target.pack("wm_cmac")
    derived = target.call("wm_cmac_derive", cmac_key, bound_key(target, "tab"))
    rows.append(cost("CMAC-AES-128 tab, subkey", derived))
    calls = [target.call("wm_cmac_init", context, cmac_key)]
    calls.append(target.call("wm_cmac_update", context, octets, len(octets)))
    calls.append(target.call("wm_cmac_final", context, tag, len(tag)))
    rows.append(total(f"CMAC-AES-128 tab, {len(octets)} octets", calls))
    sealed = target.call(
        "wm_ascon_aead128_seal", key, bytes(16), bytes(35), 35, bytearray(86), 86, tag
    )
    return [*rows, cost("Ascon-AEAD128 seal, a = 35, m = 86", sealed)]


def say(text: str) -> None:
    """One line of output."""
    sys.stdout.write(text + "\n")


def show(row: SpeedRow, least_ratio: float) -> bool:
    """Prints one comparison; whether the board is fast enough."""
    enough = row.ratio >= least_ratio
    wanted = f"at least {least_ratio:g} wanted: {'ok' if enough else 'too slow'}"
    say(
        f"{row.image}: {row.cycles / 1e6:.1f} M cycles, same result {row.result.hex()}, "
        f"median of {row.rounds} pairs"
    )
    say(f"  emulated board, devices attached  {row.cycles / row.seconds / 1e6:7.1f} M cycles/s")
    say(f"  {row.other:<32}  {row.cycles / row.other_seconds / 1e6:7.1f} M cycles/s")
    say(f"  ratio {row.ratio:.2f}, {wanted}")
    return enough


def main() -> int:
    """Runs both parts."""
    try:
        fast = [
            show(compare(r.board, r.image, r.band, r.other, r.run_other), r.least_ratio)
            for r in RACES
        ]
        costs = {
            cpu: [
                *(row for v in variants for row in primitive_costs(open_target(cpu, *FRAME), v)),
                *hash_costs(open_target(cpu, *HASHES)),
                *mode_costs(open_target(cpu, *MODES)),
            ]
            for cpu, variants in VARIANTS.items()
        }
    except (WardmoteError, MoteError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"bench: {error}\n")
        return 2
    for cpu, rows in costs.items():
        say(f"{cpu}, cycles of the functions of build/stack/{cpu}, no wait states:")
        for row in rows:
            say(
                f"  {row.operation:<44} {row.cycles:>7} cycles, {row.stack_octets:>4} octets of "
                "stack"
            )
    return 0 if all(fast) else 1


if __name__ == "__main__":
    sys.exit(main())
