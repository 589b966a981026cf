# SPDX-License-Identifier: BSD-3-Clause
"""`make clocks`: two motes whose leaf hears one ack in ten, for a simulated day: no frame begins
outside its guard time, and the leaf gives up its schedule in time."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from wardmote._motes import MoteError
from wardmote.boards import SLOT_BOARDS
from wardmote.errors import WardmoteError
from wardmote.measurements.slot import sparse
from wardmote.measurements.slot.setting import ASH_FORMS, all_settings
from wardmote.measurements.slot.sparse import SparseRow
from wardmote.paths import slot_image, write_atomically
from wardmote.views.columns import Fields
from wardmote.views.document import Blocks, opened
from wardmote.views.table import Column, to_markdown

STRATEGY, LEVEL, PPM = "hardware", 5, 30.0
_of = Fields(SparseRow)
COLUMNS: tuple[Column[SparseRow], ...] = (
    _of.word("board"),
    _of.number("root ppm", digits=0),
    Column("hours", lambda row: f"{row.seconds / 3600:g}"),
    *_of.numbers("data", "unheard", "beacons", "outside", digits=0),
    _of.number("guard us", digits=0),
    _of.number("worst us", digits=0),
    _of.number("given up", digits=0),
    *_of.numbers("soonest s", "latest s", "limit s", digits=1),
)


def table(rows: Sequence[SparseRow]) -> str:
    """For a document."""
    return to_markdown(rows, COLUMNS)


BLOCKS = Blocks("clocks", {"table": table})


def main() -> int:
    """Prints a line for each board and each sign of the drift."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--document", type=Path, help="write the table into this document")
    asked = parser.parse_args()
    rows: list[SparseRow] = []
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
            rows.append(row)
            sys.stdout.write(
                f"{board}, root {ppm:+.0f} ppm, leaf {-ppm:+.0f} ppm, {asked.hours:g} h: {row.data} "
                f"data frames, {row.unheard} unheard; {row.beacons} beacons; {row.outside} outside "
                f"their guard time of {row.guard_us:.0f} us, the farthest {row.worst_us:.0f} us from "
                f"its moment; given up {row.given_up} times, {row.soonest_s:.1f} to "
                f"{row.latest_s:.1f} s after the last correction, limit {row.limit_s:.1f} s: "
                f"{'ok' if row.holds else 'wrong'}\n"
            )
    if asked.document:
        text = opened(asked.document, BLOCKS)
        write_atomically(asked.document, BLOCKS.filled(text, rows).encode())
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
