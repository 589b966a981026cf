# SPDX-License-Identifier: BSD-3-Clause
"""A call of every primitive on an emulated CPU, by which each function in assembly is reached."""

from __future__ import annotations

import abc
import random
from collections.abc import Callable

from tests.stack.conftest import room, target_named
from wardmote.call import Argument, EmulatedTarget

FORMS = ("", "-small")


class Calls(abc.ABC):
    """Calls with random octets on one target. A subclass checks each of them."""

    def __init__(self, name: str, group: str) -> None:
        target = target_named(name, *HEADERS[group])
        assert isinstance(target, EmulatedTarget)
        target.reset()
        self.cpu = name.partition("-")[0]
        self.target = target
        self.source = random.Random(group)

    def octets(self, count: int) -> bytearray:
        """Random ones, for the function to change."""
        return bytearray(self.source.randbytes(count))

    @abc.abstractmethod
    def __call__(self, name: str, *args: Argument) -> None:
        """One call."""


def of_hashes(call: Calls) -> None:
    """Every hash, with an end in a block of its own, and what else reaches a permutation's
    octets."""
    for name, length in (
        ("sha1", 20),
        ("sha256", 32),
        ("blake2s", 32),
        ("sha3_256", 32),
        ("ascon_hash256", 32),
    ):
        message = call.octets(66)
        call(f"wm_{name}_digest", bytes(message), 66, call.octets(length))
    for verb in ("encrypt", "decrypt"):
        call(f"wm_ascon_{verb}", call.octets(40), 3, call.octets(15), 15)


def of_sponges(call: Calls) -> None:
    """Both members of Ketje."""
    for name, key, nonce, tag in (("jr", 12, 10, 12), ("sr", 16, 16, 16)):
        secrets = bytes(call.octets(key)), bytes(call.octets(nonce))
        call(f"wm_ketje_{name}_seal", *secrets, bytes(3), 3, call.octets(7), 7, call.octets(tag))


def of_ciphers(call: Calls) -> None:
    """Every cipher both ways, and stream ciphers with what is left of a step."""
    pack = call.target.pack
    for name, iv in (("trivium", 10), ("grain_v1", 8)):
        context = pack(f"wm_{name}")
        call(f"wm_{name}_init", context, bytes(call.octets(10)), bytes(call.octets(iv)))
        call(f"wm_{name}_crypt", context, call.octets(7), 7)
    secrets = bytes(call.octets(16)), bytes(call.octets(12)), bytes(call.octets(5))
    call("wm_grain128_seal", *secrets, 5, call.octets(5), 5, call.octets(8))
    rc5 = pack("wm_rc5")
    call("wm_rc5_expand", rc5, bytes(call.octets(16)), 16)
    aes = pack("wm_aes128_two_way")
    call("wm_aes128_tab_expand_inverse", aes, bytes(call.octets(16)))
    call("wm_aes128_tab_chain", bytes(aes[:176]), call.octets(16), bytes(call.octets(48)), 3)
    call("wm_aes128_lean_encrypt", bytes(aes[:16]), call.octets(16))
    curupira = pack("wm_curupira1_96")
    call("wm_curupira1_96_expand", curupira, bytes(call.octets(12)))
    for way in ("encrypt", "decrypt"):
        call(f"wm_rc5_{way}", bytes(rc5), call.octets(8))
        call(
            f"wm_aes128_tab_{way}",
            bytes(aes) if way == "decrypt" else bytes(aes[:176]),
            call.octets(16),
        )
        call(f"wm_aes128_small_{way}", bytes(aes[:176]), call.octets(16))
        call(f"wm_curupira1_96_{way}", bytes(curupira), call.octets(12))
    call("wm_curupira_sct", call.octets(12))
    curupira2, skipjack = pack("wm_curupira2"), pack("wm_skipjack")
    call("wm_curupira2_expand", curupira2, bytes(call.octets(12)))
    call("wm_skipjack_expand", skipjack, bytes(call.octets(10)))
    for way in ("encrypt", "decrypt"):
        call(f"wm_curupira2_{way}", bytes(curupira2), call.octets(12))
        call(f"wm_skipjack_{way}", bytes(skipjack), call.octets(8))
        call(f"wm_skipjack_small_{way}", bytes(skipjack), call.octets(8))
    fix = pack("wm_aes128_slices")
    call("wm_aes128_fix_expand", fix, bytes(call.octets(16)))
    call("wm_aes128_fix_encrypt", bytes(fix), call.octets(16))


GROUPS: dict[str, Callable[[Calls], None]] = {
    "hashes": of_hashes,
    "sponges": of_sponges,
    "ciphers": of_ciphers,
}
HEADERS = {
    "hashes": tuple(name for name in room("hash") if not name.startswith("keccak_p")),
    "sponges": ("ketje_jr", "ketje_sr"),
    "ciphers": room("cipher"),
}
