# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: how fast a network of a root and a leaf is simulated, board by board and strategy
by strategy, and how many cycles security takes of a slot.

The reference is the AES image with tables on one mote of the same board, in the same run: it says
how fast this machine runs the board's CPU alone. So a row has a figure that does not depend on the
machine: to how many cycles of the reference the simulation of one exchange amounts. Times are
processor time, the best of several runs.

The cycles of security are exact. `slot_before.json` holds those of the images of commit 9b68b8c,
before anything was wiped and before drivers looked whether an engine failed; they were built anew
with today's compilers and run on the same motes. sec1 is without what builds the frame (key lookup,
header and payload), which it did not contain then. A slot has each of the four once, so their sum
is what makes it longer or shorter. Exit code 1 means that an exchange amounts to more than it may,
that the sum takes over 1 % more than then, or that one of the four takes over 2.5 % more.
"""

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from bench.targets.speed import emulate
from wardmote._motes import MoteError
from wardmote.boards import BOARDS
from wardmote.errors import ImageError, WardmoteError
from wardmote.measurements.slot.network import Network
from wardmote.measurements.slot.parts import sec1_parts
from wardmote.measurements.slot.setting import ASH_FORMS, STRATEGIES, all_settings
from wardmote.measurements.slot.timing import LONG
from wardmote.paths import firmware_image, slot_image

LEVEL = 5
EXCHANGES = 300
ROUNDS = 5
REFERENCE = "primitives-tab"
MOST_CYCLES = {
    ("telosb", "software"): 370_000,
    ("telosb", "hybrid"): 570_000,
    ("telosb", "hardware"): 270_000,
    ("openmote-cc2538", "software"): 1_200_000,
    ("openmote-cc2538", "hybrid"): 1_600_000,
    ("openmote-cc2538", "hardware"): 1_300_000,
}
"""Cycles of the reference that the simulation of an exchange may amount to: twice what it does, so
that a busy machine does not fail."""
BEFORE = Path(__file__).with_name("slot_before.json")
MOST_WORSE, MOST_WORSE_ALONE = 1.01, 1.025
"""How much more all operations of a slot together may take, and one alone."""


@dataclass(frozen=True, slots=True)
class SlotSpeed:
    """One board and strategy."""

    board: str
    strategy: str
    seconds: float
    """Of processor, for EXCHANGES exchanges."""
    reference_hz: float
    """Cycles of the reference in a second of processor."""

    @property
    def amounts_to(self) -> float:
        """Cycles of the reference that take as long as one exchange."""
        return self.seconds / EXCHANGES * self.reference_hz


@dataclass(frozen=True, slots=True)
class Security:
    """The cycles of security of one board, strategy and level, beside those of then."""

    board: str
    strategy: str
    level: int
    before: dict[str, float]
    now: dict[str, float]
    """Means over EXCHANGES exchanges, by operation."""

    @property
    def worst(self) -> tuple[float, str]:
        """How much more the worst operation takes, in per cent, and its name."""
        return max((100 * (self.now[name] / self.before[name] - 1), name) for name in self.before)

    @property
    def short(self) -> bool:
        """Whether neither a slot nor an operation takes more than it may."""
        alone = all(self.now[name] <= MOST_WORSE_ALONE * self.before[name] for name in self.before)
        return alone and sum(self.now.values()) <= MOST_WORSE * sum(self.before.values())

    @property
    def percent(self) -> float:
        """How much more all of them take."""
        return 100 * (sum(self.now.values()) / sum(self.before.values()) - 1)


def joined(board: str, strategy: str, level: int) -> Network:
    """A network in which the leaf has begun to send."""
    (setting,) = all_settings(
        board, (strategy,), (level,), ASH_FORMS["paper"], BOARDS[board].clock_hz
    )
    network = Network(setting, slot_image(board, strategy).read_bytes(), LONG, 1)
    if not network.join() or not network.run_to_exchange(1):
        raise ImageError(f"{board}, {strategy}: {network.why_not_joined()}")
    network.spans()
    return network


def exchange(network: Network) -> float:
    """Seconds of processor for EXCHANGES exchanges."""
    begun = time.process_time()
    enough = network.run_to_exchange(1 + EXCHANGES)
    seconds = time.process_time() - begun
    if not enough:
        raise ImageError(f"{network.setting.board}: the leaf stops sending")
    return seconds


def rows_of(board: str) -> list[SlotSpeed]:
    """The strategies of a board, in turn with the reference."""
    image = firmware_image(board, REFERENCE)
    bands = BOARDS[board].bands
    speeds: list[float] = []
    runs: dict[str, list[float]] = {strategy: [] for strategy in STRATEGIES}
    for _ in range(ROUNDS):
        reference, cycles, _ = emulate(board, image, bands[-1] if bands else None)
        speeds.append(cycles / reference.seconds)
        for strategy, found in runs.items():
            found.append(exchange(joined(board, strategy, LEVEL)))
    return [
        SlotSpeed(board, strategy, min(seconds), max(speeds)) for strategy, seconds in runs.items()
    ]


def security_of(board: str, strategy: str, level: int, before: dict[str, float]) -> Security:
    """Runs a network for the cycles of its security operations."""
    network = joined(board, strategy, level)
    exchange(network)
    spans = network.spans()
    if not all(spans.values()):
        raise ImageError(f"{board}, {strategy}: an operation is not marked")
    now = {name: sum(span.cycles for span in found) / len(found) for name, found in spans.items()}
    now["sec1"] -= sum((sec1_parts(network) or {}).values())
    return Security(board, strategy, level, before, now)


def all_security() -> list[Security]:
    """Every board, strategy and level that there was then."""
    known: dict[str, dict[str, dict[str, dict[str, float]]]] = json.loads(
        BEFORE.read_text(encoding="ascii")
    )
    return [
        security_of(board, strategy, int(level), before)
        for board, strategies in known.items()
        for strategy, levels in strategies.items()
        for level, before in levels.items()
    ]


def write_speed(rows: list[SlotSpeed]) -> bool:
    """A line for each; whether all are fast enough."""
    sys.stdout.write(
        f"slot, level {LEVEL}, two motes, {EXCHANGES} exchanges, best of {ROUNDS} runs, beside "
        f"{REFERENCE} on the same board:\n"
    )
    for row in rows:
        most = MOST_CYCLES[row.board, row.strategy]
        sys.stdout.write(
            f"  {row.board:<15} {row.strategy:<8} {EXCHANGES / row.seconds:>6.0f} exchanges/s, each "
            f"amounts to {row.amounts_to / 1e3:4.0f} k cycles of the reference, at most "
            f"{most / 1e3:.0f} k wanted: {'ok' if row.amounts_to <= most else 'too slow'}\n"
        )
    return all(row.amounts_to <= MOST_CYCLES[row.board, row.strategy] for row in rows)


def write_security(rows: list[Security]) -> bool:
    """A line for each; whether all are short enough."""
    sys.stdout.write("cycles of security of a slot, beside those of 9b68b8c:\n")
    for row in rows:
        percent, name = row.worst
        sys.stdout.write(
            f"  {row.board:<15} {row.strategy:<8} level {row.level} {sum(row.now.values()):>7.0f}, "
            f"{row.percent:+6.2f} %; worst {name} {percent:+6.2f} %: "
            f"{'ok' if row.short else 'too slow'}\n"
        )
    return all(row.short for row in rows)


def main() -> int:
    """Prints a row for each board and strategy, and one for each level."""
    boards = sorted({board for board, _ in MOST_CYCLES})
    try:
        speed = [row for board in boards for row in rows_of(board)]
        security = all_security()
    except (WardmoteError, MoteError) as error:
        sys.stderr.write(f"bench: {error}\n")
        return 2
    fast, short = write_speed(speed), write_security(security)
    return 0 if fast and short else 1


if __name__ == "__main__":
    sys.exit(main())
