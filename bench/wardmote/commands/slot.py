# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote slot`: the shortest secured timeslot, case by case."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from wardmote import options
from wardmote.boards import Board
from wardmote.campaign.runner import Runner
from wardmote.commands.proof import Proof
from wardmote.commands.records import File, Text, option
from wardmote.commands.register import verb
from wardmote.commands.running import Running
from wardmote.commands.shared import (
    AshOption,
    BeyondOption,
    BoardsOption,
    ClockOption,
    CounterOption,
    DefinitionsOption,
    FrameOctetsOption,
    GuardOption,
    LevelsOption,
    Shown,
    StrategiesOption,
    SupplyOption,
    TurnaroundOption,
)
from wardmote.commands.study import explored_slots, study_sections
from wardmote.errors import UsageError
from wardmote.experiments.section import sections
from wardmote.measurements.slot.block import decryption_line
from wardmote.measurements.slot.campaign import SlotCase, capture
from wardmote.measurements.slot.definition import MEASURED_TOGETHER, MEASURED_USUALLY, Definition
from wardmote.measurements.slot.setting import (
    AHEAD,
    DEFAULT_BOARD,
    FRAME_OCTETS,
    OWN_IMAGE,
    STRATEGIES,
    Setting,
    all_settings,
)
from wardmote.paths import require_file, write_atomically
from wardmote.rows import SlotRow
from wardmote.study.definition import at_once, headline
from wardmote.views.folder import ROWS, write_report
from wardmote.views.html import PAGE
from wardmote.views.sections import Capture
from wardmote.views.slot import COLUMNS
from wardmote.views.slot import case as case_name
from wardmote.views.words import USUAL_LEVEL, answer, conditions


@dataclass(frozen=True, slots=True)
class Which:
    """Which cases are measured."""

    board: BoardsOption = None
    strategy: StrategiesOption = None
    level: LevelsOption = None
    ash: AshOption = None
    key_id_mode: Annotated[
        int | None, option("KeyIdMode of the data frame: 0 to 3. Needs --counter.")
    ] = None
    counter: CounterOption = None
    frame_octets: FrameOctetsOption = FRAME_OCTETS
    clock: ClockOption = None
    supply: SupplyOption = None
    beyond: BeyondOption = False
    turnaround: TurnaroundOption = None
    definition: DefinitionsOption = None
    guard: GuardOption = None

    def definitions(self, setting: Setting) -> tuple[Definition, ...]:
        """The named definitions; without a name, that of a network and that of the paper, and at the
        usual level the one between. Other strategies than those of a report have two: each takes
        long."""
        usual = setting.level == USUAL_LEVEL and setting.strategy in (*STRATEGIES, OWN_IMAGE)
        default = MEASURED_USUALLY if usual else MEASURED_TOGETHER
        return options.definitions(self.definition or (), self.guard, default)

    def settings(self, *, own_image: bool) -> list[Setting]:
        """Every named strategy with every named level on every named board; a user's own image is
        one strategy. If no level, clock, supply and turnaround are named, the usual level is also
        measured at what the records of the boards name beside the default clock and turnaround, and,
        if no strategy is named either, ahead of the slot."""
        boards = options.boards(self.board or ([DEFAULT_BOARD] if own_image else ()))
        pairs = options.clocks_at(self.supply, self.clock, boards, beyond=self.beyond)
        turnarounds = options.turnarounds_us(self.turnaround, boards)
        levels = options.levels(self.level or ())
        chosen = (self.level, self.clock, self.supply, self.turnaround)
        all_asked = not (any(chosen) or own_image)
        found: list[Setting] = []
        for record in boards:
            own = turnarounds[record.name]
            found += self._settings(record, levels, pairs[record.name], own, own_image=own_image)
            if all_asked and not self.strategy:
                early = replace(self, strategy=list(AHEAD))
                found += early._settings(record, (USUAL_LEVEL,), pairs[record.name], own)
            for clock in record.beside if all_asked else ():
                found += self._settings(record, (USUAL_LEVEL,), (clock, None), own)
            for other in record.turnarounds_us[1:] if all_asked else ():
                found += self._settings(record, (USUAL_LEVEL,), pairs[record.name], other)
        if own_image and len({(setting.board, setting.strategy) for setting in found}) != 1:
            raise UsageError(
                "--image is one strategy: give at most one --strategy, as which it is compared"
            )
        return found

    def _settings(
        self,
        record: Board,
        levels: Sequence[int],
        pair: tuple[int, float | None],
        turnaround_us: int,
        *,
        own_image: bool = False,
    ) -> list[Setting]:
        named = self.strategy or not own_image
        found = all_settings(
            record.name,
            options.strategies(self.strategy or ()) if named else (OWN_IMAGE,),
            levels,
            options.ash_form(self.ash, self.key_id_mode, self.counter),
            pair[0],
            options.frame_octets(self.frame_octets),
            pair[1],
        )
        return [replace(setting, turnaround_us=turnaround_us) for setting in found]


@dataclass(frozen=True, slots=True)
class Files:
    """The image that is measured, and what is written besides the rows."""

    image: Annotated[
        File, option("Your own image `slot` (ELF file) instead of the built ones.")
    ] = None
    pcap: Annotated[
        File, option("File for a capture of the frames (pcap). Needs one strategy and one level.")
    ] = None
    report: Annotated[
        File, option("Folder for a report: page, figures, table, rows and a capture.")
    ] = None

    def require(self, settings: int) -> None:
        """Raises UsageError if one of them cannot be written. A capture is that of the first
        definition."""
        if self.pcap and settings != 1:
            raise UsageError(
                f"--pcap holds one case, this is {settings}: give one --strategy and one --level"
            )
        for path in (self.pcap, self.report and self.report / ROWS):
            require_file(path)

    def write(self, cases: list[SlotCase], rows: list[SlotRow], runner: Runner) -> None:
        """Writes the capture and the report."""
        if self.pcap:
            write_atomically(self.pcap, capture(cases[0], rows[0]))
            sys.stderr.write(f"tshark -r {self.pcap} {decryption_line()}\n")
        if self.report:
            case, row = example_of(cases, rows)
            name = f"{row.board}-{row.strategy}-level{row.level}.pcap"
            parts = study_sections(cases, rows, built=self.image is None)
            shown = Capture(name, capture(case, row), decryption_line())
            slots = explored_slots(cases, rows, runner) if self.image is None else []
            write_report(self.report, rows, shown, parts, sections(self.report), slots)
            sys.stderr.write(f"report: {self.report / PAGE}\n")


@verb("Measure slots", 10)
def slot(
    which: Which,
    proof: Proof,
    running: Running,
    files: Files,
    shown: Shown,
    max_slot: Annotated[
        Text, option("Longest slot allowed, such as 10ms: exit code 1 if one is longer.")
    ] = None,
) -> int:
    """How short can a secured timeslot be?

    Measures all strategies and levels of all boards, unless options choose some."""
    shown = shown.checked(COLUMNS)
    settings = which.settings(own_image=files.image is not None)
    cases = proof.cases(settings, which.definitions, files.image)
    runner = running.runner()
    limit_us = options.duration_us(max_slot) if max_slot is not None else None
    files.require(len(settings))
    rows = proof.rows(cases, runner)
    files.write(cases, rows, runner)
    shown.show(rows, COLUMNS, conditions(rows), answer(rows), case_name)
    proof.say_exchanges(rows)
    too_long = [
        row for row in headline(rows) if limit_us is not None and row.ts_slot_duration_us > limit_us
    ]
    for row in too_long:
        sys.stderr.write(
            f"wardmote: {row.board} {row.strategy} {row.level_name} needs {row.ts_slot_duration_us:.0f}"
            f" us ({row.definition}), longer than --max-slot {max_slot}\n"
        )
    return 1 if too_long or not all(row.verified for row in rows) else 0


def example_of(cases: list[SlotCase], rows: list[SlotRow]) -> tuple[SlotCase, SlotRow]:
    """The case whose capture goes into a report: the usual level if it was measured, in the fastest
    strategy of the first board at its first clock, as a network would run it. What is secured at once
    goes first: a capture does not show what was made ahead."""
    shortest = at_once(headline(rows))
    first = [
        pair
        for pair in zip(cases, rows, strict=True)
        if (pair[1].board, pair[1].clock_hz) == (rows[0].board, rows[0].clock_hz)
        and pair[1].turnaround_us == rows[0].turnaround_us
        and pair[1].definition == shortest[0].definition
        and pair[1].strategy in {row.strategy for row in shortest}
    ]
    usual = [pair for pair in first if pair[1].level == USUAL_LEVEL]
    return (usual or first)[-1]
