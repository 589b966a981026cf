# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote frame show`: fields in the standard's names, and where malformed frames go wrong."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.bench.frame.captures import pcap, tap
from tests.bench.frame.command import refused, run
from tests.bench.frame.network import K2, LEAF_EXT, ROOT_EXT, data_frame, in_clear, on_air
from tests.model.ieee802154_model import (
    BEACON,
    COMMAND,
    HT1,
    HT2,
    Ash,
    Beacon,
    Frame,
    nonce_of,
    secure,
    time_correction,
)


def shown(*frames: bytes, words: tuple[str | Path, ...] = ()) -> list[dict[str, object]]:
    """Frames taken apart, as JSON rows."""
    done = run("show", "--format", "json", *words, given=pcap(tap(frame, 5) for frame in frames))
    assert done.err == ""
    rows: list[dict[str, object]] = json.loads(done.out)
    return rows


def test_every_field_of_a_secured_frame() -> None:
    """A secured frame shows header, ASH, both parts, nonce and MIC, with the model's values."""
    frame = data_frame()
    octets = on_air(frame, 5)
    [row] = shown(octets)
    assert row == {
        "frame": 1,
        "status": "SUCCESS",
        "reason": None,
        "octet": None,
        "frame_octets": len(octets),
        "frame_type": "data",
        "frame_version": 2,
        "security_enabled": True,
        "frame_pending": False,
        "ack_request": True,
        "pan_id_compression": False,
        "sequence_number_suppression": False,
        "ie_present": False,
        "sequence_number": 7,
        "destination_pan_id": "abcd",
        "destination_address": ROOT_EXT.hex(),
        "source_pan_id": None,
        "source_address": LEAF_EXT.hex(),
        "security_level": 5,
        "security_level_name": "ENC-MIC-32",
        "key_identifier_mode": 1,
        "frame_counter_suppression": True,
        "asn_in_nonce": True,
        "frame_counter": None,
        "key_source": None,
        "key_index": 2,
        "asn": 5,
        "nonce": nonce_of(frame, "asn", 5, None).hex(),
        "header_ies": None,
        "payload": octets[23:-4].hex(),
        "a_data_octets": 23,
        "m_data": octets[23:-4].hex(),
        "mic": octets[-4:].hex(),
        "fcs": row["fcs"],
        "channel": None,
        "channel_page": None,
        "rss": None,
        "lqi": None,
        "schema": "FrameRow 1",
    }


def test_parts_follow_from_the_frame_type() -> None:
    """A command's identifier and a beacon's fields are a-data before version 2, header IEs
    always."""
    ash = Ash(6, 3, 1, False, bytes(8), 9)
    command = Frame(
        type=COMMAND,
        version=1,
        dst=b"\0\1",
        src=LEAF_EXT,
        ash=ash,
        open_part=b"\1",
        private_part=b"\xce",
    )
    beacon = Frame(
        type=BEACON, version=1, src=LEAF_EXT, ash=ash, open_part=bytes(4), private_part=b"payload"
    )
    with_ies = Frame(
        dst=ROOT_EXT,
        src=LEAF_EXT,
        ash=ash,
        header_ies=time_correction(1) + HT2,
        private_part=b"secret",
    )
    enhanced = Frame(
        type=BEACON,
        src=LEAF_EXT,
        ash=Ash(1, 1, 1),
        header_ies=HT1,
        private_part=Beacon(5).payload(),
    )
    rows = shown(*(secure(frame, K2) for frame in (command, beacon, with_ies, enhanced)))
    assert [len(str(row["m_data"])) // 2 for row in rows] == [1, 7, 6, 0]
    for frame, row in zip((command, beacon, with_ies), rows, strict=False):
        assert row["a_data_octets"] == len(frame.mhr() + frame.open_part)
        assert row["nonce"] == nonce_of(frame, "counter", 0, None).hex()
        assert row["key_source"] == "00" * 8
    assert rows[2]["header_ies"] == (time_correction(1) + HT2).hex()
    assert rows[3]["a_data_octets"] == len(enhanced.clear())


def test_a_device_table_completes_the_nonce(tmp_path: Path) -> None:
    """The counter form with a short source has a nonce once the table says the extended address."""
    frame = Frame(
        dst=b"\0\1",
        src=b"\0\2",
        compression=True,
        ash=Ash(5, 1, 3, False, b"", 2),
        private_part=b"x",
    )
    octets = secure(frame, K2, "counter", 0, LEAF_EXT)
    assert shown(octets)[0]["nonce"] is None
    book = tmp_path / "keys.toml"
    book.write_text(f'[[device]]\npan = "abcd"\nshort = "0002"\next = "{LEAF_EXT.hex()}"\n')
    assert (
        shown(octets, words=("--keys", book))[0]["nonce"]
        == nonce_of(frame, "counter", 0, LEAF_EXT).hex()
    )


def malformed() -> dict[str, tuple[bytes, int]]:
    """Octets that are no frame, with a word of the message and the faulty octet."""
    good = on_air(data_frame(counter=3))
    head = bytes.fromhex("29ec07cdab") + bytes(16)
    return {
        "frame control field": (b"\1", 1),
        "Frame Type 4": (b"\4\0", 0),
        "another frame control field": (b"\5\0", 0),
        "Frame Version 3": (b"\1\x30", 1),
        "addressing mode 1": (b"\1\x04", 1),
        "which version 2 alone has": (b"\1\2", 1),
        "without two addresses": (b"\x41\x08\0\0\0\0\0", 0),
        "within the addressing fields": (good[:12], 12),
        "within the Auxiliary Security Header": (good[:24], 24),
        "version 2 alone has": (
            bytes([good[0], 0xDC]) + good[2:5] + bytes(18) + b"\x2d" + bytes(9),
            23,
        ),
        "KeyIndex 0": (head + b"\x6d\0" + bytes(8), 22),
        "within the MIC": (head + b"\x6d\2\0\0\0", 23),
        "header IEs": (bytes.fromhex("2902") + b"\7\x7f\x0f", 4),
        "before the command's identifier": (b"\x03\x10\7", 3),
    }


def test_malformed_frames_say_where() -> None:
    """Each way of being malformed is told apart, with the octet at which it shows."""
    cases = malformed()
    done = run("show", "--format", "json", given=pcap(tap(octets) for octets, _ in cases.values()))
    assert done.code == 1
    for row, (words, (octets, at)) in zip(json.loads(done.out), cases.items(), strict=True):
        if octets[:1] == b"\x29" and len(octets) == 5:
            assert row["status"] == "MALFORMED"
            continue
        assert words in row["reason"], (row, octets.hex())
        assert row["octet"] == at, (row, octets.hex())


def test_one_frame_is_a_table_and_many_are_lines() -> None:
    """One frame shows a field a line, a capture a frame a line."""
    octets = on_air(data_frame(), 5)
    one = run("show", octets.hex(), "--asn", "5").lines
    assert "security level               5 (ENC-MIC-32)" in one
    assert f"nonce                        {LEAF_EXT.hex()}0000000005" in one
    many = run("show", given=pcap([tap(octets, 5), tap(in_clear(data_frame())), tap(b"\1")])).lines
    assert len(many) == 4
    assert f"{LEAF_EXT.hex()}" in many[1]
    assert "ENC-MIC-32" in many[1]
    assert "ASN 5" in many[1]
    assert many[3].endswith("MALFORMED: too short for a frame control field (octet 1)")


def test_csv_markdown_and_limit() -> None:
    """Data formats carry every field, and --limit takes the first frames."""
    capture = pcap([tap(on_air(data_frame(seq=i), 5), 5) for i in range(5)])
    rows = list(
        csv.DictReader(
            io.StringIO(run("show", "--format", "csv", "--limit", "3", given=capture).out.decode())
        )
    )
    assert [row["sequence_number"] for row in rows] == ["0", "1", "2"]
    assert rows[0]["security_level_name"] == "ENC-MIC-32"
    assert run("show", "--format", "markdown", given=capture).out.count(b"| data |") == 5


def test_bad_input_is_one_line() -> None:
    """What cannot be shown is refused in one line."""
    assert "no limit '0'" in refused("show", "--limit", "0")
    assert "it is no frame in hex either" in refused("show", "0g")


@pytest.mark.parametrize("columns", [80, 100])
def test_the_note_fits_the_screen(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """What was left out is said in lines that are as wide as the table may be."""
    monkeypatch.setenv("COLUMNS", str(columns))
    done = run("show", given=pcap(tap(on_air(data_frame(), n)) for n in (1, 2)))
    assert done.err.startswith(f"Left out to fit {columns} columns:")
    assert max(len(line) for line in done.err.splitlines()) <= columns
