# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: how many seconds of motes are simulated in a second of one core, in a network of
busy motes and in one where all but one sleep.

A node-second is one second of one mote. Times are processor time, the best of several runs. Beside
each network stands one mote alone with the same image: the ratio says what the medium and the other
motes cost, and it does not depend on the machine. Exit code 1 means that a network is slower than
it may be: than LEAST_SHARE of the mote alone, or than the slowest figure of Avrora, 21 node-seconds
a second, with motes that are never asleep; or less than ten times as fast where they sleep.
"""

import sys
import time
from typing import NamedTuple

from wardmote._motes import MoteError, Simulation
from wardmote.errors import ImageError, WardmoteError
from wardmote.paths import firmware_image
from wardmote.units import PS_PER_S

ROUNDS = 5
MOTES = 37
SECONDS = 0.5
BUSY = "primitives-tab"
ASLEEP = {"mica2": "tinysec-none", "telosb": "slot-hardware"}
"""Images that sleep, CPU and radio, because nobody has set them up. A Mica2 that listens does not
sleep: each octet that its radio hears wakes it, 2400 in a second."""
IMAGES = {"mica2": "atmega128", "telosb": "telosb"}
"""Boards with a radio, so that motes run at most a notice apart; and whose images the busy ones run.
That of a TelosB leaves the clock as it is after reset."""
WANTED, AVRORA = 35.0, 21.0
LEAST_SHARE = 0.6
"""Busy motes of a network run at 0.9 to 1.0 of the speed of one alone."""
LEAST_SLEEPING = 10.0


class Run(NamedTuple):
    """How fast a network was simulated."""

    node_seconds: float
    """In a second of processor."""
    clock_hz: int
    """Of the busy motes."""


def run(board: str, busy: int, asleep: int) -> Run:
    """So many motes, once."""
    simulation = Simulation(1)
    busy_image = firmware_image(IMAGES[board], BUSY)
    images = (("busy", busy_image, busy), ("asleep", firmware_image(board, ASLEEP[board]), asleep))
    for name, image, count in images:
        for number in range(count):
            simulation.add_mote(board, image.read_bytes(), f"{name} {number}")
    begun = time.process_time()
    simulation.run_until(round(SECONDS * PS_PER_S))
    seconds = time.process_time() - begun
    for mote in range(busy + asleep):
        if simulation.cpu(mote)["asleep"] is (mote < busy):
            raise ImageError(f"{board}: mote {mote} of {busy} busy and {asleep} others is not so")
    return Run((busy + asleep) * SECONDS / seconds, simulation.cpu(0)["clock_hz"])


def network(board: str, busy: int, asleep: int = 0) -> Run:
    """The best of several runs."""
    return max(run(board, busy, asleep) for _ in range(ROUNDS))


def main() -> int:
    """Prints a row for each network."""
    write, enough = sys.stdout.write, True
    write(f"air, node-seconds in a second of one core, best of {ROUNDS} runs of {SECONDS} s:\n")
    try:
        for board in IMAGES:
            alone, together = network(board, 1), network(board, MOTES)
            share = together.node_seconds / alone.node_seconds
            quick = share >= LEAST_SHARE and together.node_seconds >= AVRORA
            write(
                f"{board}, {MOTES} busy at {together.clock_hz} Hz: {together.node_seconds:.0f}, "
                f"wanted {WANTED:.0f}; {share:.2f} of one alone, at least {LEAST_SHARE}: "
                f"{'ok' if quick else 'slow'}\n"
            )
            resting = network(board, 1, MOTES - 1)
            times = resting.node_seconds / together.node_seconds
            rested = times >= LEAST_SLEEPING
            write(
                f"{board}, 1 busy and {MOTES - 1} asleep: {resting.node_seconds:.0f}, wanted "
                f"{10 * WANTED:.0f}; {times:.1f} times as fast, at least {LEAST_SLEEPING:.0f}: "
                f"{'ok' if rested else 'slow'}\n"
            )
            enough = enough and quick and rested
    except (WardmoteError, MoteError) as error:
        sys.stderr.write(f"bench: {error}\n")
        return 2
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
