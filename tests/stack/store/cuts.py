# SPDX-License-Identifier: BSD-3-Clause
"""Power cuts of a counter store on a medium in RAM, in units of 2, 4 and 8 octets: whatever
port/counter_port.h allows may be left behind.

    python -m tests.stack.store.cuts --cuts 10000
"""

from __future__ import annotations

import argparse
import sys

from tests.stack.link.linklib import link_target
from tests.stack.store.counterlib import GEOMETRY, Counters, History, play
from tests.stack.store.test_counter_store import history

STEPS = 60


def cut_again_and_again(port: str, cuts: int, seed: int = 1) -> History:
    """New stores on one kind of medium, each for STEPS steps, until power has failed so often. Slot 0
    is an outgoing counter, the others are peers'."""
    total = History([], [])
    store = Counters(link_target("host"), port, slots=2)
    while total.cuts < cuts:
        past = play(store, history(seed, STEPS))
        total.cuts += past.cuts
        total.records += past.records
        total.renewals += past.renewals
        total.advances += past.advances
        total.nonces += past.nonces
        total.replays += past.replays
        store.blank()
        seed += 1
    return total


def main() -> int:
    """Prints a line for each medium; exit code 1 if a counter came twice."""
    parser = argparse.ArgumentParser(description="cuts the power of counter stores in RAM")
    parser.add_argument("--cuts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    for port, geometry in GEOMETRY.items():
        found = cut_again_and_again(port, options.cuts, options.seed)
        sys.stdout.write(
            f"unit {geometry.unit}, {geometry.segments} segments: {found.cuts} cuts in "
            f"{found.advances} advances and {found.renewals} renewals, {found.nonces} nonces "
            f"reused, {found.replays} replays accepted\n"
        )
        wrong += found.nonces + found.replays
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
