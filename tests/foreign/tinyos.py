# SPDX-License-Identifier: BSD-3-Clause
"""Images of TinyOS 1.x for the Mica2, as they are, beside ours in one medium: what the one sends the
other takes, in the air and on the serial line of the base."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.model.serial_frames import frame, messages
from tests.model.tinysec_model import Message, Node, ae, auth, standard
from wardmote.call import Target
from wardmote.experiments.tinysec import network
from wardmote.experiments.tinysec.network import AE, AUTH, BASE, MS, PLAIN, SENDER, Setup
from wardmote.paths import BUILD

KEY = bytes.fromhex("b5289a4ab0cfa33a565a1b4e114802f2")
"""In the images with TinySec: of Skipjack, and of its MAC."""
BROADCAST, TYPE_DATA, GROUP = 0xFFFF, 4, 0x7D
THEIRS, OURS = 3, 5
COUNTED = 8
"""Packets that are looked at."""
END_OF_DATA = bytes.fromhex("0000000000ff")


class Beside(network.Network):
    """Motes of ours, and behind them one of theirs."""

    def __init__(self, image: str, theirs: Path, *setups: Setup) -> None:
        elf = (BUILD / f"firmware/mica2/tinysec-{image}.elf").read_bytes()
        super().__init__("mica2", elf, setups, seed=1)
        theirs_at = self.simulation.add_mote("mica2", theirs.read_bytes(), theirs.stem)
        self.simulation.set_node_id(theirs_at, THEIRS)
        self.simulation.capture()

    def sent(self, mote: int) -> list[bytes]:
        """Its packets, with what is behind them."""
        return [packet for sender, _, _, packet, _ in self.simulation.frames() if sender == mote]

    def said(self, mote: int) -> list[bytes]:
        """The messages on its serial line since the last look."""
        return messages(bytes(octet for _, _, octet in self.simulation.serial(mote)))


def _told(dst: int, data: bytes) -> bytes:
    """A message as it is on a serial line."""
    return dst.to_bytes(2, "little") + bytes([TYPE_DATA, GROUP, len(data)]) + data


def counter_with_tinysec(target: Target, path: Path) -> Iterator[bool]:
    """A mote that sends its counter in AE: each packet by the model; ours accepts each with its tag,
    and as the base says it on its line."""
    yield from _counter(path, "skipjack", AE)


def counter(target: Target, path: Path) -> Iterator[bool]:
    """The same without TinySec."""
    yield from _counter(path, "none", PLAIN)


def _counter(path: Path, image: str, mode: int) -> Iterator[bool]:
    secured = mode == AE
    accept = network.AUTHENTICATED if secured else network.ANY
    # What ours sends itself is Auth: it needs no counters, and is ready before the first packet.
    setup = Setup(OURS, mode=AUTH if secured else PLAIN, accept=accept, profile=1, key=KEY)
    node = Node(KEY, "shipped", "skipjack", THEIRS)

    def data(number: int) -> bytes:
        begin = (number + 1).to_bytes(2, "little")
        return begin + END_OF_DATA if secured else begin[:1] + THEIRS.to_bytes(2, "little")

    beside = Beside(image, path, setup).run(4000)
    sent = beside.sent(1)
    for number, packet in enumerate(sent[:COUNTED]):
        message = Message(BROADCAST, TYPE_DATA, data(number))
        made = ae(node, message, number) if secured else standard(message, GROUP)
        yield packet.startswith(made)
    report = beside.report(0)
    yield (report.refused, report.received) == (0, len(sent))
    beside = Beside(image, path, replace(setup, role=BASE)).run(4000)
    said, told = beside.said(0), [_told(BROADCAST, data(number)) for number in range(len(sent))]
    yield from (message in told for message in said[:COUNTED])
    # A base misses what is sent while it sends itself.
    yield len(said) == beside.report(0).received >= len(told) - beside.report(0).sent - 1


def _empty_auth_stops(path: Path) -> Iterator[bool]:
    """An Auth packet without data, which ours sends when the base runs, is the last that it hears;
    one with an octet is not."""
    for octets in (1, 0):
        setup = Setup(OURS, BROADCAST, role=SENDER, mode=AUTH, profile=1, key=KEY, gap=250)
        once = replace(setup, packets=2, data_octets=octets)
        beside = Beside("skipjack", path, once, replace(setup, address=OURS + 1, seed=77))
        beside.run(1000)
        heard = len(beside.said(2))
        beside.run(1000)
        yield heard > 0 and (len(beside.said(2)) > 0) == (octets > 0)


def base_with_tinysec(target: Target, path: Path) -> Iterator[bool]:
    """A base: it gives our packets to its serial line, and sends what comes on that line, which ours
    accepts with its tag. An empty Auth packet stops it."""
    yield from _base(path, "skipjack", AUTH)
    yield from _base(path, "skipjack", AE)
    yield from _empty_auth_stops(path)


def base(target: Target, path: Path) -> Iterator[bool]:
    """The same without TinySec."""
    yield from _base(path, "none", PLAIN)


def _base(path: Path, image: str, mode: int) -> Iterator[bool]:
    data = bytes(range(24))
    setup = Setup(
        *(OURS, BROADCAST), role=SENDER, mode=mode, profile=1, key=KEY, packets=COUNTED + 2, gap=200
    )
    said = Beside(image, path, setup).run(3000).said(1)
    yield from (message == _told(BROADCAST, data) for message in said[:COUNTED])
    accept = network.ANY if mode == PLAIN else network.AUTHENTICATED
    listening = Setup(OURS, mode=mode, accept=accept, profile=1, key=KEY)
    beside = Beside(image, path, listening).run(500)
    beside.simulation.send_serial(1, frame(_told(OURS, data)))
    beside.simulation.run_for(500 * MS)
    message = Message(OURS, TYPE_DATA, data)
    plain = mode == PLAIN
    made = standard(message, GROUP) if plain else auth(Node(KEY, "shipped", "skipjack"), message)
    yield [packet[: len(made)] for packet in beside.sent(1)] == [made]
    yield beside.report(0).received == 1
