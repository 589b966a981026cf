# SPDX-License-Identifier: BSD-3-Clause
"""A border router with its host: a router, the host's link, and the wire to it."""

from __future__ import annotations

from wardmote.border.ethernet import Ethernet
from wardmote.border.router import Router
from wardmote.border.wire import Wire

AT_ONCE = 64
"""Datagrams in one turn: a host that never rests does not keep the router from its other side."""


class HostSide:
    """The side of the host. Without `ethernet` datagrams are IPv6 packets."""

    def __init__(
        self, router: Router, wire: Wire, *, ethernet: bool = True, advertise: bool = False
    ) -> None:
        self.router, self.wire = router, wire
        self.ethernet = Ethernet(router, advertise=advertise) if ethernet else None

    def turn(self, now_s: float) -> bool:
        """Takes what came from the host, and sends what is for it; whether anything came."""
        came, self.router.now_s = False, now_s
        for _ in range(AT_ONCE):
            octets = self.wire.receive()
            if octets is None:
                break
            came = True
            if self.ethernet:
                self.ethernet.receive(octets, now_s)
            else:
                self.router.from_host(octets)
        if self.ethernet:
            self.ethernet.turn(now_s)
        going = self.ethernet.out if self.ethernet else self.router.to_host
        while going:
            if not self.wire.send(going.popleft()):
                self.router.refused["host: not there"] += 1
        return came
