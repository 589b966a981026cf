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
from wardmote.border.air import AT_ONCE, END, LONGEST, SerialAir, SlipReader, slip, unslip
from wardmote.border.link import QUEUE
from wardmote.border.router import Router
from wardmote.border.run import HostSide
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
            self._came = (self._came + os.read(self.ours, 4096)).lstrip(END)
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
            os.write(radio.ours, END + slip(other.to_air.popleft().mpdu))
            assert side.recv(2048) == packets.one_hop_less(up)
        radio.close()
        radio = Radio(tmp_path / "line")
        time.sleep(0.2)
    process.send_signal(2)
    assert process.stdout is not None
    table = process.stdout.read()
    assert "         2  packets in\n" in table
    assert "serial line: not there" in table


def test_no_frame_hides_in_the_end_of_another() -> None:
    """What stands in front of the first END, or behind too many octets, is the end of something: with
    octets that somebody chose, it could look like a frame of anybody."""
    frame = b"frame"
    assert SlipReader().take(frame + END) == []
    reader = SlipReader()
    assert reader.take(b"end of a packet" + frame) == []
    assert reader.take(END + slip(frame) + END + frame[:2]) == [frame]
    assert reader.take(frame[2:] + END) == [frame]
    assert reader.take(bytes(LONGEST + 1)) == [b""]
    assert reader.take(frame + END + slip(frame)) == [frame]
    for octets in range(LONGEST + 2):
        reader = SlipReader()
        came = reader.take(END + bytes(octets) + slip(frame) + slip(frame))
        whole = bytes(octets) + frame
        assert came == [whole if len(whole) <= 125 else b"", frame], octets


def test_escapes_of_slip() -> None:
    """Each octet goes there and back; an escape of nothing makes the frame none."""
    for octets in (
        bytes(range(0x60, 0xDC)),
        bytes(range(0xDC, 0x100)),
        b"\xdb\xdc\xdb\xdd\xc0" * 20,
    ):
        assert SlipReader().take(END + slip(octets)) == [octets]
    for wrong in (b"\xdb", b"a\xdb", b"\xdb\xdb\xdd", b"\xdb\xc1", b"\xdba"):
        assert SlipReader().take(END + wrong + END + slip(b"right")) == [b"", b"right"]


def test_a_line_that_never_rests_leaves_time(tmp_path: Path) -> None:
    """The router turns to its other side; what was begun on the line before it was opened ends with
    an END."""
    radio = Radio(tmp_path / "line")
    router = Router(SETUP)
    air = SerialAir(str(tmp_path / "line"), 115_200, router)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "read", lambda _file, _most: slip(b"noise"))
        air.turn(0.0)
    assert sum(router.refused.values()) == AT_ONCE - 1, "the first is the end of something"
    assert os.read(radio.ours, 100) == END
    radio.close()


def test_a_socket_takes_the_place_of_a_socket_alone(tmp_path: Path) -> None:
    """A file that is there stays, and is what the message is about."""
    kept, path = tmp_path / "notes", tmp_path / "host"
    kept.write_text("kept")
    with pytest.raises(UsageError, match=f"host unix:{kept}: .*in use"):
        opened(f"unix:{kept}")
    assert kept.read_text() == "kept"
    for _ in range(2):
        assert opened(f"unix:{path}").fileno() >= 0


def test_a_line_that_is_slower_than_the_host_keeps_a_bounded_queue(tmp_path: Path) -> None:
    """What there is no room for is refused, and a line that goes on has whole frames, in order."""
    radio, router = Radio(tmp_path / "line"), Router(SETUP)
    air = SerialAir(str(tmp_path / "line"), 115_200, router)
    for number in range(1000):
        router.from_host(down(number % 50))
        air.turn(0.0)
    assert router.refused["to air: queue full"] > 500
    assert len(router.link.to_air) <= QUEUE
    assert len(air._going) <= 1
    other = mote()
    came: list[bytes] = []
    while router.link.to_air or air._going or not came:
        came.append(radio.frame())
        air.turn(0.0)
    assert [other.take(frame, 0.0) for frame in came] == [
        down(number % 50, 63) for number in range(len(came))
    ]
    radio.close()


class Flood:
    """A host that never rests."""

    sent = 0

    def fileno(self) -> int:
        """None."""
        return -1

    def receive(self) -> bytes | None:
        """One more."""
        self.sent += 1
        return b"noise"

    def send(self, octets: bytes) -> bool:
        """It takes everything."""
        return bool(octets)


def test_a_host_that_never_rests_leaves_time() -> None:
    """The router turns to the air."""
    flood = Flood()
    router = Router(SETUP)
    assert HostSide(router, flood, ethernet=False).turn(0.0)
    assert flood.sent == router.refused["host: no IPv6 packet"] < 1000


def test_a_host_may_be_an_interface_of_the_kernel() -> None:
    """TUN: a datagram that a program of this machine sends to a mote goes out on the air, and its
    answer comes to the program. It takes the rights of root, as CI has them, and a name of its own
    space of networks, so that nothing of the machine changes."""
    done = subprocess.run(
        ["unshare", "--net", sys.executable, "-m", "tests.bench.border.tun_party"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "exchanged\n"), done.stderr


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
