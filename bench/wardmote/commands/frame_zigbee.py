# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote frame zigbee`: a capture of a ZigBee network, opened."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext

from wardmote.frame.source import Frames


def options(parser: argparse.ArgumentParser) -> None:
    """Its options, beside those of every act on frames."""
    for name, form, about in (
        ("--network-key", "[NUMBER:]KEY", "a network key, with its number if it is known"),
        ("--link-key", "KEY", "a link key"),
        ("--install-code", "CODE", "an installation code, as printed: 36 hex digits"),
    ):
        parser.add_argument(
            name, action="append", default=[], metavar=form, help=f"{about}; may be repeated"
        )
    parser.add_argument(
        "--no-well-known", action="store_true", help="do not try the link key that everybody has"
    )
    parser.add_argument(
        "--level",
        type=int,
        choices=range(1, 8),
        default=5,
        metavar="1..7",
        help="security level of the network (default: 5, which every network has)",
    )
    parser.add_argument(
        "--replays", action="store_true", help="accept frame counters that have been there"
    )
    parser.add_argument(
        "--level-bits", action="store_true", help="accept level bits that are set on the air"
    )
    parser.add_argument(
        "--each", action="store_true", help="say of each frame what it is and which keys opened it"
    )
    parser.add_argument("-o", "--output", help="file for the frames in clear, a pcap")


def work(given: argparse.Namespace, frames: Frames, limit: int) -> int:
    """Opens the frames and reports."""
    from wardmote.commands.frame import opened
    from wardmote.frame import zigbee
    from wardmote.frame.native import PSDU_MOST
    from wardmote.views import frame_zigbee as view

    keys = [
        *(zigbee.network_key(text, i) for i, text in enumerate(given.network_key, start=1)),
        *(zigbee.link_key(text, i) for i, text in enumerate(given.link_key, start=1)),
        *(zigbee.install_code(text, i) for i, text in enumerate(given.install_code, start=1)),
        *([] if given.no_well_known else [zigbee.well_known()]),
    ]
    psdu = given.psdu or PSDU_MOST
    how = zigbee.Options(given.level, given.replays, given.level_bits, given.any_fcs, psdu)
    with opened(given.output, text=False) if given.output else nullcontext() as file:
        outcome = zigbee.open_all(frames, keys, how, file.write if file else None)
    if given.form == "table":
        sys.stdout.write(view.report(outcome, limit, each=given.each))
    else:
        sys.stdout.write(view.rows(outcome, given.form))
        sys.stderr.write(view.answer(outcome) + "\n")
    return 1 if outcome.refused or frames.warning else 0
