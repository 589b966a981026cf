# SPDX-License-Identifier: BSD-3-Clause
"""All commands as one typer application, and typer's errors as ours."""

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from wardmote import __version__
from wardmote.commands.records import completion
from wardmote.commands.register import GROUPS, verbs
from wardmote.commands.value_names import NamingCommand, NamingGroup
from wardmote.errors import EXIT_CODES, USAGE, ClosedPipeError, UsageError

HELP = (
    "What does link security cost on a mote?\n\n"
    "Measures the shortest secured IEEE 802.15.4 TSCH slot, its energy and its memory, and any C "
    "function or cipher, on emulated boards. `wardmote COMMAND --help` explains a command."
)
CODES = "Exit codes: " + "; ".join(f"{code} {text}" for code, text in EXIT_CODES.items()) + "."
FRAME_ACTS = ("show", "secure", "unsecure")


def application(name: str = "") -> typer.Typer:
    """The application, with the command of this name alone or with all."""
    app = typer.Typer(
        cls=NamingGroup,
        no_args_is_help=True,
        help=HELP,
        epilog=CODES,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    groups: dict[str, typer.Typer] = {}
    for one in verbs(name):
        if not one.group:
            app.command(cls=NamingCommand, rich_help_panel=one.panel)(_guarded(one.function))
            continue
        if one.group not in groups:
            groups[one.group] = typer.Typer(cls=NamingGroup, no_args_is_help=True)
            help_text, panel = GROUPS[one.group], one.panel
            app.add_typer(groups[one.group], name=one.group, help=help_text, rich_help_panel=panel)
        groups[one.group].command(cls=NamingCommand)(_guarded(one.function))
    app.command(
        add_help_option=False,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
        rich_help_panel="Frames",
    )(frame)
    return app


def _guarded(function: Callable[..., int]) -> Callable[..., int]:
    """The command, with a closed pipe as an error of ours: typer would exit with code 1."""

    @wraps(function)
    def guarded(*words: Any, **options: Any) -> int:
        try:
            code = function(*words, **options)
            sys.stdout.flush()
            return code
        except BrokenPipeError as error:
            raise ClosedPipeError from error

    return guarded


def frame(
    words: Annotated[
        list[str] | None, typer.Argument(autocompletion=completion(*FRAME_ACTS))
    ] = None,
) -> int:
    """Secure, unsecure and show frames, in hex or in captures."""
    from wardmote.commands.frame import run as run_frame

    return run_frame(words or [])


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"wardmote {__version__}\n")
        raise typer.Exit


def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    pass


def run(words: Sequence[str]) -> int:
    """Runs one command; raises WardmoteError with one line if it is refused."""
    app = application(words[0] if words else "")
    try:
        result = app(args=list(words), standalone_mode=False, prog_name="wardmote")
    except TyperException as error:
        text = error.format_message()
        if not text:  # The help was shown, since nothing was asked for.
            return USAGE
        raise UsageError(_suggested(text, words[0])) from error
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    except SystemExit as error:
        # The libraries that print a help text end with 1 once its reader went away.
        if isinstance(error.__context__, BrokenPipeError):
            raise ClosedPipeError from error
        raise
    return result if isinstance(result, int) else 0


def _suggested(text: str, first: str) -> str:
    """The refusal of a command that there is not, with those that there are, or of a group those of
    the group."""
    if "No such command" not in text:
        return text
    if first in GROUPS:
        possible = [one.function.__name__ for one in verbs(first)]
    else:
        possible = [*dict.fromkeys(one.words.split()[0] for one in verbs()), "frame"]
    return f"{text} Possible are {', '.join(possible)}."
