# SPDX-License-Identifier: BSD-3-Clause
"""Motes with image `tinysec` in one medium: their setup blocks, and what they report."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from wardmote._motes import Simulation
from wardmote.units import PS_PER_S

MS = PS_PER_S // 1000
KEY = bytes.fromhex("6D524D67F24F178B0A69933FDD6C6F7B")
RECEIVER, SENDER, ROUTER, BASE = range(4)
AUTH, AE, PLAIN = range(3)
AUTHENTICATED, CRC, ANY = range(3)
BOOTING, RUNNING, DONE, STOPPED = range(4)
GROUP, FLUSH, CLEAR, PREAMBLE = 0x7D, 4, 250, 28
START_SYMBOL = PREAMBLE + 2
BYTE_TIME_MS = 8 / 19.2
MAGIC = 0x7374
BOOT_MS = 500
"""Until then nothing is counted: motes boot, and one that encrypts writes its EEPROM."""
JOURNEYS = 8
"""Of which a base keeps the times."""
NEVER = 2**32 - 1
AT_JOURNEYS = struct.calcsize("<IIIIHHH")
LATER = struct.calcsize("<IIIIHHHHHH")
"""Where the number of journeys stands in a report, and where their times begin."""
AT_STATE = LATER + 4 * JOURNEYS


@dataclass(frozen=True)
class Setup:
    """tinysec_setup of tinysec_block.h."""

    address: int
    destination: int = 0
    seed: int = 1
    packets: int = 0
    clear: int = CLEAR
    role: int = RECEIVER
    mode: int = AUTH
    accept: int = ANY
    profile: int = 0
    group: int = GROUP
    preamble: int = PREAMBLE
    data_octets: int = 24
    gap: int = 0
    power: int = 0x0F
    parent: int = 0
    begin: int = 0
    end: int = 0
    key: bytes = KEY

    def octets(self) -> bytes:
        """As in the node's flash."""
        fields = [getattr(self, name) for name in list(self.__dataclass_fields__)]
        return struct.pack("<HHHHHH12B16s", MAGIC, *fields)


class Report(NamedTuple):
    """tinysec_report of tinysec_block.h, without the times."""

    sent: int
    received: int
    refused: int
    congested: int
    late: int
    overrun: int
    unmade: int
    journeys: int
    arrived: int
    crumbs: int


class Network:
    """Motes of a board in one medium."""

    def __init__(
        self, board: str, elf: bytes, setups: Sequence[Setup], seed: int, distance_m: float = 10.0
    ) -> None:
        """Powers them on, in this order."""
        self.simulation = Simulation(seed=seed, distance_m=distance_m)
        self.motes = 0
        for setup in setups:
            self.add(board, elf, setup)

    def add(self, board: str, elf: bytes, setup: Setup) -> None:
        """One mote more, which may be of another board."""
        mote = self.motes
        self.simulation.add_mote(board, elf, f"mote {mote}")
        address, _ = self.simulation.symbol(mote, "tinysec_setup_flash")
        self.simulation.write(mote, address, setup.octets())
        self.motes += 1

    def run(self, milliseconds: int) -> Self:
        """Lets time pass."""
        self.simulation.run_for(milliseconds * MS)
        return self

    def _read(self, mote: int, layout: str, at: int = 0) -> tuple[int, ...]:
        address, _ = self.simulation.symbol(mote, "tinysec_report_block")
        return struct.unpack(
            layout, self.simulation.read(mote, address + at, struct.calcsize(layout))
        )

    def report(self, mote: int) -> Report:
        """What a mote has counted."""
        return Report(*self._read(mote, "<IIIIHHHHHH"))

    def state(self, mote: int) -> int:
        """A tinysec_state."""
        return self._read(mote, "<B", AT_STATE)[0]

    def wait_for_state(self, mote: int, state: int, limit_ps: int) -> bool:
        """Lets time pass until a mote is in this state or a later one; False: it is not by then."""
        return self._wait(mote, AT_STATE, 1, state, limit_ps)

    def wait_for_journeys(self, mote: int, begun: int, limit_ps: int) -> bool:
        """Lets time pass until a base has begun so many journeys."""
        return self._wait(mote, AT_JOURNEYS, 2, begun, limit_ps)

    def _wait(self, mote: int, at: int, octets: int, least: int, limit_ps: int) -> bool:
        address, _ = self.simulation.symbol(mote, "tinysec_report_block")
        return self.simulation.run_while(mote, address + at, octets, least, limit_ps)

    def took(self, mote: int) -> tuple[int, ...]:
        """Times of journeys."""
        return self._read(mote, f"<{JOURNEYS}I", LATER)
