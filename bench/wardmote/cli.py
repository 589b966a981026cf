# SPDX-License-Identifier: BSD-3-Clause
"""The command line. Exit codes: 0 done, 1 a threshold or a proof failed, 2 the input cannot work, 130 interrupted."""

import sys
from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

from wardmote import __version__
from wardmote.commands.compare import compare
from wardmote.commands.energy import energy
from wardmote.commands.footprint import footprint
from wardmote.commands.measure import measure
from wardmote.commands.report import report
from wardmote.commands.slot import slot
from wardmote.commands.sweep import sweep
from wardmote.commands.throughput import throughput
from wardmote.commands.trace import trace
from wardmote.errors import WardmoteError

app = typer.Typer(no_args_is_help=True, add_completion=False, help="What link security costs on a mote.")
app.command()(slot)
app.command()(report)
app.command()(footprint)
app.command()(energy)
app.command()(throughput)
app.command()(compare)
app.command()(sweep)
app.command()(trace)
app.command()(measure)


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"wardmote {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True)) -> None:
    """What link security costs on a mote."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; an error becomes one line on stderr."""
    try:
        result = app(args=None if arguments is None else list(arguments), standalone_mode=False)
    except WardmoteError as error:
        return _refuse(str(error))
    except TyperException as error:
        text = error.format_message()
        return _refuse(f"{text} Possible are {', '.join(_names())}." if "command" in text else text)
    except (KeyboardInterrupt, typer.Abort):
        return 130
    return result if isinstance(result, int) else 0


def _names() -> list[str]:
    """The commands there are."""
    return [command.callback.__name__ for command in app.registered_commands if command.callback]


def _refuse(text: str) -> int:
    sys.stderr.write(f"wardmote: {' '.join(text.split())}\n")
    return 2
