# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote border`: a border router between motes and a host."""

import secrets
import select
import sys
import time
from dataclasses import dataclass
from ipaddress import IPv6Network
from pathlib import Path
from typing import Annotated

from wardmote import _motes
from wardmote.border import mac
from wardmote.border.air import SerialAir, StationAir
from wardmote.border.lowpan import Layout
from wardmote.border.router import HOSTS, MOTES, Router, Setup
from wardmote.border.run import HostSide
from wardmote.border.wire import KINDS, Wire, opened
from wardmote.commands.records import SEVERAL, Text, Texts, option
from wardmote.commands.register import verb
from wardmote.errors import UsageError
from wardmote.units import PS_PER_S
from wardmote.views.border import ended, live
from wardmote.views.show import show_text

LAYOUTS = {layout.name.lower(): layout for layout in Layout}
BAUD = 115_200
"""Of a serial line without a rate of its own."""
LOOK_S = 0.005
"""How long it waits for either side before time passes for emulated motes."""
LINE_S = 1.0
"""Between two lines of statistics."""
PACKETS = "tun"
"""Kind of host that takes IPv6 packets; the others take Ethernet."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What the border router stands between."""

    host: Annotated[Text, option(f"The host's side: {KINDS}.")] = None
    ipv6: Annotated[
        bool, option("Datagrams of the host are IPv6 packets, not Ethernet. tun: always.")
    ] = False
    serial: Annotated[
        Text,
        option(f"A radio behind this serial line, frames by SLIP: PATH or PATH@BAUD ({BAUD})."),
    ] = None
    mote: Annotated[
        Texts, option(f"An emulated mote instead: BOARD=IMAGE. Time is real. {SEVERAL}")
    ] = None


@dataclass(frozen=True, slots=True)
class Agreed:
    """What motes, border router and hosts have agreed on."""

    pan: Annotated[str, option("PAN identifier.")] = "0xBEEF"
    channel: Annotated[int, option("Channel of the emulated air, 11 to 26.")] = 26
    short: Annotated[str, option("Short address of the border router.")] = "0x0001"
    motes: Annotated[str, option("Prefix of the motes, context 0.")] = str(MOTES)
    hosts: Annotated[str, option("Prefix of the hosts, context 1. The router is its ::2.")] = str(
        HOSTS
    )
    layout: Annotated[
        str, option(f"How AH and ESP are compressed: {', '.join(LAYOUTS)}.", *LAYOUTS)
    ] = "paper"
    route: Annotated[
        Texts, option(f"MOTE=HOP: the next hop to a mote, by short addresses. {SEVERAL}")
    ] = None
    link_level: Annotated[
        int, option("Link security by the radio behind the serial line, 0 to 7: frames leave room.")
    ] = 0
    advertise: Annotated[bool, option("Answer router solicitations of the host.")] = False
    seconds: Annotated[float | None, option("End after so long. Default: on Ctrl-C.")] = None

    def setup(self) -> Setup:
        """As the router takes it; raises UsageError."""
        if self.layout not in LAYOUTS:
            raise UsageError(f"layout {self.layout!r}; it is {', '.join(LAYOUTS)}")
        routes = {}
        for one in self.route or ():
            mote, _, hop = one.partition("=")
            routes[number("route", mote)] = number("route", hop)
        if not 0 <= self.link_level < len(mac.SECURITY_OCTETS):
            raise UsageError(f"link level {self.link_level}; it is 0 to 7")
        return Setup(
            pan=number("pan", self.pan),
            channel=self.channel,
            short=number("short", self.short),
            motes=network("motes", self.motes),
            hosts=network("hosts", self.hosts),
            layout=LAYOUTS[self.layout],
            routes=routes,
            frame_octets=mac.MPDU_MAX - mac.SECURITY_OCTETS[self.link_level],
        )


def number(name: str, text: str) -> int:
    """A number of 16 bits."""
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value <= 0xFFFF:
        raise UsageError(f"{name} {text!r}; it is 0 to 0xFFFF")
    return value


def network(name: str, text: str) -> IPv6Network:
    """A prefix of 64 bits."""
    try:
        found = IPv6Network(text)
    except ValueError as error:
        raise UsageError(f"{name} {text!r}: {error}") from error
    if found.prefixlen != 64:
        raise UsageError(f"{name} {text!r}; a prefix has 64 bits")
    return found


def emulated(router: Router, motes: list[str]) -> StationAir:
    """The air with these motes."""
    simulation = _motes.Simulation(secrets.randbits(32))
    for place, one in enumerate(motes):
        board, _, image = one.partition("=")
        if not image:
            raise UsageError(f"mote {one!r}; it is BOARD=IMAGE")
        try:
            simulation.add_mote(board, Path(image).read_bytes(), f"mote {place + 1}")
        except (OSError, ValueError, _motes.MoteError) as error:
            raise UsageError(f"mote {one!r}: {error}") from error
    try:
        return StationAir(simulation, router, router.setup.channel)
    except ValueError as error:
        raise UsageError(str(error)) from error


def serial(router: Router, line: str) -> SerialAir:
    """The radio behind a line."""
    path, _, baud = line.partition("@")
    if baud and not baud.isdecimal():
        raise UsageError(f"serial {line!r}; it is PATH or PATH@BAUD")
    return SerialAir(path, int(baud or BAUD), router)


class Session:
    """A border router while it runs."""

    def __init__(self, router: Router, host: HostSide, air: StationAir | SerialAir) -> None:
        self.router, self.host, self.air = router, host, air
        self.began = self.told = time.monotonic()

    def turn(self, wire: Wire) -> None:
        """One look at everything."""
        now = time.monotonic()
        waits: list[Wire | SerialAir] = [wire]
        if isinstance(self.air, SerialAir):
            self.air.turn(now)
            waits += [self.air] if self.air.fileno() >= 0 else []
        else:
            passed = int((now - self.began) * PS_PER_S)
            while self.air.simulation.now_ps < passed:
                self.air.turn()
                self.air.simulation.run_until_news([self.air.station], passed)
            self.air.turn()
        self.host.turn(now)
        if now - self.told >= LINE_S:
            self.told = now
            self.tell(now)
        select.select(waits, [], [], LOOK_S)

    def tell(self, now: float) -> None:
        """A line on the terminal, again and again the same one; none in a file."""
        if sys.stderr.isatty():
            text = live(self.router.counts, self.router.refused, now - self.began)
            sys.stderr.write(f"\r{text:79}")
            sys.stderr.flush()


@verb("Frames", 95)
def border(sides: Sides, agreed: Agreed) -> int:
    """Route IPv6 between motes and a host: 6LoWPAN with compressed IPsec on one side, Ethernet or IPv6
    on the other."""
    if sides.host is None:
        raise UsageError(f"no --host; it is {KINDS}")
    if bool(sides.serial) == bool(sides.mote):
        raise UsageError("the air is either --serial or --mote")
    if sides.mote and agreed.link_level:
        raise UsageError("link security is of a radio behind --serial")
    router = Router(agreed.setup(), first=secrets.randbits(16))
    air = serial(router, sides.serial) if sides.serial else emulated(router, sides.mote or [])
    wire = opened(sides.host)
    ethernet = not (sides.ipv6 or sides.host.startswith(PACKETS))
    host = HostSide(router, wire, ethernet=ethernet, advertise=agreed.advertise)
    session = Session(router, host, air)
    try:
        while agreed.seconds is None or time.monotonic() - session.began < agreed.seconds:
            session.turn(wire)
    finally:
        show_text(ended(router.counts, router.refused))
    return 0
