# SPDX-License-Identifier: BSD-3-Clause
"""The Linux peer as a process: it ends with its test, leaves nothing behind, and says why when
something is wrong."""

import contextlib
import os
import signal
import time
from pathlib import Path

import pytest

from tests.interop.guest import POWER_OFF, Guest, PeerError
from tests.interop.linux_host import BOOTS_MOST, LinuxHost
from tests.interop.linux_parties import LINUX_EXTENDED, PAN
from tests.interop.linux_peer import KEY, KeyId, LinuxPeer
from tests.interop.linux_secrets import COMMON_KEY
from tests.turn import REAL_LINUX

pytestmark = [pytest.mark.xdist_group("linux-peer"), pytest.mark.turns(*REAL_LINUX)]


def group_and_home(guest: Guest) -> tuple[int, Path]:
    """The guest's process group and the folder it lives in."""
    assert guest.process is not None
    return guest.process.pid, Path(guest.home)


def running(group: int) -> list[str]:
    """The processes of a group, without those that have ended and wait for somebody to notice."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            name, rest = status.read_text(errors="replace").rsplit(")", 1)
            state, _, its_group = rest.split()[:3]
            if its_group == str(group) and state != "Z":
                found.append(name)
    return found


def assert_gone(group: int, home: Path) -> None:
    """No process of the group is left, nor its folder."""
    give_up = time.monotonic() + 10  # of killed ones the kernel takes its time to be rid
    while running(group) and time.monotonic() < give_up:
        time.sleep(0.01)
    assert running(group) == []
    assert not home.exists()


def test_nothing_is_left_of_a_guest(linux_built: Path) -> None:
    """After the `with` no process and no file of the guest is left."""
    with LinuxPeer(linux_built) as guest:
        group, home = group_and_home(guest)
        assert running(group)
        assert home.is_dir()
    assert_gone(group, home)


def test_nothing_is_left_after_a_failed_test(linux_built: Path) -> None:
    """An exception ends the guest like everything else."""
    guest = LinuxPeer(linux_built)
    seen: list[tuple[int, Path]] = []

    def fail() -> None:
        with guest:
            seen.append(group_and_home(guest))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert_gone(*seen[0])


def test_a_guest_that_ended_is_noticed(linux_built: Path) -> None:
    """A request to a dead guest fails at once instead of waiting for an answer."""
    with LinuxPeer(linux_built) as guest:
        group, home = group_and_home(guest)
        os.killpg(group, signal.SIGKILL)
        assert guest.process is not None
        guest.process.wait()
        with pytest.raises(PeerError, match="the Linux guest: "):
            guest.restart(LINUX_EXTENDED, PAN)
    assert_gone(group, home)


def test_a_program_that_is_no_guest_is_noticed(tmp_path: Path) -> None:
    """A guest that does not start is reported with its output."""
    (tmp_path / "agent").write_bytes(b"")
    (tmp_path / "linux").write_text("#!/bin/sh\necho no kernel here\n")
    (tmp_path / "linux").chmod(0o755)
    with (
        pytest.raises(PeerError, match=r"it has ended; the end of its console:\nno kernel here"),
        LinuxPeer(tmp_path),
    ):
        pass


def test_a_guest_that_is_not_set_up_says_why(linux_built: Path) -> None:
    """Every boot in which a line of `ip` fails is a warning, and the last an error; each has what
    `ip` printed."""
    lines = ["link set vec0 up", "link set nowhere up"]
    why = r'(?s)not set up.*"nowhere".*step ended with status'
    with (
        pytest.warns(UserWarning, match=why) as warned,
        pytest.raises(PeerError, match=why),
        LinuxHost(linux_built, lines),
    ):
        pass
    assert len(warned) == BOOTS_MOST


def test_linux_says_what_it_does_not_want(linux_built: Path) -> None:
    """The reason of a refused request is Linux's own; a request that is cut short reaches no
    kernel."""
    with LinuxPeer(linux_built) as guest:
        guest.restart(LINUX_EXTENDED, PAN)
        guest.add_key(KeyId(), COMMON_KEY)
        with pytest.raises(PeerError, match="File exists"):
            guest.add_key(KeyId(), COMMON_KEY)
        with pytest.raises(PeerError, match="Message too long"):
            guest.ask(KEY, KeyId().octets())
        with pytest.raises(PeerError, match="not supported"):
            guest.ask(POWER_OFF + 1, b"")
