# SPDX-License-Identifier: BSD-3-Clause
"""Two Mica2 and the air between them: a packet that a program of the driver sends and finds."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from wardmote import _motes

BOARD = "mica2"
US = 1_000_000
MS = 1000 * US
PAYLOAD = bytes(range(0x21, 0x35))
FIELDS = "<BBBB20sBBHH"
SENDER, RECEIVER = 0, 1
# PowerTOSSIM's currents in mA: receiving, sending with PA_POW 0x0F.
RX_MA, TX_0F_MA = 7.03, 8.47


class Node(NamedTuple):
    """What a mote's program has noted."""

    sends: int
    pa_pow: int
    pause_20ms: int
    done: int
    octets: bytes
    shift: int
    calibration: int
    quiet: int
    loud: int


@pytest.fixture(scope="module")
def packet(root: Path, atmega128: Callable[..., Path]) -> bytes:
    """The program `mica2_packet`."""
    driver = root / "firmware/driver/cc1000"
    folders = (driver, root / "firmware/board/mica2")
    text = (root / "tests/firmware/mica2_packet.c").read_text()
    flags = tuple(f"-I{folder}" for folder in folders)
    return atmega128(text, driver / "cc1000.c", flags=flags).read_bytes()


class Pair(NamedTuple):
    """A simulation of two motes, of which one sends."""

    simulation: _motes.Simulation

    def node(self, mote: int) -> Node:
        """What that mote has noted."""
        address, octets = self.simulation.symbol(mote, "node")
        assert octets == struct.calcsize(FIELDS)
        return Node(*struct.unpack(FIELDS, self.simulation.read(mote, address, octets)))


def pair(elf: bytes, *, distance_m: float = 10.0, ppm: float = 0.0, seed: int = 1) -> Pair:
    """A sender and a receiver, apart by that distance and that deviation of their crystals."""
    simulation = _motes.Simulation(seed=seed, distance_m=distance_m)
    for mote, (name, sends) in enumerate((("sender", 1), ("receiver", 0))):
        simulation.add_mote(BOARD, elf, name, ppm=ppm if sends else -ppm)
        node = Node(sends, 0x0F, 1, 0, PAYLOAD if sends else bytes(20), 0, 0, 0, 0)
        simulation.write(mote, simulation.symbol(mote, "node")[0], struct.pack(FIELDS, *node))
    return Pair(simulation)


@pytest.mark.parametrize(("ppm", "seed"), [(0.0, 1), (40.0, 2), (-40.0, 3)])
def test_a_packet_arrives_at_any_phase(packet: bytes, ppm: float, seed: int) -> None:
    """20 octets, with crystals that are equal and 80 ppm apart; RSSI falls from the floor, -105 dBm,
    to the level of 10 m, and both calibrations have ended."""
    motes = pair(packet, ppm=ppm, seed=seed)
    motes.simulation.run_for(140 * MS)
    sender, receiver = motes.node(SENDER), motes.node(RECEIVER)
    assert (sender.done, receiver.done) == (1, 1)
    assert receiver.octets == PAYLOAD
    # 1.088 V and a level of -45 dBm, above which RSSI is 0 V, of 3 V.
    assert receiver.quiet == pytest.approx(1.088 / 3 * 1024, abs=1)
    assert receiver.loud < receiver.quiet // 4
    assert not motes.simulation.misuse(SENDER)


def test_the_meter_counts_the_radio(packet: bytes) -> None:
    """Sending 33 octets and three more of 416.67 us, with the currents of PowerTOSSIM."""
    motes = pair(packet)
    motes.simulation.run_for(140 * MS)
    rows = {
        (row["device"], row["state"]): row
        for row in motes.simulation.meter(SENDER)
        if row["device"] == "cc1000"
    }
    sending = rows["cc1000", "tx_0f"]
    assert sending["seconds"] == pytest.approx(34 * 8 / 19200, abs=2 * 8 / 19200)
    assert sending["current_ma"] == TX_0F_MA
    assert rows["cc1000", "rx"]["current_ma"] == RX_MA
    assert ("cc1000", "power_down") in rows


def test_a_mote_too_far_away_hears_noise(packet: bytes) -> None:
    """At 10 km the carrier is below the noise: RSSI stays, and no packet is found."""
    motes = pair(packet, distance_m=10_000.0)
    motes.simulation.run_for(140 * MS)
    receiver = motes.node(RECEIVER)
    assert motes.node(SENDER).done == 1
    assert receiver.octets != PAYLOAD
