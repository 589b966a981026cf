# SPDX-License-Identifier: BSD-3-Clause
"""A real Linux on the other side of the air: a user-mode-linux guest with IEEE 802.15.4 link
security.

`make peers` builds the kernel and the one program in it, linux/agent.c, which says how the two
talk. The guest is a process of its own without rights, whose air is a socket pair: each datagram is
a frame. Addresses here are most significant octet first, 8 octets when extended and 2 when short;
frames come without their FCS.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from tests.interop.guest import AIR, CONTROL, Guest, PeerError, errno_text

RESTART, KEY, DEVICE, DEVICE_KEY, LEVEL, PARAMETERS, SEND = range(1, 8)
ANSWER, RECEIVED = 0x80, 0x41
DATA_FRAME = 1
SECURITY_OFF, SECURITY_OF_INTERFACE = 1, 0
LEVEL_OF_INTERFACE = 0xFF
NO_SHORT = b"\xff\xff"
MARKER_SOURCE = bytes.fromhex("02000000000000fe")
COUNTER_PER_DEVICE, COUNTER_PER_KEY = 0, 1


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
class LinuxPeer(Guest):
    """The guest, from `built` (build/peers/linux). Use it in a `with`, which ends the guest
    whatever happens."""

    built: Path
    pan: int = 0
    extended: bytes = b""
    short: bytes = NO_SHORT
    _markers: int = 0

    def kernel(self, home: Path) -> tuple[Path, list[str]]:
        """The kernel that `make peers` built, with our agent as its only program."""
        (home / "initramfs").write_bytes(initramfs((self.built / "agent").read_bytes()))
        return self.built.resolve() / "linux", ["initrd=initramfs", "ipv6.disable_ipv6=1"]

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
        self.tell(AIR, frame)
        self.tell(AIR, head + marker)
        heard: list[bytes] = []
        while True:
            payload = self.until(CONTROL, RECEIVED)[11:]
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
            frame = self.until(AIR)
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
        self.tell(CONTROL, bytes([operation]) + arguments)
        status = self.until(CONTROL, ANSWER | operation)
        if status != bytes(4):
            raise PeerError(f"Linux refused request {operation}: {errno_text(status)}")
