# SPDX-License-Identifier: BSD-3-Clause
"""The other ends of serial lines: programs of this machine talk with a mote over a TCP port and over
a pseudoterminal, as with a board on a cable; a file is said to it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wardmote.boot.motes import Mote
from wardmote.boot.ports import MOST_WAITING, Ports, Pty, Read, Tcp, Wish
from wardmote.errors import MissingError, UsageError

TWO = [
    Mote(place, str(place), board, Path(), None) for place, board in enumerate(("mica2", "telosb"))
]
LATE = b"." * 25
"""Takes 4 ms: so long the mote does not listen yet."""


@pytest.fixture(scope="module")
def hello(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """It says its node ID, and what it hears."""
    made = tmp_path_factory.mktemp("hello") / "hello.elf"
    source = Path(__file__).with_name("hello.c")
    subprocess.run(["avr-gcc", "-mmcu=atmega128", "-Os", source, "-o", made], check=True)
    return made


@contextmanager
def running(*words: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command beside the test, and where its serial line is connected."""
    command = [sys.executable, "-m", "wardmote", "run", *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as verb:
        assert verb.stdout is not None
        connected = next(line for line in verb.stdout if "is connected to" in line)
        yield verb, connected.split("connected to ")[1].strip()


def rest(verb: subprocess.Popen[str]) -> str:
    """What the command says until its end."""
    assert verb.stdout is not None
    return verb.stdout.read()


def test_a_client_at_a_port(hello: Path) -> None:
    """It hears the mote and is heard; the mote's lines are shown, too."""
    words = (f"mica2={hello}", "--port", "1=tcp:0", "--for", "20s", "--expect", "heard you")
    with running(*words) as (verb, where):
        host, port = where.split(":")
        with socket.create_connection((host, int(port)), timeout=60) as client:
            time.sleep(0.1)
            client.sendall(b"you\n")
            heard = b""
            while b"heard you" not in heard:
                octets = client.recv(100)
                assert octets
                heard += octets
        said = rest(verb)
        assert verb.wait(60) == 0
    assert "heard you" in said


def test_a_terminal(hello: Path) -> None:
    """A program opens the pseudoterminal by its name."""
    words = (f"mica2={hello}", "--port", "1=pty", "--for", "20s", "--expect", "me")
    with running(*words) as (verb, name):
        terminal = os.open(name, os.O_RDWR | os.O_NOCTTY)
        os.write(terminal, LATE + b"me\n")
        heard = b""
        while b"me" not in heard:
            heard += os.read(terminal, 100)
        os.close(terminal)
        assert "me" in rest(verb)
        assert verb.wait(60) == 0


def test_a_file_is_said(hello: Path, tmp_path: Path) -> None:
    """From power-on on, at the baud rate."""
    text = tmp_path / "text.txt"
    text.write_bytes(LATE + b"lots\n")
    words = [f"mica2={hello}", "--port", f"1=file:{text}", "--for", "100ms"]
    with running(*words) as (verb, name):
        said = rest(verb)
    assert name == str(text)
    assert "lots" in said


def test_a_port_in_use() -> None:
    """One line says so."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(UsageError, match=f"no TCP port {port} for a serial line: Address"):
            Tcp(port)
        with pytest.raises(UsageError, match=f"no TCP port {port}"):
            Ports.of(["1=pty", f"2=tcp:{port}"], TWO)


def test_one_client_after_the_other() -> None:
    """Who has not come yet hears nothing; a slow reader loses the oldest octets."""
    end = Tcp(0)
    assert end.read() == b""
    end.write(b"nobody")
    port = int(end.name.split(":")[1])
    for name in (b"one", b"two"):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            client.sendall(name)
            while not (octets := end.read()):
                time.sleep(0.01)
            assert octets == name
            end.write(b"hello " + name)
            assert client.recv(100) == b"hello " + name
        while end._client is not None:
            assert end.read() == b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(b"slow")
        while not end.read():
            time.sleep(0.01)
        for _ in range(100):
            end.write(bytes(100_000))
        assert len(end._waiting) <= MOST_WAITING
    end.close()


def test_wishes(tmp_path: Path) -> None:
    """What the command line may say."""
    assert Wish.of("2=pty", TWO) == Wish(1, 1, "pty", ""), "the line to the USB chip of a TelosB"
    assert Wish.of("1.1=tcp:4000", TWO) == Wish(0, 1, "tcp", "4000")
    assert Wish.of("2.0=pty", TWO) == Wish(1, 0, "pty", "")
    assert Wish.of("1=file:a:b=c", TWO) == Wish(0, 0, "file", "a:b=c")
    for wrong in (
        "",
        "1",
        "1=",
        "0=pty",
        "3=pty",
        "1.=pty",
        "1=pty:x",
        "1=tcp",
        "1=tcp:x",
        "x=pty",
    ):
        with pytest.raises(UsageError):
            Wish.of(wrong, TWO)
    with pytest.raises(MissingError):
        Read(tmp_path / "none")
    end = Pty()
    assert end.read() == b""
    end.write(b"x" * 100_000)
    end.close()
    assert not Ports.of([], TWO).live
