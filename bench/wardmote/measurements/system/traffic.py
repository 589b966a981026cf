# SPDX-License-Identifier: BSD-3-Clause
"""Sends frames to the emulated radio, one at a random time in each period."""

import random
import struct
from dataclasses import dataclass

from wardmote._motes import Simulation
from wardmote.measurements.slot.capture import fcs
from wardmote.measurements.system.situation import LIFS_US, Situation, air_us
from wardmote.units import PS_PER_S

CHANNEL = 26
PAN = 0xABCD
OWN, OTHER, SENDER = 0x0001, 0x0009, 0x0002
DATA_INTRA_PAN_SHORT = 0x8841
"""Frame control: data, PAN ID compression, short addresses."""
NOTICE_PS = PS_PER_S // 1000
"""The medium must know a frame before it begins; this notice is longer than it requires."""
PS_PER_US = PS_PER_S // 10**6


def psdu(number: int, destination: int, octets: int) -> bytes:
    """A data frame of `octets` octets with a sequence number and its FCS."""
    header = struct.pack("<HBHHH", DATA_INTRA_PAN_SHORT, number & 0xFF, PAN, destination, SENDER)
    mpdu = header + bytes(octets - len(header) - 2)
    return mpdu + fcs(mpdu)


@dataclass(frozen=True, slots=True)
class Sent:
    """One frame: its sequence number and the time of its end."""

    number: int
    end_ps: int


class Traffic:
    """Sends frames, starting from the present time of the simulation."""

    def __init__(self, simulation: Simulation, situation: Situation, seed: int) -> None:
        """Sends nothing yet."""
        self._simulation = simulation
        self._situation = situation
        self._random = random.Random(seed)
        self._next_ps = simulation.now_ps + NOTICE_PS
        self.sent: list[Sent] = []

    def send_until(self, end_ps: int) -> None:
        """Announces every frame that may begin before `end_ps`, and those of the notice time after
        it, so that the next call is early enough."""
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
