# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/zigbee/*.json: frames of ZigBee that are secured, and frames to be refused.

published.json has frames that others printed; they are written out below and compared with
tests/model/zigbee_model.py. Everything else is computed by that model. Run from the root of the
repository: `python -m vectors.generate_zigbee`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from tests.model.zigbee_model import ENC, USUAL, Aux, KeyId, NwkFrame, NwkHeader
from vectors.inputs import flipped, octets
from vectors.making import Group, Test, made_by, printed, text, write

VALID = {"result": "valid", "status": "WM_OK"}
UNPROTECTED = {"result": "invalid", "status": "WM_NOT_AUTHENTICATED"}
OWN = bytes.fromhex("00124b0001020304")
"""Address of the node that refuses."""
PEER = bytes.fromhex("00124b00a0b0c0d0")
KEY = octets("zigbee network key", 16)
SEQUENCE, MOST = 7, 116
"""Octets that a MAC frame with short addresses has room for."""
LEAST_HEADER, AUX, MIC = 8, 14, 4

PUBLISHED_KEY = bytes.fromhex("abcdef01234567890000000000000000")
PUBLISHED_NWK = (
    (
        "command",
        "091a0000e1cd0193e152387dc136cef4e50130389c38c1a4",
        Aux(KeyId.NETWORK, 1, bytes.fromhex("a4c1389c383001e5")),
        "0b0800",
        "a6ac13f8057f53",
    ),
    (
        "data",
        "4802000078561e01",
        Aux(KeyId.NETWORK, 1, bytes.fromhex("1234567890abcdef")),
        "0001000004010142000102030405060708090a0b0c0d0e0f",
        "c8b2ba476bc4bce21ca33a9d82da1baa7ed0207b5f1130d7e893999e",
    ),
)
"""Comment, NWK header, auxiliary header, payload, then payload and MIC on the air."""
SNIFFED_KEY = bytes.fromhex("01030507090b0d0f00020406080a0c0d")
"""The network key with which Zigbee2MQTT comes."""
SNIFFED = (
    (
        "sniffed: an APS ack to the coordinator",
        "48020000ba961e97",
        Aux(KeyId.NETWORK, 0x02B382ED, bytes.fromhex("804b50fffea4b973")),
        "020100ef04010133",
        "249091d59cff06da74295ed5",
    ),
    (
        "sniffed: a ZCL command to the coordinator",
        "4802000038aa1e80",
        Aux(KeyId.NETWORK, 0x029A2F2E, bytes.fromhex("70ac08fffed04a58")),
        "000100ef0401013f095025af00",
        "515287015210a74fb734f1d9c888ef5e6d",
    ),
    (
        "sniffed: a many-to-one route request of the coordinator",
        "0912fcff00001eed10be77feff8d79e0",
        Aux(KeyId.NETWORK, 0x05E74BEC, bytes.fromhex("e0798dfffe77be10")),
        "01082dfcff00",
        "1e5391e2773105f16ea7",
    ),
)
"""The same of frames that were sniffed in a network."""


def case(comment: str, key: bytes, aux: Aux, clear: bytes, frame: bytes) -> Test:
    """The vector of a NWK frame."""
    return {
        "comment": comment,
        "key": key.hex(),
        "source": aux.source.hex(),
        "counter": aux.counter,
        "sequence": aux.sequence,
        "clear": clear.hex(),
        "frame": frame.hex(),
    }


def published() -> str:
    """Frames that others printed."""
    frames: list[Test] = []
    listed = [*((PUBLISHED_KEY, *one) for one in PUBLISHED_NWK)]
    listed += [(SNIFFED_KEY, *one) for one in SNIFFED]
    for key, comment, header, aux, payload, behind in listed:
        parsed = header_of(bytes.fromhex(header))
        whole = NwkFrame(parsed, bytes.fromhex(payload))
        frame = whole.secured(key, aux)
        assert frame.hex() == header + aux.octets(0).hex() + behind, comment
        frames.append(case(comment, key, aux, whole.clear(), frame) | VALID)
    return text(
        "ZigBee",
        printed(
            "frames that a ZigBee stack in Rust prints with its tests; one of our own; frames "
            "sniffed in a network, which a ZigBee stack in TypeScript has with its tests",
            "NWK",
        ),
        Group("zigbee-nwk", frames, {"level": str(USUAL)}),
    )


def header_of(header: bytes) -> NwkHeader:
    """A header without multicast and relays, read."""
    control = int.from_bytes(header[:2], "little")
    dst_ext, src_ext = 8 * (control >> 11 & 1), 8 * (control >> 12 & 1)
    assert LEAST_HEADER + dst_ext + src_ext == len(header)
    return NwkHeader(
        int.from_bytes(header[2:4], "little"),
        int.from_bytes(header[4:6], "little"),
        control & 3,
        header[6],
        header[7],
        header[LEAST_HEADER : LEAST_HEADER + dst_ext][::-1],
        header[LEAST_HEADER + dst_ext :][::-1],
        discover=control >> 6 & 3,
    )


def headers() -> Iterator[tuple[str, NwkHeader]]:
    """A NWK header of every shape."""
    plain = NwkHeader(discover=1)
    yield "data", plain
    yield "command", replace(plain, type=1, dst=0xFFFC)
    yield "destination address", replace(plain, dst_ext=OWN)
    yield "source address", replace(plain, src_ext=PEER)
    yield "both addresses", replace(plain, dst_ext=OWN, src_ext=PEER)
    yield "multicast", replace(plain, multicast=0x29)
    yield "no relays", replace(plain, relays=())
    yield "three relays", replace(plain, relays=(1, 0x2345, 0xFFF7))
    yield "everything", NwkHeader(9, 8, 1, 1, 255, OWN, PEER, 1, (77,), discover=2)


def generated() -> str:
    """Every shape of header and every length of payload, at every level."""
    source = random.Random("zigbee nwk")
    groups: list[Group] = []
    shapes = list(headers())
    for level in range(1, 8):
        tests: list[Test] = []
        lengths = range(MOST - LEAST_HEADER - AUX - MIC + 1) if level == USUAL else range(0, 60, 7)
        for number, length in enumerate(lengths):
            name, header = shapes[number % len(shapes)]
            room = MOST - len(header.octets(secured=True)) - AUX - 16
            payload = octets(f"zigbee {level} {length}", min(length, room) if number else 0)
            counter = (0, 1, 0xFFFFFFFE)[number] if number < 3 else source.randrange(1 << 32)
            aux = Aux(
                KeyId.NETWORK, min(counter, 0xFFFFFFFE), PEER[:7] + bytes([number]), number % 256
            )
            key = octets(f"zigbee key {level} {number}", 16)
            frame = NwkFrame(header, payload)
            test = case(
                f"{name}, {len(payload)} octets",
                key,
                aux,
                frame.clear(),
                frame.secured(key, aux, level),
            )
            tests.append(test | (UNPROTECTED if level == ENC else VALID))
        groups.append(Group("zigbee-nwk", tests, {"level": str(level)}))
    return text(
        "ZigBee",
        made_by("generate_zigbee", "tests/model/zigbee_model.py", "zigbee_nwk.h"),
        *groups,
    )


def refused() -> str:
    """Frames that a node must refuse which has one key, with number 7."""
    tests: list[Test] = []

    def refuse(comment: str, frame: bytes, status: str) -> None:
        tests.append(
            {
                "comment": comment,
                "key": KEY.hex(),
                "sequence": SEQUENCE,
                "address": OWN.hex(),
                "frame": frame.hex(),
                "result": "invalid",
                "status": status,
            }
        )

    aux, level = Aux(KeyId.NETWORK, 1000, PEER, SEQUENCE), "WM_ERR_IMPROPER_SECURITY_LEVEL"
    for name, header in headers():
        frame = NwkFrame(header, octets(f"refused {name}", 24))
        secured, length = frame.secured(KEY, aux), len(header.octets(secured=True))
        behind = 8 * (length + AUX)
        for bit in (*range(8 * 2, 8 * 8, 5), *range(behind, 8 * len(secured), 13), -1):
            refuse(f"{name}, bit {bit} of the frame", flipped(secured, bit), "WM_ERR_SECURITY")
        for bit in range(8 * (length + 1), 8 * (length + 5), 3):
            refuse(f"{name}, bit {bit}: the counter", flipped(secured, bit), "WM_ERR_SECURITY")
        for bit in range(8 * (length + 5), 8 * (length + 13), 7):
            refuse(f"{name}, bit {bit}: the source", flipped(secured, bit), "WM_ERR_SECURITY")
        for bit in range(8):
            changed = flipped(secured, 8 * (length + 13) + bit)
            refuse(f"{name}, another key's number", changed, "WM_ERR_UNAVAILABLE_KEY")
        for bits in range(1, 8):
            loud = frame.secured(KEY, replace(aux, level_bits=bits))
            refuse(f"{name}, level bits {bits}", loud, level)
        for wrong in (0, 2, 3):
            other = Aux(KeyId(wrong), 1000, PEER)
            status = "WM_ERR_IMPROPER_KEY_TYPE"
            refuse(f"{name}, key identifier {wrong}", frame.secured(KEY, other), status)
        hidden = replace(aux, source_present=False)
        refuse(f"{name}, no source", frame.secured(KEY, hidden), "WM_ERR_MALFORMED")
        last = replace(aux, counter=0xFFFFFFFF)
        refuse(f"{name}, counter all ones", frame.secured(KEY, last), "WM_ERR_COUNTER")
        own = replace(aux, source=OWN)
        refuse(f"{name}, sent back to us", frame.secured(KEY, own), "WM_ERR_COUNTER")
        refuse(f"{name}, in clear", frame.clear(), level)
        for cut in range(length + AUX + MIC):
            refuse(f"{name}, cut to {cut}", secured[:cut], "WM_ERR_MALFORMED")
        refuse(f"{name}, cut", secured[:-1], "WM_ERR_SECURITY")
    odd = octets("odd", 24)
    for version in (0, 1, 3):
        other_version = NwkFrame(NwkHeader(version=version), odd).secured(KEY, aux)
        refuse(f"version {version}", other_version, "WM_ERR_NOT_FOR_US")
    reserved = NwkFrame(NwkHeader(type=2), odd).secured(KEY, aux)
    refuse("reserved type", reserved, "WM_ERR_MALFORMED")
    refuse("inter-PAN", NwkFrame(NwkHeader(type=3), odd).secured(KEY, aux), "WM_ERR_NOT_FOR_US")
    return text(
        "ZigBee",
        made_by("generate_zigbee", "tests/model/zigbee_model.py, then damaged", "zigbee_nwk.h"),
        Group("zigbee-nwk-refusal", tests),
    )


def files() -> dict[str, str]:
    """Every file by its path below vectors/."""
    return {
        "zigbee/published.json": published(),
        "zigbee/nwk.json": generated(),
        "zigbee/nwk_refusals.json": refused(),
    }


if __name__ == "__main__":
    write(files())
