# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: cycles of AES-128, CBC and CCM* on the emulated CPUs, beside those of commit
9b68b8c, before anything was wiped and before an engine was asked whether it had failed.

`ciphers_before.json` holds what the archives of that commit take, built anew with today's compilers and
called with the same octets on the same models. Exit code 1 means that AES or CCM* takes over 1 %
more: a block, a key schedule, a frame whole or in pieces, or one of the calls that it goes through.
A difference of 8 cycles counts as none. CBC, and keys for the modes, which have in them more than
they had, are shown and not bound.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import get_args

from wardmote.call import Argument, Buffer, EmulatedTarget
from wardmote.errors import WardmoteError
from wardmote.linked import Form, declared, linked
from wardmote.paths import ROOT
from wardmote.prototypes import read_public

CPUS = ("msp430", "avr", "armv7m")
FORMS: tuple[Form, ...] = get_args(Form)
VARIANTS = ("tab", "small", "fix")
SCHEDULES = {"tab": "wm_aes128", "small": "wm_aes128", "fix": "wm_aes128_slices"}
FRAMES = ((1, 0, 4), (5, 5, 4), (16, 0, 8), (16, 16, 8), (64, 14, 4), (100, 21, 16), (16, 0, 0))
"""Octets of the message, of what is only authenticated, and of the tag."""
PIECES = (((16,), (16,), 8), ((5, 11), (5, 11), 8), ((14,), (64,), 4))
"""Octets of each piece of a and of m, and of the tag."""
CBC_OCTETS = (16, 64)
BEFORE = Path(__file__).with_name("ciphers_before.json")
MOST_WORSE, NOTHING = 1.01, 8
UNBOUND = ("cbc", "key")
RANDOM = Random(12)
KEY, NONCE, IV = RANDOM.randbytes(16), RANDOM.randbytes(13), RANDOM.randbytes(16)
M, A = RANDOM.randbytes(128), RANDOM.randbytes(64)

Cost = tuple[str, int]
"""What was done, and its cycles."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure beside the one of then."""

    place: str
    """CPU and form."""
    name: str
    before: int
    now: int

    @property
    def percent(self) -> float:
        """How much more it is."""
        return 100 * (self.now / self.before - 1)

    @property
    def wrong(self) -> bool:
        """Whether it is more than it may be."""
        return (
            not self.name.startswith(UNBOUND)
            and self.now > MOST_WORSE * self.before
            and self.now > self.before + NOTHING
        )


def opened(cpu: str, form: Form) -> EmulatedTarget:
    """A CPU with the functions of the three headers, at the slow end of its band."""
    symbols = declared(cpu, ("aes128", "cbc", "ccm"), form)
    return EmulatedTarget(linked(cpu, symbols, form), read_public(ROOT))


def cost(target: EmulatedTarget, function: str, *args: Argument) -> int:
    """Cycles of a call."""
    return target.call(function, *args).cycles or 0


def blocks(target: EmulatedTarget) -> Iterator[Cost]:
    """Schedules and single blocks, without a mode."""
    schedules = {}
    for name, record, function in (
        ("tab", "wm_aes128", "wm_aes128_expand"),
        ("fix", "wm_aes128_slices", "wm_aes128_fix_expand"),
        ("both", "wm_aes128_two_way", "wm_aes128_tab_expand_inverse"),
    ):
        schedule = target.pack(record)
        yield f"expand {name}", cost(target, function, schedule, KEY)
        schedules[name] = bytes(schedule)
    for variant, of, direction in (
        ("tab", "tab", "encrypt"),
        ("small", "tab", "encrypt"),
        ("fix", "fix", "encrypt"),
        ("tab", "both", "decrypt"),
        ("small", "tab", "decrypt"),
    ):
        done = cost(target, f"wm_aes128_{variant}_{direction}", schedules[of], bytearray(IV))
        yield f"{variant} {direction}", done
    two = cost(target, "wm_aes128_fix_encrypt2", schedules["fix"], bytearray(IV), bytearray(KEY))
    yield "fix encrypt2", two


def made(target: EmulatedTarget, variant: str, ways: str = "") -> tuple[Buffer, int]:
    """A key for the modes, and what making it takes."""
    record = "wm_aes128_small_key" if variant == "small" else f"wm_aes128_{variant}{ways}_key"
    room = target.pack(record)
    cycles = cost(target, f"wm_aes128_{variant}_init{ways}", room, KEY)
    return target.buffer(room), cycles


def frames(target: EmulatedTarget, variant: str, key: Buffer) -> Iterator[Cost]:
    """Frames by one call."""
    for m_len, a_len, tag_len in FRAMES:
        m, tag, ends = bytearray(M[:m_len]), bytearray(16), f"{m_len} {a_len} {tag_len}"
        lengths = (NONCE, A[:a_len], a_len, m, m_len)
        yield (
            f"ccm {variant} seal {ends}",
            cost(target, "wm_ccm_seal", key, *lengths, tag, tag_len),
        )
        right = bytes(tag)
        yield (
            f"ccm {variant} open {ends}",
            cost(target, "wm_ccm_open", key, *lengths, right, tag_len),
        )
        if bytes(m) != M[:m_len]:
            raise WardmoteError(f"{target.name}: CCM* by {variant} does not open what it sealed")


def pieces(target: EmulatedTarget, variant: str, key: Buffer) -> Iterator[Cost]:
    """Frames that are sealed in pieces: each call, and all of them."""
    for a_pieces, m_pieces, tag_len in PIECES:
        name = f"ccm {variant} {a_pieces} {m_pieces} {tag_len}"
        context, a_at, m_at = target.pack("wm_ccm"), 0, 0
        lengths = (sum(a_pieces), sum(m_pieces), tag_len, 0)
        costs = [("start", cost(target, "wm_ccm_start", context, key, NONCE, *lengths))]
        for n, octets in enumerate(a_pieces):
            done = cost(target, "wm_ccm_aad", context, A[a_at : a_at + octets], octets)
            costs.append((f"aad {n}", done))
            a_at += octets
        for n, octets in enumerate(m_pieces):
            m = bytearray(M[m_at : m_at + octets])
            costs.append((f"crypt {n}", cost(target, "wm_ccm_crypt", context, m, octets)))
            m_at += octets
        costs.append(("finish", cost(target, "wm_ccm_seal_finish", context, bytearray(16))))
        yield from ((f"{name} {call}", cycles) for call, cycles in costs)
        yield f"{name} in all", sum(cycles for _, cycles in costs)


def cbc(target: EmulatedTarget, variant: str) -> Iterator[Cost]:
    """CBC, where the variant decrypts in both directions."""
    for direction in ("encrypt",) if variant == "fix" else ("encrypt", "decrypt"):
        key, cycles = made(target, variant, "_both" if direction == "decrypt" else "")
        yield f"key {variant} {direction}", cycles
        for octets in CBC_OCTETS:
            done = cost(
                target, f"wm_cbc_{direction}", key, bytearray(IV), bytearray(M[:octets]), octets
            )
            yield f"cbc {variant} {direction} {octets}", done


def costs_of(target: EmulatedTarget) -> Iterator[Cost]:
    """Every figure of one CPU and form."""
    yield from blocks(target)
    for variant in VARIANTS:
        target.reset()
        key, _ = made(target, variant)
        yield from frames(target, variant, key)
        yield from pieces(target, variant, key)
        target.reset()
        yield from cbc(target, variant)


def rows() -> list[Row]:
    """Every figure beside the one of then."""
    before = json.loads(BEFORE.read_text(encoding="ascii"))
    return [
        Row(f"{cpu} {form}", name, before[cpu][form][name], cycles)
        for cpu in CPUS
        for form in FORMS
        for name, cycles in costs_of(opened(cpu, form))
    ]


def main() -> int:
    """Prints the worst figure of each CPU, form and kind, and each that is more than it may be."""
    try:
        found = rows()
    except WardmoteError as error:
        sys.stderr.write(f"bench: {error}\n")
        return 2
    write = sys.stdout.write
    write(f"AES-128, CCM* and CBC beside commit 9b68b8c, {len(found)} figures; the worst, in %:\n")
    for place in dict.fromkeys(row.place for row in found):
        here = [row for row in found if row.place == place]
        kinds = {
            "AES": [r for r in here if not r.name.startswith(("ccm", *UNBOUND))],
            "CCM*": [r for r in here if r.name.startswith("ccm")],
            "CBC": [r for r in here if r.name.startswith("cbc")],
            "keys": [r for r in here if r.name.startswith("key")],
        }
        worst = ", ".join(
            f"{kind} {max(row.percent for row in of):+.1f}" for kind, of in kinds.items()
        )
        write(f"  {place:<16} {worst}\n")
    for row in (wrong := [row for row in found if row.wrong]):
        write(f"  {row.place}, {row.name}: {row.now} cycles, {row.before} before: too slow\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
