# SPDX-License-Identifier: BSD-3-Clause
"""What motes with anybody's firmware say and do, in lines of a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from wardmote.boards import BOARDS
from wardmote.boot.motes import Mote
from wardmote.boot.rows import MoteRow
from wardmote.boot.run import Event, Run
from wardmote.boot.talk import Said
from wardmote.boot.waves import Moved
from wardmote.units import PS_PER_S
from wardmote.views.columns import Fields
from wardmote.views.table import Column, number

TEXT, HEX = "text", "hex"
FORMS = TEXT, HEX
_of = Fields(MoteRow)
COLUMNS: tuple[Column[MoteRow], ...] = (
    _of.word("mote", rank=0),
    _of.word("board", rank=1),
    _of.word("image", rank=3),
    Column("s", lambda row: number(row.seconds, 3), rank=2),
    _of.number("charge mC", digits=3, rank=0),
    _of.number("average mA", digits=3, rank=0),
    _of.number("serial octets", rank=1),
    _of.number("frames", rank=1),
    _of.number("misuse", rank=1),
    _of.number("resets", rank=2),
)


def readable(octets: bytes) -> str:
    r"""Octets as text; what cannot be printed as \xNN."""
    return "".join(chr(one) if 0x20 <= one < 0x7F else f"\\x{one:02x}" for one in octets)


def at(at_ps: int) -> str:
    """A moment, to a microsecond."""
    return f"{at_ps / PS_PER_S:12.6f}"


def began(mote: Mote) -> str:
    """What boots."""
    identity = "" if mote.identity is None else f", node ID {mote.identity}"
    carries = "" if mote.carries is None else f", carries 0x{mote.carries:X}"
    return f"{at(0)}  {mote.name}: boots {mote.image.name} on {mote.board}{identity}{carries}"


def awaits(mote: Mote, port: int) -> str:
    """Where gdb finds a mote."""
    return f"{at(0)}  {mote.name}: waits for gdb: target remote localhost:{port}"


def connected(mote: Mote, line: int, name: str) -> str:
    """Where the other end of a serial line is."""
    return f"{at(0)}  {mote.name}: serial line {line} is connected to {name}"


def goes_on(at_ps: int) -> str:
    """A run that was saved has come to where it was."""
    return f"{at(at_ps)}  goes on from here"


def line(event: Event, motes: Sequence[Mote], form: str) -> str:
    """One event. A serial line is named unless the mote's board talks on it with a computer."""
    name = "" if event.place is None else motes[event.place].name
    if isinstance(event, Said):
        usual = BOARDS[motes[event.place].board].console
        port = "" if event.line == usual else f" line {event.line}"
        text = event.octets.hex(" ") if form == HEX else readable(event.octets)
        return f"{at(event.at_ps)}  {name}{port}: {text}"
    if isinstance(event, Moved):
        return f"{at(event.at_ps)}  {name}: pin {event.name} {'high' if event.level else 'low'}"
    return f"{at(event.at_ps)}  {name}! {event.what}"


def answer(run: Run) -> str:
    """How it ended."""
    now = run.simulation.now_ps / PS_PER_S
    if run.fault:
        return f"After {now:.3f} s: {run.fault}"
    if run.killed:
        return f"After {now:.6f} s: gdb has ended the run."
    if run.talk.missing:
        return f"Not said within {now:g} s: {readable(run.talk.missing[0])!r}"
    if run.talk.done:
        last, _ = run.talk.seen[-1]
        return f"All that was awaited was said within {last / PS_PER_S:.6f} s."
    return f"{now:g} s passed."
