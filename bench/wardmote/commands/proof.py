# SPDX-License-Identifier: BSD-3-Clause
"""The proof of a slot, which `slot` and `sweep` share: the number of exchanges, and the words about
them."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote import options
from wardmote.campaign.runner import Runner
from wardmote.commands.shared import ExchangesOption, SeedOption
from wardmote.measurements.slot.campaign import SlotCase, slot_rows
from wardmote.measurements.slot.definition import Definition
from wardmote.measurements.slot.setting import Setting
from wardmote.rows import SlotRow

SECONDS_A_CASE = 0.01
"""Seconds that one core of a slow machine takes for one exchange of a case, tuning included."""
LEAST_EXCHANGES = 200
"""A proof has about so many, for the energy of a whole slotframe."""
MOST_EXCHANGES = 20_000
"""The node counts its slots in 16 bits, and needs some of them around the proof."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How each slot is proven."""

    exchanges: ExchangesOption = 1000
    seed: SeedOption = 1

    def cases(
        self,
        settings: Iterable[Setting],
        definitions: Callable[[Setting], Sequence[Definition]],
        image: Path | None = None,
    ) -> list[SlotCase]:
        """Every setting in every definition, with its proof. Raises UsageError if it cannot have so many exchanges."""
        asked = options.positive("number of exchanges", self.exchanges, MOST_EXCHANGES)
        return [
            SlotCase(setting, (definition,), asked, self.seed, image)
            for setting in settings
            for definition in definitions(setting)
        ]

    def rows(self, cases: Sequence[SlotCase], runner: Runner) -> list[SlotRow]:
        """Measures the cases, and says before the work begins how much there is."""
        if len({case.slot for case in cases}) > 1:
            exchanges = len(cases) * max(self.exchanges, LEAST_EXCHANGES)
            seconds = SECONDS_A_CASE * exchanges / (os.cpu_count() or 1)
            sys.stderr.write(
                f"{len(cases)} cases of {self.exchanges} exchanges: up to about "
                f"{max(1, round(seconds))} s if this machine is slow; cases that earlier runs kept "
                "take no time\n"
            )
        return slot_rows(cases, runner)

    def say_exchanges(self, rows: Sequence[SlotRow]) -> None:
        """Says why more exchanges were run than asked for."""
        most = max(row.exchanges for row in rows)
        if most > self.exchanges:
            sys.stderr.write(
                f"{most} exchanges were run where {self.exchanges} were asked for: the energy is "
                "measured over a whole slotframe, and each exchange of it counts\n"
            )
