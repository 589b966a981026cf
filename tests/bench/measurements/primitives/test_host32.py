# SPDX-License-Identifier: BSD-3-Clause
"""The 32-bit host gives the results of the emulated CPUs and the counts of single steps."""

from __future__ import annotations

import csv
import ctypes
import io
import json
import os
import platform
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from wardmote.call import CallError, Outcome
from wardmote.call.host import machine as server
from wardmote.call.host.machine import Answer
from wardmote.campaign.runner import Runner
from wardmote.campaign.store import Store
from wardmote.cli import main
from wardmote.errors import MissingError
from wardmote.linked import linked
from wardmote.measurements.function.board import boards
from wardmote.measurements.primitives import host32
from wardmote.measurements.primitives.campaign import Selection, measure
from wardmote.measurements.primitives.entry import Primitive, Value, Workload, lengths_of, workloads
from wardmote.measurements.primitives.host32 import FOLDER, Machine, programs
from wardmote.measurements.primitives.run import Secrets, opened, operate, place
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.paths import ROOT
from wardmote.prototypes import HOST32, Function, read_public

PTRACE_PEEKTEXT, PTRACE_PEEKUSER, PTRACE_POKETEXT, PTRACE_POKEUSER = 1, 3, 4, 6
PTRACE_CONT, PTRACE_SINGLESTEP, PTRACE_ATTACH, PTRACE_DETACH = 7, 9, 16, 17
PTRACE_SETOPTIONS, PTRACE_O_TRACEFORK, PTRACE_GETEVENTMSG = 0x4200, 2, 0x4201
RIP, RSP = 16 * 8, 19 * 8
"""Of the kernel's `struct user_regs_struct` on x86-64, which also stands for a 32-bit program
there."""
INT3 = 0xCC
SECRETS = Secrets(1, 0)


def entry(name: str, variant: str = "") -> Primitive:
    """One entry of the table."""
    return next(one for one in PRIMITIVES if (one.name, one.variant) == (name, variant))


def results(target: object, workload: Workload) -> list[dict[str, str]]:
    """Message, digest, tag and whatever else a caller reads, after each operation."""
    values = place(target, workload, SECRETS.source())  # type: ignore[arg-type]
    message = values["m"].read()
    shown = [
        name
        for name in values
        if name == "m" or workload.primitive.values.get(name, Value("record")).kind == "out"
    ]
    found = []
    for operation in workload.primitive.operations:
        operate(target, workload, operation, values, message, SECRETS, trace=False)  # type: ignore[arg-type]
        found.append({name: values[name].read().hex() for name in shown})
    return found


@pytest.mark.parametrize("small", [False, True])
def test_results_are_those_of_the_emulated_cpus(small: bool) -> None:
    """Every entry leaves the octets on the 32-bit host that it leaves on a Cortex-M3, after each
    operation."""
    chosen = [one for one in PRIMITIVES if (one.form == "small") == small]
    differ = []
    for one in chosen:
        workload = workloads(one, lengths_of(one, (24, 36, 48)))[-1]
        emulated = opened(linked("armv7m", one.symbols, one.form).read_bytes()).slow
        emulated.reset()
        with Machine(programs(one)[0], read_public(ROOT)) as machine:
            if results(machine, workload) != results(emulated, workload):
                differ.append(one.label)
    assert chosen
    assert differ == []


class Stepped(Machine):
    """The program without counts, followed by the kernel: one step an instruction."""

    def __init__(self, program: Path) -> None:
        super().__init__(program, read_public(ROOT))
        self.steps = 0
        self.entry = self.word = 0
        """The function that is followed, and what stands there."""
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.ptrace.restype = ctypes.c_long
        self._libc.ptrace.argtypes = [
            ctypes.c_long,
            ctypes.c_long,
            ctypes.c_void_p,
            ctypes.c_void_p,
        ]

    def _ptrace(self, what: int, pid: int, address: int = 0, data: int = 0) -> int:
        ctypes.set_errno(0)
        answer = int(self._libc.ptrace(what, pid, address, data))
        assert not ctypes.get_errno(), f"ptrace: {os.strerror(ctypes.get_errno())}"
        return answer

    def _until(self, pid: int, wanted: int) -> None:
        """Waits for one signal; others, such as that of its start, are let pass."""
        while True:
            status = os.waitpid(pid, 0)[1]
            assert os.WIFSTOPPED(status), f"it ended: {status:#x}"
            if os.WSTOPSIG(status) == wanted:
                return
            self._ptrace(PTRACE_CONT, pid)

    def count(self, name: str, *args: object) -> int:
        """Instructions of one call."""
        self.call(name, *args)  # type: ignore[arg-type]
        return self.steps

    def _call(
        self, kind: int, function: Function, values: Sequence[int], limit: int, seconds: int
    ) -> tuple[Answer, bytes]:
        """Sets a breakpoint in the server, which the child takes over."""
        self.entry, pid = self.address_of(function.name), self._started().pid
        self._ptrace(PTRACE_ATTACH, pid)
        self._until(pid, signal.SIGSTOP)
        self._ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACEFORK)
        self.word = self._ptrace(PTRACE_PEEKTEXT, pid, self.entry)
        self._ptrace(PTRACE_POKETEXT, pid, self.entry, self.word & ~0xFF | INT3)
        self._ptrace(PTRACE_CONT, pid)
        return super()._call(kind, function, values, limit, seconds)

    def _answer(self, batches: int = 0) -> Answer:
        """Once the request is written: follows the child that makes the call."""
        if self.entry:
            pid, child = self._started().pid, ctypes.c_ulong()
            self._until(pid, signal.SIGTRAP)
            self._ptrace(PTRACE_GETEVENTMSG, pid, 0, ctypes.addressof(child))
            self._ptrace(PTRACE_POKETEXT, pid, self.entry, self.word)
            self._ptrace(PTRACE_DETACH, pid)
            self._follow(child.value)
        return super()._answer(batches)

    def _follow(self, pid: int) -> None:
        """From the first instruction of the function to its return."""
        self._until(pid, signal.SIGSTOP)
        self._ptrace(PTRACE_CONT, pid)
        self._until(pid, signal.SIGTRAP)
        self._ptrace(PTRACE_POKETEXT, pid, self.entry, self.word)
        self._ptrace(PTRACE_POKEUSER, pid, RIP, self.entry)
        back = self._ptrace(PTRACE_PEEKTEXT, pid, self._ptrace(PTRACE_PEEKUSER, pid, RSP))
        at = self.entry
        while at != back & 0xFFFF_FFFF:
            self._ptrace(PTRACE_SINGLESTEP, pid)
            os.waitpid(pid, 0)
            self.steps += 1
            at = self._ptrace(PTRACE_PEEKUSER, pid, RIP)
        self._ptrace(PTRACE_DETACH, pid)


@pytest.mark.skipif(
    platform.machine() != "x86_64", reason="single steps of 32-bit programs are for x86-64"
)
@pytest.mark.parametrize("name", ["primitives", "primitives-small"])
def test_counts_are_those_of_single_steps(name: str) -> None:
    """The sum over blocks is the number of steps that the kernel counts in the program without any
    count."""
    source, prototypes = random.Random(5), read_public(ROOT)
    record = prototypes.layout("wm_aes128", HOST32).size
    schedule, key, block = source.randbytes(record), source.randbytes(16), source.randbytes(70)
    calls: list[tuple[str, tuple[object, ...]]] = [
        ("wm_aes128_expand", (bytearray(record), key)),
        ("wm_aes128_tab_encrypt", (schedule, bytearray(16))),
        ("wm_sha256_digest", (block, len(block), bytearray(32))),
        ("wm_blake2s_digest", (block, len(block), bytearray(32))),
        ("wm_ascon_hash256_digest", (block[:9], 9, bytearray(32))),
    ]
    with Machine(FOLDER / f"{name}-counted.elf", prototypes) as counted:
        for function, args in calls:
            outcome: Outcome = counted.call(function, *args)  # type: ignore[arg-type]
            with Stepped(FOLDER / f"{name}.elf") as stepped:
                assert (function, stepped.count(function, *args)) == (
                    function,
                    outcome.instructions,
                )


def test_counts_do_not_change() -> None:
    """Another run has the same instructions; secrets that change a path change it here too."""
    chosen = entry("aes128", "tab")
    [workload], [plain, counted] = workloads(chosen, lengths_of(chosen, (16,))), programs(chosen)
    with (
        host32.running(counted.read_bytes()) as counting,
        host32.running(plain.read_bytes()) as machine,
    ):
        first, again = (host32.counts(counting, workload, 2, 1) for _ in range(2))
        times = host32.times(machine, workload, 1)
    assert first == again
    assert [cost.no_secret_branch for cost in first] == [True] * len(first)
    assert len(times) == len(first)
    assert all(cost.time_ns is None and cost.batches == 0 for cost in times)


def test_rows_name_their_conditions(tmp_path: Path) -> None:
    """A row has a time, its spread, and what the time depends on. A kept row is not measured
    again."""
    runner = Runner(store=Store(tmp_path))
    chosen = (entry("blake2s"),)
    selection = Selection((host32.CPU,), chosen, (64,), boards((), ()), runs=2, seed=1)
    result = measure(selection, runner)
    assert result.rows == ()
    update = next(row for row in result.host32_rows if row.operation == "digest")
    assert update.time_us is not None
    assert update.time_us_low is not None
    assert update.time_us_high is not None
    assert 0 < update.time_us_low <= update.time_us <= update.time_us_high
    assert update.calls > 0
    assert update.batches == host32.BATCHES
    assert update.processor
    assert "CLOCK_MONOTONIC" in update.clock_source
    assert "clang" in update.compiler
    assert "-march=pentium" in update.options
    again = measure(selection, runner)
    assert (again.reused, again.host32_rows) == (2, result.host32_rows)
    untimed = replace(selection, timed=False)
    assert {one.time_us for one in measure(untimed, runner).host32_rows} == {None}


def test_both_kinds_of_rows_are_one_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """With an emulated CPU and the host, CSV has the columns of both, JSON each its own, the table
    and Markdown two."""
    words = [
        "primitives",
        "--cpu",
        "msp430,host32",
        "--only",
        "skipjack",
        "--runs",
        "2",
        "--format",
    ]
    assert main([*words, "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["cpu"] for row in rows} == {"msp430", "host32"}
    for row in rows:
        assert bool(row["cycles"]) == (row["cpu"] == "msp430")
        assert bool(row["instructions"]) == bool(row["processor"]) == (row["cpu"] == "host32")
    assert main([*words, "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["cpu"] for row in told] == [row["cpu"] for row in rows]
    assert all(("cycles" in row) == (row["cpu"] == "msp430") for row in told)
    for form in ("markdown", "table"):
        assert main([*words, form]) == 0
        text = capsys.readouterr().out
        assert "host32 energy: none" in text
        assert "instructions" in text
        assert "cycles" in text


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    """A missing program, a function or memory that the program does not have, and a program that
    crashes."""
    prototypes = read_public(ROOT)
    with pytest.raises(MissingError, match="`make stack` builds it"):
        Machine(tmp_path / "primitives.elf", prototypes)
    with Machine(FOLDER / "primitives.elf", prototypes) as machine:
        with pytest.raises(CallError, match="has no symbol wm_none"):
            machine.address_of("wm_none")
        with pytest.raises(CallError, match="octets of memory wanted"):
            machine.buffer(server.AREA_OCTETS)
        with pytest.raises(CallError, match="on host32: stopped by SIGSEGV: it reached memory"):
            machine.call("wm_sha256_digest", 4, 64, bytearray(32))
        with pytest.raises(CallError, match="no memory at 0x601"):
            machine.read(server.ARENA + server.AREA_OCTETS, 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("\t.text\nf:\n\trep\tmovsl\n", "a repeated instruction is no single step"),
        ("\t.data\nd:\n\tnop\n", "an instruction outside the code"),
        ("\t.text\nf:\n\tnop\n\t.p2align\t4\n\tret\n", "what fills up here would be executed"),
    ],
)
def test_assembly_that_cannot_be_counted(text: str, says: str, tmp_path: Path) -> None:
    """It is refused with its line, and nothing is written."""
    given, made = tmp_path / "f.s", tmp_path / "counted.s"
    given.write_text(text, encoding="utf-8")
    script = ROOT / "bench/host/count_blocks.py"
    done = subprocess.run(
        [sys.executable, script, given, made], capture_output=True, text=True, check=False
    )
    assert (done.returncode, made.exists()) == (1, False)
    assert says in done.stderr
    assert "f.s:" in done.stderr
