# SPDX-License-Identifier: BSD-3-Clause
"""scapy and tshark take the packets that the stack makes, and the stack takes scapy's."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.interop.captures import RECORD_HEADER
from tests.interop.ipsec_suites import IIV
from tests.model.ipsec_model import (
    DESTINATION,
    ENCRYPTION,
    ESPS,
    HOP_BY_HOP,
    ROUTING,
    TCP,
    Sa,
    Suite,
    ipv6,
)
from tests.stack.conftest import target_named
from tests.stack.net.ipseclib import GROUP, HEADERS, IN, OUT, PROTECT, Node, node, sas_of
from tests.vectors import Vector, load, named
from vectors.generate_ipsec import OURS, PEER, clear, sa_of

Oracle = Callable[[str], str]
CODES = {
    "": "",
    "hmac_sha1_96": "HMAC-SHA1-96",
    "hmac_sha256_128": "SHA2-256-128",
    "aes_cmac_96": "AES-CMAC-96",
}
CIPHERS = {
    "": "",
    "null": "NULL",
    "aes_cbc": "AES-CBC",
    "aes_ctr": "AES-CTR",
    "aes_ccm_8": "AES-CCM",
    "aes_ccm_16": "AES-CCM",
}
"""scapy's names of what it knows; it has no XCBC and no implicit IV."""
TSHARK = {"null": "NULL", "aes_cbc": "AES-CBC [RFC3602]", "aes_ctr": "AES-CTR [RFC3686]"}
TSHARK_CODES = {
    "hmac_sha1_96": "HMAC-SHA-1-96 [RFC2404]",
    "aes_xcbc_96": "ANY 96 bit authentication [no checking]",
}
EXTENSIONS = HOP_BY_HOP, ROUTING, DESTINATION
IV_AT = 48
"""In an ESP packet: behind the IPv6 header, the SPI and the sequence number."""
CCM_KEY, CCM_SALT = b"16bytekey3bytenonce"[:16], b"nce\0"
RAW_IP = 101
"""Link type."""


def packets() -> list[tuple[Vector, Sa]]:
    """The vectors of one SA; the stack makes each, octet for octet."""
    found = load("ipsec", "ipsec")
    return [(vector, sas_of(vector)[0]) for vector in found if len(sas_of(vector)) == 1]


def case(vector: Vector, sa: Sa) -> dict[str, Any]:
    """What `ipsec_scapy` takes."""
    combined = ENCRYPTION[sa.suite.encryption] if sa.suite.encryption else None
    return {
        "protocol": "ah" if sa.suite.is_ah else "esp",
        "spi": sa.spi,
        "sequence": vector.number("sequence"),
        "encryption": CIPHERS[sa.suite.encryption],
        "integrity": CODES[sa.suite.integrity],
        "key": (sa.key + (sa.salt[: combined.salt_octets] if combined else b"")).hex(),
        "integrityKey": sa.integrity_key.hex(),
        "icv": combined.icv_octets if combined else 0,
        "clear": vector.octets("clear").hex(),
        "packet": vector.octets("packet").hex(),
    }


def known(sa: Sa) -> bool:
    """Whether scapy has these algorithms."""
    return sa.suite.encryption in CIPHERS and sa.suite.integrity in CODES


def asked(cases: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What scapy says of each."""
    program = [sys.executable, "-m", "tests.interop.ipsec_scapy"]
    given = json.dumps(cases)
    done = subprocess.run(program, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[dict[str, str]] = json.loads(done.stdout)
    return found


def test_scapys_own_case_of_ccm() -> None:
    """The key, the SPI and the payload of scapy's tests of AES-CCM, and a sequence number that was
    changed: both take the one and refuse the other."""
    target, sa = target_named("host", *HEADERS), Sa(Suite("aes_ccm_16"), 0x222, CCM_KEY, CCM_SALT)
    policy = {"remote": OURS, "prefix": 128, "action": PROTECT, "esp": GROUP}
    segment = struct.pack(">HHIIHHHH", 45012, 80, 0, 0, 0x5002, 8192, 0, 0) + b"testdata"
    want = ipv6(PEER, OURS, TCP, segment)
    status, packet = Node(target, [(OUT, sa)], policies=[policy]).secure(want)
    assert status == "WM_OK"
    changed = packet[:47] + bytes([packet[47] + 1]) + packet[48:]
    members = {"protocol": "esp", "spi": sa.spi, "sequence": 1, "encryption": "AES-CCM",
               "integrity": "", "integrityKey": "", "icv": 16, "clear": want.hex(),
               "key": (CCM_KEY + CCM_SALT[:3]).hex()}  # fmt: skip
    given = [members | {"packet": octets.hex()} for octets in (packet, changed)]
    answers = asked(given)
    assert answers[0]["opened"] == want.hex()
    assert answers[1]["opened"].startswith("IPSecIntegrityError")
    sealed = bytes.fromhex(answers[0]["sealed"])
    assert node(target, IN, [sa]).unsecure(sealed) == ("WM_OK", want)
    sealed = sealed[:47] + bytes([sealed[47] + 1]) + sealed[48:]
    assert node(target, IN, [sa]).unsecure(sealed)[0] == "WM_ERR_SECURITY"


def test_scapy_both_ways() -> None:
    """It opens what the stack makes, and makes what the stack opens, in every suite that it has."""
    cases = [
        (vector, sa)
        for vector, sa in packets()
        if known(sa) and vector.octets("clear")[6] not in EXTENSIONS
    ]
    assert len({str(sa.suite) for _, sa in cases}) == 10
    answers = asked([case(vector, sa) for vector, sa in cases])
    target = target_named("host", *HEADERS)
    for (vector, sa), answer in zip(cases, answers, strict=True):
        with named(f"{vector}, {vector.comment}, {sa.suite}"):
            want = vector.octets("clear")
            assert answer["opened"] == want.hex()
            status = "WM_OK" if sa.suite.is_ah or sa.suite.secure else "WM_NOT_AUTHENTICATED"
            assert node(target, IN, [sa]).unsecure(bytes.fromhex(answer["sealed"])) == (
                status,
                want,
            )


def with_iv(packet: bytes, octets: bytes) -> bytes:
    """An ESP packet whose IV is implicit, with the same IV in it."""
    length = int.from_bytes(packet[4:6], "big") + len(octets)
    return packet[:4] + length.to_bytes(2, "big") + packet[6:IV_AT] + octets + packet[IV_AT:]


def test_an_implicit_iv_is_the_sequence_number() -> None:
    """RFC 8750 section 4: scapy's CCM of RFC 4309, told to take four zeros and the sequence number
    as its IV, makes of every clear packet the packet of the vectors but for that IV, which is not
    sent, and opens it. Every CPU makes and takes these vectors (tests/stack/net/test_ipsec.py).
    Another IV or another sequence number is refused."""
    cases = [
        (vector, sa)
        for vector, sa in packets()
        if sa.suite.encryption == IIV and vector.octets("clear")[6] not in EXTENSIONS
    ]
    given, wanted = [], []
    for vector, sa in cases:
        number = vector.number("sequence")
        octets = number.to_bytes(8, "big")
        as_explicit = case(vector, Sa(Suite("aes_ccm_8"), sa.spi, sa.key, sa.salt))
        whole = with_iv(vector.octets("packet"), octets)
        other = with_iv(vector.octets("packet"), (number ^ 1).to_bytes(8, "big"))
        later = whole[:47] + bytes([whole[47] ^ 1]) + whole[48:]
        for packet in (whole, other, later):
            given.append(as_explicit | {"iv": octets.hex(), "packet": packet.hex()})
        wanted.append((whole.hex(), vector.octets("clear").hex()))
    answers = asked(given)
    assert [(one["sealed"], one["opened"]) for one in answers[::3]] == wanted
    refused = [one["opened"] for one in (*answers[1::3], *answers[2::3])]
    assert all(answer.startswith("IPSecIntegrityError") for answer in refused)
    assert len(wanted) > 15
    assert any(vector.number("sequence") == 0xFFFFFFFF for vector, _ in cases)


def esp_options(sas: list[Sa]) -> list[str]:
    """tshark's preferences: decrypt, check ICVs, and the SAs."""
    words = [
        "-o",
        "esp.enable_encryption_decode:TRUE",
        "-o",
        "esp.enable_authentication_check:TRUE",
    ]
    for sa in sas:
        salt = sa.salt[: sa.encryption.salt_octets]
        row = [
            *("IPv6", "*", "*", f"0x{sa.spi:08x}"),
            *(TSHARK[sa.suite.encryption], f"0x{(sa.key + salt).hex()}" if sa.key else ""),
            *(TSHARK_CODES[sa.suite.integrity], f"0x{sa.integrity_key.hex()}"),
        ]
        words += ["-o", "uat:esp_sa:" + ",".join(f'"{word}"' for word in row)]
    return words


def test_tshark_decrypts(oracle: Oracle, tmp_path: Path) -> None:
    """ESP of the stack on the host, in every suite that tshark has: it finds the UDP payload, and
    where it knows the code, a right ICV."""
    suites = [suite for suite in ESPS if suite.encryption in TSHARK]
    target, sas, records, wanted = target_named("host", *HEADERS), [], [], []
    policy = {"remote": OURS, "prefix": 128, "action": PROTECT, "esp": GROUP}
    for number, suite in enumerate(suites):
        sas.append(sa_of(suite, 0x1000 + number))
        sender = Node(target, [(OUT, sas[-1])], policies=[policy])
        for length in (1, 16, 200):
            status, packet = sender.secure(clear(length))
            assert status == "WM_OK"
            records.append(RECORD_HEADER.pack(0, 0, len(packet), len(packet)) + packet)
            good = "1" if suite.integrity == "hmac_sha1_96" else "0"
            wanted.append([f"0x{sas[-1].spi:08x}", good, clear(length)[48:].hex()])
    path = tmp_path / "esp.pcap"
    head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, RAW_IP)
    path.write_bytes(head + b"".join(records))
    fields = [
        "-T",
        "fields",
        "-E",
        "separator=,",
        "-e",
        "esp.spi",
        "-e",
        "esp.icv_good",
        "-e",
        "udp.payload",
    ]
    done = subprocess.run(
        [oracle("tshark"), "-r", str(path), *esp_options(sas), *fields],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert [line.split(",") for line in done.stdout.splitlines()] == wanted
