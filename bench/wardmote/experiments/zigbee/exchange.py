# SPDX-License-Identifier: BSD-3-Clause
"""A sender with data of its own and a receiver, packet by packet: how long each of both computes,
sends and listens."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean

from wardmote._motes import Simulation
from wardmote.boards import Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.sending import ACTIVE, CPU, Stretch, cut, stretches
from wardmote.experiments.zigbee import node
from wardmote.experiments.zigbee.transfer import BOOT_MS, RECEIVER, SENDER
from wardmote.paths import firmware_image

RADIO, SENDING = "cc2420", "tx_"
CRYPT, PACKET = (0, 0), (0, 1)
"""Ports and bits of the LEDs that tell the phases."""
PACKETS, SETTLED = 24, 2
REST_TICKS = 200
"""Between packets, so that the end of one and the begin of the next are told apart."""
PACKET_MS = 30
WAYS: Mapping[str, tuple[str, str]] = {
    "in clear": ("none", "none"),
    "AES fix": ("fix", "small"),
    "AES small": ("small", "small"),
    "AES tab": ("tab", "tab"),
    "CC2420's engine": ("engine", "tab"),
}
"""Images by how they encrypt and decrypt. `fix` and the engine only encrypt."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Packets one way."""

    board: str
    seed: int
    way: str

    @property
    def label(self) -> str:
        """How messages name it."""
        return self.way


def cases(board: Board, seed: int) -> list[Exchange]:
    """Every way."""
    return [Exchange(board.name, seed, way) for way in WAYS]


def images(case: Exchange) -> Mapping[str, Path]:
    """Those of the sender and of the receiver."""
    send, receive = WAYS[case.way]
    return {
        SENDER: firmware_image(case.board, f"picture-send-{send}"),
        RECEIVER: firmware_image(case.board, f"picture-receive-{receive}"),
    }


def measure(case: Exchange, artefacts: Artefacts) -> Figures:
    """Means over packets, in milliseconds."""
    simulation = Simulation(seed=case.seed)
    to = node.add(
        simulation, case.board, artefacts[RECEIVER], node.Setup(0, case.seed, source=node.OWN)
    )
    setup = node.Setup(1, case.seed + 1, REST_TICKS, source=node.OWN, octets=PACKETS * node.BLOCK)
    by = node.add(simulation, case.board, artefacts[SENDER], setup)
    for mote in (to, by):
        simulation.states(mote)
    simulation.run_for((BOOT_MS + PACKETS * PACKET_MS) * node.MS)
    if (
        node.report(simulation, by).state != node.DONE
        or node.report(simulation, to).packets != PACKETS
    ):
        raise ImageError(f"{case.way}: {node.report(simulation, by)}")
    sender, receiver = (stretches(simulation.states(mote)) for mote in (by, to))
    marks = {mote: simulation.marks(mote) for mote in (by, to)}
    packets = list(lit(marks[by], PACKET))[-PACKETS:]
    crypts = {mote: list(lit(marks[mote], CRYPT))[-PACKETS:] for mote in (by, to)}
    each = [
        one(sender, receiver, *spans)
        for spans in list(
            zip(packets, crypts[by], crypts[to], (begin for begin, _ in packets[1:]), strict=False)
        )[SETTLED:]
    ]
    return {name: round(fmean(found[name] for found in each), 4) for name in each[0]}


Span = tuple[int, int]


def lit(marks: Sequence[tuple[int, int, bool, int, int]], led: Span) -> Iterator[Span]:
    """When an LED is on: while its pin is low."""
    edges = [(level, ps) for port, bit, level, _, ps in marks if (port, bit) == led]
    for (low, begin), (high, end) in pairwise(edges):
        if not low and high:
            yield begin, end


def one(
    sender: Sequence[Stretch],
    receiver: Sequence[Stretch],
    packet: Span,
    encrypts: Span,
    decrypts: Span,
    until: int,
) -> dict[str, float]:
    """A packet from its begin to the begin of the next one."""
    own, other = cut(sender, packet[0], until), cut(receiver, packet[0], until)
    crypt_ms, decrypt_ms = ((end - begin) / node.MS for begin, end in (encrypts, decrypts))
    return {
        "crypt_ms": crypt_ms,
        "stack_ms": in_state(own, CPU, ACTIVE) - crypt_ms,
        "send_ms": in_state(own, RADIO, SENDING),
        "packet_ms": (packet[1] - packet[0]) / node.MS,
        "decrypt_ms": decrypt_ms,
        "receive_stack_ms": in_state(other, CPU, ACTIVE) - decrypt_ms,
        "ack_ms": in_state(other, RADIO, SENDING),
    }


def in_state(found: Sequence[Stretch], device: str, state: str) -> float:
    """How long a device is in states whose names begin so."""
    return (
        sum(
            one.end_ps - one.begin_ps
            for one in found
            if any(name == device and has.startswith(state) for name, has in one.states)
        )
        / node.MS
    )
