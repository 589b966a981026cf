# SPDX-License-Identifier: BSD-3-Clause
"""What a case is: board, strategy, security level, Auxiliary Security Header and clock."""

from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.boards import BOARDS, Board
from wardmote.cpus import Band

STRATEGIES = ("software", "hybrid", "hardware")
DEFAULT_BOARD = "telosb"
OWN_IMAGE = "own"
"""Strategy of an image that is not said to be one of them."""
LEVEL_NAMES = (
    "none",
    "MIC-32",
    "MIC-64",
    "MIC-128",
    "ENC",
    "ENC-MIC-32",
    "ENC-MIC-64",
    "ENC-MIC-128",
)
FRAME_OCTETS = 127
KEY_ID_OCTETS = (0, 1, 5, 9)
"""Key Identifier field by KeyIdMode (IEEE 802.15.4-2015 9.4.3)."""


@dataclass(frozen=True, slots=True)
class AshForm:
    """How the Auxiliary Security Header is written: KeyIdMode, and the Frame Counter carried or
    elided."""

    key_id_mode: int
    counter_carried: bool

    def octets(self, level: int) -> int:
        """Octets of the ASH: none where nothing is secured; control 1, counter 4 if carried, key
        identifier."""
        return 0 if level == 0 else 1 + 4 * self.counter_carried + KEY_ID_OCTETS[self.key_id_mode]

    @property
    def counter(self) -> str:
        """`carried` or `elided`."""
        return "carried" if self.counter_carried else "elided"

    @property
    def nonce(self) -> str:
        """What makes the nonce unique: the Frame Counter if it is carried, else the ASN."""
        return "counter" if self.counter_carried else "asn"


ASH_FORMS = {"paper": AshForm(3, True), "6tisch": AshForm(1, False)}


@dataclass(frozen=True, slots=True)
class Case:
    """One row to be."""

    board: str
    strategy: str
    level: int
    ash: AshForm
    clock_hz: int
    frame_octets: int = FRAME_OCTETS
    """PSDU of the data frames, MIC and FCS included."""
    band: Band | None = None
    """End of the board's timing model; None where it is exact."""

    @property
    def record(self) -> Board:
        """What the bench knows of the board."""
        return BOARDS[self.board]

    @property
    def mic_octets(self) -> int:
        """MIC of the level: 0, 4, 8 or 16 octets."""
        return (0, 4, 8, 16)[self.level & 3]

    @property
    def profile(self) -> str:
        """Edition whose rules hold: 2015, but 2011 for level 4, which 2015 removed."""
        return "2011" if self.level == 4 else "2015"

    @property
    def label(self) -> str:
        """Strategy and level, as messages name the case; the level alone for an image of the user's
        own."""
        level = LEVEL_NAMES[self.level]
        words = [] if self.strategy == OWN_IMAGE else [self.strategy]
        words = words if self.board == DEFAULT_BOARD else [self.board, *words]
        band = [f"({self.band})"] if self.band else []
        return " ".join([*words, level, *band])


def all_cases(
    board: str,
    strategies: Sequence[str],
    levels: Sequence[int],
    ash: AshForm,
    clock_hz: int,
    frame_octets: int = FRAME_OCTETS,
) -> list[Case]:
    """The product of strategies and levels, in the order of the report, at the slow end of the
    board's band."""
    bands = BOARDS[board].bands
    band = bands[-1] if bands else None
    return [
        Case(board, strategy, level, ash, clock_hz, frame_octets, band)
        for strategy in strategies
        for level in levels
    ]
