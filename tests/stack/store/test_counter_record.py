# SPDX-License-Identifier: BSD-3-Clause
"""What a record is on the medium, so that a store opens what an older build of it wrote: its kind,
how many of the other bits are zeros, its value, and a mark, which is a CRC."""

from __future__ import annotations

from binascii import crc_hqx

import pytest

from tests.stack.conftest import target_named
from tests.stack.store.counterlib import GEOMETRY, Counters


@pytest.mark.parametrize("port", GEOMETRY)
def test_records_are_what_the_format_says(port: str) -> None:
    """Python's own CRC and a count of zeros agree with every record of a store that was used."""
    store = Counters(target_named("host"), port)
    assert (store.create(), store.open()) == ("WM_OK", "WM_OK")
    for counter in range(1, 60, 3):
        assert store.advance(counter % store.slots, counter) == "WM_OK"
    places = store.octets // store.place_octets
    found = [store.place(s, p) for s in range(store.segments) for p in range(places)]
    # A blank place holds no record, nor does one that was retired by a kind of 0.
    empty = (b"\xff\xff", b"\0\xff")
    records = [place[:8] for place in found if place[:2] not in empty]
    assert len(records) > store.slots
    for record in records:
        content = record[:1] + record[2:6]
        assert record[1] == sum(8 - octet.bit_count() for octet in content)
        assert int.from_bytes(record[6:], "little") == crc_hqx(record[:6], 0xFFFF) & 0x7FFF
