# SPDX-License-Identifier: BSD-3-Clause
"""Image `ipsec-border`: the radio of a border router behind a serial line. The border router is the
one of `wardmote border`; the mote behind it has image `ipsec-node`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.firmware.ipsec_mote import (
    CHANNEL,
    HOST,
    KINDS,
    MS,
    PAN,
    ROUTER,
    echo_request,
    headers,
    program,
    report,
    setup,
    short,
)
from tests.firmware.test_ipsec_node import answer, octets
from wardmote._motes import Simulation
from wardmote.boards import BOARDS
from wardmote.border import mac, packets
from wardmote.border.air import END, slip, unslip
from wardmote.border.router import Router
from wardmote.border.router import Setup as Agreed

BOARD, IMAGE, LINE = "telosb", "ipsec-border", 1
BAUD, BOOT_MS, ANSWER_MS = 115_200, 200, 400
STOPPED, RUNNING, AT_LINE = 2, 1, 6
SECURED = 0x08


class BorderMote:
    """A border router, its mote, and a mote that echoes, on one hop."""

    def __init__(
        self,
        level: int = 0,
        baud: int = BAUD,
        stores: tuple[bytes, bytes] = (b"", b""),
        begin: bytes = END,
        **other: Any,
    ) -> None:
        link: dict[str, Any] = {"link_level": level, "link_key": octets(0, 16), "neighbours": 1}
        self.simulation, self.baud = Simulation(7), baud
        own = setup(0) | link | {"address": ROUTER, "neighbour": [short(1)], "baud": baud}
        self.mote = program(self.simulation, IMAGE, own, BOARD, stores[0])
        theirs = setup(1, neighbour=[ROUTER], **link, **other)
        self.other = program(self.simulation, "ipsec-node-none", theirs, BOARD, stores[1])
        self.stranger = self.simulation.add_station(
            "stranger", channel=CHANNEL, pan=PAN, short=0x77
        )
        self.simulation.capture()
        self.run(BOOT_MS - 1)
        self.simulation.send_serial(self.mote, begin, baud=baud, line=LINE)
        self.run(1)
        room = mac.MPDU_MAX - mac.SECURITY_OCTETS[level]
        self.router = Router(Agreed(pan=PAN, channel=CHANNEL, short=ROUTER, frame_octets=room))
        self._came = b""

    def run(self, ms: int = ANSWER_MS) -> None:
        """Time passes."""
        self.simulation.run_for(ms * MS)

    def say(self, text: bytes) -> None:
        """The computer sends octets."""
        self.simulation.send_serial(self.mote, text, baud=self.baud, line=LINE)
        self.run()

    def lines(self) -> list[bytes]:
        """Frames that have come to the computer since the last call."""
        self._came += bytes(octet for _, _, octet in self.simulation.serial(self.mote))
        *frames, self._came = self._came.split(END)
        return [unslip(frame) for frame in frames if frame]

    def ask(self, packet: bytes) -> list[bytes]:
        """What the host gets for a packet."""
        self.router.from_host(packet)
        going = [one.mpdu for one in self.router.link.to_air]
        self.router.link.to_air.clear()
        self.say(b"".join(map(slip, going)))
        for frame in self.lines():
            self.router.from_air(frame, self.simulation.now_ps / 1e12)
        found = list(self.router.to_host)
        self.router.to_host.clear()
        return found

    def on_air(self) -> list[bytes]:
        """Frames of data so far, with their FCS."""
        return [mpdu for _, _, _, mpdu, _ in self.simulation.frames() if mpdu[0] & 7 == mac.DATA]

    def report(self) -> dict[str, Any]:
        """Of the line and of the air."""
        layout = headers().layout("ipsec_border_report", BOARDS[BOARD].model)
        place, _ = self.simulation.symbol(self.mote, "ipsec_border_report_block")
        line = layout.unpack(bytes(self.simulation.read(self.mote, place, layout.size)))
        return report(self.simulation, self.mote) | line


def echoed(border: BorderMote, data: bytes) -> None:
    """A datagram comes back as it went, a hop less on both ways."""
    asked = echo_request(1, data)
    [got] = border.ask(asked)
    assert got == packets.one_hop_less(answer(data))


@pytest.mark.parametrize(
    ("level", "baud"), [(0, BAUD), (0, 38_400), (1, BAUD), (5, BAUD), (7, BAUD)]
)
def test_it_is_the_radio_of_a_border_router(level: int, baud: int) -> None:
    """Datagrams of one frame and of several, with octets that SLIP escapes. Under link security every
    frame on the air is secured, and none on the line."""
    border = BorderMote(level, baud)
    for data in (bytes(9), b"\xc0\xdb\xdc\xdd" * 20, octets(0xB0, 300)):
        echoed(border, data)
    told = border.report()
    assert (told["state"], told["refused"], told["overruns"], told["unsent"]) == (RUNNING, 0, 0, 0)
    assert told["full_to_air"] == told["full_to_line"] == told["frames_refused"] == 0
    assert told["from_line"] == told["frames_out"] > 4
    assert told["to_line"] == told["frames_in"] > 4
    secured = {bool(mpdu[0] & SECURED) for mpdu in border.on_air()}
    assert secured == {bool(level)}
    assert any(octets(0xB0, 60) in mpdu for mpdu in border.on_air()) == (level < 5)


def test_both_ways_at_once() -> None:
    """While the mote reads long frames out of its radio no octet of the line is lost."""
    client: dict[str, Any] = {
        "client_ms": 60,
        "client_octets": 400,
        "client_port": 9,
        "client_to": HOST,
    }
    border = BorderMote(**client)
    frame = mac.build(1, PAN, b"\0\1", b"\xff\xff", bytes(12))
    for _ in range(3):
        border.say(slip(frame) * 100)
    told = border.report()
    assert told["overruns"] == told["refused"] == 0
    assert told["from_line"] == 300
    assert told["to_line"] == told["frames_in"] - told["repeated"] > 50
    assert told["full_to_line"] == 0


def test_link_security_refuses_at_the_border() -> None:
    """The mote's own frame again, and one in clear: nothing comes to the computer."""
    border = BorderMote(5)
    echoed(border, b"first")
    frame = next(mpdu for mpdu in border.on_air() if mpdu[5:7] == ROUTER.to_bytes(2, "little"))
    clear = mac.build(1, PAN, short(1).to_bytes(2, "big"), ROUTER.to_bytes(2, "big"), b"\x41")
    for mpdu in (frame[:-2], clear):
        border.simulation.send(border.stranger, mpdu)
        border.run(50)
    assert border.lines() == []
    assert border.report()["frames_refused"] == 2
    echoed(border, b"second")


def test_what_is_no_frame_is_refused() -> None:
    """From the line; the mote goes on behind each."""
    border = BorderMote()
    good = mac.build(1, PAN, b"\0\1", short(1).to_bytes(2, "big"), bytes(20))
    for text in (
        *(b"\x55" * 126 + END, b"\xc0\x61\x88" + b"\x55" * 500 + END),
        *(b"\xdb\x41" + good + END, good + b"\xdb" + END),
        *(slip(good[:n]) for n in (1, 2, 3, 8)),
        slip(bytes([good[0] | SECURED]) + good[1:]),
        slip(bytes([good[0] & ~7 | 2]) + good[1:]),
        slip(mac.build(1, PAN, b"\0\1", bytes(8), bytes(20))),
    ):
        before = border.report()
        border.say(text)
        after = border.report()
        assert (after["refused"], after["frames_out"]) == (before["refused"] + 1, 0), text.hex()
    border.say(END * 5)
    assert border.report() == after
    echoed(border, b"\xdb")


def test_it_begins_behind_the_first_end() -> None:
    """A mote that boots while a frame comes takes nothing of it, though what it hears is a frame of
    its own: somebody hid it in the end of another."""
    hidden = mac.build(1, PAN, b"\0\1", short(1).to_bytes(2, "big"), bytes(20))
    border = BorderMote(begin=b"")
    border.say(slip(hidden))
    told = border.report()
    assert (told["from_line"], told["refused"], told["frames_out"]) == (0, 0, 0)
    border.say(slip(hidden))
    told = border.report()
    assert (told["from_line"], told["refused"], told["frames_out"]) == (1, 0, 1)
    echoed(border, b"then")


def test_more_than_it_holds_is_dropped() -> None:
    """Frames to a mote that is not there take four transmissions each."""
    border = BorderMote()
    frames = [mac.build(n, PAN, b"\0\1", b"\0\x99", bytes(20)) for n in range(60)]
    border.say(b"".join(map(slip, frames)))
    told = border.report()
    assert told["from_line"] == 60
    assert told["full_to_air"] > 0
    border.run(1000)
    told = border.report()
    assert told["frames_out"] == told["unsent"] == 60 - told["full_to_air"]
    echoed(border, b"then")


def test_its_counters_outlive_a_power_cut() -> None:
    """The frame counter goes on, and the mote behind takes it."""
    before = BorderMote(5)
    echoed(before, b"before")
    kind, read = KINDS[BOARD], before.simulation.read
    mine, others = (
        bytes(read(mote, kind.store.at, kind.store.octets)) for mote in (before.mote, before.other)
    )
    again = BorderMote(5, stores=(mine, others))
    echoed(again, b"after")

    def first(border: BorderMote) -> int:
        sent = (mpdu for mpdu in border.on_air() if mpdu[7:9] == ROUTER.to_bytes(2, "little"))
        return int.from_bytes(next(sent)[10:14], "little")

    assert first(again) > first(before) + 1
    replayed = BorderMote(5, stores=(mine, b""))
    assert replayed.ask(echo_request(1, b"old numbers")) == []
    assert replayed.report()["frames_refused"] == 1


@pytest.mark.parametrize("baud", [0, 100, 230_400])
def test_a_line_that_cannot_be_is_told(baud: int) -> None:
    """The mote stops."""
    simulation = Simulation(1)
    program(simulation, IMAGE, setup(0) | {"address": ROUTER, "baud": baud})
    simulation.run_for(BOOT_MS * MS)
    told = report(simulation, 0)
    assert (told["state"], told["why"]) == (STOPPED, AT_LINE)
