# SPDX-License-Identifier: BSD-3-Clause
"""A user-mode-linux guest: a process without rights, whose cable is a socket pair. Each datagram is
an Ethernet frame."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections import defaultdict, deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

MEMORY = "96M"
ANSWER_S = 20.0
"""A guest answers within a millisecond; one that takes this long is dead."""
GOODBYE_S = 2.0
LOOK_S = 0.2
"""How often to look whether it is still there while waiting."""
ETHERNET = bytes([0xFF] * 6 + [0x02] * 6)
AIR, CONTROL, IPV6 = b"\x80\x9a", b"\x88\xb5", b"\x86\xdd"
POWER_OFF = 8
READY = 0x40


class PeerError(Exception):
    """The guest refused a request, or is not there any more."""


@dataclass
class Guest(ABC):
    """The guest. Use it in a `with`, which ends it whatever happens."""

    home: str = field(default="", init=False)
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    cable: socket.socket = field(init=False)
    """Our end."""
    queues: defaultdict[tuple[bytes, int], deque[bytes]] = field(
        default_factory=lambda: defaultdict(deque), init=False
    )
    """What came and was not yet taken, by type of Ethernet and operation."""

    @abstractmethod
    def kernel(self, home: Path) -> tuple[Path, list[str]]:
        """The program, and what it is to be started with; makes the files that it needs."""

    def __enter__(self) -> Self:
        """Boots the guest."""
        self.home = tempfile.mkdtemp(prefix="wardmote-peer-")
        try:
            self._boot()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        """Ends the guest."""
        self.close()

    def _boot(self) -> None:
        home = Path(self.home)
        program, wanted = self.kernel(home)
        self.cable, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.cable.settimeout(LOOK_S)
        with theirs, (home / "console").open("wb") as console:
            fd = theirs.fileno()
            cable = f"vec0:transport=fd,fd={fd},depth=64,vec=0"
            words = [f"mem={MEMORY}", "con=null", "con0=null,fd:1", "ssl=null", "umid=peer"]
            words += ["panic=-1", "quiet", *wanted, cable]
            # HOME: there the guest keeps a folder for itself, which a killed one leaves behind.
            # A session of its own: the guest is several processes, and must be ended as a group.
            self.process = subprocess.Popen(
                [program, *words],
                cwd=home,
                env={"HOME": self.home, "TMPDIR": _memory_folder(self.home), "PATH": os.defpath},
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                pass_fds=[fd],
                start_new_session=True,
            )
        status = self.until(CONTROL, READY)
        if status != bytes(4):
            raise self.failure(f"its network came up with {errno_text(status)}")

    def close(self) -> None:
        """Ends the guest and removes its files. A second call does nothing."""
        if self.process is not None:
            # Asked to, it ends its own processes; one that does not listen is killed with all of
            # them.
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                self.cable.send(ETHERNET + CONTROL + bytes([POWER_OFF]))
                self.process.wait(GOODBYE_S)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
            self.cable.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def until(self, ethertype: bytes, operation: int = 0) -> bytes:
        """The content of the next frame of this kind. Frames of other kinds are kept for later
        calls."""
        queue = self.queues[ethertype, operation]
        while not queue:
            self._sort(self._receive())
        return queue.popleft()

    def _sort(self, frame: bytes) -> None:
        kind, body = frame[12:14], frame[14:]
        if kind == CONTROL:
            self.queues[kind, body[0]].append(body[1:])
        elif kind == AIR:
            self.queues[kind, 0].append(body)
        elif kind == IPV6:
            self.queues[kind, 0].append(frame)

    def look(self, seconds: float) -> bool:
        """Waits for one frame, at most so long; whether one came. It is kept."""
        if not select.select([self.cable], [], [], seconds)[0]:
            return False
        self._sort(self._receive())
        return True

    def _receive(self) -> bytes:
        give_up = time.monotonic() + ANSWER_S
        while time.monotonic() < give_up:
            with contextlib.suppress(TimeoutError):
                return self.cable.recv(4096)
            if self.process is None or self.process.poll() is not None:
                raise self.failure("it has ended")
        raise self.failure("it does not answer")

    def tell(self, ethertype: bytes, body: bytes) -> None:
        """Sends it a frame."""
        try:
            self.cable.send(ETHERNET + ethertype + body)
        except OSError as error:
            raise self.failure(f"nothing can be sent to it ({error.strerror})") from None

    def failure(self, why: str) -> PeerError:
        """The error that says so, with what the guest printed last."""
        console = (Path(self.home) / "console").read_text(errors="replace")
        return PeerError(
            f"the Linux guest: {why}; the end of its console:\n"
            + "\n".join(console.splitlines()[-15:])
        )


def _memory_folder(otherwise: str) -> str:
    """Where the guest's memory, a file that it executes from, can lie: /dev/shm, unless a container
    forbids that."""
    shared = "/dev/shm"
    with contextlib.suppress(OSError):
        if os.access(shared, os.W_OK) and not os.statvfs(shared).f_flag & os.ST_NOEXEC:
            return shared
    return otherwise


def errno_text(status: bytes) -> str:
    """The words for a negative errno."""
    (number,) = struct.unpack("<i", status)
    return os.strerror(-number)
