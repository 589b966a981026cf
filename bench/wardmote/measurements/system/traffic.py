# SPDX-License-Identifier: BSD-3-Clause
"""Frames on the air, one at a random moment of each period, octet by octet through the radio's
model."""

import random
import struct
from dataclasses import dataclass

from wardmote._motes import Simulation
from wardmote.measurements.system.situation import LIFS_US, Situation, air_us
from wardmote.units import PS_PER_S

CHANNEL = 26
PAN = 0xABCD
OWN, OTHER, SENDER = 0x0001, 0x0009, 0x0002
DATA_INTRA_PAN_SHORT = 0x8841
"""Frame control: data, PAN ID compression, short addresses."""
NOTICE_PS = PS_PER_S // 1000
"""Frames are announced that much earlier than they may begin: more than the medium asks for."""
PS_PER_US = PS_PER_S // 10**6


def with_fcs(mpdu: bytes) -> bytes:
    """The MPDU with its frame check sequence: ITU-T CRC-16, as 802.15.4 sends it."""
    crc = 0
    for octet in mpdu:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return mpdu + struct.pack("<H", crc)


def psdu(number: int, destination: int, octets: int) -> bytes:
    """A data frame of `octets` octets with a sequence number."""
    header = struct.pack("<HBHHH", DATA_INTRA_PAN_SHORT, number & 0xFF, PAN, destination, SENDER)
    return with_fcs(header + bytes(octets - len(header) - 2))


@dataclass(frozen=True, slots=True)
class Sent:
    """One frame: its sequence number, and when its last octet had arrived."""

    number: int
    end_ps: int


class Traffic:
    """Sends frames from now on, as long as it is asked to."""

    def __init__(self, simulation: Simulation, situation: Situation, seed: int) -> None:
        """Nothing is sent yet."""
        self._simulation = simulation
        self._situation = situation
        self._random = random.Random(seed)
        self._next_ps = simulation.now_ps + NOTICE_PS
        self.sent: list[Sent] = []

    def send_until(self, end_ps: int) -> None:
        """Announces every frame that may begin before `end_ps`, and a little more, so that the next
        call is in time."""
        rate = self._situation.frames_per_s
        if not rate:
            return
        octets = self._situation.psdu_octets
        period_ps, air_ps = PS_PER_S // rate, air_us(octets) * PS_PER_US
        slack_ps = period_ps - air_ps - LIFS_US * PS_PER_US
        destination = OWN if self._situation.to == "us" else OTHER
        while self._next_ps < end_ps + NOTICE_PS:
            at_ps = self._next_ps + self._random.randrange(slack_ps)
            number = len(self.sent) & 0xFF
            self._simulation.inject(CHANNEL, at_ps, psdu(number, destination, octets))
            self.sent.append(Sent(number, at_ps + air_ps))
            self._next_ps += period_ps
