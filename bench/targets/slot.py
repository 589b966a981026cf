# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: how fast a network of a root and a leaf is simulated, board by board and strategy
by strategy.

The reference is the AES image with tables on one mote of the same board, in the same run: it says
how fast this machine runs the board's CPU alone. So a row has a figure that does not depend on the
machine: to how many cycles of the reference the simulation of one exchange amounts. Times are
processor time, the best of several runs. Beside them stand the exact cycles that security takes of
an exchange. Exit code 1 means that an exchange amounts to more than it may, or that security takes
over 1 % more cycles than it did before it wiped and looked.
"""

import sys
import time
from dataclasses import dataclass

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
    ("telosb", "software"): (280_000, 99_610),
    ("telosb", "hybrid"): (280_000, 58_784),
    ("telosb", "hardware"): (120_000, 14_972),
    ("openmote-cc2538", "software"): (1_200_000, 48_686),
    ("openmote-cc2538", "hybrid"): (1_600_000, 28_741),
    ("openmote-cc2538", "hardware"): (1_300_000, 13_490),
}
"""Cycles of the reference that the simulation of an exchange may amount to: twice what it does, so
that a busy machine does not fail. Then the cycles of security of the images of commit 9b68b8c, on
the same motes, before anything was wiped and before drivers looked whether an engine failed;
MOST_WORSE bounds what it takes now. Looking costs 0.5 % (telosb, hardware) and 0.3 %
(openmote-cc2538, hybrid)."""
MOST_WORSE = 1.01


@dataclass(frozen=True, slots=True)
class SlotSpeed:
    """One board and strategy."""

    board: str
    strategy: str
    seconds: float
    """Of processor, for EXCHANGES exchanges."""
    reference_hz: float
    """Cycles of the reference in a second of processor."""
    security_cycles: int
    """Of an exchange on both motes: the mean of each operation, added up, without what builds the
    frame: key lookup, header and payload."""

    @property
    def amounts_to(self) -> float:
        """Cycles of the reference that take as long as one exchange."""
        return self.seconds / EXCHANGES * self.reference_hz


def run(board: str, strategy: str) -> tuple[float, int]:
    """Seconds of the exchanges of a network that has joined, and cycles of security."""
    (setting,) = all_settings(
        board, (strategy,), (LEVEL,), ASH_FORMS["paper"], BOARDS[board].clock_hz
    )
    network = Network(setting, slot_image(board, strategy).read_bytes(), LONG, 1)
    if not network.join() or not network.run_to_exchange(1):
        raise ImageError(f"{board}, {strategy}: {network.why_not_joined()}")
    network.spans()
    begun = time.process_time()
    enough = network.run_to_exchange(1 + EXCHANGES)
    seconds = time.process_time() - begun
    spans = network.spans()
    if not enough or not all(spans.values()):
        raise ImageError(f"{board}, {strategy}: the leaf stops sending")
    means = (sum(span.cycles for span in found) / len(found) for found in spans.values())
    built = sec1_parts(network) or {}
    return seconds, round(sum(means)) - sum(built.values())


def rows_of(board: str) -> list[SlotSpeed]:
    """The strategies of a board, in turn with the reference."""
    image = firmware_image(board, REFERENCE)
    bands = BOARDS[board].bands
    speeds: list[float] = []
    runs: dict[str, list[tuple[float, int]]] = {strategy: [] for strategy in STRATEGIES}
    for _ in range(ROUNDS):
        reference, cycles, _ = emulate(board, image, bands[-1] if bands else None)
        speeds.append(cycles / reference.seconds)
        for strategy, found in runs.items():
            found.append(run(board, strategy))
    return [
        SlotSpeed(board, strategy, min(seconds for seconds, _ in found), max(speeds), found[0][1])
        for strategy, found in runs.items()
    ]


def main() -> int:
    """Prints a row for each board and strategy."""
    boards = sorted({board for board, _ in MOST_CYCLES})
    try:
        rows = [row for board in boards for row in rows_of(board)]
    except (WardmoteError, MoteError) as error:
        sys.stderr.write(f"bench: {error}\n")
        return 2
    write = sys.stdout.write
    write(
        f"slot, level {LEVEL}, two motes, {EXCHANGES} exchanges, best of {ROUNDS} runs, beside "
        f"{REFERENCE} on the same board:\n"
    )
    enough = True
    for row in rows:
        most, before = MOST_CYCLES[row.board, row.strategy]
        quick, short = row.amounts_to <= most, row.security_cycles <= MOST_WORSE * before
        enough = enough and quick and short
        write(
            f"  {row.board:<15} {row.strategy:<8} {EXCHANGES / row.seconds:>6.0f} exchanges/s, each "
            f"amounts to {row.amounts_to / 1e3:4.0f} k cycles of the reference, at most "
            f"{most / 1e3:.0f} k wanted: {'ok' if quick else 'too slow'}; {row.security_cycles} "
            f"cycles of security, {before} before: {'ok' if short else 'too slow'}\n"
        )
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
