# SPDX-License-Identifier: BSD-3-Clause
"""Debian's own Linux as a process: package user-mode-linux, its kernel and modules as they are. The
one program in it is linux/host.c, which `make peers` builds.

Debian's kernel cannot start a program on a machine with AMX: its room for a thread's registers is
too small. There the kernel that `make peers` builds from Debian's source takes its place, with room
enough and everything built in."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from itertools import count
from pathlib import Path
from typing import Self
from warnings import warn

from tests.interop.guest import CONTROL, IPV6, Guest

KERNEL = Path("/usr/bin/linux.uml")
WITH_AMX = " amx_tile " in Path("/proc/cpuinfo").read_text(encoding="ascii")
KERNELS = {"made": True} if WITH_AMX else {"debian": False, "made": True}
"""The kernels that start here, and what `own` says of each."""
IP = "/usr/sbin/ip"
UDP, PING, STATISTICS = 1, 2, 3
GOT_UDP, GOT_PONG, GOT_STATISTICS = 0x41, 0x42, 0x43
ECHO_REQUEST = 128
MODULES = (
    *("lib/crc-ccitt", "net/ipv6/ipv6", "net/xfrm/xfrm_algo", "net/xfrm/xfrm_user"),
    *("net/ipv6/esp6", "net/ipv6/ah6"),
    *("crypto/cbc", "crypto/hmac", "crypto/xcbc", "crypto/ctr", "crypto/ccm", "crypto/cmac"),
    *("crypto/sha512_generic", "crypto/drbg", "crypto/seqiv", "crypto/echainiv", "crypto/authenc"),
)
"""In this order: what makes IVs takes drbg, and drbg takes hmac and sha512."""


BOOTS_MOST = 3


@dataclass
class LinuxHost(Guest):
    """The guest, from `built` (build/peers/linux); `steps` are for host.c, `lines` for `ip`
    after them."""

    built: Path
    lines: Sequence[str]
    modules: Sequence[str] = ()
    steps: Sequence[str] = ()
    own: bool = WITH_AMX
    """Start the kernel that `make peers` builds."""
    networks: Iterator[int] = field(default_factory=count, init=False)
    """Numbers the networks that it has been in: it knows the sequence numbers of each."""

    def kernel(self, home: Path) -> tuple[Path, list[str]]:
        """The kernel; the root of its files is ours, read only."""
        (home / "lines").write_text("\n".join(self.lines) + "\n")
        modules = () if self.own else (*MODULES, *self.modules)
        steps = [f"load {name}" for name in modules]
        steps.append("put /proc/sys/net/ipv6/conf/default/accept_ra 0")
        steps += [*self.steps, f"run {IP} -force -batch {home}/lines"]
        (home / "steps").write_text("\n".join(steps) + "\n")
        root = ["root=hostfs", "rootfstype=hostfs", "rootflags=/", "ro"]
        program = self.built.resolve() / "host"
        return self.built.resolve() / "linux" if self.own else KERNEL, [
            *root,
            f"init={program}",
            f"STEPS={home}/steps",
        ]

    def __enter__(self) -> Self:
        """Boots the guest, and anew if one of its steps ended with an error. Each time a warning has
        the end of its console, where the step says why. On a busy machine it was seen without its
        security associations; why is not known."""
        for _ in range(BOOTS_MOST):
            super().__enter__()
            console = (Path(self.home) / "console").read_text(errors="replace")
            if not any(line.startswith("step ") for line in console.splitlines()):
                return self
            told = self.failure("not set up")
            self.close()
            self.queues.clear()
            warn(f"{told}", stacklevel=2)
        raise told

    def packets(self) -> list[bytes]:
        """Ethernet frames with IPv6 that came since the last call."""
        while self.look(0):
            pass
        queue = self.queues[IPV6, 0]
        found = list(queue)
        queue.clear()
        return found

    def udp(self, to: IPv6Address, port: int, octets: bytes) -> None:
        """Linux sends a datagram."""
        self.tell(CONTROL, bytes([UDP]) + to.packed + struct.pack(">H", port) + octets)

    def ping(self, to: IPv6Address, octets: bytes) -> None:
        """Linux sends an echo request; its identifier and sequence number are the first four
        octets."""
        message = bytes([ECHO_REQUEST, 0, 0, 0]) + octets
        self.tell(CONTROL, bytes([PING]) + to.packed + bytes(2) + message)

    def answers(self, kind: int) -> list[tuple[IPv6Address, bytes]]:
        """What came to Linux since the last call: (source, octets), of an echo reply without its
        first four."""
        queue = self.queues[CONTROL, kind]
        found = [(IPv6Address(one[:16]), one[18:]) for one in queue]
        queue.clear()
        return [(src, octets[4:] if kind == GOT_PONG else octets) for src, octets in found]

    def has_answers(self, kind: int) -> bool:
        """Whether `answers` would give any."""
        return bool(self.queues[CONTROL, kind])

    def statistics(self) -> dict[str, int]:
        """/proc/net/xfrm_stat."""
        self.tell(CONTROL, bytes([STATISTICS]))
        text = self.until(CONTROL, GOT_STATISTICS).decode()
        return {name: int(value) for name, value in (line.split() for line in text.splitlines())}
