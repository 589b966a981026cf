# SPDX-License-Identifier: BSD-3-Clause
"""The way back in gdb: a step back lands where the mote was, with all registers and memory; a way
back ends at breakpoints, at changes of watched memory, and at the beginning; the way there after it
is the same again, with all that came from outside."""

import subprocess
from pathlib import Path

import pytest

from tests.motes.debugging import CPUS, MS, Wire, at, gdb, motes, running, state
from wardmote import _motes

Programs = dict[str, tuple[str, Path]]
Place = tuple[str, int, list[tuple[int, int, bytes]]]
# The first line is said; what is heard is added up.
LISTENER = """
#include <avr/io.h>
volatile unsigned char sum, heard;
__attribute__((noinline)) void take(unsigned char octet) { sum += octet; heard++; }
int main(void)
{
    UBRR0L = 7;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    UDR0 = 'a';
    for (;;)
        if (UCSR0A & _BV(RXC0))
            take(UDR0);
}
"""


def place(wire: Wire, simulation: _motes.Simulation) -> Place:
    """All that says where two motes are."""
    return wire.ask("g"), simulation.now_ps, state(simulation)


@pytest.mark.parametrize("cpu", CPUS)
def test_steps_back_land_where_the_motes_were(programs: Programs, cpu: str) -> None:
    """Forty steps there, forty back, and there again: the same places of both motes."""
    simulation = motes(*programs[cpu], 2)
    debugger = _motes.Debugger(simulation, 1)
    with running(debugger, 20 * MS):
        wire = Wire(debugger.port)
        assert wire.ask(f"Z0,{at(simulation, 'branch') & ~1:x},2") == "OK"
        assert wire.ask("c").startswith("T05")
        there = [place(wire, simulation)]
        for _ in range(40):
            assert wire.ask("s").startswith(("T05", "S05"))
            there.append(place(wire, simulation))
        assert len({now for _, now, _ in there}) == 41
        back = []
        for _ in range(40):
            assert wire.ask("bs").startswith(("T05", "S05"))
            back.append(place(wire, simulation))
        assert back == there[-2::-1]
        again = []
        for _ in range(40):
            assert wire.ask("s").startswith(("T05", "S05"))
            again.append(place(wire, simulation))
        assert again == there[1:]
        assert wire.ask("D") == "OK"
    free = motes(*programs[cpu], 2)
    free.run_until(20 * MS)
    assert state(free) == state(simulation)


@pytest.mark.parametrize("cpu", CPUS)
def test_the_way_back_ends_where_gdb_looks(programs: Programs, cpu: str) -> None:
    """Breakpoints are met in the other order; memory is what it was before it was changed; the
    beginning is told."""
    simulation = motes(*programs[cpu])
    debugger = _motes.Debugger(simulation, 0)
    with running(debugger, 3600 * 1000 * MS):
        wire = Wire(debugger.port)
        level, leaf = at(simulation, "level"), at(simulation, "leaf") & ~1
        begin = wire.ask("g"), simulation.now_ps
        assert wire.ask(f"Z0,{leaf:x},2") == "OK"
        met = []
        for _ in range(5):
            assert "swbreak" in wire.ask("c")
            met.append((wire.ask("g"), simulation.now_ps))
        for before in met[-2::-1]:
            assert "swbreak" in wire.ask("bc")
            assert (wire.ask("g"), simulation.now_ps) == before
        assert "replaylog:begin" in wire.ask("bc")
        assert (wire.ask("g"), simulation.now_ps) == begin
        assert "replaylog:begin" in wire.ask("bs")
        assert wire.ask(f"z0,{leaf:x},2") == "OK"
        assert wire.ask(f"Z2,{level:x},2") == "OK"
        # RAM holds anything at power-on, and an AVR clears it octet by octet.
        while wire.ask(f"m{level:x},2") != "0000":
            assert "watch" in wire.ask("c")
        changed = []
        for wanted in (3, 6, 9, 12):
            assert f"watch:{level:x};" in wire.ask("c")
            changed.append(simulation.now_ps)
            assert wire.ask(f"m{level:x},2") == wanted.to_bytes(2, "little").hex()
        for wanted, after in ((9, changed[3]), (6, changed[2])):
            assert f"watch:{level:x};" in wire.ask("bc")
            assert wire.ask(f"m{level:x},2") == wanted.to_bytes(2, "little").hex()
            assert simulation.now_ps < after
        assert f"watch:{level:x};" in wire.ask("c")
        assert simulation.now_ps == changed[2]
        wire.send("k")


@pytest.mark.parametrize(("cpu", "program"), [("avr", "avr-gdb"), ("armv7m", "gdb-multiarch")])
def test_a_session_that_goes_back(programs: Programs, cpu: str, program: str) -> None:
    """gdb itself: reverse-stepi, reverse-continue, reverse-finish."""
    board, elf = programs[cpu]
    simulation = motes(board, elf)
    debugger = _motes.Debugger(simulation, 0)
    with running(debugger, 50 * MS) as outcome:
        said = gdb(
            *(program, elf, debugger.port, "break leaf", "continue", "continue", "continue"),
            *("set $there = $pc", "stepi", "stepi", "set $far = $pc", "stepi"),
            *("reverse-stepi", "print $pc == $far", "reverse-stepi", "reverse-stepi"),
            *("print $pc == $there", "print counter", "reverse-continue", "print counter"),
            *("delete", "watch level", "reverse-continue", "print level", "delete"),
            *("break branch", "continue", "next", "next", "reverse-next", "detach"),
        )
    shown = [line.split(" = ")[1] for line in said.splitlines() if line.startswith("$")]
    assert shown[:4] == ["1", "1", "6", "3"], said
    assert "Old value = 3\nNew value = 0" in said, said
    assert shown[4] == "0", said
    assert "detached]" in said, said
    assert outcome == [True]


def test_a_change_by_gdb_is_another_future(programs: Programs) -> None:
    """What gdb writes in the past counts from then on, and the way back from there knows it."""
    simulation = motes(*programs["msp430"])
    debugger = _motes.Debugger(simulation, 0)
    with running(debugger, 20 * MS):
        wire = Wire(debugger.port)
        counter, leaf = at(simulation, "counter"), at(simulation, "leaf")
        assert wire.ask(f"Z0,{leaf:x},2") == "OK"
        for _ in range(6):
            wire.ask("c")
        for _ in range(3):
            wire.ask("bc")
        assert wire.ask(f"m{counter:x},2") == "0600"
        assert wire.ask(f"M{counter:x},2:0010") == "OK"
        wire.ask("c")
        assert wire.ask(f"m{counter:x},2") == "0310"
        wire.ask("bc")
        assert wire.ask(f"m{counter:x},2") == "0010"
        assert wire.ask("D") == "OK"


def test_what_came_from_outside_comes_again(tmp_path: Path) -> None:
    """Characters that were sent while the mote ran are heard at the same moments on the way there
    after a way back, and after a detach in the past."""
    source, elf = tmp_path / "listener.c", tmp_path / "listener.elf"
    source.write_text(LISTENER)
    subprocess.run(["avr-gcc", "-mmcu=atmega128", "-Os", source, "-o", elf], check=True)
    simulation = motes("micaz", elf)
    free = motes("micaz", elf)
    debugger = _motes.Debugger(simulation, 0)
    total, octets = simulation.symbol(0, "sum")
    assert octets == 1
    with running(debugger, 5 * MS):
        wire = Wire(debugger.port)
        assert wire.ask(f"Z2,{total:x},1") == "OK"
        assert "watch" in wire.ask("c"), "start-up code clears it"
        wire.send("c")
    free.run_until(5 * MS)
    for each in (simulation, free):
        assert each.now_ps == 5 * MS
        each.send_serial(0, b"abc")
    with running(debugger, 30 * MS):
        met: list[tuple[int, str]] = []
        for _ in range(3):
            assert "watch" in (wire.ask("c") if met else wire.answer())
            met.append((simulation.now_ps, wire.ask(f"m{total:x},1")))
        for _ in range(3):
            assert "watch" in wire.ask("bc")
        assert wire.ask(f"m{total:x},1") == "00"
        assert simulation.now_ps < met[0][0]
        for before in met:
            assert "watch" in wire.ask("c")
            assert (simulation.now_ps, wire.ask(f"m{total:x},1")) == before
        for _ in range(4):
            assert "watch" in wire.ask("bc")
        assert simulation.now_ps < 5 * MS
        assert wire.ask("D") == "OK"
    free.run_until(30 * MS)
    heard = [each.read(0, total, 1) for each in (simulation, free)]
    assert heard == [bytes([sum(b"abc") % 256])] * 2
