# SPDX-License-Identifier: BSD-3-Clause
"""The stack's primitives on one target, octets in and octets out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from wardmote.call import Argument, Buffer, Target

SEAL = 1


@dataclass(frozen=True)
class Block:
    """A block cipher, whose keys `wm_NAME_init_both` makes."""

    name: str
    block: int
    form: str = ""
    """Type of its keys, if it is not `wm_NAME_key`."""
    takes_length: bool = False

    def key(self, target: Target, key: bytes) -> Buffer:
        """A key for both directions, in memory of the target."""
        return target.buffer(_made(target, self, key))


AES = Block("aes128_tab", 16, "wm_aes128_tab_both_key")
SKIPJACK, RC5 = Block("skipjack", 8), Block("rc5", 8, takes_length=True)
CURUPIRA1 = {
    12: Block("curupira1_96", 12),
    18: Block("curupira1_144", 12),
    24: Block("curupira1_192", 12),
}


@lru_cache(maxsize=16)
def _made(target: Target, cipher: Block, key: bytes) -> bytes:
    made = target.pack(cipher.form or f"wm_{cipher.name}_key")
    more = (len(key),) if cipher.takes_length else ()
    target.call(f"wm_{cipher.name}_init_both", made, key, *more)
    return bytes(made)


def encrypt(target: Target, cipher: Block, key: bytes, block: bytes, times: int = 1) -> bytes:
    """A block, encrypted over and over: CBC over zeros, in which each block is the encryption of
    the one before."""
    octets = bytearray(times * cipher.block)
    target.call(
        "wm_cbc_encrypt",
        cipher.key(target, key),
        bytearray(block),
        octets,
        len(octets),
    )
    return bytes(octets[-cipher.block :])


def decrypt(target: Target, cipher: Block, key: bytes, block: bytes) -> bytes:
    """A block, decrypted."""
    octets, iv = bytearray(block), bytearray(cipher.block)
    target.call(
        "wm_cbc_decrypt",
        cipher.key(target, key),
        iv,
        octets,
        len(octets),
    )
    return bytes(octets)


def keystream(target: Target, name: str, key: bytes, iv: bytes, octets: int) -> bytes:
    """The first octets that a stream cipher makes."""
    context, data = target.pack(f"wm_{name}"), bytearray(octets)
    target.call(f"wm_{name}_init", context, key, iv)
    target.call(f"wm_{name}_crypt", context, data, octets)
    return bytes(data)


def digest(target: Target, name: str, message: bytes, octets: int) -> bytes:
    """A hash of a whole message."""
    result = bytearray(octets)
    target.call(f"wm_{name}_digest", message, len(message), result)
    return bytes(result)


def hmac(target: Target, name: str, key: bytes, message: bytes, octets: int) -> bytes:
    """HMAC over a hash."""
    context, tag = target.pack("wm_hmac"), bytearray(octets)
    target.call("wm_hmac_init", context, target.address_of(f"wm_hash_{name}"), key, len(key))
    target.call("wm_hmac_update", context, message, len(message))
    assert target.call("wm_hmac_final", context, tag, octets).value == 0
    return bytes(tag)


def cmac_key(target: Target, cipher: Block, key: bytes) -> Buffer:
    """What CMAC derives of a key, in memory of the target."""
    derived = target.buffer(bytes(target.pack("wm_cmac_key")))
    target.call("wm_cmac_derive", derived, cipher.key(target, key))
    return derived


def cmac(target: Target, cipher: Block, key: bytes, message: bytes, octets: int) -> bytes:
    """CMAC of a whole message."""
    context, tag = target.pack("wm_cmac"), bytearray(octets)
    target.call("wm_cmac_init", context, cmac_key(target, cipher, key))
    target.call("wm_cmac_update", context, message, len(message))
    assert target.call("wm_cmac_final", context, tag, octets).value == 0
    return bytes(tag)


@dataclass(frozen=True)
class Sealed:
    """The result of sealing, and the status of opening it."""

    status: int
    octets: bytes
    opened: int
    back: bytes


def both_ways(
    target: Target,
    function: str,
    before: tuple[Argument, ...],
    a: bytes,
    m: bytes,
    tag: int,
    last: bool,
) -> Sealed:
    """Seals, and opens the outcome; `last` says whether the length of the tag is passed."""
    octets, mac = bytearray(m), bytearray(tag)
    more = (tag,) if last else ()
    sealed = target.call(f"{function}_seal", *before, a, len(a), octets, len(m), mac, *more).value
    back = bytearray(octets)
    opened = target.call(
        f"{function}_open", *before, a, len(a), back, len(m), bytes(mac), *more
    ).value
    return Sealed(int(sealed or 0), bytes(octets + mac), opened, bytes(back))


def ketje_context(target: Target, name: str, state: bytes) -> bytearray:
    """A context that is about to take its first octet, with a state of the caller's."""
    context = target.pack(f"wm_{name}")
    key, nonce = {"ketje_sr": (16, 16), "ketje_jr": (12, 10)}[name]
    target.call(f"wm_{name}_start", context, bytes(key), bytes(nonce), 0)
    members = target.unpack(f"wm_{name}", bytes(context))
    width = len(state) // 25
    lanes = [int.from_bytes(state[i : i + width], "little") for i in range(0, len(state), width)]
    return target.pack(f"wm_{name}", **{**members, "lane": lanes})
