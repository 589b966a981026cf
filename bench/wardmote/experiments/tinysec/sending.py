# SPDX-License-Identifier: BSD-3-Clause
"""Packets of one mote that sends: what was on the air, and what its devices did meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from wardmote.campaign.cases import Artefacts
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.network import (
    BYTE_TIME_MS,
    DONE,
    FLUSH,
    MS,
    RECEIVER,
    SENDER,
    START_SYMBOL,
    Network,
    Setup,
)
from wardmote.experiments.tinysec.stacks import NONE, SKIPJACK, STACKS
from wardmote.paths import firmware_image

BOOT_MS = 600
"""A mote that encrypts writes its EEPROM first."""
PACKET_MS = 60
"""No packet takes longer, back-off included."""
CARRIER, RADIO, CPU, ACTIVE, LISTENING = "tx_", "cc1000", "cpu", "active", "rx"
SILENT = "tx_00"
"""The transmitter before its amplifier is on, and after."""
DESTINATION, ADDRESS = 0, 1
USUAL_POWER = 0x0F
"""PA_POW that TinyOS sets at 433 MHz."""
Change = tuple[int, str, str, int, float]
"""A change of state, as Simulation.states returns it."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time in which no device changes its state."""

    begin_ps: int
    end_ps: int
    states: tuple[tuple[str, str], ...]
    """Device and state."""
    current_ma: float

    @property
    def charge_uc(self) -> float:
        """Milliamperes by picoseconds are attocoulombs."""
        return self.current_ma * (self.end_ps - self.begin_ps) / MS

    def has(self, device: str, state: str) -> bool:
        """Whether a device is in a state."""
        return (device, state) in self.states


@dataclass(frozen=True, slots=True)
class Sent:
    """One packet. It is sent from leaving the receiver to coming back to it."""

    octets: bytes
    """Without start symbol and flush."""
    stretches: tuple[Stretch, ...]
    carrier_ps: tuple[int, int]
    """When the amplifier goes on and off."""

    @property
    def charge_uc(self) -> float:
        """Of the whole mote."""
        return sum(one.charge_uc for one in self.stretches)

    @property
    def ms(self) -> float:
        """How long it is sent."""
        return (self.stretches[-1].end_ps - self.stretches[0].begin_ps) / MS

    @property
    def air_ms(self) -> float:
        """How long its carrier is on."""
        return (self.carrier_ps[1] - self.carrier_ps[0]) / MS

    @property
    def air_octets(self) -> int:
        """The same in whole octets: start symbol, packet and flush."""
        return int(self.air_ms / BYTE_TIME_MS)

    @property
    def active_ms(self) -> float:
        """How long the CPU does not sleep."""
        active = (one for one in self.stretches if one.has(CPU, ACTIVE))
        return sum(one.end_ps - one.begin_ps for one in active) / MS


@dataclass(frozen=True, slots=True)
class Sender:
    """A mote that sends packets of a stack: a case, and what rows of such cases begin with."""

    board: str
    stack: str
    data_octets: int
    power: int
    """PA_POW of its radio."""
    seed: int

    def setup(self, packets: int) -> Setup:
        """Its block in flash, to send so many."""
        return Setup(
            ADDRESS,
            role=SENDER,
            packets=packets,
            mode=STACKS[self.stack].mode,
            data_octets=self.data_octets,
            power=self.power,
            seed=self.seed,
        )

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.stack}, {self.data_octets} octets at PA_POW {self.power:#04x}"


def stretches(changes: Sequence[Change]) -> list[Stretch]:
    """The times between changes."""
    found: list[Stretch] = []
    states: dict[str, tuple[str, float]] = {}
    for (ps, device, state, _, current_ma), (until, *_) in pairwise(changes):
        states[device] = (state, current_ma)
        if until > ps:
            listed = tuple((name, states[name][0]) for name in sorted(states))
            found.append(Stretch(ps, until, listed, sum(ma for _, ma in states.values())))
    return found


def images(case: Sender) -> Mapping[str, Path]:
    """The images of the paper's stacks, by their names."""
    return {name: firmware_image(case.board, name) for name in (NONE, SKIPJACK)}


def send(case: Sender, artefacts: Artefacts, packets: int, around_ms: float = 0.0) -> list[Sent]:
    """So many packets to a receiver that takes them, with some time around each."""
    stack = STACKS[case.stack]
    by = case.setup(packets)
    to = Setup(DESTINATION, role=RECEIVER, mode=stack.mode)
    network = Network(case.board, artefacts[stack.image], [to, by], case.seed)
    simulation = network.simulation
    simulation.capture()
    simulation.states(1)
    network.run(BOOT_MS + PACKET_MS * packets)
    if network.state(1) != DONE or network.report(0).received != packets:
        raise ImageError(f"of {packets} packets the receiver has {network.report(0)}")
    on_air = [
        octets[:-FLUSH] for mote, _, _, octets, whole in simulation.frames() if whole and mote
    ]
    changes = simulation.states(1)
    times = stretches(changes)
    found = []
    for octets, carrier in zip(on_air, carriers(changes), strict=True):
        begin_ps, end_ps = sending(changes, carrier)
        more_ps = round(around_ms * MS)
        found.append(Sent(octets, tuple(cut(times, begin_ps - more_ps, end_ps + more_ps)), carrier))
    for one in found:
        if one.air_octets != START_SYMBOL + len(one.octets) + FLUSH:
            raise ImageError(f"{one.air_octets} octets on the air hold {len(one.octets)}")
    return found


def carriers(changes: Sequence[Change]) -> list[tuple[int, int]]:
    """When the amplifier is on."""
    radio = [(ps, state) for ps, device, state, *_ in changes if device == RADIO]
    return [
        (ps, until)
        for (ps, state), (until, _) in pairwise(radio)
        if state.startswith(CARRIER) and state != SILENT
    ]


def sending(changes: Sequence[Change], carrier: tuple[int, int]) -> tuple[int, int]:
    """From leaving the receiver to coming back to it."""
    radio = [(ps, state) for ps, device, state, *_ in changes if device == RADIO]
    begin = max(ps for ps, _ in radio if ps < carrier[0])
    return begin, min(ps for ps, state in radio if ps > carrier[1] and state == LISTENING)


def cut(found: Sequence[Stretch], begin_ps: int, end_ps: int) -> list[Stretch]:
    """What of them lies between two times."""
    return [
        Stretch(max(one.begin_ps, begin_ps), min(one.end_ps, end_ps), one.states, one.current_ma)
        for one in found
        if one.begin_ps < end_ps and one.end_ps > begin_ps
    ]
