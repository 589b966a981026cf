# SPDX-License-Identifier: BSD-3-Clause
"""Images of TinyOS 2.1 for MICAz and TelosB, as they are: the frames that a mote sends, what a base
says of frames on its serial line, and that motes of ours beside them are not disturbed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tests.model.ieee802154_model import fcs
from tests.model.serial_frames import frame
from wardmote._motes import Simulation
from wardmote.call import Target
from wardmote.experiments.tinysec.network import MS, PLAIN, RUNNING, Network, Report, Setup
from wardmote.paths import BUILD

PAN, ADDRESS, CHANNEL = 0x22, 1, 26
HEADER = bytes.fromhex("4188 00 2200 0100 0100 3f 0e")
"""Frame control, sequence, PAN, dst, src, dispatch and type of a message."""
DATA = bytes.fromhex("0600000002000000010001000100010000")
SENDS_WITHIN_MS, BOOTS_WITHIN_MS = 8000, 3000
FRAMES = 3
Check = Callable[[Target, Path], Iterator[bool]]


def _frame(sequence: int) -> bytes:
    octets = HEADER[:2] + bytes([sequence]) + HEADER[3:] + DATA
    return octets + fcs(octets)


def mote_of(board: str) -> Check:
    """A mote that reports: three frames, octet for octet. Ours, with its PAN and the address that it
    sends to, take none for a packet."""

    def check(target: Target, path: Path) -> Iterator[bool]:
        ours = Network("", b"", (), 1)
        for other in ("micaz", "telosb"):
            elf = (BUILD / f"firmware/{other}/tinysec-none.elf").read_bytes()
            ours.add(other, elf, Setup(ADDRESS, mode=PLAIN, group=PAN))
        simulation = ours.simulation
        theirs = simulation.add_mote(board, path.read_bytes(), path.stem)
        simulation.capture()
        simulation.run_for(SENDS_WITHIN_MS * MS)
        sent = [
            (channel, octets)
            for mote, _, channel, octets, _ in simulation.frames()
            if mote == theirs
        ]
        for number in range(FRAMES):
            yield sent[number : number + 1] == [(CHANNEL, _frame(number))]
        for mote in range(theirs):
            yield (ours.report(mote), ours.state(mote)) == (Report(*10 * [0]), RUNNING)
        yield simulation.misuse(theirs) == []

    return check


def base_of(board: str) -> Check:
    """A base: it says what it hears, and nothing of a frame whose FCS is wrong."""

    def check(target: Target, path: Path) -> Iterator[bool]:
        simulation = Simulation(seed=1)
        base = simulation.add_mote(board, path.read_bytes(), path.stem)
        simulation.run_for(BOOTS_WITHIN_MS * MS)
        simulation.serial(base)
        told = frame(bytes([0, 0, 1, 0, 1, len(DATA), *HEADER[-2:]]) + DATA, b"\x45")
        for number in range(FRAMES):
            simulation.inject(CHANNEL, simulation.now_ps + MS, _frame(number))
            simulation.run_for(100 * MS)
            yield bytes(octet for _, _, octet in simulation.serial(base)) == told
        wrong = _frame(FRAMES)[:-1] + b"\0"
        simulation.inject(CHANNEL, simulation.now_ps + MS, wrong)
        simulation.run_for(100 * MS)
        yield simulation.serial(base) == []
        yield simulation.misuse(base) == []

    return check
