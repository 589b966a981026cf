# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote ipsec overhead`: octets are those of the RFCs, of the paper's layout and of the draft's,
and frames hold what they say."""

from pathlib import Path

import pytest

from tests.bench.experiments.ipsec_rows import is_in_the_document, of_everything, rows_of
from wardmote.errors import ImageError
from wardmote.experiments.ipsec.cuts import Knife
from wardmote.experiments.ipsec.overhead import OverheadRow
from wardmote.experiments.ipsec.verbs.overhead import cheaper_from, one, printed_cheaper_from

pytestmark = [pytest.mark.xdist_group("ipsec overhead"), pytest.mark.early]
DATA = (16, 22, 32, 64, 128, 256, 512)
MHR, FCS, UDP, IPHC, PSDU = 9, 2, 8, 2, 127
IVS = {"CBC": 16, "CTR": 8, "CCM-8": 8, "CCM-16": 8, "CCM-8, implicit IV": 0, "NULL": 0}
ICVS = {"SHA1": 12, "XCBC": 12, "CMAC": 12, "SHA256": 16, "CCM-8": 8, "CCM-16": 16}
BLOCKS = {"CBC": 16}
LEVELS = {"MIC-32": 4, "MIC-64": 8, "MIC-128": 16, "ENC": 0} | {
    f"ENC-MIC-{8 * octets}": octets for octets in (4, 8, 16)
}


def of(protection: str, data: int = 22) -> OverheadRow:
    """A row."""
    return one(rows_of("overhead"), protection, data)


def rows(kind: str) -> list[OverheadRow]:
    """All of a kind."""
    return [row for row in rows_of("overhead") if row.kind == kind]


def esp_of(name: str) -> tuple[int, int, int]:
    """IV, ICV and block of an ESP, by its name."""
    encryption, _, code = name.removeprefix("ESP ").partition("+")
    icv = ICVS.get(code or encryption.partition(",")[0], 0)
    return IVS[encryption], icv, BLOCKS.get(encryption, 4)


def adds(name: str, data: int) -> tuple[int, int, int, int]:
    """Uncompressed, the paper's layout and the draft's without padding, and padding, by hand."""
    if name.startswith("AH XCBC, "):
        ah, esp = adds("AH XCBC", data), adds(name.removeprefix("AH XCBC, "), data)
        # The draft has AH's next header in line, behind which ESP is as it is.
        return ah[0] + esp[0], ah[1] + esp[1], ah[2] + esp[0], esp[3]
    if name.startswith("AH"):
        icv = ICVS[name.removeprefix("AH ")]
        whole = -(-(12 + icv) // 8) * 8
        return whole, whole - 8, whole - 8, 0
    iv, icv, block = esp_of(name)
    pad = -(UDP + data + 2) % block
    return 10 + iv + icv, 6 + iv + icv, 5 + iv + icv, pad


@pytest.mark.parametrize("data", DATA)
def test_octets_of_every_suite(data: int) -> None:
    """RFC 4302, 4303 and those of algorithms; two octets of NHC, and 2 of the sequence number, or 1
    in the draft's layout."""
    names = [row.protection for row in rows("IPsec") if row.data_octets == data]
    assert len(names) == 2 * 16
    for name in names:
        row = of(name, data)
        uncompressed, compressed, draft, pad = adds(name, data)
        assert row.padding_octets == pad, name
        assert row.uncompressed_octets == uncompressed + pad, name
        assert (row.compressed_octets, row.draft_octets) == (compressed + pad, draft + pad), name
        encrypted = "ESP" in name
        assert row.udp_octets == int(encrypted), "the datagram's header has 7 octets compressed"
        assert row.inline_octets == uncompressed + pad + 2, "a next header, and UDP as it is"
        assert not row.computed


def test_what_the_issue_of_sizes_is() -> None:
    """AH 16 octets, ESP CCM-8 22, in the paper's layout."""
    assert [of(name).compressed_octets for name in ("AH XCBC", "ESP CCM-8")] == [16, 22]


@pytest.mark.parametrize("level", LEVELS)
def test_octets_of_link_security(level: str) -> None:
    """Security control and frame counter, and the MIC."""
    for data in DATA:
        row = of(level, data)
        assert row.frame_octets == 1 + 4 + LEVELS[level]
        assert row.service == (
            "encryption" if level == "ENC" else "both" if "ENC" in level else "authentication"
        )


def frames_of(payload: int, room: int, saved: int) -> tuple[int, int]:
    """Frames and octets of payload, where headers took `saved` octets less than they stand for."""
    if payload <= room:
        return 1, payload
    first = (room - 4 + saved) // 8 * 8
    left, count, octets = payload + saved - first, 1, 4 + first - saved
    while left:
        part = min(left, left if left <= room - 5 else (room - 5) // 8 * 8)
        left, count, octets = left - part, count + 1, octets + 5 + part
    return count, octets


@pytest.mark.parametrize("data", DATA)
def test_frames(data: int) -> None:
    """RFC 4944: fragments of multiples of 8 octets of the packet that was not compressed yet."""
    clear = IPHC + 7 + data
    for name, extra in (("none", 0), *((level, 5 + mic) for level, mic in LEVELS.items())):
        row = of(name, data)
        count, octets = frames_of(clear, PSDU - MHR - FCS - extra, 40 + 8 - 9)
        assert (row.frames, row.psdu_octets) == (count, octets + count * (MHR + FCS + extra)), name
        assert row.more_octets == octets + count * (MHR + FCS + extra) - (
            of("none", data).psdu_octets or 0
        )
    for row in (it for it in rows("IPsec") if it.data_octets == data):
        assert row.compressed_octets is not None
        assert row.udp_octets is not None
        assert row.uncompressed_octets is not None
        payload = clear + row.compressed_octets + row.udp_octets
        saved = 40 + UDP + data + row.uncompressed_octets - payload
        for room, found in (
            (PSDU - MHR - FCS, (row.frames, row.psdu_octets)),
            (PSDU - MHR - FCS - 21, (row.linked_frames, row.linked_psdu_octets)),
        ):
            count, octets = frames_of(payload, room, saved)
            assert found == (count, octets + count * (PSDU - room)), (row.protection, room)
        assert row.more_octets == (row.psdu_octets or 0) - (of("none", data).psdu_octets or 0)


def test_fields_add_up() -> None:
    """Octets of fields are octets of the whole, and each octet is there."""
    for row in rows("IPsec"):
        for fields, whole in (
            (row.packet_fields, UDP + row.data_octets + (row.uncompressed_octets or 0)),
            (
                row.frame_fields,
                IPHC + 7 + row.data_octets + (row.compressed_octets or 0) + (row.udp_octets or 0),
            ),
        ):
            assert sum(one["octets"] for one in fields) == whole
            assert all(len(bytes.fromhex(one["hexadecimal"])) == one["octets"] for one in fields)
    assert [one["name"] for one in of("ESP CBC+SHA1").frame_fields] == [
        *("IPHC", "NHC EH", "NHC ESP", "sequence number", "IV", "UDP and data"),
        *("pad length", "next header", "ICV"),
    ]
    by_name = {one["name"]: one["hexadecimal"] for one in of("AH SHA1").frame_fields}
    assert (by_name["NHC EH"], by_name["NHC AH"]) == ("eb", "d1")
    assert by_name["sequence number"] == "0001"


def test_a_field_that_is_not_there() -> None:
    """Is refused."""
    with pytest.raises(ImageError):
        Knife(b"abc").cut("ICV", 4)


def test_the_papers_figures() -> None:
    """Typed a second time, beside the rows that they were printed for."""
    printed = {"AH SHA1": (24, 16, 12), "ESP CBC": (18, 12, 5), "ESP CBC+SHA1": (30, 24, 21)}
    for row in rows_of("overhead"):
        found = row.paper_uncompressed_octets, row.paper_compressed_octets, row.paper_link_octets
        link = {"ENC": 5, "ENC-MIC-128": 21}.get(row.protection)
        assert found == printed.get(row.protection, (None, None, link)), row.protection


def test_the_claim_on_fragments() -> None:
    """Two frames favour IPsec where both authenticate, and never where both only encrypt. By the
    paper's sizes 12 octets of encryption need three frames of 5."""
    found = rows_of("overhead")
    assert cheaper_from(found, "AH XCBC", "MIC-64") == 2
    assert cheaper_from(found, "ESP CCM-8", "ENC-MIC-64") == 2
    assert cheaper_from(found, "ESP CTR", "ENC") is None
    services = ("authentication", "encryption", "encryption_authentication")
    assert [printed_cheaper_from(service) for service in services] == [2, 3, 2]


RECORDS = {
    "DTLS 1.2, CCM-8": 13 + 8 + 8,
    "DTLS 1.2, CCM-8, connection ID of 1": 13 + 1 + 1 + 8 + 8,
    "DTLS 1.3, CCM-8, shortest": 1 + 1 + 1 + 8,
    "DTLS 1.3, CCM, length": 1 + 2 + 2 + 1 + 16,
    "OSCORE request": 1 + 3 + 1 + 1 + 8,
    "OSCORE response": 1 + 1 + 1 + 8,
}


def test_records_are_computed() -> None:
    """And say so: they have no octets, no frames and no levels."""
    found = {row.protection: row for row in rows("record")}
    assert {name: row.uncompressed_octets for name, row in found.items()} == RECORDS
    for row in found.values():
        assert row.computed
        assert row.service == "both"
        assert {one["hexadecimal"] for one in row.packet_fields} == {""}
        assert list(row.frame_fields) == []
        assert (row.frames, row.frame_octets) == (None, None)
    assert {row.kind for row in rows_of("overhead")} == {"clear", "link", "IPsec", "record"}


def test_what_was_measured() -> None:
    """The same octets on both boards."""
    found = of_everything("overhead", "board", "seed", "wardmote", "commit")
    assert found == {(board, 1, "1.0", "c0ffee") for board in ("telosb", "openmote-cc2538")}
    one_board, other = (
        [row for row in rows_of("overhead") if row.board == board]
        for board in ("telosb", "openmote-cc2538")
    )
    assert [row.packet_fields for row in one_board] == [row.packet_fields for row in other]


def test_the_document_has_these_figures(root: Path) -> None:
    """As measured now."""
    assert is_in_the_document(root, "overhead", 0)
