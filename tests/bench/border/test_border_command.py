# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote border` as a process: a radio on a pseudo-terminal, a host on a socket of its own. Either
side goes and comes again."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.border.test_router import HOST, MOTE, SETUP, datagram, down, mote
from tests.bench.border.test_router import address as mote_address
from wardmote.border import packets
from wardmote.border.air import END, slip, unslip
from wardmote.border.wire import opened
from wardmote.commands.border import Agreed, Sides
from wardmote.commands.border import border as border_command
from wardmote.errors import UsageError
from wardmote.views.border import ended, live

PATIENCE_S = 20.0


class Radio:
    """The other end of the serial line."""

    def __init__(self, link: Path) -> None:
        self.ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        name = os.ttyname(self._theirs)
        link.unlink(missing_ok=True)
        link.symlink_to(name)
        self._came = b""

    def close(self) -> None:
        """It is unplugged."""
        os.close(self.ours)
        os.close(self._theirs)

    def frame(self) -> bytes:
        """The next frame from the border router."""
        while END not in self._came:
            if not select.select([self.ours], [], [], PATIENCE_S)[0]:
                pytest.fail("no frame came")
            self._came += os.read(self.ours, 4096)
        octets, self._came = self._came.split(END, 1)
        return unslip(octets)


@pytest.fixture
def border(tmp_path: Path) -> Iterator[tuple[Path, Radio, subprocess.Popen[str]]]:
    """The process, the radio, and the path of its socket."""
    radio, path = Radio(tmp_path / "line"), tmp_path / "host"
    words = ["border", "--serial", str(tmp_path / "line"), "--host", f"unix:{path}", "--ipv6"]
    command = [sys.executable, "-m", "wardmote", *words, "--seconds", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        give_up = time.monotonic() + PATIENCE_S
        while not path.exists() and time.monotonic() < give_up:
            time.sleep(0.02)
        yield path, radio, process
        process.kill()


def host(tmp_path: Path, border: Path, name: str) -> socket.socket:
    """A host that talks to the border router."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    made.bind(str(tmp_path / name))
    made.connect(str(border))
    made.settimeout(PATIENCE_S)
    return made


def test_both_sides_go_and_come_again(
    border: tuple[Path, Radio, subprocess.Popen[str]], tmp_path: Path
) -> None:
    """A second host takes the first one's place, and a second radio."""
    path, radio, process = border
    for turn in range(2):
        with host(tmp_path, path, f"host{turn}") as side:
            side.send(down(20 + turn))
            other = mote()
            assert other.take(radio.frame(), 0.0) == down(20 + turn, 63)
            up = datagram(mote_address(MOTE), HOST.packed, 30 + turn)
            other.give(up, SETUP.short)
            os.write(radio.ours, slip(other.to_air.popleft().mpdu))
            assert side.recv(2048) == packets.one_hop_less(up)
        radio.close()
        radio = Radio(tmp_path / "line")
        time.sleep(0.2)
    process.send_signal(2)
    assert process.stdout is not None
    table = process.stdout.read()
    assert "         2  packets in\n" in table
    assert "serial line: not there" in table


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tcp:1", "it is fd:NUMBER"),
        ("unix:", "it is fd:NUMBER"),
        ("fd:many", "invalid literal"),
        ("udp:nowhere", "host udp:nowhere"),
        ("unix:/nowhere/socket", "No such file"),
    ],
)
def test_a_host_that_is_none_is_named(name: str, words: str) -> None:
    """In one line."""
    with pytest.raises(UsageError, match=words):
        opened(name)


def test_statistics_fit_80_columns() -> None:
    """With large numbers, too."""
    counts = {"host in": 10**9, "host out": 10**9, "frames in": 10**9, "frames out": 10**9}
    refused = {"air: malformed": 10**9, "host: waits for its address": 3}
    assert len(live(counts, refused, 1e6)) <= 80
    lines = ended(counts, refused).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-2:] == [
        "1000000000  refused, air: malformed",
        "         3  refused, host: waits for its address",
    ]


def test_a_host_may_be_a_udp_socket() -> None:
    """It is answered where it sent from last; before it has spoken nothing can be sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    wire = opened(f"udp:127.0.0.1:{port}")
    assert not wire.send(b"early")
    assert wire.receive() is None
    for text in (b"one", b"two"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as side:
            side.settimeout(PATIENCE_S)
            side.sendto(text, ("127.0.0.1", port))
            select.select([wire], [], [], PATIENCE_S)
            assert wire.receive() == text
            assert wire.send(b"back")
            assert side.recv(2048) == b"back"


def test_link_security_is_of_the_radio() -> None:
    """Its frames leave room; an emulated air has none."""
    for level, octets in ((0, 125), (1, 115), (5, 115), (7, 103)):
        assert Agreed(link_level=level).setup().frame_octets == octets
    with pytest.raises(UsageError, match="link level 8"):
        Agreed(link_level=8).setup()
    with pytest.raises(UsageError, match="radio behind --serial"):
        border_command(Sides(host="unix:nowhere", mote=["telosb=none"]), Agreed(link_level=5))
