# SPDX-License-Identifier: BSD-3-Clause
"""A situation: the tick, the radio, the receiver of the frames and the code that reads them."""

from dataclasses import dataclass

TICKS_HZ = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
MOST_PSDU = 127
LEAST_PSDU = 11
"""A header with short addresses, and the FCS."""
TO = ("us", "others", "filtered")
"""The receiver of the frames: this node; other nodes, and this node reads each frame to find out;
other nodes, and the radio drops their frames."""
READERS = ("handler", "loop")
SYMBOL_US = 16
OCTET_US = 32
HEADER_OCTETS = 6
"""Preamble, start-of-frame delimiter, length octet."""
LIFS_US = 40 * SYMBOL_US
"""Least gap after a frame of more than 18 octets (IEEE 802.15.4-2006, 7.5.1.3)."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The system in which an operation runs."""

    tick_hz: int = 0
    """0: no tick."""
    frames_per_s: int | None = None
    """None: the radio is off."""
    to: str = "us"
    reader: str = "handler"
    psdu_octets: int = MOST_PSDU
    stamped: bool = False
    """More interrupts record the start and the end of each frame."""

    @property
    def words(self) -> str:
        """Describes the situation in a table's column."""
        parts = [f"tick {self.tick_hz} Hz"] if self.tick_hz else []
        if self.frames_per_s:
            whose = {"us": "", "others": " for others", "filtered": " for others, dropped"}[self.to]
            parts.append(
                f"{self.frames_per_s} {'frame' if self.frames_per_s == 1 else 'frames'}/s{whose}"
            )
            parts += ["read in the loop"] if self.reader == "loop" else []
            parts += ["stamped"] if self.stamped else []
        elif self.frames_per_s == 0:
            parts.append("listening")
        return ", ".join(parts) or "loop alone"


def air_us(psdu_octets: int) -> int:
    """Time that a frame takes on the air, in microseconds."""
    return (HEADER_OCTETS + psdu_octets) * OCTET_US


def most_frames_per_s(psdu_octets: int) -> int:
    """Largest number of frames, with their gaps, in one second."""
    return int(1e6 / (air_us(psdu_octets) + LIFS_US))


USUAL: tuple[Situation, ...] = (
    Situation(),
    Situation(tick_hz=128),
    Situation(tick_hz=1024),
    Situation(frames_per_s=0),
    Situation(frames_per_s=1),
    Situation(frames_per_s=10),
    Situation(frames_per_s=50),
    Situation(frames_per_s=200),
    Situation(frames_per_s=50, reader="loop"),
    Situation(frames_per_s=200, reader="loop"),
    Situation(frames_per_s=50, stamped=True),
    Situation(frames_per_s=50, to="others"),
    Situation(frames_per_s=50, to="filtered"),
    Situation(tick_hz=128, frames_per_s=10),
    Situation(tick_hz=1024, frames_per_s=50),
)
"""First each part alone, then parts together."""


def product(
    ticks: tuple[int, ...],
    frames: tuple[int | None, ...],
    to: tuple[str, ...],
    readers: tuple[str, ...],
    psdu_octets: int,
    stamped: bool = False,
) -> tuple[Situation, ...]:
    """Every combination. Without frames, receiver and reader make no difference."""
    found = (
        Situation(
            tick,
            rate,
            to=one if rate else "us",
            reader=reader if rate and one != "filtered" else "handler",
            psdu_octets=psdu_octets,
            stamped=stamped and bool(rate),
        )
        for tick in ticks
        for rate in frames
        for one in to
        for reader in readers
    )
    return tuple(dict.fromkeys(found))
