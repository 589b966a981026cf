# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec packet`: captured packets have the fields of Fig. 1 and the times of Table 2."""

from pathlib import Path

import pytest

from tests.bench.experiments.tinysec_rows import is_in_the_document, of_everything, rows_of
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.packet import PacketRow, parts

pytestmark = [pytest.mark.xdist_group("tinysec packet"), pytest.mark.early]
OCTET_MS = 8 / 19.2


def row(stack: str, data: int) -> PacketRow:
    """One of the rows."""
    [found] = [one for one in rows_of("packet") if (one.stack, one.data_octets) == (stack, data)]
    assert isinstance(found, PacketRow)
    return found


FIELDS = {
    "none": "dst 2 type 1 group 1 length 1 data {n} CRC 2",
    "auth": "dst 2 type 1 length 1 data {n} tag 4",
    "ae": "dst 2 type 1 length 1 iv 4 data {c} tag 4",
}
"""Fig. 1; a TinyOS without TinySec has group before length. AE has a block at least."""


@pytest.mark.parametrize("stack", FIELDS)
@pytest.mark.parametrize("data", [0, 24, 29])
def test_fields_are_those_of_figure_1(stack: str, data: int) -> None:
    """In their order, with their octets. The tag covers all before it, AE encrypts the data alone."""
    one = row(stack, data)
    shown = " ".join(f"{field['name']} {field['octets']}" for field in one.fields)
    assert shown == FIELDS[stack].format(n=data, c=max(data, 8))
    assert sum(field["octets"] for field in one.fields) == one.packet_octets
    for field in one.fields:
        covered = field["name"] not in ("tag", "CRC") and field["octets"] > 0
        assert field["protected"] == covered, field
        assert field["encrypted"] == (stack == "ae" and field["name"] == "data")


def test_octets_of_the_fields() -> None:
    """AM type 4 to mote 0, group 0x7D, mode bits 0x80 and 0xC0 of the length; the paper's IV is the
    source before the counter."""
    octets = {field["name"]: field["hexadecimal"] for field in row("ae", 24).fields}
    assert (octets["dst"], octets["type"], octets["length"]) == ("0000", "04", "d8")
    assert octets["iv"][:4] == "0100", "mote 1"
    assert {f["name"]: f["hexadecimal"] for f in row("auth", 29).fields}["length"] == "9d"
    bare = {field["name"]: field["hexadecimal"] for field in row("none", 24).fields}
    assert (bare["group"], bare["length"]) == ("7d", "18")
    assert bare["data"] == bytes(range(24)).hex()


@pytest.mark.parametrize(
    ("stack", "air", "paper", "paper_ms", "increase", "paper_increase"),
    [
        ("none", 28 + 2 + 31 + 4, 63, 26.2, 0, None),
        ("auth", 28 + 2 + 32 + 4, 64, 26.7, 1 / 65, 0.016),
        ("ae", 28 + 2 + 36 + 4, 68, 28.3, 5 / 65, 0.079),
    ],
)
def test_table_2(
    stack: str, air: int, paper: int, paper_ms: float, increase: float, paper_increase: float | None
) -> None:
    """24 octets of data: 28 of preamble, 2 of synchronisation, the packet, and 4 that flush it; the
    amplifier is on for a tenth of an octet more. One octet of 65 and five of them are the increase."""
    one = row(stack, 24)
    assert (one.symbol_octets, one.flush_octets, one.air_octets) == (30, 4, air)
    assert air * OCTET_MS < one.air_ms < (air + 0.1) * OCTET_MS
    assert one.increase == pytest.approx(increase, abs=0.0005)
    assert (one.paper_air_octets, one.paper_air_ms) == (paper, paper_ms)
    assert one.paper_increase == paper_increase
    assert one.overhead_octets == air - 28 - 2 - 24 - 4
    assert one.paper_overhead_octets == paper - 24


def test_more_octets_are_those_of_the_paper() -> None:
    """Auth adds an octet, AE five; what the paper counts beside the packet is two octets less."""
    octets = {stack: row(stack, 24).air_octets for stack in FIELDS}
    assert (octets["auth"] - octets["none"], octets["ae"] - octets["none"]) == (1, 5)
    printed = {stack: row(stack, 24).paper_air_octets or 0 for stack in FIELDS}
    assert {octets[stack] - printed[stack] for stack in FIELDS} == {2}


def test_a_packet_that_does_not_fit_its_length_is_no_packet() -> None:
    """One octet more or less than the fields have."""
    for octets in (31, 33):
        with pytest.raises(ImageError):
            list(parts(bytes([0, 0, 4, 0x98]) + bytes(octets - 4), standard=False))


def test_the_document_has_these_figures(root: Path) -> None:
    """As measured now, but for the last digit."""
    assert is_in_the_document(root, "packet", 0.02)


def test_what_was_measured() -> None:
    """The same in all rows."""
    found = of_everything("packet", "board", "seed", "power", "wardmote", "commit")
    assert found == {("mica2", 1, 0x0F, "1.0", "c0ffee")}
