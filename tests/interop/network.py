# SPDX-License-Identifier: BSD-3-Clause
"""A real Linux, a border router and a mote, and the time between them: the guest's is real, the
air's is simulated and passes while anything is on its way."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from ipaddress import IPv6Address
from itertools import count

from tests.interop.guest import AIR, PeerError
from tests.interop.linux_host import IP, LinuxHost
from tests.interop.stack_mote import StackMote
from wardmote import _motes
from wardmote.border.air import Node, StationAir
from wardmote.border.ethernet import OWN_LINK_ADDRESS
from wardmote.border.link import LowpanLink, ToAir
from wardmote.border.lowpan import Layout, Lowpan
from wardmote.border.mac import EVERYBODY, MPDU_MAX
from wardmote.border.router import Router, Setup
from wardmote.border.run import HostSide
from wardmote.units import PS_PER_S

LINUX_LINK = "02:00:00:00:00:01"
LINUX_EXTENDED = bytes.fromhex("0200000000000001")
STEP_PS = PS_PER_S // 100
WORK_PS = PS_PER_S // 10
"""A mote computes for less than this between two frames."""
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


def radio_modules() -> tuple[str, ...]:
    """What a 6LoWPAN host is made of."""
    return (
        *("net/ieee802154/ieee802154", "net/ieee802154/ieee802154_socket"),
        *("net/mac802154/mac802154", "drivers/net/ieee802154/fakelb"),
        *(f"net/6lowpan/{name}" for name in ("6lowpan", "nhc_udp", "nhc_hop", "nhc_dest")),
        *(f"net/6lowpan/nhc_{name}" for name in ("fragment", "ipv6", "routing", "mobility")),
        "net/ieee802154/6lowpan/ieee802154_6lowpan",
    )


def radio_lines(setup: Setup, motes: Mapping[IPv6Address, bytes]) -> tuple[str, ...]:
    """How Linux comes to know its side when that is the air: the motes' extended addresses."""
    return (
        "link set lo up",
        f"link set vec0 address {LINUX_LINK} up",
        f"addr add {setup.hosts[1]}/{setup.hosts.prefixlen} dev lowpan0 nodad",
        f"route add {setup.motes} dev lowpan0",
        *(
            f"neigh add {address} lladdr {extended.hex(':')} dev lowpan0 nud permanent"
            for address, extended in motes.items()
        ),
    )


def radio_steps(setup: Setup) -> tuple[str, ...]:
    """The first radio of fakelb is Linux's, the second one our aerial."""
    run = f"run {IP}"
    return (
        "run /usr/bin/iwpan dev wpan1 del",
        "run /usr/bin/iwpan phy phy1 interface add mon0 type monitor",
        f"{run} link set mon0 up",
        f"{run} link set wpan0 address {LINUX_EXTENDED.hex(':')}",
        f"run /usr/bin/iwpan dev wpan0 set pan_id {setup.pan:#x}",
        f"run /usr/bin/iwpan dev wpan0 set short_addr {setup.short:#x}",
        f"{run} link add link wpan0 name lowpan0 type lowpan",
        f"{run} link set wpan0 up",
        f"{run} link set lowpan0 up",
        "aerial mon0",
    )


class GuestWire:
    """The guest's cable without what is not IPv6."""

    def __init__(self, guest: LinuxHost) -> None:
        self.guest = guest
        self.came: list[bytes] = []
        self.held: list[bytes] | None = None
        """If it is a list, what is for the guest goes there."""

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
        if self.held is not None:
            self.held.append(octets)
            return True
        self.guest.cable.send(octets)
        return True


class Network(ABC):
    """A guest on one side of the air, and motes in reach of it on the other."""

    def __init__(
        self,
        guest: LinuxHost,
        motes: list[StackMote],
        setup: Setup,
        near: Node,
        simulation: _motes.Simulation,
    ) -> None:
        """`near` is what stands for Linux on the air."""
        self.guest, self.motes, self.setup = guest, motes, setup
        self.simulation = simulation
        self.airs = [StationAir(self.simulation, near, setup.channel)]
        for mote in motes:
            name = f"mote {mote.link.short:04x}"
            self.airs.append(StationAir(self.simulation, mote, setup.channel, name))

    @abstractmethod
    def guest_turn(self) -> bool:
        """What the guest sent goes on, and what is for it; whether it sent anything."""

    def turn(self) -> bool:
        """Everybody does what there is to do; whether anything is on its way."""
        came = self.guest_turn()
        for air in self.airs:
            air.turn()
        came |= self.guest_turn()
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
                links = [dict(air.node.link.counts + air.node.link.refused) for air in self.airs]
                raise PeerError(f"nothing came; {links}, {self.guest.statistics()}")

    def settle(self) -> None:
        """Lets everything arrive that is on its way. The guest takes what comes in order, so it has
        taken it all when it answers; its programs have told of it when it answers again."""
        busy = True
        while busy:
            while self.turn():
                pass
            for _ in range(2):
                self.guest.statistics()
            busy = self.turn()


class BorderNetwork(Network):
    """A border router is near the guest, which is an ordinary host."""

    def __init__(
        self, guest: LinuxHost, motes: list[StackMote], setup: Setup, seed: int = 1
    ) -> None:
        self.border, self.wire = Router(setup, first=seed), GuestWire(guest)
        self.host = HostSide(self.border, self.wire)
        super().__init__(guest, motes, setup, self.border, _motes.Simulation(seed))

    def guest_turn(self) -> bool:
        """By Ethernet."""
        return self.host.turn(time.monotonic())


class EmulatedNetwork(BorderNetwork):
    """The motes are emulated, with their programs; they are in the simulation already."""

    def __init__(self, guest: LinuxHost, setup: Setup, simulation: _motes.Simulation) -> None:
        self.border, self.wire = Router(setup), GuestWire(guest)
        self.host = HostSide(self.border, self.wire)
        Network.__init__(self, guest, [], setup, self.border, simulation)

    def turn(self) -> bool:
        """As of every network; and motes may be at work that nobody hears of."""
        busy = super().turn()
        station = self.airs[0].station
        return self.simulation.run_until_news([station], self.simulation.now_ps + WORK_PS) or busy


class Repeater:
    """What Linux's own 6LoWPAN sends and hears: its frames, as they are."""

    def __init__(self, guest: LinuxHost, setup: Setup) -> None:
        self.guest = guest
        none = Lowpan((), Layout.NONE)
        self.numbers = count()
        self.link = LowpanLink(none, setup.pan, setup.short, MPDU_MAX, extended=LINUX_EXTENDED)

    def repeat(self, mpdu: bytes) -> None:
        """A frame of Linux. Nobody on the air is in its groups, and on a short air what it says to
        them, again and again at its start, would be in the way."""
        if mpdu[5:7] != EVERYBODY:
            self.link.to_air.append(ToAir(mpdu, next(self.numbers)))

    def from_air(self, mpdu: bytes, now_s: float) -> None:
        """A frame for Linux."""
        del now_s
        self.guest.tell(AIR, mpdu)


class RadioNetwork(Network):
    """Linux is a 6LoWPAN host on the air, by its fakelb radio."""

    def __init__(
        self, guest: LinuxHost, motes: list[StackMote], setup: Setup, seed: int = 1
    ) -> None:
        self.repeater = Repeater(guest, setup)
        super().__init__(guest, motes, setup, self.repeater, _motes.Simulation(seed))

    def guest_turn(self) -> bool:
        """By frames of the air."""
        while self.guest.look(0):
            pass
        queue = self.guest.queues[AIR, 0]
        came = bool(queue)
        while queue:
            self.repeater.repeat(queue.popleft())
        return came
