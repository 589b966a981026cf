# SPDX-License-Identifier: BSD-3-Clause
"""Options as records. A command takes frozen dataclasses whose fields are its options:

    @dataclass(frozen=True, slots=True)
    class Wanted:
        level: Annotated[Texts, option("Security level.", *LEVELS)] = None

    @verb("Measure slots", 30)
    def sweep(wanted: Wanted, shown: Shown) -> int:

typer sees every field as an option of its own. The command gets each record as a whole."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from inspect import Parameter
from pathlib import Path
from typing import Any

import typer
from typer.models import OptionInfo

Text = str | None
Texts = list[str] | None
File = Path | None
LIST = "Repeat the option or use commas for several."
SEVERAL = "Repeat the option for several."


def completion(*possible: str) -> Callable[[str], list[str]]:
    """Completes a value; of a list with commas, its last part."""

    def found(incomplete: str) -> list[str]:
        head, comma, last = incomplete.rpartition(",")
        return [f"{head}{comma}{one}" for one in possible if one.startswith(last)]

    return found


def option(text: str, *possible: str, name: str = "") -> Any:
    """An option with its help text and the values to complete; `name` if it is not the field's."""
    info: OptionInfo = typer.Option(
        *([name] if name else []),
        help=text,
        autocompletion=completion(*possible) if possible else None,
    )
    return info


def flat(function: Callable[..., int]) -> Callable[..., int]:
    """The function as typer takes it: each field of its records is a parameter."""
    signature = inspect.signature(function)
    records: dict[str, Any] = {
        one.name: one.annotation
        for one in signature.parameters.values()
        if is_dataclass(one.annotation)
    }
    parameters: list[Parameter] = []
    for one in signature.parameters.values():
        parameters += _members(records[one.name]) if one.name in records else [_named(one)]

    def called(**given: Any) -> int:
        made = {
            name: kind(**{field.name: given.pop(field.name) for field in fields(kind)})
            for name, kind in records.items()
        }
        return function(**made, **given)

    called.__name__, called.__doc__ = function.__name__, function.__doc__
    called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return called


def _named(one: Parameter) -> Parameter:
    return one.replace(kind=Parameter.KEYWORD_ONLY)


def _members(record: Any) -> list[Parameter]:
    """The fields of a record as parameters."""
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=field.type,
        )
        for field in fields(record)
    ]
