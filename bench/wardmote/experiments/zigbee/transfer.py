# SPDX-License-Identifier: BSD-3-Clause
"""Sends the picture from a computer over a serial line to a mote, from there over the air to another,
and over its serial line to another computer, while somebody listens who has no key."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote._motes import Simulation
from wardmote.boards import Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.zigbee import node, scene, wiring
from wardmote.experiments.zigbee.scene import Size
from wardmote.experiments.zigbee.wiring import Wiring
from wardmote.paths import firmware_image
from wardmote.units import PS_PER_S

BOOT_MS, PATIENCE_MS, DRAIN_MS = 200, 20_000, 200
HEAD, FCS, SEQUENCE_AT, CLUSTER_AT, COUNTER_AT = 25, 2, 2, 19, 24
BEGIN, DATA = 0, 1
SENDER, RECEIVER = "sender", "receiver"
LOSS = 0.1
WAYS: Mapping[str, tuple[str, str]] = {
    "in clear": ("none", "none"),
    "AES small": ("small", "small"),
    "AES tab": ("tab", "tab"),
    "CC2420's engine": ("engine", "tab"),
    **wiring.IMAGES,
}
"""How a sender encrypts, and how a receiver decrypts, by the names of their images. The engine of a
CC2420 does not decrypt."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """A picture that is sent one way."""

    board: str
    seed: int
    way: str
    chained: bool
    """CBC; otherwise ECB."""
    loss: float
    """Part of the frames and of the acks that are lost."""
    width: int
    height: int

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.way}, {'CBC' if self.chained else 'ECB'}, {100 * self.loss:g} % lost"

    @property
    def size(self) -> Size:
        """Of the picture."""
        return Size(self.width, self.height)


@dataclass(frozen=True, slots=True)
class ZigbeePictureRow:
    """A picture, as it was received and as it was overheard."""

    board: str
    seed: int
    way: str
    chained: bool
    loss: float
    width: int
    height: int
    octets: int
    equal: bool
    """What came out of the receiver's serial line is what went into the sender's."""
    seconds: float
    """From the first packet to the last ack."""
    ms_per_packet: float
    kbps: float
    packets: int
    retries: int
    """Frames that the MAC sent again."""
    resent: int
    """Packets that the application sent again."""
    repeated: int
    """Frames that the receiver's MAC had taken before."""
    duplicates: int
    """Packets that its application had taken before."""
    entropy_bits: float
    """Of an octet of the picture."""
    overheard_octets: int
    overheard_entropy_bits: float
    repeated_blocks: int
    """Of 16 octets, in the picture."""
    overheard_repeated_blocks: int
    sent_png: str
    received_png: str
    overheard_png: str
    wardmote: str
    commit: str


def cases_of(board: Board, seed: int, size: Size) -> Iterator[Transfer]:
    """Every way; with losses in software and by coprocessors; one without chaining, as a warning."""
    for way in WAYS:
        yield Transfer(board.name, seed, way, True, 0.0, *size)
    for way in ("AES tab", wiring.LINES):
        yield Transfer(board.name, seed, way, True, LOSS, *size)
    yield Transfer(board.name, seed, "AES tab", False, 0.0, *size)


def images(case: Transfer) -> Mapping[str, Path]:
    """Those of the sender and of the receiver."""
    send, receive = WAYS[case.way]
    return {
        SENDER: firmware_image(case.board, f"picture-send-{send}"),
        RECEIVER: firmware_image(case.board, f"picture-receive-{receive}"),
    }


def measure(case: Transfer, artefacts: Artefacts) -> Figures:
    """Sends the picture, and compares."""
    picture = scene.drawn(case.size)
    simulation = Simulation(seed=case.seed)
    wires = Wiring(case.board, case.way, (case.seed + 1).to_bytes(node.BLOCK, "little"))
    to, by = motes(simulation, case, wires, len(picture), artefacts)
    spy = simulation.add_station("spy")
    simulation.set_loss(by, to, case.loss)
    simulation.set_loss(to, by, case.loss)
    simulation.run_for(BOOT_MS * node.MS)
    began_ps = simulation.now_ps
    wires.begin(simulation, by, to)
    feed(simulation, by, picture, node.BAUD[case.board])
    seconds = (simulation.now_ps - began_ps) / PS_PER_S
    simulation.run_for(DRAIN_MS * node.MS)
    received = wires.taken(said(simulation, to))
    sent, taken = node.report(simulation, by), node.report(simulation, to)
    for mote in (by, to):
        if faults := simulation.misuse(mote):
            raise ImageError(f"mote {mote}: {faults[0][1]}")
    blocks = len(picture) // node.BLOCK
    return {
        "octets": len(picture),
        "equal": received == picture,
        "seconds": round(seconds, 3),
        "ms_per_packet": round(1000 * seconds / blocks, 3),
        "kbps": round(8 * len(picture) / 1000 / seconds, 2),
        "packets": taken.packets,
        "retries": sent.retries,
        "resent": sent.resent,
        "repeated": taken.repeated,
        "duplicates": taken.duplicates,
        "sent_png": scene.as_text(picture, case.size),
        "received_png": scene.as_text(received, case.size),
        **seen(
            picture,
            overheard([octets for *_, octets, right in simulation.heard(spy) if right]),
            case.size,
        ),
    }


def motes(
    simulation: Simulation, case: Transfer, wires: Wiring, octets: int, artefacts: Artefacts
) -> tuple[int, int]:
    """The receiver and the sender, with their coprocessors."""
    setups = (
        (RECEIVER, node.Setup(node.RECEIVER, case.seed, chained=case.chained, key=wires.key)),
        (
            SENDER,
            node.Setup(1, case.seed + 1, chained=case.chained, octets=octets, key=wires.key),
        ),
    )
    to, by = (node.add(simulation, case.board, artefacts[name], setup) for name, setup in setups)
    wires.fit(simulation, to, "behind")
    wires.fit(simulation, by, "before")
    return to, by


def seen(picture: bytes, heard: bytes, size: Size) -> Figures:
    """What the picture and what was overheard show to one who counts."""
    return {
        "entropy_bits": round(scene.entropy_bits(picture), 4),
        "repeated_blocks": scene.repeated_blocks(picture, node.BLOCK),
        "overheard_octets": len(heard),
        "overheard_entropy_bits": round(scene.entropy_bits(heard), 4),
        "overheard_repeated_blocks": scene.repeated_blocks(heard, node.BLOCK),
        "overheard_png": scene.as_text(heard, size),
    }


def feed(simulation: Simulation, mote: int, picture: bytes, baud: int) -> None:
    """A computer that sends what it is asked for, until all packets were acknowledged. Raises
    ImageError if it does not come to an end."""
    for at in range(0, len(picture), node.CHUNK):
        asked = at // node.CHUNK + 1
        if not node.wait(simulation, mote, node.AT_ASKED, 4, asked, PATIENCE_MS):
            raise ImageError(f"the sender has stopped: {node.report(simulation, mote)}")
        simulation.send_serial(mote, picture[at : at + node.CHUNK], baud=baud)
    if not node.wait(simulation, mote, node.AT_STATE, 1, node.DONE, PATIENCE_MS):
        raise ImageError(f"the sender did not end: {node.report(simulation, mote)}")
    heard, wanted = said(simulation, mote), bytes([node.ASK]) * -(-len(picture) // node.CHUNK)
    if heard != wanted:
        raise ImageError(f"the sender said {heard[:40].hex()} on its serial line")


def said(simulation: Simulation, mote: int) -> bytes:
    """What the computer at a mote's serial line heard."""
    return bytes(octet for _, line, octet in simulation.serial(mote) if line == 0)


def overheard(frames: Sequence[bytes]) -> bytes:
    """The data of packets in the order in which they came, each once: what one can do who knows
    where a packet has its number, and no key."""
    found, last = bytearray(), None
    for frame in frames:
        if len(frame) > HEAD + FCS and frame[CLUSTER_AT] == DATA and frame[COUNTER_AT] != last:
            last = frame[COUNTER_AT]
            found += frame[HEAD:-FCS]
    return bytes(found)
