# SPDX-License-Identifier: BSD-3-Clause
"""A program, motes that run it, and debuggers at them: what the tests of gdb share."""

import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.motes import openmote, telosb
from wardmote import _motes

Build = Callable[..., Path]
MS = 10**9
CPUS = ("msp430", "avr", "armv7m")

# leaf is called by branch, branch by main, for ever.
PROGRAM = """
volatile uint16_t counter, level;
__attribute__((noinline)) void leaf(uint16_t by)
{
    counter = (uint16_t)(counter + by);
    __asm__ volatile("" : : : "memory");
}
__attribute__((noinline)) void branch(uint16_t by)
{
    leaf(by);
    level = counter;
}
int main(void)
{
    counter = level = 0;
    for (;;)
        branch(3);
}
"""


def programs_of(msp430: Build, atmega128: Build, armv7m: Build) -> dict[str, tuple[str, Path]]:
    """Board and executable by CPU."""
    return {
        "msp430": ("telosb", msp430(telosb.COMMON + PROGRAM, flags=("-g",))),
        "avr": ("micaz", atmega128("#include <stdint.h>\n" + PROGRAM, flags=("-g",))),
        "armv7m": (
            openmote.BOARD,
            armv7m(openmote.program(PROGRAM), flags=("-g",)),
        ),
    }


def motes(board: str, elf: Path, count: int = 1) -> _motes.Simulation:
    """So many motes with that program."""
    simulation = _motes.Simulation(7)
    for number in range(count):
        simulation.add_mote(board, elf.read_bytes(), str(number), ppm=20.0 * number)
    return simulation


@contextmanager
def running(debugger: _motes.Debugger, until_ps: int) -> Iterator[list[bool]]:
    """Time passes as gdb lets it, beside what the test does; what came of it."""
    outcome: list[bool] = []
    thread = Thread(target=lambda: outcome.append(debugger.run_until(until_ps)), daemon=True)
    thread.start()
    yield outcome
    thread.join(60)
    assert not thread.is_alive()


def gdb(program: str, elf: Path, port: int, *commands: str) -> str:
    """What a gdb says."""
    if shutil.which(program) is None:
        pytest.fail(f"no {program}: `make setup` installs it")
    words = [program, "-nx", "-batch"]
    for command in (
        *("set pagination off", "set confirm off", "set height 0"),
        *(f"target remote localhost:{port}", *commands),
    ):
        words += ["-ex", command]
    done = subprocess.run(
        [*words, str(elf)], capture_output=True, text=True, timeout=120, check=False
    )
    return done.stdout + done.stderr


class Wire:
    """gdb's protocol by hand."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._heard = b""

    def close(self) -> None:
        """gdb is gone without a word."""
        self._socket.close()

    def interrupt(self) -> None:
        """Ctrl-C."""
        self._socket.sendall(b"\x03")

    def send(self, packet: str) -> None:
        """A packet without waiting for an answer."""
        self._socket.sendall(f"${packet}#{sum(packet.encode()) & 0xFF:02x}".encode())

    def ask(self, packet: str) -> str:
        """The answer to a packet, confirmed."""
        self.send(packet)
        return self.answer()

    def answer(self) -> str:
        """The next packet."""
        while b"#" not in self._heard[:-2]:
            more = self._socket.recv(4096)
            assert more, "the stub has closed the connection"
            self._heard += more
        text, self._heard = self._heard.split(b"#", 1)
        self._heard = self._heard[2:]
        self._socket.sendall(b"+")
        return expanded(text.lstrip(b"+").removeprefix(b"$").decode())


def expanded(text: str) -> str:
    """Without run-length encoding: `0*"` is `0` and five more, a character counts from 29."""
    return re.sub(r"(.)\*(.)", lambda run: run[1] * (ord(run[2]) - 28), text)


def at(simulation: _motes.Simulation, name: str) -> int:
    """The address of a symbol of the first mote."""
    return simulation.symbol(0, name)[0]


def state(simulation: _motes.Simulation) -> list[tuple[int, int, bytes]]:
    """Where two motes are, and what their programs hold."""
    where = at(simulation, "counter")
    found = []
    for mote in range(2):
        cpu = simulation.cpu(mote)
        found.append((cpu["pc"], cpu["cycles"], simulation.read(mote, where, 2)))
    return found
