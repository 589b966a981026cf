# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: how long it takes to simulate the ZigBee study's picture of 282 kB, from a computer
over a mote to a mote and to a computer, with an eavesdropper beside them.

Times are processor time of one core, and by the clock. Exit code 1 means that a transfer takes more
processor time than MOST_S, or that what came is not what was sent.
"""

import sys
import time

from wardmote._motes import MoteError
from wardmote.boards import BOARDS
from wardmote.errors import WardmoteError
from wardmote.experiments.zigbee import node, scene
from wardmote.experiments.zigbee.transfer import Transfer, cases_of, images, measure

MOST_S = 120.0
SEED = 1


def run(case: Transfer) -> tuple[float, float, float, bool]:
    """Seconds of processor, of the clock and of the motes; whether the picture came over."""
    artefacts = {name: path.read_bytes() for name, path in images(case).items()}
    begun, began = time.process_time(), time.perf_counter()
    figures = measure(case, artefacts)
    processor, clock = time.process_time() - begun, time.perf_counter() - began
    whole = figures["equal"] and figures["overheard_octets"] == figures["octets"]
    return processor, clock, figures["seconds"], whole


def main() -> int:
    """Prints a row for each way to send it."""
    write, enough = sys.stdout.write, True
    [board] = node.PAPERS_BOARDS
    write(f"picture, {scene.PAPER.octets} octets, seconds, at most {MOST_S:.0f} of processor:\n")
    try:
        for case in cases_of(BOARDS[board], SEED, scene.PAPER):
            processor, clock, simulated, whole = run(case)
            quick = processor <= MOST_S
            write(
                f"{case.label}: {processor:.1f} of processor, {clock:.1f} by the clock, "
                f"{simulated:.0f} simulated; {'equal' if whole else 'not equal'}, "
                f"{'ok' if quick else 'slow'}\n"
            )
            enough = enough and quick and whole
    except (WardmoteError, MoteError) as error:
        sys.stderr.write(f"bench: {error}\n")
        return 2
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
