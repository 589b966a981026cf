# SPDX-License-Identifier: BSD-3-Clause
"""The paper's printed times for a TelosB, by operation and length; nothing is interpolated."""

from typing import Any

from wardmote.measurements.primitives.entry import Primitive
from wardmote.published import load

BOARD, CPU = "telosb", "msp430"
CLOCKS_HZ = (8_000_000, 4_194_304)
"""The paper does not say its clock: the fastest of the CPU, and what TinyOS sets."""
SOURCE = "published/primitives.toml"
BLOCK_OCTETS = 16
"""Length of what its tables of AES are about."""
AEAD = {False: "aead_encrypt_no_ad_ms", True: "aead_encrypt_ad_equals_data_ms"}


def printed_ms(primitive: Primitive, operation: str, octets: int, a_octets: int) -> float | None:
    """The printed time of exactly this, or None; a whole digest is the sum of its three parts."""
    place = primitive.published.get(operation)
    if place is None:
        return None
    table, *names = place.split(".")
    tables = load("primitives")[BOARD]
    if table == "hash_digest_ms":
        parts = [
            _found(tables, f"hash_{part}_ms", names, part, octets)
            for part in ("init", "update", "final")
        ]
        return None if None in parts else round(sum(part or 0 for part in parts), 3)
    if table == "aead_encrypt":
        return (
            _listed(tables[AEAD[a_octets > 0]], names[0], octets)
            if a_octets in (0, octets)
            else None
        )
    return _found(tables, table, names, operation, octets)


def _found(
    tables: dict[str, Any], table: str, names: list[str], operation: str, octets: int
) -> float | None:
    """The printed figure at one place of the tables; tables with lengths have one for each."""
    if names[0] not in tables[table]:
        return None
    found: Any = tables[table]
    for name in names:
        found = found[name]
    if isinstance(found, dict):  # A list of its own: D beside ms.
        return _listed(found, "ms", octets)
    if isinstance(found, list):
        return _listed(tables[table], names[0], octets)
    if table == "cipher_mode_16_bytes_ms" and operation != "init" and octets != BLOCK_OCTETS:
        return None
    return float(found)


def _listed(table: dict[str, Any], name: str, octets: int) -> float | None:
    """The entry of a list that belongs to a length."""
    return dict(zip(table["D"], table[name], strict=True)).get(octets)


def ratio(ms: float | None, cycles: int, clock_hz: int) -> float | None:
    """The printed time over ours at a clock."""
    return None if ms is None else round(ms / 1000 * clock_hz / cycles, 3)
