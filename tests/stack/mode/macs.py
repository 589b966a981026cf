# SPDX-License-Identifier: BSD-3-Clause
"""The message authentication codes of the stack, with another implementation of each, and their
calls in terms of octets."""

from __future__ import annotations

import hmac
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.cmac import CMAC

from tests.model import sized_modes_model
from tests.model.block_modes_model import CIPHERS
from tests.stack.calls import bound
from tests.stack.mode import block_ciphers
from tests.stack.oracle import block_openssl
from tests.vectors import Vector, load
from wardmote.call import Buffer, Outcome, Target, TraceMode

HEADERS = (*block_ciphers.HEADERS, "sha1", "sha256", "hmac", "cbc_mac", "cmac", "xcbc_mac")


@dataclass(frozen=True, slots=True)
class Mac(ABC):
    """A code with `init`, `update`, `final` and `verify` of the usual form."""

    name: str
    """Its folder in vectors/."""
    function: str
    """In names of functions; with `wm_` before it the record of its context."""
    tag_lengths: range
    """All that are accepted."""
    key_octets: int
    """Of a key in tests that need one."""

    def __str__(self) -> str:
        return self.name

    @property
    def tables(self) -> bool:
        """Whether something is looked up by secrets even where addresses count."""
        return False

    def vectors(self) -> list[Vector]:
        """The vectors of this code, over its cipher if it has one."""
        return load(self.name, "mac")

    def enough(self) -> list[Vector]:
        """Those that together must be many: this code's."""
        return self.vectors()

    @abstractmethod
    def reference(self, key: bytes, message: bytes) -> bytes:
        """The longest tag."""

    @abstractmethod
    def begin(
        self, target: Target, context: bytearray, key: bytes, trace: TraceMode
    ) -> list[Outcome]:
        """Keys and begins a context; how each call went that saw a secret."""

    def context(self, target: Target, key: bytes, pieces: Sequence[bytes] = ()) -> bytearray:
        """A context that took the pieces, in octets that held something else before."""
        context = target.pack(f"wm_{self.function}")
        context[:] = b"\xa5" * len(context)
        self.begin(target, context, key, "off")
        for piece in pieces:
            target.call(f"wm_{self.function}_update", context, piece, len(piece))
        return context

    def final(self, target: Target, context: bytearray, tag_len: int) -> tuple[int, bytes]:
        """Status and tag, which begins as 0xee."""
        tag = bytearray(b"\xee" * tag_len)
        return target.call(f"wm_{self.function}_final", context, tag, tag_len).value, bytes(tag)

    def verify(self, target: Target, context: bytearray, tag: bytes) -> int:
        """Status."""
        return target.call(f"wm_{self.function}_verify", context, tag, len(tag)).value

    def whole(
        self, target: Target, key: bytes, message: bytes, tag: bytes, trace: TraceMode
    ) -> list[Outcome]:
        """Every call from key to comparison with `tag`."""
        context = target.pack(f"wm_{self.function}")
        done = self.begin(target, context, key, trace)
        done.append(
            target.call(f"wm_{self.function}_update", context, message, len(message), trace=trace)
        )
        done.append(target.call(f"wm_{self.function}_verify", context, tag, len(tag), trace=trace))
        return done


@dataclass(frozen=True, slots=True)
class Hmac(Mac):
    """HMAC over one hash."""

    hash: str

    def reference(self, key: bytes, message: bytes) -> bytes:
        """Python's own."""
        return hmac.digest(key, message, self.hash)

    def begin(
        self, target: Target, context: bytearray, key: bytes, trace: TraceMode
    ) -> list[Outcome]:
        """`wm_hmac_init`."""
        descriptor = target.address_of(f"wm_hash_{self.hash}")
        return [target.call("wm_hmac_init", context, descriptor, key, len(key), trace=trace)]


def aes_variant(trace: TraceMode) -> str:
    """The variant of AES-128: the fast one, or the one without tables where addresses are compared,
    so that they are the addresses of the code itself."""
    return "tab" if trace == "off" else "fix"


def chain(key: bytes, blocks: bytes) -> bytes:
    """Last block of CBC from an IV of zeros, by OpenSSL."""
    encryptor = Cipher(algorithms.AES(key), modes.CBC(bytes(16))).encryptor()
    return (encryptor.update(blocks) + encryptor.finalize())[-16:]


def xor(a: bytes, b: bytes) -> bytes:
    """Exclusive or of strings of one length."""
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def begin_cbc_mac(
    target: Target, context: bytearray, key: Buffer, trace: TraceMode
) -> list[Outcome]:
    """`wm_cbc_mac_init` over a cipher's key."""
    return [target.call("wm_cbc_mac_init", context, key, trace=trace)]


def begin_cmac(target: Target, context: bytearray, key: Buffer, trace: TraceMode) -> list[Outcome]:
    """`wm_cmac_derive` and `wm_cmac_init` over a cipher's key."""
    derived = target.buffer(len(target.pack("wm_cmac_key")))
    return [
        target.call("wm_cmac_derive", derived, key, trace=trace),
        target.call("wm_cmac_init", context, derived, trace=trace),
    ]


BEGIN = {"cbc_mac": begin_cbc_mac, "cmac": begin_cmac}


@dataclass(frozen=True, slots=True)
class OverAes(Mac):
    """A code over AES-128 with a key of its own."""

    def vectors(self) -> list[Vector]:
        """The vectors over AES."""
        return [vector for vector in load(self.name, "mac") if "cipher" not in vector.parameters]

    def begin(
        self, target: Target, context: bytearray, key: bytes, trace: TraceMode
    ) -> list[Outcome]:
        """As over any cipher."""
        under = bound(target, f"aes128_{aes_variant(trace)}", key)
        return BEGIN[self.name](target, context, under, trace)


@dataclass(frozen=True, slots=True)
class CbcMac(OverAes):
    """CBC-MAC over AES-128."""

    def reference(self, key: bytes, message: bytes) -> bytes:
        """OpenSSL's CBC of the message filled up with zeros, to one block at least."""
        return chain(key, message + bytes(-len(message) % 16 or (0 if message else 16)))


@dataclass(frozen=True, slots=True)
class Cmac(OverAes):
    """CMAC over AES-128."""

    def reference(self, key: bytes, message: bytes) -> bytes:
        """OpenSSL's."""
        mac = CMAC(algorithms.AES(key))
        mac.update(message)
        return mac.finalize()


@dataclass(frozen=True, slots=True)
class XcbcMac(OverAes):
    """AES-XCBC-MAC-96."""

    def reference(self, key: bytes, message: bytes) -> bytes:
        """RFC 3566 §4 in terms of OpenSSL's CBC."""
        k1, k2, k3 = (block_openssl(key, bytes([n] * 16)) for n in (1, 2, 3))
        last = max(0, len(message) - 1) // 16 * 16
        end = message[last:]
        end = xor(end, k2) if len(end) == 16 else xor((end + b"\x80").ljust(16, b"\0"), k3)
        return chain(k1, message[:last] + end)[:12]

    def begin(
        self, target: Target, context: bytearray, key: bytes, trace: TraceMode
    ) -> list[Outcome]:
        """`wm_xcbc_mac_derive` and `wm_xcbc_mac_init`."""
        under = bound(target, f"aes128_{aes_variant(trace)}", key)
        derived = target.buffer(len(target.pack("wm_xcbc_mac_key")))
        return [
            target.call("wm_xcbc_mac_derive", derived, under, trace=trace),
            target.call("wm_xcbc_mac_init", context, derived, trace=trace),
        ]


@dataclass(frozen=True, slots=True)
class Over(Mac):
    """CBC-MAC or CMAC over a cipher whose blocks are shorter than those of AES."""

    cipher: str

    def __str__(self) -> str:
        return f"{self.name} {self.cipher}"

    @property
    def tables(self) -> bool:
        """RC5 alone has none."""
        return self.cipher != "rc5"

    def vectors(self) -> list[Vector]:
        """The vectors of this cipher."""
        return [
            vector
            for vector in load(self.name, "mac")
            if vector.parameters.get("cipher") == self.cipher
        ]

    def enough(self) -> list[Vector]:
        """The vectors of both ciphers with this block length."""
        b = CIPHERS[self.cipher].block_octets
        return [
            vector
            for vector in load(self.name, "mac")
            if CIPHERS[vector.parameters.get("cipher", "aes128")].block_octets == b
        ]

    def reference(self, key: bytes, message: bytes) -> bytes:
        """The model's."""
        compute = sized_modes_model.cmac if self.name == "cmac" else sized_modes_model.cbc_mac
        return compute(CIPHERS[self.cipher], key, message)

    def begin(
        self, target: Target, context: bytearray, key: bytes, trace: TraceMode
    ) -> list[Outcome]:
        """Both as over AES."""
        under = block_ciphers.key_of(target, self.cipher, key)
        return BEGIN[self.name](target, context, under, trace)


def over(name: str, cipher: str) -> Over:
    """A code over a cipher."""
    under = CIPHERS[cipher]
    return Over(name, name, range(4, under.block_octets + 1), under.key_octets, cipher)


MACS: tuple[Mac, ...] = (
    Hmac("hmac_sha1", "hmac", range(10, 21), 20, "sha1"),
    Hmac("hmac_sha256", "hmac", range(16, 33), 32, "sha256"),
    CbcMac("cbc_mac", "cbc_mac", range(4, 17), 16),
    Cmac("cmac", "cmac", range(4, 17), 16),
    XcbcMac("xcbc_mac_96", "xcbc_mac", range(12, 13), 16),
    *(
        over(name, cipher)
        for name in ("cbc_mac", "cmac")
        for cipher in block_ciphers.SHORTER_BLOCKS
    ),
)
