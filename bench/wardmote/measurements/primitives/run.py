# SPDX-License-Identifier: BSD-3-Clause
"""One primitive with one length of message on one CPU: cycles, stack, and whether secrets show."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wardmote.call import Argument, Buffer, EmulatedTarget, Outcome, Target
from wardmote.cpus import BANDED
from wardmote.errors import ImageError
from wardmote.linked import archive, defined
from wardmote.measurements.primitives.entry import (
    ASSOCIATED,
    MESSAGE,
    Operation,
    Primitive,
    Value,
    Workload,
)
from wardmote.paths import ROOT
from wardmote.prototypes import DataModel, Prototypes, Void, read_public


@dataclass(frozen=True, slots=True)
class Cost:
    """One operation over all secrets. Where secrets change the path, it says nothing about
    addresses."""

    operation: str
    cycles: int
    """The most; at the slow end of a band."""
    cycles_min: int
    cycles_low: int | None
    """The most at the fast end of a band."""
    stack_octets: int
    constant_cycles: bool
    no_secret_branch: bool
    no_secret_address: bool | None
    dependences: tuple[str, ...] = ()
    """Where an instruction depends on a secret, in words, whether or not a run showed it."""


KINDS = {"branch": "branch on", "address": "address from", "time": "time of"}
VERDICT = "wm_ct_diff"
"""What it returns says whether a tag is right. Callers may know that."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """Where the secrets of one run come from, and which octets of a tag are wrong in it."""

    seed: int
    number: int

    def source(self) -> random.Random:
        """The same on every CPU."""
        return random.Random(f"{self.seed} {self.number}")

    def wrong(self, tag: bytes) -> bytes:
        """A tag that is not `tag` in its first octet, its last, or any of them: runs take turns."""
        places: Iterable[int] = ((0,), (len(tag) - 1,), range(len(tag)))[self.number % 3]
        source, octets = random.Random(f"{self.seed} {self.number} wrong"), bytearray(tag)
        for place in places:
            octets[place] ^= source.randrange(1, 256)
        return bytes(octets)


@dataclass(frozen=True, slots=True)
class Ends:
    """One executable on its CPU, at the slow and at the fast end of the timing band."""

    slow: EmulatedTarget
    fast: EmulatedTarget | None
    """None where timing is exact."""


def opened(executable: bytes) -> Ends:
    """Loads an executable that holds a primitive and what it needs."""
    prototypes = read_public(ROOT)
    slow = EmulatedTarget(executable, prototypes)
    banded = slow.name in BANDED
    return Ends(slow, EmulatedTarget(executable, prototypes, "low") if banded else None)


def lacking(cpu: str, primitive: Primitive) -> tuple[str, ...]:
    """Symbols that the primitive names and the archive of the CPU does not define."""
    present = defined(archive(cpu, primitive.form))
    return tuple(name for name in primitive.symbols if name not in present)


def context_octets(primitive: Primitive, prototypes: Prototypes, model: DataModel) -> int:
    """Octets of RAM that a caller keeps: expanded keys and contexts."""
    records = (value.record for value in primitive.values.values() if value.kind == "record")
    return sum(prototypes.layout(name, model).size for name in records)


def measure(ends: Ends, workload: Workload, runs: int, seed: int) -> list[Cost]:
    """Every operation, with as many sets of secrets as `runs`. The first set is followed besides."""
    seen = [
        _followed(ends.slow, workload, Secrets(seed, 0)),
        *(_run(ends.slow, workload, Secrets(seed, n), trace=True) for n in range(1, runs)),
    ]
    fast = (
        [_run(ends.fast, workload, Secrets(seed, n), trace=False) for n in range(runs)]
        if ends.fast
        else []
    )
    return [
        _cost(ends.slow, operation.name, [run[n] for run in seen], [run[n] for run in fast])
        for n, operation in enumerate(workload.primitive.operations)
        if workload.shows(operation)
    ]


def _followed(target: EmulatedTarget, workload: Workload, secrets: Secrets) -> list[list[Outcome]]:
    """All operations, the key and the message followed through every instruction."""
    names = [name for name, value in workload.primitive.values.items() if value.kind == "secret"]
    published = [VERDICT] if VERDICT in target.program.symbols() else []
    with target.follow([*names, MESSAGE], published):
        return _run(target, workload, secrets, trace=True)


def _where(target: EmulatedTarget, calls: Iterable[Outcome]) -> tuple[str, ...]:
    """Every dependence of these calls, in words."""
    shown = (trace.dependences for call in calls if (trace := call.trace))
    found = dict.fromkeys(one for dependences in shown for one in dependences)
    return tuple(
        f"{KINDS[kind]} {', '.join(names)} at {target.program.describe(pc)}"
        for pc, kind, names in found
    )


def _cost(
    target: EmulatedTarget, operation: str, seen: list[list[Outcome]], low: list[list[Outcome]]
) -> Cost:
    """The cost of an operation from its calls, for each set of secrets."""
    cycles, fast = _cycles(seen), _cycles(low)
    traces = [[call.trace for call in calls if call.trace] for calls in seen]
    one_path = len({tuple(trace.pc_hash for trace in run) for run in traces}) == 1
    addresses = {tuple(trace.address_hash for trace in run) for run in traces}
    return Cost(
        operation,
        cycles=max(cycles),
        cycles_min=min(cycles),
        cycles_low=max(fast) if fast else None,
        stack_octets=max(call.stack_octets or 0 for calls in seen for call in calls),
        constant_cycles=len(set(cycles)) == 1 and len(set(fast)) <= 1,
        no_secret_branch=one_path,
        no_secret_address=len(addresses) == 1 if one_path else None,
        dependences=_where(target, seen[0]),
    )


def _cycles(seen: list[list[Outcome]]) -> list[int]:
    return [sum(call.cycles or 0 for call in calls) for calls in seen]


def _run(
    target: EmulatedTarget, workload: Workload, secrets: Secrets, *, trace: bool
) -> list[list[Outcome]]:
    """All operations, one after the other, on memory as start-up code leaves it."""
    target.reset()
    values = place(target, workload, secrets.source())
    message = values[MESSAGE].read()
    return [
        operate(target, workload, operation, values, message, secrets, trace)
        for operation in workload.primitive.operations
    ]


def operate(
    target: Target,
    workload: Workload,
    operation: Operation,
    values: Mapping[str, Buffer],
    message: bytes,
    secrets: Secrets,
    trace: bool,
) -> list[Outcome]:
    """Makes the calls of one operation, and checks that it does what the entry says. `message` is
    what the message was at first."""
    records = workload.primitive.values
    here = f"{workload.primitive.label} on {target.name}: {operation.name}"
    if operation.before:
        values[MESSAGE].write(message)
    for line in operation.before:
        _accepted(target, line, _line(target, line, values, records, trace=False))
    tag = values[operation.wrong].read() if operation.wrong else b""
    if operation.wrong:
        values[operation.wrong].write(secrets.wrong(tag))
    outcomes = []
    for line in operation.lines:
        done = _line(target, line, values, records, trace)
        if not operation.wrong:
            _accepted(target, line, done)
        elif done is None or done.value != target.prototypes.constants["WM_ERR_SECURITY"]:
            raise ImageError(
                f"{here} takes a wrong tag: {line.split()[0]} answers {done.value if done else 0}"
            )
        outcomes += [done] if done else []
    left = values[MESSAGE].read()
    if operation.restores and left != message:
        raise ImageError(f"{here} does not give the message back")
    if operation.wipes and any(left):
        raise ImageError(f"{here} leaves something in place of the message")
    if operation.wrong:
        values[operation.wrong].write(tag)
        values[MESSAGE].write(message)
    return outcomes


def place(target: Target, workload: Workload, source: random.Random) -> dict[str, Buffer]:
    """Every value in memory of the target."""
    lengths = {
        MESSAGE: Value("secret", workload.octets),
        ASSOCIATED: Value("public", workload.a_octets),
    }
    named = {**workload.primitive.values, **lengths}
    return {
        name: target.buffer(_octets(target, value, source), name) for name, value in named.items()
    }


def _octets(target: Target, value: Value, source: random.Random) -> bytes:
    if value.kind == "secret":
        return source.randbytes(value.octets)
    if value.kind == "record":
        return bytes(target.pack(value.record))
    return (
        bytes(n & 0xFF for n in range(value.octets))
        if value.kind == "public"
        else bytes(value.octets)
    )


def _line(
    target: Target,
    line: str,
    values: Mapping[str, Buffer],
    records: Mapping[str, Value],
    trace: bool,
) -> Outcome | None:
    """Makes one call, or sets one pointer."""
    function, *words = line.split()
    if function == "set":
        name, member = words[0].split(".")
        _point(target, values[name], records[name].record, member, values[words[1]].address)
        return None
    return target.call(
        function,
        *(_argument(target, word, values) for word in words),
        trace="hash" if trace else "off",
    )


def _accepted(target: Target, line: str, done: Outcome | None) -> None:
    """Raises ImageError where a call was refused."""
    function = line.split()[0]
    if done and not isinstance(target.prototypes.function(function).result, Void) and done.value:
        raise ImageError(f"{function} on {target.name} refuses with status {done.value}")


def _point(target: Target, holder: Buffer, record: str, member: str, address: int) -> None:
    members = target.unpack(record, holder.read())
    holder.write(bytes(target.pack(record, **{**members, member: address})))


def _argument(target: Target, word: str, values: Mapping[str, Buffer]) -> Argument:
    if word.startswith("&"):
        return target.address_of(word[1:])
    if word.endswith(".len"):
        return len(values[word.removesuffix(".len")])
    return values[word] if word in values else int(word)
