# SPDX-License-Identifier: BSD-3-Clause
"""Frames that make other stacks read past their end. In this library such a read ends the
program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import Ash, Beacon, Frame
from tests.stack.link.linklib import name_of

# One process runs the probe once.
pytestmark = pytest.mark.xdist_group("known-bugs-memory")

SHORT, EXT, OTHER = (
    bytes.fromhex("0a0b"),
    bytes.fromhex("00124b0000000001"),
    bytes.fromhex("00124b0000000002"),
)
PARSE, CLEAR, EB, EB_ASN, CORRECTION, UNSECURE = 0, 1, 2, 3, 4, slice(5, 9)
MALFORMED = "WM_ERR_MALFORMED"


def probe(root: Path, frames: Iterable[tuple[bytes, int]]) -> subprocess.CompletedProcess[str]:
    """Runs known_bugs_probe.py with the sanitizers' run-time library loaded first."""
    runtime = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    environment = os.environ | {
        "LD_PRELOAD": runtime.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONPATH": f"{root}:{root / 'bench'}",
        "PYTHONMALLOC": "malloc",
    }
    lines = "".join(f"{octets.hex()},{claimed}\n" for octets, claimed in frames)
    command = [sys.executable, "-m", "tests.stack.link.known_bugs_probe"]
    return subprocess.run(
        command, cwd=root, env=environment, input=lines, capture_output=True, text=True, check=False
    )


def headers() -> list[bytes]:
    """An FCF that announces both PAN identifiers, extended addresses and the longest ASH, cut at
    every length."""
    frame = Frame(
        version=1, dst=OTHER, src=EXT, dst_pan=1, src_pan=2, ash=Ash(7, 3, 1, False, bytes(8), 1)
    )
    return [frame.clear()[:length] for length in range(1, len(frame.clear()))]


def mics() -> list[bytes]:
    """A header that is whole and a MIC that is not, at every level and length."""
    heads = {
        level: Frame(dst=OTHER, src=EXT, ash=Ash(level, 1, 1)).clear()
        for level in (1, 2, 3, 5, 6, 7)
    }
    return [
        head + bytes(left)
        for level, head in heads.items()
        for left in range(model.MIC_OCTETS[level])
    ]


def beacons() -> list[bytes]:
    """GTS and pending address specifications that count more entries than the beacon has octets."""
    counts = (b"\x07", b"\x00\x77", b"\x07\x00" + bytes(21) + b"\x77")
    found = [
        Frame(model.BEACON, 1, src=EXT, open_part=b"\x55\xcf" + count).clear() for count in counts
    ]
    return found + [beacon + bytes(5) for beacon in found]


def header_ies() -> list[bytes]:
    """Header IEs whose length exceeds the rest of the frame: by one octet, and by the most
    possible."""
    head = bytearray(Frame(dst=OTHER, src=EXT).mhr())
    head[1] |= 0x02
    found = [bytes(head) + bytes([length, 0x10]) + bytes(length - 1) for length in (1, 9, 100)]
    return [*found, bytes(head) + b"\x7f\x10", bytes(head) + b"\x00"]


def payload_ies() -> list[bytes]:
    """Payload and nested IEs with such lengths, and an Enhanced Beacon cut at every length."""
    payload = Beacon(5, timeslot=model.Timeslot().octets(1)).payload()
    found = [
        b"\xff\x8f",
        b"\xff\x8f" + bytes(50),
        b"\x04\x88\xff\x1a\x01\x02",
        b"\x03\x88\x02\x1a\x01",
    ]
    found.append(model.payload_ie(1, model.nested_ie(0x1A, b"\x01")))
    return found + [payload[:cut] for cut in range(1, len(payload))]


def hopping() -> list[bytes]:
    """Channel Hopping IEs of too few octets, then sequences of length 0 or more than they carry."""
    cut = [Beacon(5, hopping=bytes(length)).payload() for length in range(13)]
    return cut + [
        Beacon(5, hopping=bytes(8) + length.to_bytes(2, "little")).payload()
        for length in (0, 1, 0xFFFF)
    ]


def corrections() -> list[bytes]:
    """A time correction cut at every length, then ones of 0, 1 and 3 octets, then a good one."""
    whole = model.time_correction(-5)
    wrong = [model.header_ie(0x1E, bytes(length)) for length in (0, 1, 3)]
    return [whole[:cut] for cut in range(1, 4)] + wrong + [whole]


def short_source() -> list[bytes]:
    """A short source is the last thing before the ASH in a frame that ends soon after."""
    return [Frame(dst=b"", src=SHORT, ash=Ash(4, 0, 1)).clear()]


GROUPS = (headers, mics, beacons, header_ies, payload_ies, hopping, corrections, short_source)
Words = list[list[str]]


@cache
def all_statuses(root: Path) -> dict[str, Words]:
    """What each function says of each frame of each group; the sanitizers said nothing."""
    frames = {group.__name__: group() for group in GROUPS}
    done = probe(root, [(octets, len(octets)) for group in frames.values() for octets in group])
    assert done.returncode == 0, done.stderr[-3000:]
    words = iter([name_of(int(word)) for word in line.split()] for line in done.stdout.splitlines())
    return {name: [next(words) for _ in group] for name, group in frames.items()}


@pytest.fixture
def statuses(root: Path) -> Callable[[Callable[[], list[bytes]]], Words]:
    """Statuses of a group of frames."""
    return lambda group: all_statuses(root)[group.__name__]


Statuses = Callable[[Callable[[], list[bytes]]], Words]


def test_sanitizer_sees_one_octet(root: Path) -> None:
    """The library is awake: a length that claims one octet more than there is ends the program."""
    octets = Frame(dst=OTHER, src=EXT, ash=Ash(5, 3, 1, False, bytes(8))).clear()
    done = probe(root, [(octets[:-1], len(octets))])
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr


def test_header_that_is_not_there(statuses: Statuses) -> None:
    """A frame that ends before the header it announces, at every length: up to 36 octets read past
    its end."""
    found = statuses(headers)
    assert len(found) == 36
    for words in found:
        assert {words[PARSE], words[CLEAR], *words[UNSECURE]} == {MALFORMED}


def test_mic_that_is_not_there(statuses: Statuses) -> None:
    """A frame that ends within its MIC."""
    assert {words[PARSE] for words in statuses(mics)} == {MALFORMED}


def test_extended_address_out_of_a_short_one(statuses: Statuses) -> None:
    """8 octets from a short source on are not all its own: without an extended address from
    elsewhere the frame is refused before any nonce is made."""
    [words] = statuses(short_source)
    assert words[PARSE] == "WM_OK"
    assert set(words[UNSECURE]) == {"WM_ERR_PARAM", "WM_ERR_UNSUPPORTED_SECURITY"}


def test_beacon_fields_that_are_not_there(statuses: Statuses) -> None:
    """More guaranteed time slots and pending addresses than the beacon has octets."""
    assert {words[PARSE] for words in statuses(beacons)} == {MALFORMED}


def test_ies_that_are_not_there(statuses: Statuses) -> None:
    """Information Elements that are longer than the list that they are in."""
    assert {words[PARSE] for words in statuses(header_ies)} == {MALFORMED}
    assert {words[EB] for words in statuses(payload_ies)} == {MALFORMED}
    assert {words[EB_ASN] for words in statuses(payload_ies)[:5]} == {MALFORMED}


def test_hopping_sequence_that_is_not_there(statuses: Statuses) -> None:
    """Nothing is divided by the length of a hopping sequence, and nothing read past the IE."""
    found = [words[EB] for words in statuses(hopping)]
    assert found == [MALFORMED, *["WM_OK"] * 15]


def test_time_correction_that_is_not_there(statuses: Statuses) -> None:
    """Header IEs of an Enh-Ack that end within the correction, or in which it is too short or too
    long to be one."""
    assert [words[CORRECTION] for words in statuses(corrections)] == [MALFORMED] * 6 + ["WM_OK"]
