# SPDX-License-Identifier: BSD-3-Clause
"""Cycles of blocks and of whole packets, called on an emulated CPU: TinySec under both ciphers, and
the same message under an AEAD of today."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wardmote.call import EmulatedTarget
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.node import (
    AE,
    AUTH,
    BLOCK,
    OK,
    PACKET_MOST,
    PROFILES,
    Party,
    key_of,
    padded,
    status_of,
    target_of,
)
from wardmote.linked import Form

KEY = bytes(range(16))
HEADER, IV = 4, 4
"""Octets before the data: the header, which AEADs take as associated data, and what of the nonce is
sent."""
ASCON_TAG, CCM_TAG = 16, 4
ASCON_NONCE, CCM_NONCE = 16, 13
VOID = (
    *("wm_skipjack_encrypt", "wm_skipjack_small_encrypt", "wm_rc5_encrypt"),
    "wm_ascon_aead128_seal",
)
"""Functions without a status."""
FORMS: Mapping[str, tuple[str, Form]] = {
    "Skipjack, C": ("skipjack", "portable"),
    "Skipjack, assembly": ("skipjack", "fast"),
    "RC5, C": ("rc5", "portable"),
    "RC5, assembly": ("rc5", "fast"),
}
"""Ciphers by the names of their rows: name in the stack, and how it is built."""


@dataclass(frozen=True, slots=True)
class Cost:
    """A packet: its octets, and cycles to make it, and to take it in one piece."""

    packet_octets: int
    cycles: int
    take_cycles: int
    by_octets: tuple[int, ...] = ()
    """Cycles of each octet of a receiver that gets them one by one, and of the end."""
    operations: int | None = None


def block_cycles(cpu: str, cipher: str, form: Form = "fast") -> int:
    """Cycles of a block, called as primitive with an expanded key."""
    target = _fresh(cpu, form)
    schedule = "skipjack" if cipher.startswith("skipjack") else cipher
    key, given = target.buffer(target.pack(f"wm_{schedule}")), padded(cipher, KEY[:BLOCK])
    target.call(f"wm_{schedule}_expand", key, given, *([len(given)] if schedule == "rc5" else []))
    return _cycles(target, f"wm_{cipher}_encrypt", key, bytearray(BLOCK))


def tinysec(cpu: str, cipher: str, mode: int, octets: int, profile: str) -> Cost:
    """A packet of the stack, made by one node and taken by another."""

    def made(form: str = cipher) -> tuple[bytes, int]:
        members = {"profile": PROFILES[profile]}
        party = Party(_fresh(cpu), KEY, 1, mode, form, members=members)
        status, packet, cycles = party.make(bytes(octets))
        _good(status, "wm_tinysec_secure")
        return packet, cycles

    def taken(piece: int) -> list[int]:
        party = Party(_fresh(cpu), KEY, cipher=cipher, members={"profile": PROFILES[profile]})
        status, cycles, _ = party.take(packet, piece)
        _good(status, "wm_tinysec_accept_packet")
        return cycles

    packet, cycles = made()
    operations = None
    if cipher == "skipjack":
        operations = _operations(cpu, made("skipjack_small")[1] - cycles)
    return Cost(len(packet), cycles, sum(taken(PACKET_MOST)), tuple(taken(1)), operations)


def _operations(cpu: str, more: int) -> int:
    """Block operations of a packet, from what it takes more with the small form of Skipjack, which
    differs in the time of a block alone."""
    fast, small = (_bound_block(cpu, cipher) for cipher in ("skipjack", "skipjack_small"))
    count, left = divmod(more, small - fast)
    if left:
        raise ImageError(f"two forms of a cipher differ by no whole number of blocks: {more}")
    return count


def _bound_block(cpu: str, cipher: str) -> int:
    """A block under a key with its cipher: what a second one adds to CBC."""
    target = _fresh(cpu)
    key = key_of(target, KEY[:BLOCK], cipher)
    one, two = (
        _cycles(target, "wm_cbc_encrypt", key, bytearray(BLOCK), bytearray(octets), octets)
        for octets in (BLOCK, 2 * BLOCK)
    )
    return two - one


def ascon(cpu: str, octets: int) -> Cost:
    """Ascon-AEAD128 with its tag of 16 octets."""
    target = _fresh(cpu)
    given = (KEY, bytes(ASCON_NONCE), bytes(HEADER), HEADER)
    data, tag = target.buffer(bytes(octets)), target.buffer(bytes(ASCON_TAG))
    cycles = _cycles(target, "wm_ascon_aead128_seal", *given, data, octets, tag)
    take = _cycles(target, "wm_ascon_aead128_open", *given, data, octets, tag)
    return Cost(HEADER + IV + octets + ASCON_TAG, cycles, take)


def ccm(cpu: str, octets: int) -> Cost:
    """CCM* with AES-128 (`tab`) and a tag of 4 octets."""
    target = _fresh(cpu)
    key = target.buffer(target.pack("wm_aes128_tab_key"))
    target.call("wm_aes128_tab_init", key, KEY)
    given = (key, bytes(CCM_NONCE), bytes(HEADER), HEADER)
    data, tag = target.buffer(bytes(octets)), target.buffer(bytes(CCM_TAG))
    cycles = _cycles(target, "wm_ccm_seal", *given, data, octets, tag, CCM_TAG)
    take = _cycles(target, "wm_ccm_open", *given, data, octets, tag, CCM_TAG)
    return Cost(HEADER + IV + octets + CCM_TAG, cycles, take)


def _tinysec_of(cipher: str, mode: int, profile: str) -> Callable[[str, int], Cost]:
    return lambda cpu, octets: tinysec(cpu, cipher, mode, octets, profile)


SCHEMES: Mapping[tuple[str, str], Callable[[str, int], Cost]] = {
    **{
        (f"{name}, {title}", profile): _tinysec_of(cipher, mode, profile)
        for cipher, title, profiles in (
            ("skipjack", "Skipjack", tuple(PROFILES)),
            ("rc5", "RC5", ("paper",)),
        )
        for profile in profiles
        for mode, name in ((AUTH, "Auth"), (AE, "AE"))
    },
    ("CCM*, AES-128", ""): ccm,
    ("Ascon-AEAD128", ""): ascon,
}
"""How a packet is made, by scheme and profile: of a CPU and octets of data."""


def _fresh(cpu: str, form: Form = "fast") -> EmulatedTarget:
    target = target_of(cpu, form)
    target.reset()
    return target


def _cycles(target: EmulatedTarget, function: str, *arguments: Any) -> int:
    outcome = target.call(function, *arguments)
    if function not in VOID:
        _good(status_of(target, outcome.value), function)
    return outcome.cycles or 0


def _good(status: str, function: str) -> None:
    if status != OK:
        raise ImageError(f"{function} answers {status}")
