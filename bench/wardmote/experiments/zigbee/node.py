# SPDX-License-Identifier: BSD-3-Clause
"""Motes with image `picture`: their setup blocks, and what they report."""

import struct
from dataclasses import dataclass
from typing import NamedTuple

from wardmote._motes import Simulation
from wardmote.units import PS_PER_S

MS = PS_PER_S // 1000
KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
PAN, CHANNEL, RECEIVER = 0x5A49, 26, 0
BLOCK, CHUNK, ASK = 16, 64, 0x72
PAPERS_BOARDS = ("atmega1281-cc2420",)
"""The paper's chips."""
BAUD = {"micaz": 57_600, "atmega1281-cc2420": 38_400}
"""Of a board's serial line: USART_BAUD of its pins.h."""
SERIAL, OWN = range(2)
BOOTING, RUNNING, DONE, STOPPED = range(4)
MAGIC = 0x6370
SETUP = "<HHHHHHHBBBBI16s"
REPORT = "<10IB"
AT_ASKED, AT_STATE = 8, 40
SETUP_SYMBOL, REPORT_SYMBOL = "picture_setup_flash", "picture_report_block"


@dataclass(frozen=True, slots=True)
class Setup:
    """picture_setup of picture_block.h."""

    address: int
    seed: int = 1
    rest: int = 0
    slower: int = 0
    blocks: int = 1
    source: int = SERIAL
    chained: bool = True
    octets: int = 0
    to: int = RECEIVER
    key: bytes = KEY

    def block(self) -> bytes:
        """As in the node's flash."""
        times = self.rest, self.slower
        what = CHANNEL, self.blocks, self.source, self.chained
        return struct.pack(
            SETUP,
            MAGIC,
            PAN,
            self.address,
            self.to,
            self.seed,
            *times,
            *what,
            self.octets,
            self.key,
        )


class Report(NamedTuple):
    """picture_report of picture_block.h."""

    packets: int
    octets: int
    asked: int
    retries: int
    resent: int
    repeated: int
    duplicates: int
    gaps: int
    refused: int
    overflows: int
    state: int


def add(simulation: Simulation, board: str, elf: bytes, setup: Setup) -> int:
    """A mote more; its index."""
    mote = simulation.add_mote(board, elf, f"mote {setup.address}")
    address, _ = simulation.symbol(mote, SETUP_SYMBOL)
    simulation.write(mote, address, setup.block())
    return mote


def report(simulation: Simulation, mote: int) -> Report:
    """What a mote says happened."""
    address, _ = simulation.symbol(mote, REPORT_SYMBOL)
    return Report(*struct.unpack(REPORT, simulation.read(mote, address, struct.calcsize(REPORT))))


def wait(simulation: Simulation, mote: int, at: int, octets: int, least: int, ms: int) -> bool:
    """Lets time pass until a field of the report is so large; False: it was not in that time."""
    address, _ = simulation.symbol(mote, REPORT_SYMBOL)
    limit = simulation.now_ps + ms * MS
    return simulation.run_while(mote, address + at, octets, least, limit)
