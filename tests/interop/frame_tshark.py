# SPDX-License-Identifier: BSD-3-Clause
"""tshark as a reader of thousands of frames: one capture, two runs, a verdict for each frame.

What tshark can judge at all is a rule, found by giving it every class of frame and reading what it
complained of: the nonce needs the sender. With an extended source that is in the frame. A short one
must be known together with its PAN identifier: the ASN nonce is made of both, for the counter nonce
both are looked up in tshark's table of addresses, which we fill. A frame without source, or with a
short source and no PAN identifier, leaves it nothing to look up; what the receiver of such a frame
knows from its association tshark cannot be told.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.interop.frame_cases import ADDRESS, KEYS, OTHER_PAN, PAN, VENDOR, Case
from tests.model.ieee802154_model import BEACON, COMMAND
from tests.stack.link.tshark import Captured, write_capture

CHANNEL = 15
LEVEL_ENCRYPTED = 4
NO_SENDER = "No extended source address - can't decrypt"
WRONG_MIC = "No encryption key set - can't decrypt"
UNKNOWN_COMMAND = "Unknown Command Id (cf. IEEE 802.15.4-2015 Table 7-49)"
DECRYPTED = "Decrypted IEEE 802.15.4 payload"
FIELDS = ("_ws.expert.message", "data.data")
# They would read their own meaning into random octets.
ABOVE = (
    "6lowpan",
    "lwm",
    "thread",
    "thread_bcn",
    "zbee_beacon",
    "zbee_nwk",
    "zbee_nwk_gp",
    "zbip_beacon",
)
SOURCE_LINE = re.compile(r"^(\S.*) \(\d+ bytes?\):$")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What tshark says of one frame: its complaint, the octets that it decrypted, and what it could
    not read a meaning into: content of a vendor's IE and payload."""

    complaint: str
    decrypted: bytes
    data: tuple[bytes, ...]


def supports(case: Case) -> str:
    """Empty if tshark can judge the frame, otherwise why it cannot."""
    shape = case.shape
    if not case.secured or shape.src == "extended":
        return ""
    if shape.src == "none":
        return "no source address: nobody to look up for the nonce"
    return (
        ""
        if any(case.frame.pan_fields())
        else "short source without a PAN identifier: no entry to look up"
    )


def judge(program: str, frames: Iterable[tuple[Case, bytes]], path: Path) -> list[Verdict]:
    """tshark's verdict on every frame, given the keys and the one short address."""
    write_capture(path, [Captured(octets, CHANNEL, case.asn) for case, octets in frames])
    command = [program, "-n", "-r", str(path), *_options()]
    fields = [word for field in FIELDS for word in ("-e", field)]
    lines = _run(
        [*command, "-T", "fields", "-E", "separator=;", "-E", "occurrence=a", *fields]
    ).splitlines()
    decrypted = decrypted_sources(_run([*command, "-x"]))
    assert len(lines) == len(decrypted)
    return [_verdict(line, octets) for line, octets in zip(lines, decrypted, strict=True)]


def _verdict(line: str, decrypted: bytes) -> Verdict:
    complaint, data = line.split(";")
    return Verdict(
        complaint, decrypted, tuple(bytes.fromhex(piece) for piece in data.split(",") if piece)
    )


def expected(case: Case) -> Verdict:
    """What tshark is to say of a frame that it supports."""
    shape, frame = case.shape, case.frame
    complaint = UNKNOWN_COMMAND if shape.type == COMMAND else ""
    data = [VENDOR[3:]] if "HT1" in shape.ies and shape.type != BEACON else []
    data += [case.payload] if case.payload else []
    return Verdict(
        complaint, frame.private_part if shape.level >= LEVEL_ENCRYPTED else b"", tuple(data)
    )


def _options() -> list[str]:
    keys = [f'uat:ieee802154_keys:"{key.hex()}","{index}","No hash"' for index, key in KEYS.items()]
    short, extended = ADDRESS["short"].hex(), ADDRESS["extended"].hex()
    known = [f'uat:802154_addresses:"{short}","{pan:04x}",{extended}' for pan in (PAN, OTHER_PAN)]
    off = [word for name in ABOVE for word in ("--disable-protocol", name)]
    return [word for option in keys + known for word in ("-o", option)] + off


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def decrypted_sources(dump: str, decrypted: str = DECRYPTED) -> list[bytes]:
    """From `tshark -x` what each frame was decrypted to, which stands under that name; nothing
    where nothing was."""
    found: list[bytes] = []
    name = ""
    for line in dump.splitlines():
        source = SOURCE_LINE.match(line)
        if source:
            name = source[1]
            if name == "Frame":
                found.append(b"")
        elif line and name == decrypted:
            found[-1] += bytes.fromhex(line[6:53])
    return found
