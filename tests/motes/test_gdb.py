# SPDX-License-Identifier: BSD-3-Clause
"""gdb at motes of all three CPUs: a program nobody here wrote breaks, steps, watches, looks back and
detaches. All motes stop in the same instant, and what they do is what they do without gdb."""

import re
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from tests.motes import telosb
from tests.motes.debugging import CPUS, MS, Build, Wire, at, gdb, motes, running, state
from wardmote import _motes


@pytest.mark.parametrize(("cpu", "program"), [("avr", "avr-gdb"), ("armv7m", "gdb-multiarch")])
def test_a_session(programs: dict[str, tuple[str, Path]], cpu: str, program: str) -> None:
    """Break, look back, step, watch, change memory and registers, detach."""
    board, elf = programs[cpu]
    simulation = motes(board, elf)
    debugger = _motes.Debugger(simulation, 0)
    with running(debugger, 50 * MS) as outcome:
        said = gdb(
            *(program, elf, debugger.port, "break leaf", "continue", "backtrace", "print counter"),
            *("print $pc == (unsigned long)&leaf", "set $before = $pc", "stepi"),
            *("print $pc != $before", "delete", "watch level", "continue", "continue"),
            *("print level", "delete", "set var counter = 1000", "break branch", "continue"),
            *("print counter", "finish", "print level >= 1003", "delete", "detach"),
        )
    assert "Breakpoint 1, " in said
    first = said[said.index("Breakpoint 1, ") :]
    for part in ("#0", "#1", "in branch (", "#2", "in main ("):
        assert part in first, said
    assert "$1 = 0" in said, said
    assert "Old value = 0\nNew value = 3" in said, said
    assert "Old value = 3\nNew value = 6" in said, said
    assert "= 1003" in said or "= 1000" in said, said
    assert "detached]" in said, said
    assert outcome == [True]
    assert simulation.now_ps == 50 * MS


def test_a_session_of_lldb(programs: dict[str, tuple[str, Path]]) -> None:
    """Debian has no gdb for the MSP430; LLDB speaks the same protocol. It breaks, looks back, steps,
    watches, goes to the end of a function, changes memory and registers, and detaches."""
    board, elf = programs["msp430"]
    simulation = motes(board, elf)
    debugger = _motes.Debugger(simulation, 0)
    words = ["lldb-22", "-x", "-b"]
    for command in (
        *(f"gdb-remote {debugger.port}", "breakpoint set -n leaf", "continue", "thread backtrace"),
        *("print counter", "register write r12 5", "breakpoint delete -f", "stepi"),
        "watchpoint set expression -w modify -s 2 -- (unsigned long)&level",
        *("continue", "print level", "continue", "print level", "watchpoint delete -f"),
        *("memory write -s 2 &counter 0x1000", "breakpoint set -n branch", "continue"),
        *("print counter", "breakpoint delete -f", "finish", "print level", "detach"),
    ):
        words += ["-o", command]
    with running(debugger, 50 * MS) as outcome:
        done = subprocess.run(
            [*words, elf], capture_output=True, text=True, timeout=120, check=True
        )
    said = done.stdout + done.stderr
    assert "stop reason = breakpoint 1.1" in said, said
    frames = re.findall(r"frame #(\d): 0x[0-9a-f]{4} program.elf`(\w+)", said)
    back = frames.index(("1", "branch"))
    assert frames[back - 1 : back + 2] == [("0", "leaf"), ("1", "branch"), ("2", "main")], said
    assert "stop reason = instruction step into" in said, said
    assert said.count("stop reason = watchpoint 1") == 2, said
    shown = re.findall(r"\(volatile uint16_t\) (\d+)", said)
    assert shown == ["0", "5", "8", "4096", "4099"], said
    assert "Process 1 detached" in said, said
    assert outcome == [True]


@pytest.mark.parametrize("cpu", CPUS)
def test_all_motes_stop_in_the_same_instant(
    programs: dict[str, tuple[str, Path]], cpu: str
) -> None:
    """At each stop both motes are where they are at that moment without gdb; no time passes then."""
    simulation = motes(*programs[cpu], 2)
    debugger = _motes.Debugger(simulation, 1)
    with running(debugger, 20 * MS) as outcome:
        wire = Wire(debugger.port)
        leaf = at(simulation, "leaf") & ~1
        assert wire.ask(f"Z0,{leaf:x},2") == "OK"
        stops = []
        for _ in range(5):
            assert wire.ask("c").startswith("T05")
            stops.append((simulation.now_ps, state(simulation)))
            assert wire.ask("s").startswith(("T05", "S05"))
            stops.append((simulation.now_ps, state(simulation)))
        assert simulation.now_ps == stops[-1][0]
        assert wire.ask("D") == "OK"
    assert outcome == [True]
    assert [now for now, _ in stops] == sorted({now for now, _ in stops})
    free = motes(*programs[cpu], 2)
    for now, found in stops:
        free.run_until(now)
        assert state(free) == found
    free.run_until(20 * MS)
    assert state(free) == state(simulation)


def test_what_cannot_be(programs: dict[str, tuple[str, Path]]) -> None:
    """A port in use, a mote that is not there; registers and memory that are not there."""
    simulation = motes(*programs["msp430"])
    debugger = _motes.Debugger(simulation, 0)
    with pytest.raises(OSError, match=f"port {debugger.port}: Address already in use"):
        _motes.Debugger(simulation, 0, debugger.port)
    with pytest.raises(_motes.MoteError, match="no mote 1; there are 1"):
        _motes.Debugger(simulation, 1)
    with running(debugger, 10 * MS) as outcome:
        wire = Wire(debugger.port)
        for packet in ("p10", "P10=0000", "mc00,2", "Mc00,2:0000", "Z2,c00,2"):
            assert wire.ask(packet).startswith("E"), packet
        for packet in ("Z3,1100,2", "Z4,1100,2"):
            assert wire.ask(packet) == "E16", packet
        assert wire.ask("m38fe,8") == simulation.read(0, 0x38FE, 2).hex()
        assert wire.ask("vUnheardOf") == ""
        assert simulation.now_ps == 0
        wire.send("k")
    assert outcome == [False]


@pytest.mark.parametrize("cpu", CPUS)
def test_addresses_that_no_cpu_has(programs: dict[str, tuple[str, Path]], cpu: str) -> None:
    """An error each, and the session goes on."""
    simulation = motes(*programs[cpu])
    debugger = _motes.Debugger(simulation, 0)
    with running(debugger, 10 * MS):
        wire = Wire(debugger.port)
        for address in ("ffffffff", "fffffffe", "ffffffffffffff00", "60000000"):
            for packet in (f"m{address},8", f"M{address},2:0000", f"Z2,{address},2"):
                assert wire.ask(packet).startswith("E"), packet
        assert wire.ask("Z0,ffffffffffffff00,2").startswith("E")
        assert len(wire.ask("g")) == {"msp430": 128, "avr": 78, "armv7m": 136}[cpu]
        assert wire.ask("D") == "OK"


@pytest.mark.parametrize("cpu", CPUS)
def test_watch_and_registers(programs: dict[str, tuple[str, Path]], cpu: str) -> None:
    """A watch stops where its place is another; what is written into registers is read back, and
    the program goes on from where its PC is set to."""
    simulation = motes(*programs[cpu])
    debugger = _motes.Debugger(simulation, 0)
    pc = {"msp430": ("0", 4), "avr": ("22", 4), "armv7m": ("f", 4)}[cpu]
    with running(debugger, 10 * MS):
        wire = Wire(debugger.port)
        where, leaf = at(simulation, "level"), at(simulation, "leaf")
        assert wire.ask(f"Z0,{leaf:x},2") == "OK"
        assert "swbreak" in wire.ask("c")
        assert wire.ask(f"z0,{leaf:x},2") == "OK"
        assert wire.ask(f"Z2,{where:x},2") == "OK"
        for wanted in (3, 6):
            assert f"watch:{where:x};" in wire.ask("c")
            assert wire.ask(f"m{where:x},2") == wanted.to_bytes(2, "little").hex()
        assert wire.ask(f"z2,{where:x},2") == "OK"
        number, octets = pc
        target = leaf.to_bytes(octets, "little").hex()
        assert wire.ask(f"P{number}={target}") == "OK"
        assert wire.ask(f"p{number}") == target
        assert simulation.cpu(0)["pc"] == leaf
        assert wire.ask("s").startswith(("T05", "S05"))
        assert 0 < simulation.cpu(0)["pc"] - leaf <= 6
        everything = wire.ask("g")
        assert wire.ask(f"G{everything}") == "OK"
        assert wire.ask("g") == everything
        assert wire.ask("D") == "OK"


def test_the_verb_run(programs: dict[str, tuple[str, Path]]) -> None:
    """It says where it waits; gdb at the second mote ends the run, and how it ended is told."""
    board, elf = programs["avr"]
    words = ("run", f"{board}={elf}:2", "--gdb", "2:0", "--for", "1s")
    command = [sys.executable, "-m", "wardmote", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as verb:
        assert verb.stdout is not None
        lines = [next(verb.stdout) for _ in range(3)]
        before, port = lines[2].rsplit(":", 1)
        assert before.endswith("mote 2: waits for gdb: target remote localhost")
        wire = Wire(int(port))
        assert wire.ask("s").startswith(("T05", "S05"))
        wire.send("k")
        assert "gdb has ended the run." in verb.stdout.read()
        assert verb.wait(60) == 0


def test_a_gdb_that_goes_away(programs: dict[str, tuple[str, Path]]) -> None:
    """The motes run on, as after a detach."""
    simulation = motes(*programs["avr"])
    debugger = _motes.Debugger(simulation, 0)
    with running(debugger, 10 * MS) as outcome:
        Wire(debugger.port).close()
    assert outcome == [True]
    assert simulation.now_ps == 10 * MS


def test_a_program_that_cannot_go_on(msp430: Build) -> None:
    """It stops with a signal; when gdb has left, the reason is told."""
    body = "int main(void) { ((void (*)(void))0x0C00)(); for (;;) { } }"
    simulation = motes("telosb", msp430(telosb.COMMON + body))
    debugger = _motes.Debugger(simulation, 0)
    told: list[str] = []

    def run() -> None:
        with pytest.raises(_motes.MoteError) as failed:
            debugger.run_until(10 * MS)
        told.append(str(failed.value))

    thread = Thread(target=run, daemon=True)
    thread.start()
    wire = Wire(debugger.port)
    assert wire.ask("c").startswith(("T0b", "S0b"))
    assert wire.ask("s").startswith(("T0b", "S0b"))
    assert wire.ask("D") == "OK"
    thread.join(60)
    assert "PC 0x0C00" in told[0]


def test_an_interrupt_from_gdb(programs: dict[str, tuple[str, Path]]) -> None:
    """Ctrl-C stops motes that would run for long."""
    simulation = motes(*programs["msp430"])
    debugger = _motes.Debugger(simulation, 0)
    with running(debugger, 3600 * 1000 * MS) as outcome:
        wire = Wire(debugger.port)
        wire.send("c")
        wire.interrupt()
        assert wire.answer().startswith(("T02", "S02"))
        wire.send("k")
    assert outcome == [False]
    assert simulation.now_ps < 3600 * 1000 * MS
