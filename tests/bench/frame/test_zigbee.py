# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote frame zigbee`: what it opens with which keys, the keys that it finds, and what it
refuses, at which layer and why."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.bench.frame.captures import NO_FCS, TAP, WITH_FCS, pcap, pcapng, records, tap
from tests.bench.frame.command import refused, run
from tests.model.ieee802154_model import fcs
from tests.model.zigbee_model import (
    ApsFrame,
    ApsHeader,
    Aux,
    Command,
    KeyId,
    NwkFrame,
    NwkHeader,
    install_crc,
    mmo,
)
from wardmote.frame.zigbee_rows import ZigbeeFrameRow, ZigbeeKeyRow

NETWORK, NEXT, LINK = bytes(range(16)), bytes(range(32, 48)), bytes(range(16, 32))
WELL_KNOWN = b"ZigBeeAlliance09"
CENTER = bytes.fromhex("00124b0000000001")
NODE = bytes.fromhex("00124b0000000002")
MAC = bytes.fromhex("618801341278563412")
"""Header of a MAC data frame from 1234 to 5678, in PAN 1234."""
ACK = bytes.fromhex("020001")


def nwk(
    payload: bytes, counter: int, key: bytes = NETWORK, number: int = 9, **changed: Any
) -> bytes:
    """A MAC frame with a NWK frame of the Trust Center under a network key."""
    aux = replace(Aux(KeyId.NETWORK, counter, CENTER, number), **changed)
    return MAC + NwkFrame(NwkHeader(src_ext=CENTER), payload).secured(key, aux)


def join(key: bytes = WELL_KNOWN, number: int = 9, carried: bytes = NETWORK) -> bytes:
    """A MAC frame that carries a network key to a node that joins, under a link key."""
    command = Command.network_key(carried, number, NODE, CENTER)
    frame = ApsFrame(ApsHeader(1), command).secured(key, Aux(KeyId.TRANSPORT, number, CENTER))
    return MAC + NwkFrame(NwkHeader(src_ext=CENTER), frame).clear()


def aps(payload: bytes, counter: int, key: bytes = LINK, **changed: Any) -> bytes:
    """An APS frame of the Trust Center under a link key."""
    aux = replace(Aux(KeyId.DATA, counter, CENTER), **changed)
    return ApsFrame(payload=payload).secured(key, aux)


def capture(path: Path, frames: Sequence[bytes]) -> Path:
    """A capture with FCS."""
    file = path / "frames.pcap"
    file.write_bytes(pcap([frame + fcs(frame) for frame in frames], WITH_FCS))
    return file


def rows(path: Path, *words: str) -> list[dict[str, Any]]:
    """What it says of each frame."""
    done = run("zigbee", path, *words, "--format", "json")
    assert done.code in (0, 1), done.err
    found = json.loads(done.out)
    assert all(row["schema"] == "ZigbeeFrameRow 1" for row in found)
    return list(found)


CLEAR = ApsFrame(payload=b"on").clear()
GIVEN = ("--network-key", f"9:{NETWORK.hex()}", "--link-key", LINK.hex())


def test_every_field_of_a_frame_that_was_opened(tmp_path: Path) -> None:
    """Both layers, with the keys given."""
    inner = aps(b"on", 5)
    whole = nwk(inner, 7)
    [row] = rows(capture(tmp_path, [whole]), *GIVEN)
    clear = MAC + NwkFrame(NwkHeader(src_ext=CENTER), CLEAR).clear()
    assert row == {
        "frame": 1,
        "status": "SUCCESS",
        "reason": None,
        "layer": "APS",
        "pan": "1234",
        "source_address": "1234",
        "destination_address": "0000",
        "nwk_type": "data",
        "nwk_key": "network key 9",
        "nwk_key_number": 9,
        "nwk_counter": 7,
        "nwk_secured_by": CENTER.hex(),
        "aps_type": "data",
        "aps_key": "--link-key 1",
        "aps_key_kind": "link key",
        "aps_counter": 5,
        "aps_secured_by": CENTER.hex(),
        "command": None,
        "inner_command": None,
        "found_key": None,
        "clear": clear.hex(),
        "schema": "ZigbeeFrameRow 1",
    }
    assert set(row) - {"schema"} == set(ZigbeeFrameRow._fields)


def test_a_key_that_was_carried_opens_what_follows(tmp_path: Path) -> None:
    """A network key under the well-known link key, then another under it in a Tunnel and a link key
    under the key-load key; each opens what follows it, and the table says where it came from."""
    carried = ApsFrame(ApsHeader(1), Command.network_key(NEXT, 10, NODE, CENTER))
    inside = carried.secured(LINK, Aux(KeyId.TRANSPORT, 1, CENTER))
    tunnel = ApsFrame(ApsHeader(1), Command.tunnel(NODE, inside)).clear()
    load = ApsFrame(ApsHeader(1), Command.center_key(LINK, NODE, CENTER))
    frames = [
        join(),
        nwk(load.secured(WELL_KNOWN, Aux(KeyId.LOAD, 20, CENTER)), 1),
        nwk(tunnel, 2),
        nwk(aps(b"on", 30, source_present=False), 3, NEXT, 10),
        nwk(CLEAR, 4, NEXT, 10),
    ]
    path = capture(tmp_path, frames)
    said = rows(path)
    assert [row["status"] for row in said] == ["SUCCESS"] * 5
    assert [row["command"] for row in said[:3]] == ["Transport-Key", "Transport-Key", "Tunnel"]
    assert said[2]["inner_command"] == "Transport-Key"
    found = ["network key of frame 1", "link key of frame 2", "network key of frame 3"]
    assert [row["found_key"] for row in said[:3]] == found
    assert [said[3][name] for name in ("nwk_key", "aps_key", "aps_secured_by")] == [
        *(found[2], found[1], CENTER.hex()),
    ]
    report = run("zigbee", path)
    text = report.out.decode()
    assert report.code == 0
    assert f"{found[0]}: {NETWORK.hex()}" in text
    assert f"{found[1]}: {LINK.hex()}" in text
    assert "5 of 5 frames opened; 3 keys found in it" in " ".join(text.split())
    assert rows(path, "--no-well-known")[0]["status"] == "UNAVAILABLE_KEY"


def test_what_is_refused_and_why(tmp_path: Path) -> None:
    """A frame that a node of the network would refuse is refused, with its layer and a reason."""
    changed = bytearray(nwk(CLEAR, 4))
    changed[-1] ^= 1
    bare = ApsFrame(ApsHeader(1), Command.network_key(NETWORK, 9, NODE, CENTER)).clear()
    wrong = ApsFrame(ApsHeader(1), Command.switch_key(9)).secured(LINK, Aux(KeyId.LOAD, 1, CENTER))
    hidden = aps(b"on", 9, source_present=False)
    unknown = MAC + NwkFrame(NwkHeader(src=0x4321), hidden).clear()
    cases = (
        (nwk(CLEAR, 3), "SUCCESS", "APS", None),
        (nwk(CLEAR, 3), "COUNTER_ERROR", "NWK", "a replay"),
        (nwk(CLEAR, 2), "COUNTER_ERROR", "NWK", "a replay"),
        (nwk(CLEAR, 0xFFFFFFFF), "COUNTER_ERROR", "NWK", "used up"),
        (nwk(CLEAR, 4, level_bits=5), "IMPROPER_SECURITY_LEVEL", "NWK", "level bits"),
        (nwk(CLEAR, 4, number=8), "UNAVAILABLE_KEY", "NWK", "the number that the frame says: 8"),
        (nwk(CLEAR, 4, NEXT), "SECURITY_ERROR", "NWK", "under no key"),
        (bytes(changed), "SECURITY_ERROR", "NWK", "under no key"),
        (nwk(aps(b"on", 1), 10), "SUCCESS", "APS", None),
        (nwk(aps(b"on", 1), 11), "COUNTER_ERROR", "APS", "a replay"),
        (nwk(aps(b"on", 2, NEXT), 12), "SECURITY_ERROR", "APS", "under no key"),
        (nwk(aps(b"on", 2, level_bits=1), 13), "IMPROPER_SECURITY_LEVEL", "APS", "level bits"),
        (nwk(wrong, 14), "IMPROPER_KEY_TYPE", "APS", "another kind of key"),
        (nwk(bare, 15), "IMPROPER_SECURITY_LEVEL", "APS", "without APS security"),
        (unknown, "UNAVAILABLE_DEVICE", "APS", "is not known"),
        (nwk(b"", 16), "MALFORMED", "APS", "is not the frame"),
        (ACK, "NOT_SECURED", "MAC", "no data frame"),
        (MAC + b"\x60\x00", "NOT_FOR_US", "MAC", "no NWK frame"),
        (nwk(CLEAR, 17), "SUCCESS", "APS", None),
    )
    path = capture(tmp_path, [frame for frame, *_ in cases])
    said = rows(path, *GIVEN)
    assert len(said) == len(cases)
    for row, (_, status, layer, reason) in zip(said, cases, strict=True):
        assert (row["status"], row["layer"]) == (status, layer), row
        assert (row["reason"] is None) == (reason is None)
        assert reason is None or reason in row["reason"], row
    assert run("zigbee", path, *GIVEN).code == 1
    lenient = rows(path, *GIVEN, "--replays", "--level-bits")
    assert [row["status"] for row in lenient[:5]] == [
        *("SUCCESS", "SUCCESS", "SUCCESS", "COUNTER_ERROR", "SUCCESS"),
    ]


def test_an_address_in_clear_takes_no_proved_place(tmp_path: Path) -> None:
    """Anybody can write a frame in clear that says whose network address it is. It hides no frame of
    a node whose address came in a secured frame."""
    hidden = aps(b"on", 1, source_present=False)
    liar = MAC + NwkFrame(NwkHeader(src=0x2345, src_ext=NODE), CLEAR).clear()
    many = [
        MAC + NwkFrame(NwkHeader(src=0x1000 + place, src_ext=NODE), CLEAR).clear()
        for place in range(4096)
    ]
    relay = Aux(KeyId.NETWORK, 1, NODE, 9)
    relayed = MAC + NwkFrame(NwkHeader(src=0x2345), hidden).secured(NETWORK, relay)
    first = NwkHeader(src=0x2345, src_ext=CENTER)
    proof = MAC + NwkFrame(first, CLEAR).secured(NETWORK, replace(relay, source=CENTER))
    frames = [*many, proof, liar, relayed]
    said = rows(capture(tmp_path, frames), *GIVEN)[-1]
    assert said["status"] == "SUCCESS", said
    assert said["aps_secured_by"] == CENTER.hex()


def test_a_wrong_fcs(tmp_path: Path) -> None:
    """It is refused before a key is used, unless the user says otherwise."""
    frame = nwk(CLEAR, 1)
    path = tmp_path / "bad.pcap"
    path.write_bytes(pcap([frame + bytes(2)], WITH_FCS))
    [row] = rows(path, *GIVEN)
    assert (row["status"], row["layer"], row["nwk_key"]) == ("FCS", "MAC", None)
    assert rows(path, *GIVEN, "--any-fcs")[0]["status"] == "SUCCESS"


def test_every_form_of_capture(tmp_path: Path) -> None:
    """The same frame in pcap and pcapng of the link types that sniffers write, and in hex."""
    frame = nwk(CLEAR, 1)
    whole = frame + fcs(frame)
    for octets in (
        pcap([whole], WITH_FCS),
        pcap([frame], NO_FCS),
        pcap([tap(frame)], TAP),
        pcapng([whole], WITH_FCS),
        pcapng([frame], NO_FCS, ">"),
        frame.hex().encode(),
    ):
        path = tmp_path / "frames"
        path.write_bytes(octets)
        assert rows(path, *GIVEN)[0]["status"] == "SUCCESS"


def test_the_clear_capture(tmp_path: Path) -> None:
    """What is written is in clear, without FCS, in the order of the frames, refused ones left out."""
    path = capture(tmp_path, [join(), nwk(CLEAR, 1), nwk(CLEAR, 1), ACK])
    done = run("zigbee", path, "-o", tmp_path / "clear.pcap")
    assert done.code == 1
    octets = (tmp_path / "clear.pcap").read_bytes()
    assert int.from_bytes(octets[20:24], "little") == NO_FCS
    command = Command.network_key(NETWORK, 9, NODE, CENTER)
    header = NwkHeader(src_ext=CENTER)
    assert [frame for _, _, frame in records(octets)] == [
        MAC + NwkFrame(header, ApsFrame(ApsHeader(1), command).clear()).clear(),
        MAC + NwkFrame(header, CLEAR).clear(),
        ACK,
    ]


def test_an_installation_code(tmp_path: Path) -> None:
    """It stands for the link key that is made of it."""
    code = bytes(range(50, 66))
    printed = code + install_crc(code)
    path = capture(tmp_path, [join(mmo(printed))])
    assert rows(path)[0]["status"] == "SECURITY_ERROR"
    [row] = rows(path, "--install-code", printed.hex())
    assert (row["status"], row["aps_key"], row["aps_key_kind"]) == (
        *("SUCCESS", "--install-code 1"),
        "key-transport key",
    )


def test_a_network_key_without_number_fits_every_number(tmp_path: Path) -> None:
    """As sniffers have it; counters are watched for each number."""
    path = capture(tmp_path, [nwk(CLEAR, 5, number=1), nwk(CLEAR, 5, number=2)])
    said = rows(path, "--network-key", NETWORK.hex())
    assert [row["status"] for row in said] == ["SUCCESS", "SUCCESS"]


def test_other_formats_and_each(tmp_path: Path) -> None:
    """A line a frame, CSV and Markdown; nothing is wider than a terminal but what a line needs."""
    path = capture(tmp_path, [join(), nwk(CLEAR, 1)])
    each = run("zigbee", path, "--each").lines
    assert each[0].split() == ["frame", "status", "what"]
    assert each[1].split(maxsplit=2)[:2] == ["1", "SUCCESS"]
    assert "carries network key of frame 1" in each[1]
    header = run("zigbee", path, "--format", "csv").lines[0].split(",")
    assert header == [*ZigbeeFrameRow._fields, "schema"]
    assert run("zigbee", path, "--format", "markdown").lines[0].startswith("| frame |")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--network-key", "12"), "--network-key"),
        (("--network-key", f"256:{NETWORK.hex()}"), "up to 255"),
        (("--link-key", "xyz"), "--link-key: 32 hex digits"),
        (("--install-code", "00" * 17), "36 hex digits"),
        (("--install-code", "00" * 18), "CRC is wrong"),
        (("--level", "8"), "--level"),
    ],
)
def test_words_that_are_refused(tmp_path: Path, words: Sequence[str], said: str) -> None:
    """One line says what is wrong."""
    assert said in refused("zigbee", capture(tmp_path, [ACK]), *words)


def test_fields_of_keys() -> None:
    """What the table of keys is made of."""
    assert ZigbeeKeyRow._fields == (
        *("name", "kind", "number", "key", "found_in_frame", "carried_under", "frames"),
    )
