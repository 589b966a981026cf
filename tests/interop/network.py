# SPDX-License-Identifier: BSD-3-Clause
"""A real Linux, a border router and a mote, and the time between them: the guest's is real, the
air's is simulated and passes while anything is on its way."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.interop.guest import PeerError
from tests.interop.linux_host import LinuxHost
from tests.interop.stack_mote import StackMote
from wardmote import _motes
from wardmote.border.air import StationAir
from wardmote.border.ethernet import OWN_LINK_ADDRESS
from wardmote.border.router import Router, Setup
from wardmote.border.run import HostSide
from wardmote.units import PS_PER_S

LINUX_LINK = "02:00:00:00:00:01"
STEP_PS = PS_PER_S // 100
LOOK_S = 0.02
PATIENCE_S = 10.0


def host_lines(setup: Setup) -> tuple[str, ...]:
    """How Linux comes to know its side: an address, and a route by way of the border router, whose
    link address it has to ask for."""
    border = f"fe80::ff:fe00:{OWN_LINK_ADDRESS[-1]:x}"
    return (
        "link set lo up",
        f"link set vec0 address {LINUX_LINK} mtu 1280 up",
        f"addr add {setup.hosts[1]}/{setup.hosts.prefixlen} dev vec0 nodad",
        f"route add {setup.motes} via {border} dev vec0",
    )


class GuestWire:
    """The guest's cable without what is not IPv6."""

    def __init__(self, guest: LinuxHost) -> None:
        self.guest = guest
        self.came: list[bytes] = []

    def fileno(self) -> int:
        """What to wait for."""
        return self.guest.cable.fileno()

    def receive(self) -> bytes | None:
        """The next frame."""
        if not self.came:
            self.came = self.guest.packets()
        return self.came.pop(0) if self.came else None

    def send(self, octets: bytes) -> bool:
        """To the guest."""
        self.guest.cable.send(octets)
        return True


class Network:
    """One border router between a guest and motes in reach of it."""

    def __init__(
        self,
        guest: LinuxHost,
        motes: list[StackMote],
        setup: Setup,
        *,
        seed: int = 1,
        loss: float = 0.0,
    ) -> None:
        self.guest, self.motes, self.setup = guest, motes, setup
        self.simulation = _motes.Simulation(seed, loss=loss)
        self.border = Router(setup, first=seed)
        self.wire = GuestWire(guest)
        self.host = HostSide(self.border, self.wire)
        self.airs = [StationAir(self.simulation, self.border, setup.channel)]
        for mote in motes:
            name = f"mote {mote.link.short:04x}"
            self.airs.append(StationAir(self.simulation, mote, setup.channel, name))

    def turn(self) -> bool:
        """Everybody does what there is to do; whether anything is on its way."""
        came = self.host.turn(time.monotonic())
        for air in self.airs:
            air.turn()
        self.host.turn(time.monotonic())
        busy = not all(air.idle for air in self.airs)
        if busy:
            stations = [air.station for air in self.airs]
            self.simulation.run_until_news(stations, self.simulation.now_ps + STEP_PS)
        return busy or came

    def until(self, done: Callable[[], bool]) -> None:
        """Lets time pass until `done`."""
        give_up = time.monotonic() + PATIENCE_S
        while not done():
            if not self.turn():
                self.guest.look(LOOK_S)
            if time.monotonic() > give_up:
                counts = {**self.border.counts, **self.border.refused}
                raise PeerError(f"nothing came; border {counts}, {self.guest.statistics()}")

    def settle(self) -> None:
        """Lets everything arrive that is on its way: the guest answers within milliseconds."""
        while self.turn() or self.guest.look(LOOK_S):
            pass
