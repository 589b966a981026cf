# SPDX-License-Identifier: BSD-3-Clause
"""The hashes of the stack, with another implementation of each, and their calls in terms of
octets."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vectors.ascon_model import hash256
from wardmote.call import Outcome, Target, TraceMode


@dataclass(frozen=True, slots=True)
class Hash:
    """A hash with `init`, `update`, `final` and `digest` of the usual form."""

    name: str
    """In names of functions; also its folder in vectors/."""
    digest_octets: int
    reference: Callable[[bytes], bytes]
    long_octets: int = 65535
    """Of a message that the reference does not take too long for."""
    init: tuple[int | None, ...] = ()
    """What `init` takes beside the context."""

    def __str__(self) -> str:
        return self.name

    def digest(
        self, target: Target, message: bytes, trace: TraceMode = "off"
    ) -> tuple[bytes, Outcome]:
        """The digest in one call, and how the call went."""
        octets = bytearray(b"\xee" * self.digest_octets)
        outcome = target.call(f"wm_{self.name}_digest", message, len(message), octets, trace=trace)
        return bytes(octets), outcome

    def in_pieces(self, target: Target, pieces: Sequence[bytes]) -> tuple[bytes, bytes]:
        """The digest of pieces in a context that held something else before, and what is left of
        the context."""
        context = target.pack(f"wm_{self.name}")
        context[:] = b"\xa5" * len(context)
        target.call(f"wm_{self.name}_init", context, *self.init)
        for piece in pieces:
            target.call(f"wm_{self.name}_update", context, piece, len(piece))
        octets = bytearray(b"\xee" * self.digest_octets)
        target.call(f"wm_{self.name}_final", context, octets)
        return bytes(octets), bytes(context)


HASHES = (
    Hash("sha1", 20, lambda m: hashlib.sha1(m).digest()),
    Hash("sha256", 32, lambda m: hashlib.sha256(m).digest()),
    Hash("blake2s", 32, lambda m: hashlib.blake2s(m).digest(), init=(32, None, 0)),
    Hash("sha3_256", 32, lambda m: hashlib.sha3_256(m).digest()),
    Hash("ascon_hash256", 32, hash256, 8191),
)
