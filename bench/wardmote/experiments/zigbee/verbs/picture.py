# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee picture`: a picture as sent, as received, and as overheard."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from wardmote.boards import BOARDS, Board
from wardmote.commands.records import option
from wardmote.experiments.experiment import Experiment
from wardmote.experiments.zigbee import scene, wiring
from wardmote.experiments.zigbee.node import BAUD, PAPERS_BOARDS
from wardmote.experiments.zigbee.transfer import (
    Transfer,
    ZigbeePictureRow,
    cases_of,
    images,
    measure,
)
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import facts


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which picture."""

    full: Annotated[
        bool, option("The paper's 282 kB. Default: a small picture.", name="--full")
    ] = False


def cases(board: Board, seed: int, wanted: Wanted = Wanted()) -> list[Transfer]:
    """Every way to send it."""
    return list(cases_of(board, seed, scene.PAPER if wanted.full else scene.SMALL))


def mode(row: ZigbeePictureRow) -> str:
    """Of the cipher."""
    return "" if row.way == "in clear" else "CBC" if row.chained else "ECB"


_of = Fields(ZigbeePictureRow)
COLUMNS: tuple[Column[ZigbeePictureRow], ...] = (
    _of.word("board", rank=2),
    _of.word("way", rank=0),
    Column("mode", mode, text=True, rank=0),
    Column("lost %", lambda row: f"{100 * row.loss:g}", rank=0),
    Column("equal", lambda row: "yes" if row.equal else "no", text=True, rank=0),
    _of.number("seconds", digits=1, rank=1),
    _of.number("ms a packet", "ms_per_packet", 2, rank=1),
    _of.number("kbit/s", "kbps", 1, rank=2),
    _of.number("packets", rank=3),
    *_of.numbers("retries", "resent", "repeated", "duplicates", rank=1),
    _of.number("bits an octet", "overheard_entropy_bits", 4, rank=0),
    _of.number("blocks again", "overheard_repeated_blocks", rank=0),
)


def answer(rows: Sequence[ZigbeePictureRow]) -> str:
    """Whether the picture came over, and what the eavesdropper has."""
    first = rows[0]
    equal = sum(row.equal for row in rows)
    lossy = [row for row in rows if row.loss][:1]
    [safe] = [row for row in rows if row.way == wiring.LINES and row.loss]
    cbc, ecb = (
        next(row for row in rows if row.chained == chained and mode(row))
        for chained in (True, False)
    )
    losses = "".join(
        f" With {100 * row.loss:g} % of frames and acks lost the MAC sent {row.retries} frames and "
        f"the application {row.resent} packets again; the receiver dropped {row.repeated} frames "
        f"and {row.duplicates} packets that it had taken."
        for row in lossy
    )
    losses += (
        f" With coprocessors on the serial lines no mote has the key or sees the picture in clear; "
        f"it came over {'too' if safe.equal else 'wrong'}, with the same losses."
    )
    return (
        f"A picture of {first.width} by {first.height} pixels, {first.octets} octets, came over "
        f"octet for octet in {equal} of {len(rows)} transfers.{losses} What an eavesdropper has of "
        f"CBC has {cbc.overheard_entropy_bits:.4f} bits an octet and "
        f"{cbc.overheard_repeated_blocks} of {cbc.octets // 16} blocks that came before; of ECB, "
        f"{ecb.overheard_entropy_bits:.4f} bits and {ecb.overheard_repeated_blocks} blocks: the "
        f"picture shows."
    )


def conditions(rows: Sequence[ZigbeePictureRow]) -> list[tuple[str, str]]:
    """What is between the two computers."""
    return [
        ("board", BOARDS[rows[0].board].title),
        (
            "way",
            f"a computer, a serial line of {BAUD[rows[0].board]} baud, the sender, unslotted CSMA-CA with acks and "
            "3 retries, the receiver, a serial line, a computer",
        ),
        (
            wiring.LINES,
            f"one before the sender encrypts, one behind the receiver decrypts, both with core "
            f"{wiring.CORES[wiring.LINES]} at 8 MHz and {BAUD[rows[0].board]} baud; their computers "
            "give them the key",
        ),
        (
            wiring.PERIPHERAL,
            f"beside each CPU on its second serial line, core {wiring.CORES[wiring.PERIPHERAL]} at "
            f"8 MHz, {wiring.peripheral_baud(rows[0].board)} baud, the fastest that the chip has",
        ),
        ("packet", "16 octets in a frame of 49 octets with its preamble, as the paper's"),
        ("protected", "against reading alone: CBC does not tell a changed frame from a right one"),
    ]


def figure(rows: Sequence[ZigbeePictureRow]) -> str:
    """SVG: the picture as sent and received, and below as overheard with CBC and with ECB."""
    cbc, ecb = (
        next(row for row in rows if row.chained == chained and mode(row))
        for chained in (True, False)
    )
    shown = (
        ("sent", cbc.sent_png),
        ("received", cbc.received_png),
        ("overheard, CBC", cbc.overheard_png),
        ("overheard, ECB: never use it", ecb.overheard_png),
    )
    width, height, gap, words = 320, round(320 * cbc.height / cbc.width), 12, 20
    places = [(n % 2 * (width + gap), n // 2 * (height + words + gap)) for n in range(len(shown))]
    parts = [
        f'<text x="{x}" y="{y + 14}" font-family="sans-serif" font-size="13">{title}</text>'
        f'<image x="{x}" y="{y + words}" width="{width}" height="{height}" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{png}"/>'
        for (x, y), (title, png) in zip(places, shown, strict=True)
    ]
    whole = 2 * width + gap, 2 * (height + words) + gap
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole[0]}" height="{whole[1]}" '
        f'viewBox="0 0 {whole[0]} {whole[1]}">\n' + "\n".join(parts) + "\n</svg>\n"
    )


def text(rows: Sequence[ZigbeePictureRow]) -> str:
    """For documents."""
    chart = "![The picture as sent, as received, and as overheard with CBC and with ECB](zigbee-picture.svg)"
    return f"{answer(rows)}\n\n{facts(conditions(rows))}\n{chart}\n\n{to_markdown(rows, COLUMNS)}"


EXPERIMENT = Experiment(
    "Does a picture come over encrypted, and what does an eavesdropper see?",
    "picture",
    cases,
    images,
    measure,
    ZigbeePictureRow,
    COLUMNS,
    answer,
    figure=figure,
    options=Wanted,
    conditions=conditions,
    text=text,
    only=PAPERS_BOARDS,
)
