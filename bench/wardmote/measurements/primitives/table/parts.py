# SPDX-License-Identifier: BSD-3-Clause
"""What several entries are made of."""

from dataclasses import dataclass

from wardmote.linked import Form
from wardmote.measurements.primitives.entry import Operation, Value, record, secret

AES_KEY = {"tab": "wm_aes128", "small": "wm_aes128", "fix": "wm_aes128_fix_key"}
"""Record of the expanded key of each variant."""
AES_VARIANTS = tuple(AES_KEY)
AES_TWO_WAY_KEY = AES_KEY | {"tab": "wm_aes128_tab_key"}
"""The same where blocks are decrypted as well."""
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
        """Its key and room for what that expands to."""
        return {"schedule": record(f"wm_{self.name}"), "key": secret(self.key_octets)}

    @property
    def expand(self) -> str:
        """The line that expands its key."""
        return f"wm_{self.name}_expand schedule key{' key.len' if self.name == 'rc5' else ''}"

    @property
    def forward(self) -> str:
        """The word for its descriptor."""
        return f"&wm_{self.name}_forward"

    @property
    def inverse(self) -> str:
        """The word for the descriptor of its inverse."""
        return f"&wm_{self.name}_inverse"


SHORTER = (Shorter("skipjack", 10, 8), Shorter("rc5", 16, 8), Shorter("curupira2", 12, 12))


def aes_expand(variant: str, schedule: str = "schedule", key: str = "key") -> str:
    """The line that expands a key for a variant."""
    return f"wm_aes128_{'fix_' if variant == 'fix' else ''}expand {schedule} {key}"


def aes_two_ways(variant: str) -> tuple[str, str]:
    """The line that expands a key for both directions, and the word for the inverse; `fix` has none
    of its own."""
    if variant == "tab":
        return "wm_aes128_tab_expand_inverse schedule key", "&wm_aes128_tab_inverse"
    return aes_expand(variant), "&wm_aes128_small_inverse"


def init(*lines: str) -> Operation:
    """What is done before a message, whatever its length."""
    return Operation("init", lines, per_size=False)
