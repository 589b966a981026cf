# SPDX-License-Identifier: BSD-3-Clause
"""Small defects of the records of boards, CPUs and batteries: a number 5 % more or less, a number
one more where it counts something, and two numbers of neighbours in each other's place."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from tests.mutants.language import Mutant

TABLE = re.compile(r"^\[([\w.\"-]+)\]$")
STRING = re.compile(r"\"[^\"]*\"")
NUMBER = re.compile(r"(?<![\w.\"-])-?(?:0x[0-9A-Fa-f_]+|[0-9][0-9_]*(?:\.[0-9]+)?)(?![\w.\"%])")
PIN = re.compile(r"(?<== )\"[0-9]+\.[0-9]+\"$", re.MULTILINE)
TRUTH = re.compile(r"\b(?:true|false)\b")

Place = tuple[int, int, str, str, str]
"""Begin and end of a value in characters, its text, table and line."""


def lines_of(record: str, kind: re.Pattern[str]) -> Iterator[Place]:
    """Every value of a kind, not those within texts and remarks."""
    table, at = "", 0
    for line in record.splitlines(keepends=True):
        if found := TABLE.match(line.strip()):
            table = found[1]
        elif not line.startswith("#"):
            blank = STRING.sub(lambda found: "~" * len(found[0]), line).partition("#")[0]
            for found in kind.finditer(line if kind is PIN else blank):
                yield at + found.start(), at + found.end(), found[0], table, line.strip()
        at += len(line)


def others(words: str) -> Iterator[tuple[str, str]]:
    """Operators, and what each makes of a number."""
    if words.startswith("0x"):
        yield "one more", hex(int(words, 16) + 1)
        return
    value = float(words.replace("_", ""))
    if value == 0 or (value == int(value) and abs(value) < 20 and "." not in words):
        yield "one more", str(int(value) + 1)
        return
    whole = "." not in words
    for name, factor in (("5 % more", 1.05), ("5 % less", 0.95)):
        new = value * factor
        yield name, str(round(new)) if whole else f"{new:.6g}"


def mutants(path: str, source: bytes) -> list[Mutant]:
    """Every mutant of a record, by where it is."""
    record = source.decode()
    assert record.isascii(), path
    seen: Counter[tuple[str, ...]] = Counter()
    found: list[Mutant] = []

    def add(operator: str, begin: int, end: int, new: str, table: str, line: str) -> None:
        old = record[begin:end]
        same = (table, operator, line, old, new)
        number = record.count("\n", 0, begin) + 1
        found.append(Mutant(path, table, operator, number, begin, end, old, new, seen[same], line))
        seen[same] += 1

    numbers = list(lines_of(record, NUMBER))
    for begin, end, words, table, line in numbers:
        for operator, new in others(words):
            add(operator, begin, end, new, table, line)
    for first, second in pairwise(numbers):
        siblings = first[3].rpartition(".")[0] == second[3].rpartition(".")[0] != ""
        if (siblings or first[3] == second[3]) and first[2] != second[2]:
            middle = record[first[1] : second[0]]
            new = f"{second[2]}{middle}{first[2]}"
            add("swapped", first[0], second[1], new, first[3], first[4])
    for begin, end, old, table, line in lines_of(record, PIN):
        port, bit = old.strip('"').split(".")
        add("pin", begin, end, f'"{port}.{(int(bit) + 1) % 8}"', table, line)
    for begin, end, old, table, line in lines_of(record, TRUTH):
        add("truth", begin, end, "false" if old == "true" else "true", table, line)
    return found


def meaning(source: bytes) -> bytes | None:
    """What a record says; None if it cannot be read."""
    try:
        return repr(tomllib.loads(source.decode())).encode()
    except tomllib.TOMLDecodeError:
        return None
