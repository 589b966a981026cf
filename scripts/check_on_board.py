# SPDX-License-Identifier: BSD-3-Clause
"""Compares a figure of a real board with that of the emulated one: the same image on both.

    check_on_board.py serial --port /dev/ttyUSB0            flashes, reads a line, compares
    check_on_board.py pin --capture theirs.vcd --signal D0 --pin 5.4 --image app.elf

docs/how-do-i-check-this-on-my-board.md says how. The figure of `serial` is a number that the program
says; that of `pin` is how long a pin is high, as a logic analyser has recorded it. Exit code 1 if
they differ by more than is allowed or if the emulated program cannot go on, 2 for what cannot be
used, 5 if a tool is missing.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import termios
import time
import tty
from pathlib import Path
from statistics import median

from vcd.reader import TokenKind, VCDParseError, tokenize

from wardmote import Mote
from wardmote import options as limits
from wardmote._motes import MoteError
from wardmote.boot.waves import pin as port_and_bit
from wardmote.errors import DONE, FAILED, MissingError, UsageError, WardmoteError

ROOT = Path(__file__).parents[1]
FIGURE = r"aes128-tab (\d+)"
FLASHERS = {"telosb": "msp430-bsl-telosb -p {port} -e -P -V -i elf {image}"}
"""For boards whose tool PyPI has; for the others, --flash gives it."""
INSTALL = "msp430-bsl-telosb: pip install python-msp430-tools"
LINES = 3
"""So many figures are read; a line that was begun before we listened may be broken."""
PATIENCE_S = 30.0
BAUDS = {9600: termios.B9600, 38400: termios.B38400, 57600: termios.B57600, 115200: termios.B115200}


def build(board: str) -> Path:
    """The image `figure` of a board, built now."""
    if not (ROOT / f"firmware/image/figure/node_{board}.c").is_file():
        raise UsageError(f"no image `figure` for {board}: give --image and --figure")
    command = ["make", "-s", "-C", str(ROOT), "-f", "firmware/Makefile"]
    subprocess.run([*command, f"BOARD={board}", "FOLDERS=figure"], check=True, capture_output=True)
    return ROOT / f"build/firmware/{board}/figure.elf"


def median_of(text: str, wanted: re.Pattern[str]) -> float | None:
    """The median of the figures in whole lines, once there are enough."""
    figures = [
        match[1]
        for line in text.splitlines(keepends=True)[1:]
        if line.endswith("\n") and (match := wanted.search(line))
    ]
    try:
        found = [float(figure) for figure in figures]
    except (TypeError, ValueError) as error:
        raise UsageError(f"{wanted.pattern!r} finds what is no number: {figures[0]!r}") from error
    return median(found[:LINES]) if len(found) >= LINES else None


def said_by_ours(image: Path, board: str, wanted: re.Pattern[str]) -> float:
    """What the program says on the emulated board."""
    mote = Mote(image, board)
    while mote.seconds < PATIENCE_S:
        mote.run(0.1)
        if (figure := median_of(mote.text, wanted)) is not None:
            return figure
    raise UsageError(f"the emulated {board} does not say {wanted.pattern!r} in {PATIENCE_S:g} s")


def flash(command: str, port: str, image: Path) -> None:
    """Lets the tool of the board write the image."""
    try:
        words = [word.format(port=port, image=image) for word in shlex.split(command)]
    except (ValueError, LookupError) as error:
        raise UsageError(f"no --flash {command!r}: write {{port}} and {{image}} in it") from error
    if not words or shutil.which(words[0]) is None:
        raise MissingError(
            f"no program {words[:1]}: install it ({INSTALL}), or give another --flash"
        )
    if subprocess.run(words, check=False).returncode:
        raise UsageError(f"could not flash: {shlex.join(words)}")


def said_by_theirs(port: str, baud: int, wanted: re.Pattern[str]) -> float:
    """What the program says on the real board."""
    try:
        line = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError as error:
        raise UsageError(f"{port}: {error.strerror}") from error
    try:
        tty.setraw(line)
        settings = termios.tcgetattr(line)
        settings[4] = settings[5] = BAUDS[baud]
        termios.tcsetattr(line, termios.TCSANOW, settings)
        text, end = "", time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                text += os.read(line, 4096).decode(errors="replace")
            except BlockingIOError:
                time.sleep(0.01)
            if (figure := median_of(text, wanted)) is not None:
                return figure
    except (OSError, termios.error) as error:
        raise UsageError(f"{port}: {error}") from error
    finally:
        os.close(line)
    raise UsageError(
        f"the board does not say {wanted.pattern!r} in {PATIENCE_S:g} s: {text[-80:]!r}"
    )


def high_in(capture: Path, signal: str) -> float:
    """How long a signal of a value change dump is high, in microseconds: the median."""
    scale, name, risen, widths, now = 1e-9, "", None, [], 0
    try:
        with capture.open("rb") as file:
            for token in tokenize(file):
                if token.kind is TokenKind.TIMESCALE:
                    scale = (
                        int(token.timescale.magnitude)
                        * {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15}[
                            token.timescale.unit.value
                        ]
                    )
                elif token.kind is TokenKind.VAR and token.var.reference == signal:
                    name = token.var.id_code
                elif token.kind is TokenKind.CHANGE_TIME:
                    now = token.time_change
                elif token.kind is TokenKind.CHANGE_SCALAR and token.scalar_change.id_code == name:
                    if token.scalar_change.value == "1":
                        risen = now
                    elif risen is not None:
                        widths.append((now - risen) * scale * 1e6)
                        risen = None
    except OSError as error:
        raise MissingError(f"{capture}: {error.strerror}") from error
    except (VCDParseError, ValueError) as error:
        raise UsageError(f"{capture}: no value change dump: {error}") from error
    if not widths:
        raise UsageError(f"{capture}: signal {signal!r} is never high and low again")
    return median(widths)


def high_in_ours(image: Path, board: str, pin: str, seconds: float) -> float:
    """The same of a pin of the emulated board."""
    port, bit = port_and_bit(pin)
    limits.real("number of seconds", seconds, 0, PATIENCE_S, open_=True)
    mote = Mote(image, board)
    mote.air.simulation.watch_pin(mote.place, port, bit)
    mote.run(seconds)
    widths, risen = [], None
    for edge in mote.edges:
        if edge.pin != pin:
            continue
        if edge.level:
            risen = edge.seconds
        elif risen is not None:
            widths.append((edge.seconds - risen) * 1e6)
            risen = None
    if not widths:
        raise UsageError(f"pin {pin} of the emulated {board} is never high and low again")
    return median(widths)


def compared(ours: float, theirs: float, unit: str, allowed: float) -> int:
    """Shows both; the exit code."""
    off = 100 * (ours - theirs) / theirs if theirs else float("inf")
    sys.stdout.write(f"real board  {theirs:12.3f} {unit}\nemulated    {ours:12.3f} {unit}\n")
    sys.stdout.write(f"difference  {off:+12.3f} %, allowed {allowed:g} %\n")
    return DONE if abs(off) <= allowed else FAILED


def options() -> argparse.ArgumentParser:
    """What may be said."""
    parser = argparse.ArgumentParser(prog="check_on_board.py", description=__doc__.splitlines()[0])
    ways = parser.add_subparsers(dest="way", required=True)
    serial, pin = ways.add_parser("serial"), ways.add_parser("pin")
    for way in (serial, pin):
        way.add_argument("--board", default="telosb")
        way.add_argument("--image", type=Path, help="default: the image `figure`, built now")
        way.add_argument("--allow", type=float, default=0.0, help="difference in percent")
    serial.add_argument("--port", required=True, help="such as /dev/ttyUSB0")
    serial.add_argument("--baud", type=int, default=9600, choices=sorted(BAUDS))
    serial.add_argument("--figure", default=FIGURE, help="regular expression with one group")
    serial.add_argument("--flash", help="command with {port} and {image}; empty: it is flashed")
    pin.add_argument("--capture", type=Path, required=True, help="VCD of a logic analyser")
    pin.add_argument("--signal", required=True, help="its name in that file")
    pin.add_argument("--pin", required=True, help="port and bit, such as 5.4")
    pin.add_argument("--seconds", type=float, default=1.0, help="of the emulated board")
    return parser


def by_serial(asked: argparse.Namespace, image: Path) -> int:
    """Flashes, listens, compares."""
    try:
        wanted = re.compile(asked.figure)
    except re.error as error:
        raise UsageError(f"no --figure {asked.figure!r}: {error}") from error
    if wanted.groups != 1:
        raise UsageError(f"no --figure {asked.figure!r}: it has one group, which is the number")
    ours = said_by_ours(image, asked.board, wanted)
    command = FLASHERS.get(asked.board) if asked.flash is None else asked.flash
    if command is None:
        raise UsageError(f"no tool for {asked.board} is known: give --flash")
    if command:
        flash(command, asked.port, image)
    return compared(ours, said_by_theirs(asked.port, asked.baud, wanted), "as said", asked.allow)


def main(words: list[str]) -> int:
    """Compares; the exit code."""
    asked = options().parse_args(words)
    try:
        limits.real("allowed difference", asked.allow, 0, 100)
        image = asked.image or build(asked.board)
        if asked.way == "serial":
            return by_serial(asked, image)
        theirs = high_in(asked.capture, asked.signal)
        ours = high_in_ours(image, asked.board, asked.pin, asked.seconds)
        return compared(ours, theirs, "µs", asked.allow)
    except WardmoteError as error:
        sys.stderr.write(f"check_on_board.py: {error}\n")
        return error.code
    except MoteError as error:
        sys.stderr.write(f"check_on_board.py: the emulated board cannot go on: {error}\n")
        return FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
