# SPDX-License-Identifier: BSD-3-Clause
"""What several entries are made of."""

from wardmote.primitives.entry import Operation

AES_KEY = {"tab": "wm_aes128", "small": "wm_aes128", "fix": "wm_aes128_fix_key"}
"""Record of the expanded key of each variant."""
AES_VARIANTS = tuple(AES_KEY)
MAC_OCTETS = 16


def aes_expand(variant: str, schedule: str = "schedule", key: str = "key") -> str:
    """The line that expands a key for a variant."""
    return f"wm_aes128_{'fix_' if variant == 'fix' else ''}expand {schedule} {key}"


def init(*lines: str) -> Operation:
    """What is done before a message, whatever its length."""
    return Operation("init", lines, per_size=False)
