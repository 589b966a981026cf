# SPDX-License-Identifier: BSD-3-Clause
"""A setting: board, strategy, security level, Auxiliary Security Header and clock."""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.boards import BOARDS, Board
from wardmote.cpus import Band
from wardmote.errors import UsageError
from wardmote.levels import LEVEL_NAMES
from wardmote.units import TICKS_PER_S

STRATEGIES = ("software", "hybrid", "hardware")
"""They secure a frame at once. A report has these at every level."""
AHEAD = ("ahead-software", "ahead-hybrid", "ahead-hardware")
"""The same AES, ahead of the slot and while the frame is on the air. A report has these at the usual
level; other cases are for those who name one."""
AHEAD_PIB = ("ahead-software-pib", "ahead-hybrid-pib", "ahead-hardware-pib")
"""They with the procedures over a PIB for each frame, besides the rules of the engine."""
FINE = "-fine"
"""Ends the name of a strategy whose slots are told by a finer clock."""
WITH_FINE = tuple(f"{name}{FINE}" for name in (*STRATEGIES, *AHEAD))
ALL_STRATEGIES = (*STRATEGIES, *AHEAD, *AHEAD_PIB, *WITH_FINE)
DEFAULT_BOARD = "telosb"
OWN_IMAGE = "own"
"""Strategy of a user's image when the user names none of the three."""
FRAME_OCTETS = 127
TURNAROUND_US = 192
"""The radio's first symbol comes so long after it was told to send: 12 symbol periods."""
SYMBOL_US = 16
KEY_ID_OCTETS = (0, 1, 5, 9)
"""Key Identifier field by KeyIdMode (IEEE 802.15.4-2015 9.4.3)."""


@dataclass(frozen=True, slots=True)
class AshForm:
    """Form of the Auxiliary Security Header: its KeyIdMode, and whether it carries the Frame
    Counter."""

    key_id_mode: int
    counter_carried: bool

    def octets(self, level: int) -> int:
        """Octets of the header: control 1, counter 4 if carried, key identifier; 0 at level 0."""
        return 0 if level == 0 else 1 + 4 * self.counter_carried + KEY_ID_OCTETS[self.key_id_mode]

    @property
    def counter(self) -> str:
        """`carried` or `elided`."""
        return "carried" if self.counter_carried else "elided"

    @property
    def nonce(self) -> str:
        """Makes the nonce unique: `counter` if the header carries it, else `asn`."""
        return "counter" if self.counter_carried else "asn"


ASH_FORMS = {"paper": AshForm(3, True), "6tisch": AshForm(1, False)}


@dataclass(frozen=True, slots=True)
class Setting:
    """What one row is measured for."""

    board: str
    strategy: str
    level: int
    ash: AshForm
    clock_hz: int
    frame_octets: int = FRAME_OCTETS
    """PSDU of the data frames, MIC and FCS included."""
    band: Band | None = None
    """The end of the board's timing band; None where timing is exact."""
    supply: float | None = None
    """Supply voltage; None: the board's usual one, or the least that allows the clock."""
    turnaround_us: int = TURNAROUND_US
    """One of the board's turnarounds."""

    @property
    def record(self) -> Board:
        """The record of the board."""
        return BOARDS[self.board]

    @property
    def supply_v(self) -> float:
        """Supply voltage."""
        return self.record.supply.for_clock(self.clock_hz) if self.supply is None else self.supply

    @property
    def clock_allowed(self) -> bool:
        """Whether the data sheets allow the clock at this supply."""
        return self.record.supply.allows(self.clock_hz, self.supply_v)

    @property
    def ahead(self) -> bool:
        """Whether its frames are secured ahead of their slot."""
        return self.strategy.startswith("ahead-")

    @property
    def tick_hz(self) -> int:
        """Ticks of the clock of its slots in a second."""
        fine = self.record.fine_tick_hz if self.strategy.endswith(FINE) else None
        return fine or TICKS_PER_S

    @property
    def mic_octets(self) -> int:
        """Length of the level's MIC: 0, 4, 8 or 16 octets."""
        return (0, 4, 8, 16)[self.level & 3]

    @property
    def profile(self) -> str:
        """Edition of the standard: 2015, but 2011 for level 4, which 2015 removed."""
        return "2011" if self.level == 4 else "2015"

    @property
    def label(self) -> str:
        """Names the setting in messages: board, strategy and level; a user's image has no strategy."""
        level = LEVEL_NAMES[self.level]
        words = [] if self.strategy == OWN_IMAGE else [self.strategy]
        words = words if self.board == DEFAULT_BOARD else [self.board, *words]
        band = [f"({self.band})"] if self.band else []
        if self.turnaround_us != TURNAROUND_US:
            band.append(f"turnaround {self.turnaround_us} us")
        return " ".join([*words, level, *band])


def all_settings(
    board: str,
    strategies: Sequence[str],
    levels: Sequence[int],
    ash: AshForm,
    clock_hz: int,
    frame_octets: int = FRAME_OCTETS,
    supply: float | None = None,
) -> list[Setting]:
    """Every strategy with every level, in the order of the report, at the slow end of the board's
    timing band. Raises UsageError for a finer clock that the board does not have."""
    if any(name.endswith(FINE) for name in strategies) and not BOARDS[board].fine_tick_hz:
        able = ", ".join(one.name for one in BOARDS.values() if one.fine_tick_hz)
        raise UsageError(f"{board} has no finer clock for strategies …{FINE}: possible is {able}")
    usual_hz = BOARDS[board].clock_hz
    if any(name.endswith(FINE) for name in strategies) and clock_hz != usual_hz:
        raise UsageError(
            f"strategies …{FINE} of {board} run at {usual_hz // 1_000_000} MHz alone: with another"
            " clock their timer is wrong after a deep sleep"
        )
    bands = BOARDS[board].bands
    band = bands[-1] if bands else None
    return [
        Setting(board, strategy, level, ash, clock_hz, frame_octets, band, supply)
        for strategy in strategies
        for level in levels
    ]
