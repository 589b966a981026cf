# SPDX-License-Identifier: BSD-3-Clause
"""Secrets as undefined memory, on this machine: a program that makes calls under Valgrind's memcheck
and says after each how many branches and addresses depended on a secret. Nothing of the taint engine
is in it. The method is that of ctgrind, with the client requests of today's Valgrind."""

import random
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wardmote.measurements.primitives.entry import ASSOCIATED, MESSAGE, Operation, Value, Workload

OPENING = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>
static void verdict(const char *name)
{
    static unsigned before;
    unsigned now = VALGRIND_COUNT_ERRORS;
    printf("%s: %u\\n", name, now - before);
    before = now;
}
"""
MOST_SECONDS = 500


@dataclass
class Program:
    """C that is being written: declarations, and a function for each verdict."""

    declarations: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)

    def add(self, name: str, lines: Iterable[str]) -> None:
        """The lines of one verdict. Their values are on the stack, so that none outlives them."""
        body = "\n    ".join(lines)
        self.bodies.append(f"static void call_{len(self.calls)}(void)\n{{\n    {body}\n}}\n")
        self.calls.append(f'    call_{len(self.calls)}(); verdict("{name}");')

    def text(self) -> str:
        """The whole program."""
        main = "\n".join(["int main(void)\n{", *self.calls, "    return 0;\n}\n"])
        return "\n".join([OPENING, *self.declarations, *self.bodies, main])

    def errors(self, folder: Path, words: Sequence[str | Path]) -> dict[str, int]:
        """Compiles it with these words and runs it: how many dependences of each name."""
        source, made = folder / "program.c", folder / "program"
        source.write_text(self.text(), encoding="utf-8")
        subprocess.run(["clang-22", "-O1", source, *words, "-o", made], check=True)
        done = subprocess.run(
            ["valgrind", "--error-limit=no", "--log-file=" + str(folder / "log"), made],
            check=True, capture_output=True, text=True, timeout=MOST_SECONDS,
        )  # fmt: skip
        found = (line.rpartition(": ") for line in done.stdout.splitlines())
        return {name: int(count) for name, _, count in found}


def octets_of(name: str, octets: bytes) -> str:
    """A buffer, of one octet at least."""
    values = ", ".join(map(str, octets)) or "0"
    return (
        f"uint64_t {name}_[{max(1, -(-len(octets) // 8))}]; uint8_t *{name} = (uint8_t *){name}_; "
        + (f"{{ static const uint8_t from[] = {{{values}}}; memcpy({name}, from, sizeof from); }}")
    )


def undefined(name: str, octets: int | str) -> str:
    """From here on it is secret."""
    return f"(void)VALGRIND_MAKE_MEM_UNDEFINED({name}, {octets});"


def call_lines(prototype: str, secrets: Sequence[str], numbers: Mapping[str, str]) -> list[str]:
    """One call of a function; buffers are random, those of the secrets undefined."""
    matched = re.fullmatch(r"\w+ (\w+)\((.*)\)", prototype)
    assert matched, prototype
    source, lines, names = random.Random(prototype), [], []
    for parameter in matched[2].split(", "):
        type_, name, count = re.fullmatch(
            r"(?:const )?(\w+) (\w+)(?:\[(\d+)\])?", parameter
        ).groups()  # type: ignore[union-attr]
        names.append(name)
        if count:
            size = f"sizeof({type_}[{count}])"
            octets = source.randbytes(8 * int(count))
            lines += [
                octets_of(f"{name}_octets", octets),
                f"{type_} *{name} = (void *){name}_octets;",
            ]
            lines += [undefined(name, size)] if name in secrets else []
        else:
            value = numbers.get(name, str(source.randrange(1, 200)))
            lines.append(f"{type_} {name} = ({type_}){value}ULL;")
            lines += [undefined(f"&{name}", f"sizeof {name}")] if name in secrets else []
    return [*lines, f"(void){matched[1]}({', '.join(names)});"]


def workload_lines(workload: Workload, seed: str) -> list[str]:
    """All operations of a primitive, as its entry says them; keys and message are undefined, and so
    is a tag that comes in wrong."""
    primitive, source = workload.primitive, random.Random(seed)
    values = {
        **primitive.values,
        MESSAGE: Value("secret", workload.octets),
        ASSOCIATED: Value("public", workload.a_octets),
    }
    lines, marked = [], []
    for name, value in values.items():
        if value.kind == "record":
            lines.append(f"{value.record} {name}; memset(&{name}, 0, sizeof {name});")
            continue
        octets = bytes(value.octets) if value.kind == "out" else source.randbytes(value.octets)
        lines.append(octets_of(name, octets))
        if value.kind == "secret":
            marked.append(undefined(name, value.octets))
    lines += [octets_of("was", b""), *marked]
    if workload.octets:
        lines.append(f"uint8_t kept[{workload.octets}]; memcpy(kept, {MESSAGE}, sizeof kept);")
    for operation in primitive.operations:
        lines += operation_lines(operation, values)
    return lines


def operation_lines(operation: Operation, values: Mapping[str, Value]) -> list[str]:
    """The calls of one operation."""
    message, lines = values[MESSAGE].octets, []
    again = [f"memcpy({MESSAGE}, kept, {message});"] if message else []
    if operation.before:
        lines += again
    lines += [line_of(line, values) for line in operation.before]
    if operation.wrong:
        lines.append(f"{operation.wrong}[0] ^= 1;")
    lines += [line_of(line, values) for line in operation.lines]
    if operation.wrong:
        lines += [f"{operation.wrong}[0] ^= 1;", *again]
    return lines


def line_of(line: str, values: Mapping[str, Value]) -> str:
    """One call, or one pointer."""
    function, *words = line.split()
    if function == "set":
        return f"{words[0]} = (void *){argument(words[1], values)};"
    return f"(void){function}({', '.join(argument(word, values) for word in words)});"


def argument(word: str, values: Mapping[str, Value]) -> str:
    """What C calls it. Pointers go through void, for types differ."""
    if word.endswith(".len"):
        return str(values[word.removesuffix(".len")].octets)
    if word.startswith("&"):
        return word
    if word not in values:
        return word
    return f"(void *)&{word}" if values[word].kind == "record" else f"(void *){word}"
