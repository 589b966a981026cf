# SPDX-License-Identifier: BSD-3-Clause
"""Machines whose integers have their most significant octet first: the library as Linux has it
there, in a process of qemu-user. Calls are made in the process itself, as on the host, so static
variables stay; the process begins anew when a call has ended it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from wardmote.call import CallError, Machine, Outcome, TraceMode
from wardmote.call.host.machine import STAY, WORDS
from wardmote.paths import BUILD
from wardmote.prototypes import DataModel, Function, Prototypes

EMULATORS = {"powerpc": "qemu-ppc", "s390x": "qemu-s390x"}
MODELS = {
    name: DataModel(
        name,
        int_octets=4,
        long_octets=word,
        pointer_octets=word,
        max_align=8,
        big_endian=True,
    )
    for name, word in (("powerpc", 4), ("s390x", 8))
}


class Foreign(Machine):
    """One machine, with the library in one form."""

    def __init__(self, name: str, library: Path, prototypes: Prototypes) -> None:
        super().__init__(library, prototypes)
        self.name, self.model = name, MODELS[name]

    def _command(self) -> Sequence[Path]:
        root = Path("/usr") / f"{self.name}-linux-gnu"
        server = BUILD / "stack" / self.name / "server"
        return (Path(EMULATORS[self.name]), Path("-L"), root, server, self.program)

    def words_of(self, function: Function, values: Sequence[int]) -> list[int]:
        """Each argument is a word."""
        octets = self.model.pointer_octets
        sizes = [self.prototypes.sizeof(p.type, self.model) for p in function.parameters]
        if len(values) > WORDS or max(sizes, default=0) > octets:
            raise CallError(f"{function.name}: arguments that {self.name} is not given")
        return [value & ((1 << 8 * octets) - 1) for value in values]

    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        if trace != "off":
            raise CallError(f"on {self.name} no trace is recorded")
        try:
            answer, _ = self._call(STAY, function, values, 0, self.seconds)
        except CallError:
            self.close()
            raise
        return Outcome(answer.value, ())


@cache
def foreign(name: str, kind: str, prototypes: Prototypes) -> Foreign:
    """A machine for the rest of the process."""
    library = f"libwardmote-{kind}.so" if kind else "libwardmote.so"
    return Foreign(name, BUILD / "stack" / name / library, prototypes)
