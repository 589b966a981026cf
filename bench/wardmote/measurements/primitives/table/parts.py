# SPDX-License-Identifier: BSD-3-Clause
"""What several entries are made of."""

from dataclasses import dataclass

from wardmote.linked import Form
from wardmote.measurements.primitives.entry import Operation, Value, record, secret

AES_SCHEDULE = {"tab": "wm_aes128", "small": "wm_aes128", "fix": "wm_aes128_slices"}
"""Record of the expanded key of each variant."""
AES_VARIANTS = tuple(AES_SCHEDULE)
MAC_OCTETS = 16
SMALL_TOO: tuple[tuple[str, Form], ...] = (("", "fast"), ("small", "small"))
"""Variants of what has a small form, and the form of the library that each is in."""


@dataclass(frozen=True, slots=True)
class Shorter:
    """A cipher with blocks shorter than those of AES, under a mode."""

    name: str
    key_octets: int
    block_octets: int

    @property
    def values(self) -> dict[str, Value]:
        """Octets of a key, and room for the key that the modes take."""
        return {"cipher": record(f"wm_{self.name}_key"), "key": secret(self.key_octets)}

    def init(self, way: str = "") -> str:
        """The line that makes the key; `way` is `_both` where blocks are decrypted as well."""
        return f"wm_{self.name}_init{way} cipher key{' key.len' if self.name == 'rc5' else ''}"


SHORTER = (Shorter("skipjack", 10, 8), Shorter("rc5", 16, 8), Shorter("curupira2", 12, 12))


def aes_values(variant: str, way: str = "") -> dict[str, Value]:
    """Octets of a key, and room for the key of a variant that the modes take; `way` is `_both` where
    blocks are decrypted as well, `fix` having no other direction."""
    own = way if variant == "tab" else ""
    return {"cipher": record(f"wm_aes128_{variant}{own}_key"), "key": secret(16)}


def aes_init(variant: str, way: str = "") -> str:
    """The line that makes that key."""
    return f"wm_aes128_{variant}_init{'' if variant == 'fix' else way} cipher key"


def init(*lines: str) -> Operation:
    """What is done before a message, whatever its length."""
    return Operation("init", lines, per_size=False)
