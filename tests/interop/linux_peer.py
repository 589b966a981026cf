# SPDX-License-Identifier: BSD-3-Clause
"""A real Linux on the other side of the air: a user-mode-linux guest with IEEE 802.15.4 link
security.

`make peers` builds the kernel and the one program in it, linux/agent.c, which says how the two
talk. The guest is a process of its own without rights, whose air is a socket pair: each datagram is
a frame. Addresses here are most significant octet first, 8 octets when extended and 2 when short;
frames come without their FCS.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field
from pathlib import Path

MEMORY = "64M"
ANSWER_S = 20.0
"""A guest answers within a millisecond; one that takes this long is dead."""
GOODBYE_S = 2.0
LOOK_S = 0.2
"""How often to look whether it is still there while waiting."""
ETHERNET = bytes([0xFF] * 6 + [0x02] * 6)
AIR, CONTROL = b"\x80\x9a", b"\x88\xb5"
RESTART, KEY, DEVICE, DEVICE_KEY, LEVEL, PARAMETERS, SEND, POWER_OFF = range(1, 9)
ANSWER, READY, RECEIVED = 0x80, 0x40, 0x41
DATA_FRAME = 1
SECURITY_OFF, SECURITY_OF_INTERFACE = 1, 0
LEVEL_OF_INTERFACE = 0xFF
NO_SHORT = b"\xff\xff"
MARKER_SOURCE = bytes.fromhex("02000000000000fe")
COUNTER_PER_DEVICE, COUNTER_PER_KEY = 0, 1


class PeerError(Exception):
    """The guest refused a request, or is not there any more."""


@dataclass(frozen=True, slots=True)
class KeyId:
    """What Linux finds a key by. `source` is the KeySource as on the air; `device` and `pan` count
    with mode 0."""

    mode: int = 1
    index: int = 1
    source: bytes = b""
    device: bytes = b""
    pan: int = 0

    def octets(self) -> bytes:
        """As a request carries it."""
        return struct.pack(
            "<BB8s", self.mode, self.index if self.mode else 0, self.source
        ) + _address(self.device, self.pan)


def _address(address: bytes, pan: int) -> bytes:
    mode = {0: 0, 2: 2, 8: 3}[len(address)]
    return struct.pack("<BH8s", mode, pan, address[::-1])


def initramfs(agent: bytes) -> bytes:
    """An archive for the kernel's first file system (cpio, "newc") that holds nothing but
    `init`."""

    def entry(name: str, mode: int, contents: bytes) -> bytes:
        path = name.encode() + b"\0"
        numbers = (0, mode, 0, 0, 1, 0, len(contents), 0, 0, 0, 0, len(path), 0)
        head = b"070701" + b"".join(b"%08X" % number for number in numbers) + path
        return _padded(head) + _padded(contents)

    return entry("init", 0o100755, agent) + entry("TRAILER!!!", 0, b"")


def _padded(octets: bytes) -> bytes:
    return octets + bytes(-len(octets) % 4)


@dataclass
class LinuxPeer:
    """The guest, from `built` (build/peers/linux). Use it in a `with`, which ends the guest
    whatever happens."""

    built: Path
    pan: int = 0
    extended: bytes = b""
    short: bytes = NO_SHORT
    _markers: int = 0
    home: str = ""
    _ours: socket.socket = field(init=False)
    process: subprocess.Popen[bytes] | None = None
    _queues: defaultdict[tuple[bytes, int], deque[bytes]] = field(
        default_factory=lambda: defaultdict(deque)
    )

    def __enter__(self) -> LinuxPeer:
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
        (home / "initramfs").write_bytes(initramfs((self.built / "agent").read_bytes()))
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ours.settimeout(LOOK_S)
        with theirs, (home / "console").open("wb") as console:
            fd = theirs.fileno()
            cable = f"vec0:transport=fd,fd={fd},depth=64,vec=0"
            words = [
                f"mem={MEMORY}",
                "initrd=initramfs",
                "con=null",
                "con0=null,fd:1",
                "ssl=null",
                "umid=peer",
            ]
            words += ["panic=-1", "quiet", "ipv6.disable_ipv6=1", cable]
            # HOME: there the guest keeps a folder for itself, which a killed one leaves behind.
            # A session of its own: the guest is several processes, and must be ended as a group.
            self.process = subprocess.Popen(
                [self.built.resolve() / "linux", *words],
                cwd=home,
                env={"HOME": self.home, "TMPDIR": _memory_folder(self.home), "PATH": os.defpath},
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                pass_fds=[fd],
                start_new_session=True,
            )
        status = self._until(CONTROL, READY)
        if status != bytes(4):
            raise self._failure(f"its network came up with {_errno(status)}")

    def close(self) -> None:
        """Ends the guest and removes its files. A second call does nothing."""
        if self.process is not None:
            # Asked to, it ends its own processes; one that does not listen is killed with all of
            # them.
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                self._ours.send(ETHERNET + CONTROL + bytes([POWER_OFF]))
                self.process.wait(GOODBYE_S)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
            self._ours.close()
        shutil.rmtree(self.home, ignore_errors=True)

    # Requests. Each raises PeerError when Linux refuses it.

    def restart(self, extended: bytes, pan: int, short: bytes = NO_SHORT) -> None:
        """A fresh interface with these addresses and empty security tables."""
        self.extended, self.pan, self.short = extended, pan, short
        self.ask(RESTART, extended[::-1] + struct.pack("<H", pan) + short[::-1])

    def add_key(self, key_id: KeyId, key: bytes) -> None:
        """A key for data frames."""
        self.ask(KEY, key_id.octets() + bytes([1 << DATA_FRAME]) + key)

    def add_device(
        self,
        extended: bytes,
        short: bytes = NO_SHORT,
        counter: int = 0,
        key_mode: int = COUNTER_PER_DEVICE,
    ) -> None:
        """A device that may send, and the least frame counter that it may use."""
        self.ask(
            DEVICE,
            struct.pack("<H2s8sIBB", self.pan, short[::-1], extended[::-1], counter, 0, key_mode),
        )

    def add_device_key(self, extended: bytes, key_id: KeyId, counter: int = 0) -> None:
        """A key of a device that keeps a counter for each of its keys."""
        self.ask(DEVICE_KEY, extended[::-1] + struct.pack("<I", counter) + key_id.octets())

    def allow_levels(self, *levels: int) -> None:
        """The security levels that data frames may have."""
        self.ask(LEVEL, bytes([sum(1 << level for level in levels), DATA_FRAME, 0]))

    def secure_with(self, level: int, key_id: KeyId, counter: int = 0) -> None:
        """Switches security on: what the interface sends carries this level and key, counting from
        `counter`."""
        self.ask(PARAMETERS, struct.pack(">BBI", 1, level, counter) + key_id.octets())

    def hear(self, frame: bytes) -> list[bytes]:
        """What Linux hands to a program when `frame` arrives: a list of payloads, empty if it
        refused the frame.

        A second frame follows on the same way, unsecured, which Linux lets through at any level:
        once its payload is there, that of the first one has been there or never will be.
        """
        self._markers += 1
        marker = b"marker %d" % self._markers
        fcf = struct.pack(
            "<HB", 0xCC41, self._markers & 0xFF
        )  # data, PAN compression, both addresses extended
        head = fcf + struct.pack("<H", self.pan) + self.extended[::-1] + MARKER_SOURCE[::-1]
        self._tell(AIR, frame)
        self._tell(AIR, head + marker)
        heard: list[bytes] = []
        while True:
            payload = self._until(CONTROL, RECEIVED)[11:]
            if payload == marker:
                return heard
            heard.append(payload)

    def send(
        self,
        payload: bytes,
        destination: bytes,
        *,
        source: bytes = b"",
        secured: bool = True,
        level: int | None = None,
    ) -> list[bytes]:
        """The frames that Linux sends when a program sends `payload`, from its extended address or
        `source`.

        A data frame, in clear if not `secured`, at the level of the interface or `level`. A last
        frame tells that there are no more, as in `hear`.
        """
        self._markers += 1
        marker = b"marker %d" % self._markers
        self._send(
            payload,
            destination,
            source or self.extended,
            secured,
            LEVEL_OF_INTERFACE if level is None else level,
        )
        self._send(marker, MARKER_SOURCE, self.extended, False, LEVEL_OF_INTERFACE)
        sent: list[bytes] = []
        while True:
            frame = self._until(AIR)
            if frame.endswith(marker):
                return sent
            sent.append(frame)

    def _send(
        self, payload: bytes, destination: bytes, source: bytes, secured: bool, level: int
    ) -> None:
        options = bytes([SECURITY_OF_INTERFACE if secured else SECURITY_OFF, level, 0])
        self.ask(
            SEND, options + _address(source, self.pan) + _address(destination, self.pan) + payload
        )

    def ask(self, operation: int, arguments: bytes) -> None:
        """One request of linux/agent.c."""
        self._tell(CONTROL, bytes([operation]) + arguments)
        status = self._until(CONTROL, ANSWER | operation)
        if status != bytes(4):
            raise PeerError(f"Linux refused request {operation}: {_errno(status)}")

    def _until(self, ethertype: bytes, operation: int = 0) -> bytes:
        """The content of the next frame of this kind. Frames of other kinds are kept for later
        calls."""
        queue = self._queues[ethertype, operation]
        while not queue:
            frame = self._receive()
            kind, body = frame[12:14], frame[14:]
            if kind == CONTROL:
                self._queues[kind, body[0]].append(body[1:])
            elif kind == AIR:
                self._queues[kind, 0].append(body)
        return queue.popleft()

    def _receive(self) -> bytes:
        give_up = time.monotonic() + ANSWER_S
        while time.monotonic() < give_up:
            with contextlib.suppress(TimeoutError):
                return self._ours.recv(4096)
            if self.process is None or self.process.poll() is not None:
                raise self._failure("it has ended")
        raise self._failure("it does not answer")

    def _tell(self, ethertype: bytes, body: bytes) -> None:
        try:
            self._ours.send(ETHERNET + ethertype + body)
        except OSError as error:
            raise self._failure(f"nothing can be sent to it ({error.strerror})") from None

    def _failure(self, why: str) -> PeerError:
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


def _errno(status: bytes) -> str:
    (number,) = struct.unpack("<i", status)
    return os.strerror(-number)
