# SPDX-License-Identifier: BSD-3-Clause
"""After an operation nothing of a key or a message stays on the stack, on each emulated CPU.

A compiler may leave a register or two of what it computed. What is more is an array that nobody
wiped. LEFT holds what is known: none may grow, and none may join them.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from tests.stack.cipher import test_grain128
from tests.stack.conftest import target_named
from tests.stack.mode import (
    test_ascon_aead128,
    test_block_modes,
    test_ketje,
    test_lettersoup,
    test_macs,
    test_marvin,
)
from tests.stack.mode.aead_checks import Aead
from tests.stack.mode.block_ciphers import key_of
from tests.stack.mode.curupiras import FORWARD
from tests.stack.mode.macs import MACS, Mac
from tests.stack.primitive_calls import FORMS, GROUPS, Calls
from tests.stack.residue import residue
from vectors.ketje_model import SIZES
from wardmote.call import Argument, EmulatedTarget, Target
from wardmote.cpus import CPU_NAMES

REGISTERS = 7
"""Octets that a compiler may leave: fewer than the shortest tag or block."""
LEFT: dict[str, dict[str, int]] = {
    "armv7m": {
        "cbc cs3_decrypt": 48,
        "cbc cs3_encrypt": 32,
        "cbc decrypt": 16,
        "cbc encrypt": 32,
        "grain128 open": 16,
        "grain128 refuse": 16,
        "grain128 seal": 20,
        "ketje_jr open": 10,
        "ketje_jr refuse": 10,
        "ketje_jr seal": 10,
        "ketje_sr open": 22,
        "ketje_sr refuse": 22,
        "ketje_sr seal": 22,
        "wm_aes128_fix_encrypt": 44,
        "wm_aes128_small_decrypt": 16,
        "wm_aes128_small_encrypt": 16,
        "wm_blake2s_digest": 16,
        "wm_grain128_seal": 20,
        "wm_grain_v1_crypt": 21,
        "wm_grain_v1_init": 22,
        "wm_ketje_jr_seal": 10,
        "wm_ketje_sr_seal": 22,
    },
    "armv7m-small": {
        "wm_aes128_fix_encrypt": 44,
        "wm_aes128_small_decrypt": 16,
        "wm_aes128_small_encrypt": 18,
        "wm_ascon_hash256_digest": 8,
        "wm_blake2s_digest": 72,
        "wm_curupira1_96_decrypt": 12,
        "wm_curupira1_96_encrypt": 12,
        "wm_curupira_sct": 12,
        "wm_grain128_seal": 16,
        "wm_ketje_sr_seal": 14,
        "wm_sha1_digest": 48,
        "wm_sha256_digest": 64,
        "wm_sha3_256_digest": 64,
        "wm_trivium_init": 12,
    },
    "avr": {
        "cbc cs3_decrypt": 48,
        "cbc cs3_encrypt": 16,
        "cbc decrypt": 16,
        "cbc encrypt": 16,
        "hmac_sha256 final": 105,
        "hmac_sha256 verify": 105,
        "ketje_sr open": 20,
        "ketje_sr refuse": 20,
        "ketje_sr seal": 20,
        "wm_aes128_fix_encrypt": 140,
        "wm_aes128_fix_expand": 102,
        "wm_aes128_small_decrypt": 16,
        "wm_blake2s_digest": 67,
        "wm_ketje_sr_seal": 20,
        "wm_sha256_digest": 101,
        "wm_sha3_256_digest": 240,
    },
    "avr-small": {
        "wm_aes128_fix_encrypt": 117,
        "wm_aes128_fix_expand": 101,
        "wm_aes128_small_decrypt": 20,
        "wm_blake2s_digest": 69,
        "wm_curupira1_96_decrypt": 12,
        "wm_curupira1_96_encrypt": 12,
        "wm_curupira_sct": 9,
        "wm_grain128_seal": 11,
        "wm_ketje_sr_seal": 14,
        "wm_sha256_digest": 42,
        "wm_sha3_256_digest": 56,
    },
    "msp430": {
        "cbc cs3_decrypt": 32,
        "cbc cs3_encrypt": 32,
        "cbc decrypt": 16,
        "cbc encrypt": 32,
        "hmac_sha256 final": 32,
        "hmac_sha256 verify": 32,
        "ketje_jr open": 10,
        "ketje_jr refuse": 10,
        "ketje_jr seal": 10,
        "ketje_sr open": 20,
        "ketje_sr refuse": 20,
        "ketje_sr seal": 26,
        "wm_aes128_fix_encrypt": 144,
        "wm_aes128_fix_expand": 128,
        "wm_aes128_small_decrypt": 16,
        "wm_aes128_small_encrypt": 16,
        "wm_blake2s_digest": 64,
        "wm_ketje_jr_seal": 10,
        "wm_ketje_sr_seal": 26,
        "wm_sha256_digest": 32,
        "wm_sha3_256_digest": 240,
        "xcbc_mac_96 final": 8,
        "xcbc_mac_96 verify": 8,
    },
    "msp430-small": {
        "wm_aes128_fix_encrypt": 119,
        "wm_aes128_fix_expand": 86,
        "wm_aes128_small_decrypt": 16,
        "wm_aes128_small_encrypt": 16,
        "wm_blake2s_digest": 72,
        "wm_curupira1_96_decrypt": 13,
        "wm_curupira1_96_encrypt": 12,
        "wm_grain128_seal": 9,
        "wm_ketje_sr_seal": 20,
        "wm_sha1_digest": 20,
        "wm_sha256_digest": 54,
        "wm_sha3_256_digest": 56,
    },
}
"""Octets that are known to stay, by target and operation."""

Operation = Callable[[EmulatedTarget, Random], None]


def aead(begin: Callable[..., Aead], *lengths: int) -> dict[str, Operation]:
    """Sealing, opening and refusing by an AEAD; lengths of key, nonce, a and m."""

    def run(target: EmulatedTarget, source: Random, way: str) -> None:
        key, nonce, a, m = (source.randbytes(length) for length in lengths)
        made = begin(target, key, nonce)
        ct, tag, _ = made.seal(a, m)
        if way != "seal":
            made.open(a, ct, tag if way == "open" else bytes(len(tag)))

    return {
        way: lambda target, source, way=way: run(target, source, way)  # type: ignore[misc]
        for way in ("seal", "open", "refuse")
    }


def ketje(member: str) -> dict[str, Operation]:
    """Of a member of Ketje."""
    size = SIZES[member]
    return aead(
        lambda target, key, nonce: test_ketje.aead_of(target, member, key, nonce),
        *(size.key, size.nonce, 9, 21),
    )


def lettersoup(target: Target, key: bytes, nonce: bytes) -> Aead:
    """Over Curupira-2."""
    return test_lettersoup.aead_of(target, FORWARD["curupira2"], 12, key, nonce)


def marvin(target: EmulatedTarget, source: Random, way: str) -> None:
    """From key to tag, or to comparison with a wrong tag."""
    under = FORWARD["curupira2"]
    made = test_marvin.Marvin(target, under, source.randbytes(12), [source.randbytes(41)])
    if way == "final":
        made.final(8)
    else:
        made.verify(bytes(8))


def marvin_key(target: EmulatedTarget, source: Random) -> None:
    """The key alone."""
    test_marvin.derived(target, FORWARD["curupira2"], source.randbytes(12))


def cbc(target: EmulatedTarget, source: Random, way: str) -> None:
    """CBC over AES."""
    key = key_of(target, "aes128", source.randbytes(16), both=True)
    iv, octets = source.randbytes(16), source.randbytes(48 - 5 * ("cs3" in way))
    test_block_modes.one_way(target, f"cbc_{way}", key, iv, octets)


def code(mac: Mac) -> dict[str, Operation]:
    """From key to tag, and from key to comparison with a wrong tag."""

    def final(target: EmulatedTarget, source: Random) -> None:
        key, message = source.randbytes(mac.key_octets), source.randbytes(61)
        mac.final(target, mac.context(target, key, [message]), max(mac.tag_lengths))

    def verify(target: EmulatedTarget, source: Random) -> None:
        tag = bytes(len(mac.reference(bytes(mac.key_octets), b"")))
        key, message = source.randbytes(mac.key_octets), source.randbytes(61)
        mac.whole(target, key, message, tag, "off")

    return {"final": final, "verify": verify}


OPERATIONS: dict[str, tuple[tuple[str, ...], dict[str, Operation]]] = {
    "ascon_aead128": (
        test_ascon_aead128.HEADERS,
        aead(test_ascon_aead128.aead_of, 16, 16, 21, 37),
    ),
    "ketje_jr": (test_ketje.HEADERS, ketje("ketje_jr")),
    "ketje_sr": (test_ketje.HEADERS, ketje("ketje_sr")),
    "grain128": (test_grain128.HEADERS, aead(test_grain128.aead_of, 16, 12, 7, 15)),
    "lettersoup": (test_lettersoup.HEADERS, aead(lettersoup, 12, 12, 21, 37)),
    "marvin": (
        test_marvin.HEADERS,
        {
            "derive": marvin_key,
            "final": lambda target, source: marvin(target, source, "final"),
            "verify": lambda target, source: marvin(target, source, "verify"),
        },
    ),
    "cbc": (
        test_block_modes.HEADERS,
        {
            way: lambda target, source, way=way: cbc(target, source, way)  # type: ignore[misc]
            for way in ("encrypt", "decrypt", "cs3_encrypt", "cs3_decrypt")
        },
    ),
    **{mac.name: (test_macs.HEADERS, code(mac)) for mac in MACS},
}


class Left(Calls):
    """Calls after each of which the stack is searched."""

    def __init__(self, name: str, group: str) -> None:
        super().__init__(name, group)
        self.left: dict[str, int] = {}

    def __call__(self, name: str, *args: Argument) -> None:
        """One call with many secrets, and once as it is."""

        def run(source: Random) -> None:
            self.target.call(
                name,
                *(
                    type(a)(source.randbytes(len(a))) if isinstance(a, (bytes, bytearray)) else a
                    for a in args
                ),
            )

        self.left[name] = max(self.left.get(name, 0), residue(self.target, run))
        self.target.reset()
        self.target.call(name, *args)


def check(name: str, left: dict[str, int]) -> None:
    """Nothing is longer than registers are, or than what is known."""
    known = LEFT.get(name, {})
    more = {what: n for what, n in left.items() if n > known.get(what, REGISTERS)}
    assert not more, "octets of secrets on the stack that were not there before"


@pytest.mark.parametrize("form", FORMS, ids=["fast", "small"])
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_primitives_leave_nothing(cpu: str, form: str) -> None:
    """Hashes, sponges and ciphers, call by call."""
    for group, run in GROUPS.items():
        calls = Left(cpu + form, group)
        run(calls)
        check(cpu + form, calls.left)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_modes_leave_nothing(cpu: str, operation: str) -> None:
    """Modes, whether they accept or refuse."""
    headers, ways = OPERATIONS[operation]
    target = target_named(cpu, *headers)
    assert isinstance(target, EmulatedTarget)
    left = {
        f"{operation} {way}": residue(target, lambda source, run=run: run(target, source))  # type: ignore[misc]
        for way, run in ways.items()
    }
    check(cpu, left)


def test_the_search_finds_what_is_there() -> None:
    """A call that copies a secret to the stack and returns leaves it."""
    target = target_named("msp430", *test_macs.HEADERS)
    assert isinstance(target, EmulatedTarget)

    def copy(source: Random) -> None:
        target.program.write(0x3900 - 100, source.randbytes(20))

    assert residue(target, copy) == 20
