# SPDX-License-Identifier: BSD-3-Clause
"""Where a transfer's coprocessors are, and what the computers at both ends say to them.

On the serial lines, as in the paper: one before the sender encrypts what its computer sends, one
behind the receiver decrypts what that gives. Each takes its key from its computer, so neither mote has
a key, and neither sees a picture in clear. Or beside the CPU of each mote, as a peripheral.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from wardmote._motes import Simulation
from wardmote.boards import BOARDS
from wardmote.errors import ImageError
from wardmote.experiments.zigbee import node

LINES, PERIPHERAL = "coprocessors on the lines", "coprocessor as a peripheral"
IMAGES: Mapping[str, tuple[str, str]] = {
    LINES: ("line", "line"),
    PERIPHERAL: ("peripheral", "peripheral"),
}
"""Images by how they encrypt and decrypt."""
KEY, CBC_ENCRYPT, CBC_DECRYPT, ENDLESS = b"\x01", b"\x20", b"\x21", b"\xff\xff"
"""Instructions and a length of hdl/rtl/coprocessor_pkg.vhd."""
CORES = {LINES: "fast", PERIPHERAL: "small"}
CLOCKS_A_BIT = 8
"""Of a peripheral's line, and of the CPU: usart1.h."""
STATUSES = bytes(2)
"""Of two instructions that were taken."""
SETTLE_MS = 40
"""In this time two instructions are on the line and their statuses are back."""

Place = Literal["before", "behind", "peripheral"]


@dataclass(frozen=True, slots=True)
class Wiring:
    """Of one transfer."""

    board: str
    way: str
    first: bytes
    """A block that never comes twice under the key; encrypted, it is the initialisation vector."""

    @property
    def lines(self) -> bool:
        """Whether the coprocessors are on the serial lines."""
        return self.way == LINES

    @property
    def key(self) -> bytes:
        """That the motes have."""
        return bytes(node.BLOCK) if self.lines else node.KEY

    @property
    def head(self) -> bytes:
        """What the receiver's computer hears before the picture."""
        return STATUSES + self.first if self.lines else b""

    def fit(self, simulation: Simulation, mote: int, place: Place) -> None:
        """Puts the coprocessor to a mote; `place` is where on a serial line, if it is on one."""
        if self.lines:
            simulation.fit_coprocessor(
                mote, CORES[LINES], baud=node.BAUD[self.board], line=0, place=place
            )
        elif self.way == PERIPHERAL:
            simulation.fit_coprocessor(
                mote,
                CORES[PERIPHERAL],
                clock_hz=clock_hz(self.board),
                baud=peripheral_baud(self.board),
                line=1,
                place="peripheral",
            )

    def begin(self, simulation: Simulation, by: int, to: int) -> None:
        """Both computers give key, mode and a vector of zeros; the sender's sends the first block."""
        if not self.lines:
            return
        baud = node.BAUD[self.board]
        for mote, mode in ((by, CBC_ENCRYPT), (to, CBC_DECRYPT)):
            simulation.send_serial(mote, KEY + node.KEY, baud=baud)
            simulation.send_serial(mote, mode + bytes(node.BLOCK) + ENDLESS, baud=baud)
        simulation.run_for(SETTLE_MS * node.MS)
        simulation.send_serial(by, self.first, baud=baud)

    def taken(self, heard: bytes) -> bytes:
        """The picture in what the receiver's computer heard; raises ImageError if the coprocessor did
        not take what it was told, or decrypts another first block."""
        if not heard.startswith(self.head):
            raise ImageError(f"the receiver's coprocessor said {heard[: len(self.head)].hex()}")
        return heard[len(self.head) :]


def clock_hz(board: str) -> int:
    """Of a board with one clock."""
    [hz] = BOARDS[board].clocks_hz.values()
    return hz


def peripheral_baud(board: str) -> int:
    """Of a peripheral's line, with the clock of the CPU."""
    return clock_hz(board) // CLOCKS_A_BIT
