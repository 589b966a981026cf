# SPDX-License-Identifier: BSD-3-Clause
"""All commands by name, and how typer's errors become ours."""

import sys
from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

from wardmote import __version__
from wardmote.commands.compare import compare
from wardmote.commands.energy import energy
from wardmote.commands.footprint import footprint
from wardmote.commands.measure import measure
from wardmote.commands.primitives import primitives
from wardmote.commands.report import report
from wardmote.commands.slot import slot
from wardmote.commands.sweep import sweep
from wardmote.commands.system import system
from wardmote.commands.throughput import throughput
from wardmote.commands.trace import trace
from wardmote.errors import UsageError

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="What link security costs on a mote."
)
app.command()(slot)
app.command()(report)
app.command()(footprint)
app.command()(energy)
app.command()(throughput)
app.command()(compare)
app.command()(sweep)
app.command()(trace)
app.command()(measure)
app.command()(primitives)
app.command()(system)


@app.command(
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def frame(context: typer.Context) -> int:
    """Secure, unsecure and show frames, in hex or in captures."""
    from wardmote.commands.frame import run as run_frame

    return run_frame(context.args)


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"wardmote {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True),
) -> None:
    """What link security costs on a mote."""


def run(words: Sequence[str]) -> int:
    """Runs one command; raises WardmoteError with one line if it is refused."""
    try:
        result = app(args=list(words), standalone_mode=False)
    except TyperException as error:
        text = error.format_message()
        raise UsageError(
            f"{text} Possible are {', '.join(_names())}." if "command" in text else text
        ) from error
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    return result if isinstance(result, int) else 0


def _names() -> list[str]:
    """The commands there are."""
    return [command.callback.__name__ for command in app.registered_commands if command.callback]
