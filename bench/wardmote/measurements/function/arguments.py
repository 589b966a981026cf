# SPDX-License-Identifier: BSD-3-Clause
"""`--arg NAME=VALUE[:secret]` and `--expect NAME=hex:…` as values."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from wardmote.errors import UsageError

FORMS = (
    "random, random:OCTETS, zero, zero:OCTETS, hex:DIGITS, a number, or the name of a function or an "
    "object for a pointer to it; with :secret behind it if it is secret"
)
MOST_OCTETS = 8192
MOST_SIZES = 64
NAMED = re.compile(r"\s*([\w.\[\]]+)\s*=\s*(.*?)\s*")
SIZES = re.compile(r"(?:(\w+)\s*=)?((?:\s*\d+\s*,)*\s*\d+\s*)", re.ASCII)
FRACTION = re.compile(r"[-+]?(\d+\.\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
SYMBOL = re.compile(r"[A-Za-z_]\w*", re.ASCII)
SIZED = re.compile(r"(random|zero)(?::(\d+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Given:
    """What one parameter is given."""

    kind: str
    """`random`, `zero`, `hex`, `number` or `symbol`."""
    secret: bool = False
    octets: int | None = None
    """Length of the buffer, if the argument states it."""
    contents: bytes = b""
    number: int = 0
    symbol: str = ""
    """Function or object whose address is given."""


def read_argument(text: str) -> tuple[str, Given]:
    """Reads `NAME=VALUE[:secret]`: the parameter's name and its value."""
    if not (named := NAMED.fullmatch(text)):
        raise UsageError(f"no argument {text!r}: write NAME=VALUE, VALUE being {FORMS}")
    name, value = named[1], named[2]
    secret = value.endswith(":secret")
    value = value.removesuffix(":secret")
    if sized := SIZED.fullmatch(value):
        octets = None if sized[2] is None else int(sized[2])
        if octets is not None and octets > MOST_OCTETS:
            raise UsageError(
                f"argument {name}: no buffer of {octets} octets, at most {MOST_OCTETS}"
            )
        return name, Given(sized[1], secret, octets)
    if value.startswith("hex:"):
        contents = _hex(name, value.removeprefix("hex:"))
        return name, Given("hex", secret, len(contents), contents)
    try:
        return name, Given("number", secret, number=int(value, 0))
    except ValueError:
        if SYMBOL.fullmatch(value):
            return name, Given("symbol", secret, symbol=value)
        whole = "" if FRACTION.fullmatch(value) is None else "a number is a whole one; "
        raise UsageError(no_value(name, value, whole)) from None


def no_value(name: str, value: str, why: str = "") -> str:
    """The refusal of a value."""
    return f"argument {name}: no value {value!r}: {why}possible are {FORMS}"


def read_arguments(texts: Sequence[str]) -> dict[str, Given]:
    """All of them by parameter."""
    found: dict[str, Given] = {}
    for name, given in map(read_argument, texts):
        if name in found:
            raise UsageError(f"argument {name} is given twice")
        found[name] = given
    return found


def read_sizes(text: str) -> tuple[str | None, tuple[int, ...]]:
    """Reads `16,32,64` or `len=16,32,64`: the parameter's name, if given, and the values."""
    if not (match := SIZES.fullmatch(text)):
        raise UsageError(
            f"no size {text!r}: write lengths such as 16,32,64, or len=16,32,64 with the "
            "parameter's name"
        )
    sizes = tuple(dict.fromkeys(int(part) for part in match[2].split(",")))
    if len(sizes) > MOST_SIZES:
        raise UsageError(f"no {len(sizes)} sizes at once: at most {MOST_SIZES}")
    return match[1], sizes


def read_expected(texts: Sequence[str]) -> dict[str, int | bytes]:
    """Expected outputs: a parameter's octets, or a number, where `return` is the function's
    result."""
    found: dict[str, int | bytes] = {}
    for text in texts:
        name, given = read_argument(text)
        if (
            given.kind not in ("hex", "number")
            or given.secret
            or (given.kind == "number") != (name == "return")
        ):
            raise UsageError(
                f"no expectation {text!r}: write NAME=hex:DIGITS of a buffer, or return=NUMBER"
            )
        found[name] = given.number if given.kind == "number" else given.contents
    return found


def _hex(name: str, digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise UsageError(f"argument {name}: {digits!r} is no even number of hex digits") from None
