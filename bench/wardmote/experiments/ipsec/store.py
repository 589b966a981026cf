# SPDX-License-Identifier: BSD-3-Clause
"""Where boards keep counters in flash, and what wm_counter_store_create leaves there: a mote that is
programmed by itself would have made it."""

from collections.abc import Mapping
from typing import NamedTuple


class Store(NamedTuple):
    """Two segments, one behind the other."""

    at: int
    segment_octets: int
    begins: tuple[bytes, bytes]
    """What is written at the beginning of each."""

    @property
    def octets(self) -> int:
        """Of both."""
        return len(self.begins) * self.segment_octets

    def empty(self) -> bytes:
        """No counter was used."""
        return b"".join(one.ljust(self.segment_octets, b"\xff") for one in self.begins)


STORES: Mapping[str, Store] = {
    "telosb": Store(
        0x1000,
        128,
        (bytes.fromhex("a52301000000eb3c"), bytes.fromhex("00ffffffffffffff5a24000000003479")),
    ),
    "openmote-cc2538": Store(
        0x0027E000,
        2048,
        (
            bytes.fromhex("a52301000000eb3ca5230100"),
            bytes.fromhex("00ffffffffffffffffffffff5a240000000034795a240000"),
        ),
    ),
}
"""By board."""
