# SPDX-License-Identifier: BSD-3-Clause
"""Captures of short runs, and what tshark says of them when it has the keys."""

import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.stack.link.tshark import GUESSES
from wardmote.measurements.slot.block import BEACON_KEY, BEACON_KEY_INDEX, DATA_KEY, DATA_KEY_INDEX
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing, long_timing

EXCHANGES = 12
FIELDS = (
    "wpan.frame_type",
    "wpan.security",
    "wpan.aux_sec.sec_level",
    "wpan.aux_sec.key_index",
    "wpan-tap.asn",
    "_ws.expert.message",
    "data.data",
)
BEACON, DATA, ACK = "0x0000", "0x0001", "0x0002"
PCAP_HEADER = 24
RECORD_HEADER = struct.Struct("<IIII")


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame as tshark shows it. An empty `complaint` means that it decrypted and
    authenticated."""

    frame_type: str
    secured: bool
    level: str
    key_index: str
    asn: str
    complaint: str
    data: bytes


def capture(
    case: Setting, image: bytes, exchanges: int = EXCHANGES, timing: Timing | None = None
) -> bytes:
    """Frames of a join and some exchanges, in the long slot or at a template."""
    network = Network(case, image, timing or long_timing(case.tick_hz), seed=1)
    assert network.join(), network.why_not_joined()
    assert network.run_to_exchange(exchanges + 1)
    return network.simulation.pcap()


def key_option(key: bytes, index: int) -> str:
    """tshark's preference for one 802.15.4 key."""
    return f'uat:ieee802154_keys:"{key.hex()}","{index}","No hash"'


def tshark(program: str, pcap: bytes, path: Path) -> list[Seen]:
    """Every frame of a capture, decrypted with both keys."""
    path.write_bytes(pcap)
    keys = [key_option(BEACON_KEY, BEACON_KEY_INDEX), key_option(DATA_KEY, DATA_KEY_INDEX)]
    command = [
        program,
        "-n",
        "-r",
        str(path),
        "-T",
        "fields",
        "-E",
        "separator=;",
        "-E",
        "occurrence=a",
    ]
    for guess in GUESSES:
        command += ["--disable-protocol", guess]
    command += [word for key in keys for word in ("-o", key)] + [
        word for field in FIELDS for word in ("-e", field)
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [_seen(line) for line in done.stdout.splitlines()]


def tshark_each(program: str, pcaps: Sequence[bytes], path: Path) -> list[list[Seen]]:
    """Every frame of several captures of one link type. They are one file to tshark, which takes
    longer to begin than to read."""
    frames = iter(
        tshark(program, b"".join([pcaps[0], *(p[PCAP_HEADER:] for p in pcaps[1:])]), path)
    )
    return [[next(frames) for _ in records(pcap)] for pcap in pcaps]


def _seen(line: str) -> Seen:
    frame_type, secured, level, key_index, asn, complaint, data = line.split(";")
    return Seen(
        frame_type, secured in ("1", "True"), level, key_index, asn, complaint, bytes.fromhex(data)
    )


def records(pcap: bytes) -> Iterator[tuple[int, int]]:
    """Where the PSDU of each record begins and ends, after its TAP header."""
    at = PCAP_HEADER
    while at < len(pcap):
        _, _, length, _ = RECORD_HEADER.unpack_from(pcap, at)
        start = at + RECORD_HEADER.size
        (tap,) = struct.unpack_from("<H", pcap, start + 2)
        yield start + tap, start + length
        at = start + length
