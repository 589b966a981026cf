# SPDX-License-Identifier: BSD-3-Clause
"""OpenMotes and TelosBs in one medium: frames cross from each board to each, and the capture has
them all."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.motes import openmote, test_radio
from tests.motes.openmote import BOARD, MICROSECOND, PORT_C, PORT_D, SECOND
from wardmote import _motes

Build = Callable[..., Path]
BOARDS = ("telosb", BOARD)
FRAME = bytes([9, 0x01, 0x80, 0x05, 0xAA, 0xBB, 0xCC, 0xDD])


@pytest.fixture(scope="module")
def images(msp430: Build, armv7m: Build) -> dict[tuple[str, str], bytes]:
    """A program that sends three frames and one that receives, for each board."""
    return {
        ("telosb", "sender"): msp430(test_radio.SENDER).read_bytes(),
        ("telosb", "receiver"): msp430(test_radio.RECEIVER).read_bytes(),
        (BOARD, "sender"): armv7m(openmote.SENDER).read_bytes(),
        (BOARD, "receiver"): armv7m(openmote.RECEIVER).read_bytes(),
    }


def exchange(
    images: dict[tuple[str, str], bytes], sender: str, receivers: tuple[str, ...], seed: int = 5
) -> _motes.Simulation:
    """One sender and several receivers, run until everything is sent."""
    simulation = _motes.Simulation(seed)
    simulation.add_mote(sender, images[sender, "sender"], "sender")
    for index, receiver in enumerate(receivers):
        simulation.add_mote(receiver, images[receiver, "receiver"], f"receiver {index}")
    simulation.capture(0, "asn", 0)
    simulation.run_until(SECOND // 2)
    return simulation


@pytest.mark.parametrize("sender", BOARDS)
def test_frames_cross_from_each_board_to_each(
    images: dict[tuple[str, str], bytes], sender: str
) -> None:
    """What one mote sends, an OpenMote and a TelosB receive with a right checksum."""
    simulation = exchange(images, sender, BOARDS)
    for mote in (1, 2):
        frames = simulation.read(mote, simulation.symbol(mote, "frames")[0], 2)
        assert int.from_bytes(frames, "little") == 3
        received = simulation.read(mote, simulation.symbol(mote, "received")[0], 10)
        assert received[:8] == FRAME
        assert received[9] & 0x80
    pcap = simulation.pcap()
    assert pcap.count(FRAME[1:]) == 3
    assert [pcap.count((0x0001020304 + turn).to_bytes(8, "little")) for turn in range(3)] == [
        1,
        1,
        1,
    ]


def test_frames_of_an_openmote_take_their_time(images: dict[tuple[str, str], bytes]) -> None:
    """SFD comes 12 + 10 symbols after STXON and lasts 32 us for the length and each octet."""
    simulation = exchange(images, BOARD, (BOARD,))
    marks = [(port, level, ps) for port, _, level, _, ps in simulation.marks(0)]
    strobes = [ps for port, level, ps in marks if port == PORT_D and level]
    sfds = [ps for port, level, ps in marks if port == PORT_C and level]
    ends = [ps for port, level, ps in marks if port == PORT_C and not level]
    assert len(strobes) == len(sfds) == len(ends) == 3
    slack = 2 * MICROSECOND  # a few turns of a polling loop at 32 MHz
    for strobe, sfd, end in zip(strobes, sfds, ends, strict=True):
        assert abs(sfd - strobe - (192 + 160) * MICROSECOND) < slack
        assert abs(end - sfd - 10 * 32 * MICROSECOND) < slack
    heard = [
        ps
        for port, bit, level, _, ps in simulation.marks(1)
        if (port, bit, level) == (PORT_C, 4, True)
    ]
    assert all(0 <= a - b < slack for a, b in zip(heard, ends, strict=True))


def test_same_seed_same_everything(images: dict[tuple[str, str], bytes]) -> None:
    """Captures, marks and charges of a mixed network repeat to the last digit."""
    first, second = (exchange(images, BOARD, BOARDS) for _ in range(2))
    assert first.pcap() == second.pcap()
    for mote in range(3):
        assert first.marks(mote) == second.marks(mote)
        assert first.meter(mote) == second.meter(mote)
