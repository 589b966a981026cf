# SPDX-License-Identifier: BSD-3-Clause
"""The block ciphers that modes run over: expanded keys and descriptors, by name."""

from __future__ import annotations

from functools import lru_cache

from tests.stack.calls import OK
from wardmote.call import Target

HEADERS = ("aes128", "skipjack", "rc5", "curupira1", "curupira2")
EXPANDED = {
    "aes128": "wm_aes128",
    "skipjack": "wm_skipjack",
    "rc5": "wm_rc5",
    "curupira1_96": "wm_curupira1_96",
    "curupira2": "wm_curupira2",
}
"""Structure of the expanded key of each cipher, and function `..._expand`."""
FUNCTIONS = {
    "aes128": ("wm_aes128_small_forward", "wm_aes128_small_inverse"),
    "skipjack": ("wm_skipjack_forward", "wm_skipjack_inverse"),
    "rc5": ("wm_rc5_forward", "wm_rc5_inverse"),
    "curupira1_96": ("wm_curupira1_96_forward", "wm_curupira1_96_inverse"),
    "curupira2": ("wm_curupira2_forward", "wm_curupira2_inverse"),
}
"""Descriptors of each cipher that the tests take throughout."""
SHORTER_BLOCKS = ("skipjack", "rc5", "curupira1_96", "curupira2")


@lru_cache(maxsize=64)
def expand(target: Target, name: str, key: bytes, form: str = "") -> bytes:
    """The expanded key of a cipher."""
    form = form or EXPANDED[name]
    schedule = target.pack(form)
    outcome = target.call(
        f"{form.removesuffix('_key')}_expand",
        schedule,
        key,
        *((len(key),) if name == "rc5" else ()),
    )
    assert name != "rc5" or outcome.value == OK
    return bytes(schedule)
