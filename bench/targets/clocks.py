# SPDX-License-Identifier: BSD-3-Clause
"""`make clocks`: two motes whose leaf hears one ack in ten, for a simulated day: no frame begins
outside its guard time, and the leaf gives up its schedule in time."""

import argparse
import sys

from wardmote._motes import MoteError
from wardmote.boards import SLOT_BOARDS
from wardmote.errors import WardmoteError
from wardmote.measurements.slot import sparse
from wardmote.measurements.slot.setting import ASH_FORMS, all_settings
from wardmote.paths import slot_image

STRATEGY, LEVEL, PPM = "hardware", 5, 30.0


def main() -> int:
    """Prints a line for each board and each sign of the drift."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    enough = True
    for board, record in SLOT_BOARDS.items():
        [setting] = all_settings(board, [STRATEGY], [LEVEL], ASH_FORMS["paper"], record.clock_hz)
        image = slot_image(board, STRATEGY).read_bytes()
        for ppm in (PPM, -PPM):
            try:
                row = sparse.run(
                    setting, image, ppm=ppm, seconds=3600 * asked.hours, seed=asked.seed
                )
            except (WardmoteError, MoteError) as error:
                sys.stderr.write(f"clocks: {error}\n")
                return 2
            enough = enough and row.holds
            sys.stdout.write(
                f"{board}, root {ppm:+.0f} ppm, leaf {-ppm:+.0f} ppm, {asked.hours:g} h: {row.data} "
                f"data frames, {row.unheard} unheard; {row.beacons} beacons; {row.outside} outside "
                f"their guard time of {row.guard_us:.0f} us, the farthest {row.worst_us:.0f} us from "
                f"its moment; given up {row.given_up} times, {row.soonest_s:.1f} to "
                f"{row.latest_s:.1f} s after the last correction, limit {row.limit_s:.1f} s: "
                f"{'ok' if row.holds else 'wrong'}\n"
            )
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
