# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote frame`: frames in hex or in captures, secured, unsecured, or taken apart.

Its options are read by argparse, not by typer: importing typer takes about as long as the stack
takes for 100 000 frames.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import IO, TYPE_CHECKING, Any, NoReturn

from wardmote.commands import frame_zigbee
from wardmote.errors import OutputError, UsageError
from wardmote.frame import keys, native, source
from wardmote.frame.run import Options, Outcome, Securing, lines
from wardmote.frame.run import secure as secure_frames
from wardmote.frame.run import unsecure as unsecure_frames

if TYPE_CHECKING:
    from wardmote.frame.frame_row import FrameRow

FORMATS = ("table", "json", "csv", "markdown")
LISTED = 20
"""Refused frames that are named unless --limit says otherwise."""
COUNTER_MOST = 2**32 - 1
EPILOG = "docs/how-do-i-read-secured-frames.md explains keys files, statuses and what is written."


class _Parser(argparse.ArgumentParser):
    """Whose refusals are ours: one line, raised."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; `{self.prog} --help` lists what is possible")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Writes help. argparse's own method says nothing if that fails."""
        (file or sys.stderr).write(message)


def run(words: Sequence[str]) -> int:
    """Runs one of the four commands."""
    try:
        given = _parser().parse_args(words)
    except SystemExit as done:  # --help
        return int(done.code or 0)
    return int(given.act(given))


def _parser() -> argparse.ArgumentParser:
    top = _Parser(
        prog="wardmote frame",
        description="Frames of IEEE 802.15.4, in hex or in pcap and pcapng.",
        epilog=EPILOG,
    )
    acts = top.add_subparsers(
        required=True, metavar="show|secure|unsecure|zigbee", parser_class=_Parser
    )
    for name, about, options, act in (
        ("show", "every field, a-data and m-data, nonce, MIC", _show_options, _show),
        ("unsecure", "clear frames out of secured ones", _unsecure_options, _unsecure),
        ("secure", "secured frames out of clear ones", _secure_options, _secure),
        ("zigbee", "a ZigBee capture, opened by network and link keys", _zigbee_options, _zigbee),
    ):
        parser = acts.add_parser(name, help=about, epilog=EPILOG, allow_abbrev=False)
        options(parser)
        parser.set_defaults(act=act)
    return top


def _show_options(parser: argparse.ArgumentParser) -> None:
    _common(parser, "table, json, csv or markdown, on stdout")
    parser.add_argument(
        "--limit", type=_number("limit", 1, 2**63 - 1), help="frames shown (default: all)"
    )
    parser.add_argument(
        "--columns",
        default="",
        help="columns of the table: all, or names such as frame,MIC (default: those that fit)",
    )


def _unsecure_options(parser: argparse.ArgumentParser) -> None:
    _working(parser)
    parser.add_argument(
        "--replays", action="store_true", help="accept frame counters that have been there"
    )


def _secure_options(parser: argparse.ArgumentParser) -> None:
    _working(parser)
    parser.add_argument(
        "--level",
        type=_number("level", 1, 7),
        default=5,
        help="security level 1..7 (default: 5, ENC-MIC-32)",
    )
    parser.add_argument(
        "--key-id-mode", type=_number("key-id-mode", 0, 3), default=1, help="0..3 (default: 1)"
    )
    parser.add_argument(
        "--key-index",
        type=_number("key-index", 1, 255),
        help="default: that of the only key of the mode",
    )
    parser.add_argument(
        "--key-source",
        type=_octets("key-source", 4, 8),
        help="hex: 4 octets with mode 2, 8 with mode 3",
    )
    parser.add_argument(
        "--counter",
        type=_number("counter", 0, COUNTER_MOST),
        help="frame counter of the first frame",
    )
    parser.add_argument(
        "--source",
        type=_octets("source", 8),
        help="hex: sender's extended address where frames have none",
    )


def _zigbee_options(parser: argparse.ArgumentParser) -> None:
    _input(parser, "table, json, csv or markdown, on stdout")
    frame_zigbee.options(parser)
    parser.add_argument(
        "--limit",
        type=_number("limit", 0, 2**63 - 1),
        default=LISTED,
        help=f"refused frames listed (default: {LISTED})",
    )


def _common(parser: argparse.ArgumentParser, about: str) -> None:
    _input(parser, about)
    parser.add_argument("--keys", help="file with keys, devices and policy (TOML)")
    parser.add_argument(
        "--asn",
        type=_number("asn", 0, source.ASN_MOST),
        help="ASN of the first frame, one more for each",
    )


def _input(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument(
        "input", nargs="?", default="-", help="file, frame in hex, or - for stdin (default)"
    )
    parser.add_argument(
        "--fcs",
        type=int,
        choices=(0, 2, 4),
        help="octets of the FCS behind each frame, where the input does not say them (default: 2 "
        "for link types 195 and 215, else 0)",
    )
    parser.add_argument(
        "--psdu",
        type=_number("psdu", native.PSDU_LEAST, native.PSDU_MOST),
        help="octets of the longest PSDU, FCS included, 127 to 2047 (default: 127 to secure, else "
        "2047)",
    )
    parser.add_argument(
        "--any-fcs", action="store_true", help="a wrong FCS is no reason to refuse a frame"
    )
    parser.add_argument(
        "--cut-short",
        action="store_true",
        help="take the whole frames of a capture that ends early",
    )
    parser.add_argument("--format", dest="form", choices=FORMATS, default="table", help=about)


def _working(parser: argparse.ArgumentParser) -> None:
    _common(
        parser, "of the summary: table, json, csv or markdown; on stdout with -o, else on stderr"
    )
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="[SOURCE:]INDEX:KEY",
        help="a key; may be repeated",
    )
    parser.add_argument("-o", "--output", help="file for the frames (default: stdout)")
    parser.add_argument(
        "--keep-refused", action="store_true", help="write refused frames as they came"
    )
    parser.add_argument(
        "--limit",
        type=_number("limit", 0, 2**63 - 1),
        default=LISTED,
        help=f"refused frames listed (default: {LISTED})",
    )
    parser.add_argument(
        "--each", action="store_true", help="say of each frame its status, and which key opened it"
    )
    parser.add_argument(
        "--cipher", default="", help="AES to use (default: the fastest that this machine has)"
    )


def _number(what: str, least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        try:
            value = int(text, 0)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"no {what} {text!r}: possible are {least} to {most}")
        return value

    return number


def _octets(what: str, *lengths: int) -> Callable[[str], bytes]:
    def octets(text: str) -> bytes:
        value = keys.hex_octets(text)
        if value is None or len(value) not in lengths:
            possible = " or ".join(str(2 * length) for length in lengths)
            raise argparse.ArgumentTypeError(
                f"no {what} {text!r}: {possible} hex digits are possible"
            )
        return value

    return octets


def _read(given: argparse.Namespace) -> source.Frames:
    frames = source.read(given.input, fcs=given.fcs, cut=given.cut_short)
    if frames.warning:
        sys.stderr.write(f"wardmote: {frames.warning}\n")
    return frames


def _options(given: argparse.Namespace) -> Options:
    psdu = given.psdu or (native.PSDU_LEAST if given.act is _secure else native.PSDU_MOST)
    return Options(given.asn, given.any_fcs, given.keep_refused, given.cipher, psdu)


def _unsecure(given: argparse.Namespace) -> int:
    network = keys.read_network(given.keys, given.key)
    if not network.keys:
        raise UsageError("no key: give --keys FILE with a [[key]], or --key INDEX:KEY")
    if given.replays:
        network = network._replace(replays="accept")
    frames = _read(given)

    def work(write: Callable[[memoryview], object]) -> Outcome:
        return unsecure_frames(frames, network, _options(given), given.limit, write)

    return _hand_over(given, frames, "unsecured or clear", work)


def _zigbee(given: argparse.Namespace) -> int:
    return frame_zigbee.work(given, _read(given), given.limit)


def _secure(given: argparse.Namespace) -> int:
    network = keys.read_network(given.keys, given.key)
    network = network if given.source is None else network._replace(ext=given.source)
    securing = _securing(given, network)
    frames = _read(given)
    if securing.counter is None and given.asn is None and frames.link_type != native.LINK_TAP:
        raise UsageError(
            "no nonce without a number: give --counter for the counter form, --asn for TSCH"
        )

    def work(write: Callable[[memoryview], object]) -> Outcome:
        return secure_frames(frames, network, _options(given), securing, given.limit, write)

    return _hand_over(given, frames, "secured", work)


def _securing(given: argparse.Namespace, network: keys.Network) -> Securing:
    """Which key, from the options or, where they leave no choice, from the keys."""
    mode = given.key_id_mode
    found = [key for key in network.keys if key.mode == mode]
    if not found:
        raise UsageError(f"no key of KeyIdMode {mode}: give --keys FILE with one, or --key")
    if given.key_source is not None:
        if len(given.key_source) != {2: 4, 3: 8}.get(mode):
            raise UsageError(
                f"--key-source: {mode} is no mode for one of {len(given.key_source)} octets: 2 "
                "has 4, 3 has 8"
            )
        found = [key for key in found if key.source == given.key_source.ljust(8, b"\0")]
    if given.key_index is not None:
        found = [key for key in found if key.key_index == given.key_index]
    if mode != 0 and len(found) != 1:
        have = ", ".join(key.name for key in network.keys)
        raise UsageError(
            f"{len(found)} keys of KeyIdMode {mode} fit: --key-index and --key-source choose "
            f"one of {have}; of several with one name give only one"
        )
    if given.counter is not None and given.asn is not None:
        raise UsageError("--counter is of one form of nonce, --asn of the other: give one")
    if given.counter is None and keys.EDITIONS.index(network.edition) > keys.EDITIONS.index(
        "2012e"
    ):
        raise UsageError(
            f"edition {network.edition} has nonces of the counter form only: give --counter"
        )
    return Securing(given.level, mode, found[0].key_index, found[0].source, given.counter)


def _hand_over(
    given: argparse.Namespace,
    frames: source.Frames,
    verb: str,
    work: Callable[[Callable[[memoryview], object]], Outcome],
) -> int:
    """Writes the frames that `work` makes, then says what became of them."""
    from wardmote.views import frame as view

    with opened(given.output, text=frames.text) as file:
        if frames.text:
            pcap = bytearray()
            outcome = work(pcap.extend)
            file.writelines(f"{line}\n".encode() for line in lines(frames, bytes(pcap)))
        else:
            outcome = work(file.write)
        file.flush()
    about = sys.stderr if given.output is None else sys.stdout
    if given.each:
        about.write(view.fates(outcome, given.form))
    if given.form == "table":
        about.write(view.summary(outcome, verb))
    elif given.each:
        sys.stderr.write(view.answer(outcome, verb) + "\n")
    else:
        about.write(view.status_rows(outcome.rows, given.form))
        sys.stderr.write(view.answer(outcome, verb) + "\n")
    return 1 if outcome.refused or frames.warning else 0


@contextmanager
def opened(path: str | None, *, text: bool) -> Iterator[IO[bytes]]:
    """Where frames go. A file appears whole or not at all. A path such as /dev/null, which is no
    regular file, is written directly."""
    if path is None:
        if not text and sys.stdout.isatty():
            raise UsageError("a capture does not go to a terminal: give -o FILE, or a pipe")
        yield sys.stdout.buffer
        return
    try:
        with _made(path) as file:
            yield file
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}") from error


def _made(path: str) -> AbstractContextManager[IO[bytes]]:
    if os.path.exists(path) and not os.path.isfile(path):
        return open(path, "wb")
    from pathlib import Path

    from wardmote.paths import atomically

    return atomically(Path(path))


def _show(given: argparse.Namespace) -> int:
    from itertools import islice

    from wardmote.frame.shown import rows
    from wardmote.views import frame as view
    from wardmote.views.show import text_width

    network = keys.read_network(given.keys, [])
    frames = _read(given)
    options = Options(given.asn, given.any_fcs, psdu=given.psdu or native.PSDU_MOST)
    shown = islice(rows(frames, network, options), given.limit)
    wrong = 0

    def counted() -> Iterator[FrameRow]:
        nonlocal wrong
        for row in shown:
            wrong += row.status != "SUCCESS"
            yield row

    if given.form != "table":
        sys.stdout.write(view.frame_rows(list(counted()), given.form))
    elif frames.number == 1:
        # Only a terminal breaks lines: elsewhere each field is searched for in its own.
        width = text_width() if sys.stdout.isatty() else sys.maxsize
        sys.stdout.writelines(view.one_frame(row, width) for row in counted())
    else:
        shown_lines = view.Lines(text_width(), given.columns)
        sys.stdout.writelines(shown_lines.of(counted()))
        sys.stderr.write(f"{shown_lines.note}\n" if shown_lines.note else "")
    sys.stdout.flush()
    return 1 if wrong or frames.warning else 0
