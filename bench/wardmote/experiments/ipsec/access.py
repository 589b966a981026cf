# SPDX-License-Identifier: BSD-3-Clause
"""What radio and MAC take beside the octets of frames: back-offs, turnarounds and spaces as IEEE
802.15.4 has them; and how much of it is chance.

A mote draws each back-off by the generator of `wm_csma`, whose state is in its memory: the draws of an
exchange are those between its state before and after. The host's station keeps its own: its draws
follow from the times of its frames.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wardmote._motes import Simulation
from wardmote.errors import ImageError
from wardmote.prototypes import Layout

UNIT_US, MOST_UNITS = 320, 7
"""aUnitBackoffPeriod, and the most of the first back-off of a frame: macMinBe is 3."""
TURNAROUND_US, ASSESSMENT_US, LIFS_US, ACK_WAIT_US = 192, 128, 640, 864
"""Motes send behind a back-off without a time for the assessment: the radio assesses all the time."""
PHY_OCTETS, OCTET_US, ACK_OCTETS = 6, 32, 5
US = 10**6
WORD, MOST_DRAWS = 0xFFFF, 1000
MAC, STATE = "mac", "random"

Frame = tuple[int, int, int, bytes, bool]
"""As `Simulation.frames` has it."""


class Access(NamedTuple):
    """Of an exchange: `mac_ms` that the standard asks for with back-offs of mean length, and
    `chance_ms` by which those that were drawn are longer in all."""

    mac_ms: float
    chance_ms: float


def air_us(octets: bytes) -> int:
    """A frame with its preamble."""
    return OCTET_US * (PHY_OCTETS + len(octets))


def draw(state: int) -> int:
    """The state behind this one: `draw` of stack/src/link/csma.c."""
    state ^= state << 7 & WORD
    state ^= state >> 9
    return state ^ (state << 8 & WORD)


class Accesses:
    """Follows the generators of some motes, which come first in a simulation."""

    def __init__(self, simulation: Simulation, layout: Layout, motes: int) -> None:
        """`layout` of `wm_csma`."""
        self._simulation, self._layout = simulation, layout
        self._places = [simulation.symbol(mote, MAC)[0] for mote in range(motes)]
        self._states = [self._state(mote) for mote in range(motes)]

    def _state(self, mote: int) -> int:
        octets = self._simulation.read(mote, self._places[mote], self._layout.size)
        return int(self._layout.unpack(bytes(octets))[STATE])

    def _drawn(self, mote: int) -> list[int]:
        """Units of its back-offs since the last call."""
        end, drawn = self._state(mote), []
        while self._states[mote] != end:
            self._states[mote] = draw(self._states[mote])
            drawn.append(self._states[mote] & MOST_UNITS)
            if len(drawn) > MOST_DRAWS:
                raise ImageError(f"mote {mote + 1} draws its back-offs in another way")
        return drawn

    def of(self, begin: int, frames: Sequence[Frame]) -> Access:
        """Of an exchange that began then. ImageError if a frame took more than one back-off."""
        ours = [one for one in frames if len(one[3]) > ACK_OCTETS]
        units: dict[int, Iterator[int]] = {}
        for mote in range(len(self._places)):
            backoffs, sent = self._drawn(mote), sum(one[0] == mote for one in ours)
            if len(backoffs) != sent:
                raise ImageError(f"mote {mote + 1}: {len(backoffs)} back-offs for {sent} frames")
            units[mote] = iter(backoffs)
        mac, chance, free, last = 0.0, 0.0, float(begin), (-1, b"")
        for who, at, _, octets, _ in frames:
            if len(octets) > ACK_OCTETS:
                again, is_host = (who, octets) == last, who not in units
                lost = ACK_WAIT_US if again else 0
                space = LIFS_US if who == last[0] and not again else 0
                waits = lost + space
                drawn = host_units(at - free - US * waits) if is_host else next(units[who])
                mac += 2 * TURNAROUND_US + waits + (ASSESSMENT_US if is_host else 0)
                mac += UNIT_US * MOST_UNITS / 2
                chance += UNIT_US * (drawn - MOST_UNITS / 2)
                last = who, octets
            free = at + US * air_us(octets)
        return Access(mac / 1000, chance / 1000)


def host_units(ps: float) -> int:
    """The back-off of a station whose frame begins so long behind what was before it."""
    units = (ps / US - ASSESSMENT_US - TURNAROUND_US) / UNIT_US
    if abs(units - round(units)) > 0.01 or not 0 <= round(units) <= MOST_UNITS:
        raise ImageError(f"the host's frame comes {ps / US:.0f} us behind what was before it")
    return round(units)
