# SPDX-License-Identifier: BSD-3-Clause
"""The vector files of the link layer hold what a standard or a paper prints."""

from tests.vectors import load


def test_a_third_are_refusals() -> None:
    """At least one case in three says what must not be accepted."""
    for folder in ("ieee802154", "link_security", "tsch"):
        vectors = load(folder)
        assert sum(not vector.valid for vector in vectors) * 3 >= len(vectors)


# Computed by another program before this model was written: Annex C.2.2 at every level, and frames
# of TSCH.
KNOWN = {
    "Annex C.2.2 at level 1": "f03f3843",
    "Annex C.2.2 at level 2": "ad29d65927230375",
    "Annex C.2.2 at level 3": "98bddc1a263b1479b494b48bc7844232",
    "Annex C.2.2 at level 4": "d43e022b",
    "Annex C.2.2 at level 5": "3566bd721b0c6e27",
    "Annex C.2.2 at level 6": "77cb04d08e6078f2f2be4c61",
    "Annex C.2.2 at level 7": "4e8b60da3d80eebd8944cb7818eb3e5e0863f8e6",
    "Enhanced Beacon, MIC-32": "2d3ab840",
    "data, level 1": "6550adb8",
    "data, level 2": "1d423cf138357268",
    "data, level 3": "6cfde59eb173b98a6582536084ddf2e1",
    "data, level 5": "4a7246a4020fdc57928b62dfeacf9707095f461340942131",
    "data, level 6": "4a7246a4020fdc57928b62dfeacf9707095f4613714542edc1b7ce22",
    "data, level 7": "4a7246a4020fdc57928b62dfeacf9707095f46139fd69c27a2153563d951ec5eae67c773",
    "Enh-Ack, level 5, correction -5 us": "26ce0d16",
    "data from a short address": "3f07215d208bec7a47bf555b53d72c003e74832779db5c49",
}


def test_known_values() -> None:
    """Frames end with the octets that were computed independently."""
    found = {
        v.comment: v.members["secured"]
        for f in ("link_security", "tsch")
        for v in load(f, "frame-security")
    }
    assert {name: found[name][-len(end) :] for name, end in KNOWN.items()} == KNOWN
