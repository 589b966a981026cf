# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote recommend`: which primitive should I use, for this message on this CPU?"""

import re
from dataclasses import dataclass
from typing import Annotated

from wardmote import options
from wardmote.choices import choice
from wardmote.commands.primitives import MOST_OCTETS
from wardmote.commands.primitives_study import LEAST_RUNS, told
from wardmote.commands.records import Text, option
from wardmote.commands.register import verb
from wardmote.commands.running import Running
from wardmote.commands.shared import CostBoardsOption, SeedOption, Shown
from wardmote.cpus import CPU_NAMES
from wardmote.errors import UsageError
from wardmote.measurements.function.board import boards
from wardmote.measurements.primitives.campaign import Selection, measure
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.paths import require_checkout
from wardmote.study.primitives.choice import NEEDED
from wardmote.study.primitives.recommend import (
    ADDRESSES,
    NEEDS,
    SHOWS,
    USUAL_KEY_BITS,
    Need,
    recommended,
)
from wardmote.views.primitives import recommend as view

MOST_FLASH = 1 << 24
FLASH = re.compile(r"(\d{1,8})([kK]?)", re.ASCII)
SHOWN_ROWS = 5
"""So many are in the table; the data have all."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The need."""

    need: Annotated[str, option(f"What you need: {', '.join(NEEDS)}.", *NEEDS)]
    cpu: Annotated[str, option(f"CPU: {', '.join(CPU_NAMES)}.", *CPU_NAMES)]
    octets: Annotated[int, option("Length of a message in octets.")]
    flash: Annotated[Text, option("Most flash that it may take, such as 3000 or 4k.")] = None
    secrets: Annotated[
        str,
        option(
            "What secrets may change: nothing; addresses (neither cycles nor path, which shows "
            "nowhere without a cache); or anything.",
            *SHOWS,
        ),
    ] = ADDRESSES
    key_bits: Annotated[int, option("Least length of a key.")] = USUAL_KEY_BITS
    new_key: Annotated[bool, option("Each message has a new key.", name="--new-key")] = False
    board: CostBoardsOption = None
    seed: SeedOption = 1

    def checked(self) -> Need:
        """The need; raises UsageError for one that cannot be."""
        if not 1 <= self.octets <= MOST_OCTETS:
            raise UsageError(f"no length {self.octets}: possible are 1 to {MOST_OCTETS} octets")
        return Need(
            choice("need", self.need, tuple(NEEDS)),
            choice("CPU", self.cpu, CPU_NAMES),
            self.octets,
            None if self.flash is None else flash_of(self.flash),
            choice("--secrets", self.secrets, SHOWS),
            options.positive("number of key bits", self.key_bits, 256),
            self.new_key,
        )

    def selection(self, need: Need) -> Selection:
        """What must be measured to know."""
        primitives = tuple(one for one in PRIMITIVES if need.takes(one))
        filled = {-(-need.octets // one.granule) * one.granule for one in primitives}
        least = {max(need.octets, one.least) for one in primitives}
        return Selection(
            cpus=(need.cpu,),
            primitives=primitives,
            sizes=tuple(sorted(filled | least)),
            boards=boards(self.board or (), (need.cpu,)),
            runs=LEAST_RUNS,
            seed=self.seed,
            timed=False,
            operations=NEEDED,
        )


@verb("Measure code", 105)
def recommend(wanted: Wanted, running: Running, shown: Shown) -> int:
    """Which primitive should I use?

    One recommendation for one need, with its reason, its runner-up and what it costs. Exit code 1
    if nothing meets the need."""
    require_checkout("recommend")
    need = wanted.checked()
    shown = shown.checked(view.COLUMNS)
    result = measure(wanted.selection(need), running.runner())
    rows = recommended(result.rows, need)
    meets = view.meeting(rows)
    some = rows if shown.form in ("json", "csv") else (meets or rows)[:SHOWN_ROWS]
    shown.show(some, view.COLUMNS, view.conditions(rows, need), view.answer(rows, need))
    return told(result) or (0 if meets else 1)


def flash_of(text: str) -> int:
    """Octets of `3000` or `4k`."""
    found = FLASH.fullmatch(text.strip())
    octets = int(found[1]) * (1024 if found[2] else 1) if found else 0
    if not 1 <= octets <= MOST_FLASH:
        raise UsageError(f"no amount of flash {text!r}: write octets, such as 3000 or 4k")
    return octets
