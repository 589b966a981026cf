# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/zigbee/published_aps.json, keys.json, aps.json, aps_refusals.json and commands.json:
keys that ZigBee makes from keys, APS frames that are secured, frames to be refused, APS commands.

published_aps.json has values that others printed; they are written out below and compared with
tests/model/zigbee_model.py. Everything else is computed by that model. Run from the root of the
repository: `python -m vectors.generate_zigbee_aps`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from tests.model import zigbee_model as model
from tests.model.zigbee_model import ENC, USUAL, ApsFrame, ApsHeader, Aux, Command, KeyId
from vectors.generate_zigbee import OWN, PEER, UNPROTECTED, VALID
from vectors.inputs import flipped, octets
from vectors.making import Group, Test, made_by, printed, text, write

LINK = octets("zigbee link key", 16)
WELL_KNOWN = b"ZigBeeAlliance09"
NETWORK = bytes.fromhex("abcdef01234567890000000000000000")
MOST = 88
"""Octets of payload for which a NWK frame with security has room."""
COORDINATOR = bytes.fromhex("f4ce36c17d3852e1")
JOINER = bytes.fromhex("a4c1389c383001e5")
MADE = {"transport": model.transport_key, "load": model.load_key, "verify": model.verify_hash}

PUBLISHED = (
    ("a command under the well-known link key", "2166", Aux(KeyId.DATA, 4, JOINER), "0804"),
    (
        "Transport-Key with a network key",
        "2195",
        Aux(KeyId.TRANSPORT, 0, COORDINATOR),
        Command.network_key(NETWORK, 0, JOINER, COORDINATOR).hex(),
    ),
    (
        "Transport-Key with a Trust Center link key",
        "2197",
        Aux(KeyId.LOAD, 1, COORDINATOR),
        Command.center_key(
            bytes.fromhex("818238347a3c987324e71333b763544e"), JOINER, COORDINATOR
        ).hex(),
    ),
)
"""Comment, APS header, auxiliary header, payload."""
ON_AIR = (
    "216620 04000000 e50130389c38c1a4 1a31a4d7f4d7",
    "219530 00000000 e152387dc136cef4 cc56505e072dc5c1e840f2d5ce0ca92d6423cc0c56ccc4cc0f18a2e48288"
    "584a903e004760f25d",
    "219738 01000000 e152387dc136cef4 e04b37db35c7134171f0dfdb22a5a165bffe415ab25fd98579925ad4e648"
    "fa06fb11b7c9043e",
)
"""The same as they were printed."""
HASHES = (
    ("C.5.1", "c0", "ae3a102a28d43ee0d4a09e22788b206c"),
    ("C.5.2", bytes(range(0xC0, 0xD0)).hex(), "a7977e88bc0b61e8210827109a228f2d"),
)
CODE = ("83fed3407a939723a5c639b26916d505c3b5", "66b6900981e1ee3ca4206b6b861c02bb")


def case(comment: str, key: bytes, aux: Aux, frame: ApsFrame, level: int = USUAL) -> Test:
    """The vector of an APS frame."""
    return {
        "comment": comment,
        "key": key.hex(),
        "source": aux.source.hex(),
        "counter": aux.counter,
        "said": int(aux.source_present),
        "clear": frame.clear().hex(),
        "frame": frame.secured(key, aux, level).hex(),
    }


def published() -> str:
    """Values that others printed."""
    frames: list[Test] = []
    for (comment, header, aux, payload), on_air in zip(PUBLISHED, ON_AIR, strict=True):
        frame = ApsFrame(ApsHeader(1, counter=int(header[2:], 16)), bytes.fromhex(payload))
        test = case(comment, WELL_KNOWN, aux, frame)
        assert bytes.fromhex(test["frame"]) == bytes.fromhex(on_air), comment
        frames.append(test | VALID)
    hashes: list[Test] = []
    for comment, message, digest in HASHES:
        assert model.mmo(bytes.fromhex(message)).hex() == digest
        hashes.append({"comment": comment, "msg": message, "digest": digest} | VALID)
    mac = "4512807bf94cb3400f0e2c25fb76e999"
    key = bytes(range(0x40, 0x50))
    assert model.hmac(key, b"\xc0").hex() == mac
    macs = [{"comment": "C.6.1", "key": key.hex(), "msg": "c0", "tag": mac} | VALID]
    code, made = CODE
    assert model.mmo(bytes.fromhex(code)).hex() == made
    codes = [{"comment": "Base Device Behavior 10.1", "code": code, "key": made} | VALID]
    source = printed(
        "05-3474 annex C; Base Device Behavior; frames that a ZigBee stack in Rust prints with its tests",
        "C.5, C.6; 10.1; APS",
    )
    return text(
        "ZigBee",
        source,
        Group("zigbee-hash", hashes),
        Group("zigbee-hmac", macs),
        Group("zigbee-install-code", codes),
        Group("zigbee-aps", frames, {"level": str(USUAL)}),
    )


def keys() -> str:
    """Hashes of every length, keys made from link keys, installation codes right and wrong."""
    hashes: list[Test] = []
    macs: list[Test] = []
    derived: list[Test] = []
    codes: list[Test] = []
    for length in (*range(66), 255, 1024, 8175, 8191):
        message = octets(f"hashed {length}", length)
        digest = model.mmo(message).hex()
        hashes.append(
            {"comment": f"{length} octets", "msg": message.hex(), "digest": digest} | VALID
        )
    for length in range(34):
        key, message = octets(f"hmac {length}", 16), octets(f"hmac of {length}", length)
        tag = model.hmac(key, message).hex()
        comment = f"{length} octets"
        macs.append(
            {"comment": comment, "key": key.hex(), "msg": message.hex(), "tag": tag} | VALID
        )
    for number in range(12):
        key = octets(f"link key {number}", 16)
        made = {name: make(key).hex() for name, make in MADE.items()}
        derived.append({"comment": f"link key {number}", "key": key.hex()} | made | VALID)
    for number in range(12):
        code = octets(f"code {number}", 16)
        whole = code + model.install_crc(code)
        test = {"comment": f"code {number}", "code": whole.hex(), "key": model.mmo(whole).hex()}
        codes.append(test | VALID)
        wrong = flipped(whole, 13 * number)
        codes.append({"comment": f"a digit of code {number} mistyped", "code": wrong.hex()} | WRONG)
    for length in (0, 6, 8, 12, 14, 15, 17, 24):
        code = octets(f"code of {length}", length)
        whole = code + model.install_crc(code)
        codes.append({"comment": f"a code of {length} octets", "code": whole.hex()} | WRONG)
    return text(
        "ZigBee",
        made_by("generate_zigbee_aps", "tests/model/zigbee_model.py", "zigbee_keys.h"),
        Group("zigbee-hash", hashes),
        Group("zigbee-hmac", macs),
        Group("zigbee-derived", derived),
        Group("zigbee-install-code", codes),
    )


WRONG = {"result": "invalid", "status": "WM_ERR_PARAM"}


def headers() -> Iterator[tuple[str, ApsHeader]]:
    """An APS header of every shape that a frame for one node has."""
    plain = ApsHeader()
    yield "data", plain
    yield "data, ack requested", replace(plain, ack_request=True, dst_endpoint=240, cluster=0xFC01)
    yield "ack", replace(plain, type=2)
    yield "ack of a command", replace(plain, type=2, ack_format=True)
    yield "extended header", replace(plain, fragment=(0, 0))
    yield "first fragment", replace(plain, fragment=(1, 3))
    yield "later fragment", replace(plain, fragment=(2, 1))
    yield "ack of a fragment", replace(plain, type=2, fragment=(1, 0))
    yield "command", ApsHeader(1, counter=255)


def commands() -> Iterator[tuple[str, bytes, dict[str, int | bytes]]]:
    """Every command: its name, its octets, its values."""
    key, other = octets("carried key", 16), bytes.fromhex("0102030405060708")
    yield (
        "Transport-Key, network key",
        Command.network_key(key, 9, OWN, PEER),
        {"id": 5, "key_type": 1, "key": key, "sequence": 9, "destination": OWN, "source": PEER},
    )
    yield (
        "Transport-Key, Trust Center link key",
        Command.center_key(key, OWN, PEER),
        {"id": 5, "key_type": 4, "key": key, "destination": OWN, "source": PEER},
    )
    yield (
        "Transport-Key, application link key",
        Command.application_key(key, other, True),
        {"id": 5, "key_type": 3, "key": key, "device": other, "initiator": 1},
    )
    yield (
        "Update-Device",
        Command.update_device(other, 0x1234, 1),
        {"id": 6, "device": other, "network_address": 0x1234, "status": 1},
    )
    yield "Remove-Device", Command.remove_device(other), {"id": 7, "device": other}
    yield (
        "Request-Key, application link key",
        Command.request_key(other),
        {"id": 8, "key_type": 2, "device": other},
    )
    yield "Request-Key, Trust Center link key", Command.request_key(), {"id": 8, "key_type": 4}
    yield "Switch-Key", Command.switch_key(200), {"id": 9, "sequence": 200}
    frame = ApsFrame(ApsHeader(1), Command.network_key(key, 9, other, PEER)).secured(
        LINK, Aux(KeyId.TRANSPORT, 5, PEER)
    )
    yield (
        "Tunnel",
        Command.tunnel(other, frame),
        {"id": 14, "destination": other, "frame_len": len(frame)},
    )
    yield (
        "Verify-Key",
        Command.verify_key(OWN, model.verify_hash(key)),
        {"id": 15, "key_type": 4, "source": OWN, "key": model.verify_hash(key)},
    )
    yield (
        "Confirm-Key",
        Command.confirm_key(0xAD, other),
        {"id": 16, "key_type": 4, "status": 0xAD, "destination": other},
    )


def kind(payload: bytes) -> KeyId:
    """What secures a command."""
    if payload[0] != 5:
        return KeyId.DATA
    return KeyId.TRANSPORT if payload[1] == 1 else KeyId.LOAD


def secured() -> Iterator[tuple[str, ApsFrame, KeyId]]:
    """Frames of every shape, and the kind of key of each."""
    for name, header in headers():
        yield name, ApsFrame(header), KeyId.DATA
    for name, payload, _ in commands():
        yield name, ApsFrame(ApsHeader(1, counter=3), payload), kind(payload)


def generated() -> str:
    """Every shape of frame, with and without the source, and every length of payload, at every
    level."""
    source = random.Random("zigbee aps")
    groups: list[Group] = []
    shapes = list(secured())
    for level in range(1, 8):
        tests: list[Test] = []
        lengths = range(MOST) if level == USUAL else range(0, 60, 9)
        for number in range(max(len(lengths), len(shapes))):
            name, frame, key_id = shapes[number % len(shapes)]
            if frame.header.type != 1:
                length = lengths[number % len(lengths)]
                frame = replace(frame, payload=octets(f"aps {level} {number}", length))
            elif not frame.payload:
                frame = replace(frame, payload=b"\x20" + octets(f"command {number}", number % 9))
            counter = (0, 1, 0xFFFFFFFE)[number] if number < 3 else source.randrange(1 << 32)
            said = number % 2 == 0
            aux = Aux(
                key_id,
                min(counter, 0xFFFFFFFE),
                PEER[:7] + bytes([number]),
                source_present=said,
            )
            key = octets(f"aps key {level} {number}", 16)
            comment = f"{name}, {len(frame.payload)} octets"
            test = case(comment, key, aux, frame, level)
            tests.append(test | (UNPROTECTED if level == ENC else VALID))
        groups.append(Group("zigbee-aps", tests, {"level": str(level)}))
    return text(
        "ZigBee",
        made_by("generate_zigbee_aps", "tests/model/zigbee_model.py", "zigbee_aps.h"),
        *groups,
    )


def refused() -> str:
    """Frames that a node must refuse which shares one link key with one other node."""
    tests: list[Test] = []

    def refuse(comment: str, frame: bytes, status: str) -> None:
        tests.append(
            {
                "comment": comment,
                "key": LINK.hex(),
                "source": PEER.hex(),
                "address": OWN.hex(),
                "frame": frame.hex(),
                "result": "invalid",
                "status": f"WM_ERR_{status}",
            }
        )

    for name, frame, key_id in secured():
        if not frame.payload:
            frame = replace(frame, payload=b"\x20" + octets(f"refused {name}", 20))
        header = len(frame.header.octets(secured=True))
        for said in (True, False):
            form = f"{name}, {'with' if said else 'without'} source"
            aux = Aux(key_id, 1000, PEER, source_present=said)
            right = frame.secured(LINK, aux)
            aux_len = 13 if said else 5
            for bit in (*range(8 * (header + aux_len), 8 * len(right), 29), -1):
                refuse(f"{form}, bit {bit} of the frame", flipped(right, bit), "SECURITY")
            for bit in range(8 * (header + 1), 8 * (header + 5), 7):
                refuse(f"{form}, bit {bit}: the counter", flipped(right, bit), "SECURITY")
            for bits in (1, 5, 7):
                loud = frame.secured(LINK, replace(aux, level_bits=bits))
                refuse(f"{form}, level bits {bits}", loud, "IMPROPER_SECURITY_LEVEL")
            last = frame.secured(LINK, replace(aux, counter=0xFFFFFFFF))
            refuse(f"{form}, counter all ones", last, "COUNTER")
            refuse(f"{form}, under another key", frame.secured(NETWORK, aux), "SECURITY")
            for other in KeyId:
                if other != key_id:
                    wrong = frame.secured(LINK, replace(aux, key_id=other))
                    refuse(f"{form}, key identifier {other}", wrong, "IMPROPER_KEY_TYPE")
            for cut in range(header + 1, header + aux_len + 4):
                refuse(f"{form}, cut to {cut}", right[:cut], "MALFORMED")
            refuse(f"{form}, cut", right[:-1], "SECURITY")
        own = Aux(key_id, 1000, OWN)
        refuse(f"{name}, sent back to us", frame.secured(LINK, own), "UNAVAILABLE_DEVICE")
        stranger = Aux(key_id, 1000, JOINER)
        refuse(f"{name}, of a stranger", frame.secured(LINK, stranger), "UNAVAILABLE_DEVICE")
        refuse(f"{name}, in clear", frame.clear(), "IMPROPER_SECURITY_LEVEL")
        for cut in range(header):
            short = frame.secured(LINK, Aux(key_id, 1000, PEER))[:cut]
            refuse(f"{name}, cut to {cut}", short, "MALFORMED")
    odd, aux = octets("odd aps", 24), Aux(KeyId.DATA, 1000, PEER)
    for shape, comment, status in (
        (ApsHeader(3), "inter-PAN", "NOT_FOR_US"),
        (ApsHeader(delivery=1), "indirect, which is reserved", "MALFORMED"),
        (ApsHeader(fragment=(3, 0)), "reserved fragmentation", "MALFORMED"),
    ):
        refuse(comment, ApsFrame(shape, odd).secured(LINK, aux), status)
    empty = ApsFrame(ApsHeader(1)).secured(LINK, aux)
    refuse("a command without identifier", empty, "IMPROPER_KEY_TYPE")
    half = ApsFrame(ApsHeader(1), b"\5").secured(LINK, replace(aux, key_id=KeyId.TRANSPORT))
    refuse("Transport-Key without key type", half, "IMPROPER_KEY_TYPE")
    return text(
        "ZigBee",
        made_by("generate_zigbee_aps", "tests/model/zigbee_model.py, then damaged", "zigbee_aps.h"),
        Group("zigbee-aps-refusal", tests),
    )


def command_vectors() -> str:
    """Commands whole, cut off at every octet, and with key types that they do not have."""
    good: list[Test] = []
    bad: list[Test] = []

    def refuse(comment: str, payload: bytes, status: str) -> None:
        test = {"comment": comment, "payload": payload.hex(), "result": "invalid"}
        bad.append(test | {"status": f"WM_ERR_{status}"})

    for name, payload, values in commands():
        shown = {
            "result_code" if k == "status" else k: v.hex() if isinstance(v, bytes) else v
            for k, v in values.items()
        }
        good.append({"comment": name, "payload": payload.hex()} | shown | VALID)
        if values["id"] != 14:
            longer = payload + b"\x01\x00"
            good.append({"comment": f"{name}, with a TLV", "payload": longer.hex()} | shown | VALID)
        for cut in range(9 if values["id"] == 14 else len(payload)):
            refuse(f"{name}, cut to {cut}", payload[:cut], "MALFORMED")
    for key_type in (0, 2, 5, 6, 255):
        whole = bytes([5, key_type]) + bytes(40)
        refuse(f"Transport-Key, key type {key_type}", whole, "MALFORMED")
    for key_type in (0, 1, 3, 5):
        refuse(f"Request-Key, key type {key_type}", bytes([8, key_type]) + bytes(8), "MALFORMED")
    for number in (0, 1, 2, 3, 4, 10, 11, 12, 13, 17, 18, 255):
        refuse(f"command {number}", bytes([number]) + bytes(40), "NOT_FOR_US")
    return text(
        "ZigBee",
        made_by("generate_zigbee_aps", "tests/model/zigbee_model.py", "zigbee_command.h"),
        Group("zigbee-command", good),
        Group("zigbee-command-refusal", bad),
    )


def files() -> dict[str, str]:
    """Every file by its path below vectors/."""
    return {
        "zigbee/published_aps.json": published(),
        "zigbee/keys.json": keys(),
        "zigbee/aps.json": generated(),
        "zigbee/aps_refusals.json": refused(),
        "zigbee/commands.json": command_vectors(),
    }


if __name__ == "__main__":
    write(files())
