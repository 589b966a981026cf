# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: how fast `wardmote frame unsecure` is beside tshark, on a capture of 100 000
secured frames.

Both programs run in turn, from start to end, several times. The best processor time of each counts,
so a busy machine changes little. Both get the key, read the same file and write to /dev/null.
tshark can decrypt every frame in two ways. The fastest counts: a display filter on the decrypted
payload, which prints nothing. The other prints the payloads; its time is shown too. Exit code 1
means that the ratio is too small, 2 that the two programs give different octets.
"""

import hashlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from wardmote.errors import ImageError, UsageError, WardmoteError
from wardmote.frame import native
from wardmote.frame.keys import Key, Network
from wardmote.frame.run import Options, Securing, secure
from wardmote.frame.source import index, read, tap_header, tap_octets
from wardmote.study.payload import FCS_OCTETS

FRAMES = 100_000
LEAST_RATIO = 5.0
ROUNDS = 5
KEY = bytes.fromhex("deadbeeffacecafedeadbeeffacecafe")
KEY_INDEX = 2
LEVEL = 5
HEADER = bytes.fromhex("21ec00cdab02000000004b120001000000004b1200")
"""A data frame in clear, version 2, two extended addresses."""
PAYLOAD_OCTETS = 98
"""With the header, an ASH of 2, a MIC of 4 and an FCS of 2 octets this is the longest frame. It suits
tshark best."""
FIRST_OCTET = 0x17
"""First octet of a payload. tshark takes it for no protocol."""
FILTER = ("-Y", "data.data", "-w", "/dev/null")
PRINT = ("-T", "fields", "-e", "data.data")


class Run(NamedTuple):
    """One run of a program."""

    processor_s: float
    wall_s: float


@dataclass(frozen=True, slots=True)
class FrameRow:
    """The same capture through both programs."""

    frames: int
    octets: int
    cipher: str
    ours: Run
    filtered: Run
    printed: Run

    @property
    def ratio(self) -> float:
        """How many times as fast as the fastest way of tshark."""
        return self.filtered.processor_s / self.ours.processor_s


def payload(number: int) -> bytes:
    """The payload of a frame. Each frame has another."""
    return bytes([FIRST_OCTET]) + hashlib.shake_128(number.to_bytes(4, "big")).digest(
        PAYLOAD_OCTETS - 1
    )


def make_capture(path: Path) -> str:
    """Writes the secured capture with our stack. Returns the name of the block cipher that this
    machine uses."""
    clear = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, native.LINK_TAP)
    body = bytearray(clear)
    for number in range(FRAMES):
        frame = HEADER[:2] + bytes([number & 0xFF]) + HEADER[3:] + payload(number)
        record = tap_header(1, number) + frame + bytes(2)
        body += (
            struct.pack("<IIII", number // 100, number % 100 * 10_000, len(record), len(record))
            + record
        )
    plain = path.with_suffix(".clear")
    plain.write_bytes(body)
    frames = read(str(plain), fcs=None, cut=False)
    network = Network(keys=(Key(KEY, key_index=KEY_INDEX),))
    with path.open("wb") as file:
        outcome = secure(
            frames,
            network,
            Options(any_fcs=True),
            Securing(LEVEL, key_index=KEY_INDEX),
            1,
            file.write,
        )
    if outcome.refused:
        raise ImageError(f"{outcome.refused} frames of the capture could not be secured")
    return outcome.cipher


def timed(command: Sequence[str]) -> Run:
    """Runs a program to its end; raises ImageError if it fails."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise ImageError(f"{command[0]} fails: {done.stderr.decode().strip().splitlines()[-1:]}")
    return Run(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


def best(runs: Iterable[Run]) -> Run:
    """The run with least processor time."""
    return min(runs, key=lambda run: run.processor_s)


def check_same(tshark: Sequence[str], clear: Path) -> None:
    """Raises ImageError unless tshark, our program and the source agree on the payload of every
    frame."""
    shown = subprocess.run(
        [*tshark, *PRINT], capture_output=True, text=True, check=True
    ).stdout.split()
    octets = clear.read_bytes()
    _, records = index(octets)
    if not len(shown) == len(records) == FRAMES:
        raise ImageError(
            f"{len(shown)} payloads in tshark, {len(records)} frames here, {FRAMES} went in"
        )
    for number, (theirs, record) in enumerate(zip(shown, records, strict=True)):
        whole = octets[record.at : record.at + record.captured]
        ours = whole[tap_octets(whole, native.LINK_TAP) + len(HEADER) : -FCS_OCTETS]
        if not bytes.fromhex(theirs) == ours == payload(number):
            raise ImageError(
                f"frame {number + 1} is unsecured to {ours.hex()} here, to {theirs} in tshark"
            )


def compare(folder: Path) -> FrameRow:
    """Makes the capture in `folder` and runs both programs in turn."""
    program, wardmote = shutil.which("tshark"), Path(sys.executable).with_name("wardmote")
    if program is None:
        raise UsageError("tshark is not installed: `make setup` installs it")
    capture, clear = folder / "secured.pcap", folder / "clear.pcap"
    cipher = make_capture(capture)
    ours = [
        str(wardmote),
        "frame",
        "unsecure",
        str(capture),
        "--key",
        f"{KEY_INDEX}:{KEY.hex()}",
        "-o",
    ]
    tshark = [
        program,
        "-n",
        "-r",
        str(capture),
        "-o",
        f'uat:ieee802154_keys:"{KEY.hex()}","{KEY_INDEX}","No hash"',
    ]
    timed([*ours, str(clear)])
    check_same(tshark, clear)
    runs = [
        (timed([*ours, "/dev/null"]), timed([*tshark, *FILTER]), timed([*tshark, *PRINT]))
        for _ in range(ROUNDS)
    ]
    quickest = [best(run[i] for run in runs) for i in range(3)]
    return FrameRow(FRAMES, capture.stat().st_size, cipher, *quickest)


def main() -> int:
    """Prints the comparison."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            row = compare(Path(folder))
    except (WardmoteError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"bench: {error}\n")
        return 2
    enough = row.ratio >= LEAST_RATIO
    lines = [
        f"frame unsecure: {row.frames} frames of 127 octets ({row.octets / 1e6:.1f} MB), "
        f"{row.cipher}, {ROUNDS} runs",
        f"  wardmote frame unsecure -o /dev/null   {_seconds(row.ours)}",
        f"  tshark {' '.join(FILTER):<32}{_seconds(row.filtered)}, the fastest way that decrypts",
        f"  tshark {' '.join(PRINT):<32}{_seconds(row.printed)}, with the payloads printed",
        f"  the same octets; ratio {row.ratio:.2f}, at least {LEAST_RATIO:g} wanted: "
        f"{'ok' if enough else 'too slow'}",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if enough else 1


def _seconds(run: Run) -> str:
    return f"{run.processor_s:6.3f} s of processor, {run.wall_s:6.3f} s in all"


if __name__ == "__main__":
    sys.exit(main())
