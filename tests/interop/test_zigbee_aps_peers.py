# SPDX-License-Identifier: BSD-3-Clause
"""APS frames in NWK frames, as a whole network sends them, made by the model: tshark opens them with
the network key and the link keys, the stack opens what tshark opens and makes the same; and the
network key that tshark finds in a Transport-Key command."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.interop.frame_tshark import decrypted_sources
from tests.model.zigbee_model import ApsFrame, ApsHeader, Aux, Command, KeyId, NwkFrame, NwkHeader
from tests.stack.conftest import target_named
from tests.stack.link.tshark import Captured, write_capture
from tests.stack.zigbee import apslib, zigbeelib
from vectors.generate_zigbee_aps import WELL_KNOWN, commands, kind, secured

pytestmark = pytest.mark.xdist_group("zigbee_peers")

FRAMES, CHANNEL, MOST = 500, 15, 50
NETWORK, LINK = bytes(range(16)), bytes(range(16, 32))
SEQUENCE = 9
OURS, PEER = bytes.fromhex("00124b0000000001"), bytes.fromhex("00124b0000000002")
MAC = bytes.fromhex("618801341278563412")
"""Header of a MAC data frame from 1234 to 5678."""


@dataclass(frozen=True)
class Made:
    """A frame of the model."""

    aps: ApsFrame
    aux: Aux
    nwk: NwkFrame
    nwk_aux: Aux

    @property
    def octets(self) -> bytes:
        """On the air, from the NWK header on."""
        return self.nwk.secured(NETWORK, self.nwk_aux)


def frames(count: int = FRAMES, key: bytes = LINK) -> list[Made]:
    """APS frames of every shape under a link key, in NWK frames."""
    source, shapes, out = random.Random("aps peers"), list(secured()), []
    for number in range(count):
        _, aps, key_id = source.choice(shapes)
        if aps.header.type != 1:
            aps = replace(aps, payload=source.randbytes(source.randrange(1, MOST)))
        elif not aps.payload:
            aps = replace(aps, payload=Command.switch_key(number % 256))
        said = source.random() < 0.5
        aux = Aux(key_id, 2 * number + source.randrange(2), PEER, source_present=said)
        header = NwkHeader(src_ext=PEER, src=0x1234, dst=0x5678)
        nwk_aux = Aux(KeyId.NETWORK, 3 * number + source.randrange(3), PEER, SEQUENCE)
        out.append(Made(aps, aux, NwkFrame(header, aps.secured(key, aux)), nwk_aux))
    return out


def run(
    program: str, octets: Iterable[bytes], keys: Iterable[bytes], path: Path, *more: str
) -> str:
    """What tshark says of a capture, given these keys."""
    write_capture(path, [Captured(MAC + frame, CHANNEL, 0) for frame in octets])
    words = [
        word
        for number, key in enumerate(keys)
        for word in ("-o", f'uat:zigbee_pc_keys:"{key.hex()}","Normal","key {number}"')
    ]
    # They would read their own meaning into random payloads.
    off = [word for name in ("zbee_zcl", "zbee_zdp") for word in ("--disable-protocol", name)]
    command = [program, "-n", "-r", str(path), *words, *off, *more]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_tshark_and_the_stack_read_the_models_frames(
    oracle: Callable[[str], str], tmp_path: Path
) -> None:
    """Both decrypt both layers of every frame to what it was made of; the stack makes the same."""
    made = frames()
    tshark, path = oracle("tshark"), tmp_path / "frames.pcap"
    dump = run(tshark, [one.octets for one in made], (NETWORK, LINK), path, "-x")
    read = decrypted_sources(dump, "Decrypted ZigBee Payload")
    assert read == [one.nwk.payload + one.aps.payload for one in made]
    host = target_named("host", *zigbeelib.HEADERS)
    node = zigbeelib.Node(host, NETWORK, SEQUENCE, OURS)
    for one in made:
        assert node.unsecure(one.octets)[:2] == ("WM_OK", one.nwk.clear())
    host = target_named("host", *apslib.HEADERS)
    taker = apslib.ApsNode(host, (apslib.Link(PEER, LINK),), OURS)
    for one in made:
        assert taker.unsecure(one.nwk.payload, PEER)[:2] == ("WM_OK", one.aps.clear())
    maker = apslib.ApsNode(host, (apslib.Link(OURS, LINK),), PEER)
    for one in made:
        maker.advance(one.aux.counter)
        said = one.aux.source_present
        assert maker.secure(one.aps.clear(), OURS, said) == ("WM_OK", one.nwk.payload)


def test_tshark_refuses_what_we_refuse(oracle: Callable[[str], str], tmp_path: Path) -> None:
    """With one bit of the MIC changed, or under another link key, neither layer above is read."""
    made = frames(40)
    changed = [
        replace(one.nwk, payload=one.nwk.payload[:-1] + bytes([one.nwk.payload[-1] ^ 1])).secured(
            NETWORK, one.nwk_aux
        )
        for one in made
    ]
    tshark, path = oracle("tshark"), tmp_path / "changed.pcap"
    for octets, keys in (
        (changed, (NETWORK, LINK)),
        ([one.octets for one in made], (NETWORK, bytes(16))),
    ):
        read = decrypted_sources(run(tshark, octets, keys, path, "-x"), "Decrypted ZigBee Payload")
        assert all(len(got) == len(one.nwk.payload) for got, one in zip(read, made, strict=True))


def test_tshark_names_the_fields_of_commands(oracle: Callable[[str], str], tmp_path: Path) -> None:
    """Every command that the model makes is to tshark the command that it should be."""
    octets, wanted = [], []
    for number, (_, payload, values) in enumerate(commands()):
        aps = ApsFrame(ApsHeader(1, counter=number), payload)
        aux = Aux(kind(payload), number, PEER)
        nwk = NwkFrame(NwkHeader(src_ext=PEER), aps.secured(LINK, aux))
        octets.append(nwk.secured(NETWORK, Aux(KeyId.NETWORK, number, PEER, SEQUENCE)))
        wanted.append(values)
    fields = [word for name in FIELDS for word in ("-e", f"zbee_aps.cmd.{name}")]
    out = run(oracle("tshark"), octets, (NETWORK, LINK), tmp_path / "c.pcap", "-T", "json", *fields)
    said = [packet["_source"]["layers"] for packet in json.loads(out)]
    assert [names(values) for values in wanted] == [
        {name.removeprefix("zbee_aps.cmd."): one.replace(":", "") for name, (one,) in got.items()}
        for got in said
    ]


FIELDS = {
    "id": "id",
    "key_type": "key_type",
    "key": "key",
    "seqno": "sequence",
    "dst": "destination",
    "src": "source",
    "device": "device",
    "partner": "device",
    "addr": "network_address",
    "update_status": "status",
}
"""What tshark calls the fields of commands, and what the structure does."""
PARTNER_IN, KEY_IN, ADDRESS_IN = (5, 8), (5,), (6,)
"""Commands whose device is a partner, whose key is no hash, whose status is not Confirm-Key's."""


def names(values: dict[str, int | bytes]) -> dict[str, str]:
    """The values of a command, as tshark prints them."""
    id_ = values["id"]
    out: dict[str, str] = {}
    for theirs, ours in FIELDS.items():
        value = values.get(ours)
        absent = {
            "key": id_ not in KEY_IN,
            "device": id_ in PARTNER_IN,
            "partner": id_ not in PARTNER_IN,
            "update_status": id_ not in ADDRESS_IN,
        }.get(theirs, False)
        if value is None or absent:
            continue
        if isinstance(value, bytes):
            out[theirs] = value.hex()
        elif theirs == "seqno":
            out[theirs] = str(value)
        else:
            out[theirs] = f"0x{value:0{4 if theirs == 'addr' else 2}x}"
    return out


def test_tshark_finds_the_network_key_that_was_carried(
    oracle: Callable[[str], str], tmp_path: Path
) -> None:
    """With the well-known link key alone, a Transport-Key command opens all that follows it."""
    carried = ApsFrame(ApsHeader(1), Command.network_key(NETWORK, SEQUENCE, OURS, PEER))
    aux = Aux(KeyId.TRANSPORT, 1, PEER)
    first = NwkFrame(NwkHeader(src_ext=PEER), carried.secured(WELL_KNOWN, aux)).clear()
    made = frames(20)
    octets = [first, *(one.octets for one in made)]
    dump = run(oracle("tshark"), octets, (WELL_KNOWN,), tmp_path / "join.pcap", "-x")
    read = decrypted_sources(dump, "Decrypted ZigBee Payload")
    assert read[0] == carried.payload
    assert read[1:] == [one.nwk.payload for one in made]


def test_the_command_opens_what_tshark_opens(oracle: Callable[[str], str], tmp_path: Path) -> None:
    """`wardmote frame zigbee` finds the key that tshark finds, and makes of 500 frames what tshark
    makes of them; what it writes tshark reads without keys."""
    carried = ApsFrame(ApsHeader(1), Command.network_key(NETWORK, SEQUENCE, OURS, PEER))
    aux = Aux(KeyId.TRANSPORT, 1, PEER)
    first = NwkFrame(NwkHeader(src_ext=PEER), carried.secured(WELL_KNOWN, aux)).clear()
    made, path = frames(), tmp_path / "all.pcap"
    octets = [first, *(one.octets for one in made)]
    dump = run(oracle("tshark"), octets, (WELL_KNOWN, LINK), path, "-x")
    theirs = decrypted_sources(dump, "Decrypted ZigBee Payload")
    clear = tmp_path / "clear.pcap"
    words = ["zigbee", str(path), "--link-key", LINK.hex(), "-o", str(clear), "--format", "json"]
    command = [sys.executable, "-m", "wardmote", "frame", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ours = json.loads(done.stdout)
    assert [row["status"] for row in ours] == ["SUCCESS"] * (FRAMES + 1)
    assert ours[0]["found_key"] == "network key of frame 1"
    assert theirs == [
        carried.payload,
        *(one.nwk.payload + one.aps.payload for one in made),
    ]
    assert [bytes.fromhex(row["clear"]) for row in ours[1:]] == [
        MAC + replace(one.nwk, payload=one.aps.clear()).clear() for one in made
    ]
    read = subprocess.run(
        [oracle("tshark"), "-n", "-r", str(clear), "-Y", "zbee_aps && !zbee.sec.field"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    tunnels = sum(one.aps.header.type == 1 and one.aps.payload[0] == 0x0E for one in made)
    assert len(read.splitlines()) == FRAMES + 1 - tunnels, "what a Tunnel carries stays secured"
