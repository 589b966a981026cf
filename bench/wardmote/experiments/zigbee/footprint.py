# SPDX-License-Identifier: BSD-3-Clause
"""Flash, RAM and stack of motes that only encrypt and of motes that only decrypt, beside those of
motes that do neither."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wardmote._motes import Simulation
from wardmote.boards import BOARDS, Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.elf import Executable, Memory, read
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.footprint import untouched
from wardmote.experiments.zigbee import node, wiring
from wardmote.experiments.zigbee.exchange import PACKET_MS, WAYS
from wardmote.experiments.zigbee.transfer import BOOT_MS, RECEIVER, SENDER, feed
from wardmote.experiments.zigbee.wiring import Wiring
from wardmote.measurements.footprint.stack import bounds, paint
from wardmote.paths import firmware_image

PACKETS = 20
NONE = "none"
ROLES = {SENDER: "encrypts", RECEIVER: "decrypts"}
PARTNERS = {
    (role, own): other
    for send, receive in (*WAYS.values(), *wiring.IMAGES.values())
    for role, own, other in ((SENDER, send, receive), (RECEIVER, receive, send))
}
"""For each image one that understands it."""
TITLES = {NONE: "in clear", "engine": "CC2420's engine"} | {
    image: way for way, (image, _) in wiring.IMAGES.items()
}


@dataclass(frozen=True, slots=True)
class Build:
    """An image."""

    board: str
    seed: int
    role: str
    way: str
    """As in the name of the image."""

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"picture-{'send' if self.role == SENDER else 'receive'}-{self.way}"


@dataclass(frozen=True, slots=True)
class ZigbeeFootprintRow:
    """An image, and how much more it takes than the one that sends or takes packets in clear."""

    board: str
    seed: int
    role: str
    """`encrypts` or `decrypts`."""
    way: str
    image: str
    flash_octets: int
    ram_octets: int
    """Variables."""
    stack_octets: int
    """Written in a run, interrupts included."""
    more_flash_octets: int
    more_ram_octets: int
    more_stack_octets: int
    flash_part: float
    """Of the chip's flash."""
    ram_part: float
    """Variables and stack, of the chip's RAM."""
    wardmote: str
    commit: str


def cases(board: Board, seed: int) -> list[Build]:
    """All images, those that encrypt first."""
    return [
        Build(board.name, seed, role, way)
        for role in ROLES
        for way in dict.fromkeys(own for of, own in PARTNERS if of == role)
    ]


def images(case: Build) -> Mapping[str, Path]:
    """It, and its partner."""
    ways = {case.role: case.way}
    [other] = [role for role in ROLES if role != case.role]
    ways[other] = PARTNERS[case.role, case.way]
    return {
        SENDER: firmware_image(case.board, f"picture-send-{ways[SENDER]}"),
        RECEIVER: firmware_image(case.board, f"picture-receive-{ways[RECEIVER]}"),
    }


def measure(case: Build, artefacts: Artefacts) -> Figures:
    """Sizes from the executable, the stack from a run."""
    executable = read(artefacts[case.role], case.label)
    return {
        "image": case.label,
        "flash_octets": executable.octets(Memory.FLASH),
        "ram_octets": executable.octets(Memory.RAM),
        "stack_octets": depth(case, executable, artefacts),
    }


def depth(case: Build, executable: Executable, artefacts: Artefacts) -> int:
    """Octets of stack that were written while packets came over."""
    low, last = bounds(executable, case.label)
    pattern = paint(last + 1 - low)
    simulation = Simulation(seed=case.seed)
    octets = PACKETS * node.BLOCK
    wires = Wiring(case.board, TITLES.get(case.way, case.way), bytes(node.BLOCK))
    source = node.SERIAL if wires.lines else node.OWN
    setups = {
        RECEIVER: node.Setup(node.RECEIVER, case.seed, source=source, key=wires.key),
        SENDER: node.Setup(1, case.seed + 1, source=source, octets=octets, key=wires.key),
    }
    motes = {
        role: node.add(simulation, case.board, artefacts[role], setup)
        for role, setup in setups.items()
    }
    wires.fit(simulation, motes[RECEIVER], "behind")
    wires.fit(simulation, motes[SENDER], "before")
    simulation.write(motes[case.role], low, pattern)
    if wires.lines:
        simulation.run_for(BOOT_MS * node.MS)
        wires.begin(simulation, motes[SENDER], motes[RECEIVER])
        feed(simulation, motes[SENDER], bytes(octets), node.BAUD[case.board])
    simulation.run_for((BOOT_MS + PACKETS * PACKET_MS) * node.MS)
    if node.report(simulation, motes[RECEIVER]).packets != PACKETS:
        raise ImageError(f"{case.label}: {node.report(simulation, motes[RECEIVER])}")
    now = simulation.read(motes[case.role], low, len(pattern))
    return len(pattern) - untouched(now, pattern)


def gathered(values: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Each beside the one in clear."""
    for one in values:
        [bare] = [
            other
            for other in values
            if all(other[name] == one[name] for name in ("board", "role")) and other["way"] == NONE
        ]
        board = BOARDS[one["board"]]
        used = one["ram_octets"] + one["stack_octets"]
        yield {
            **one,
            "role": ROLES[one["role"]],
            "way": TITLES.get(one["way"], f"AES {one['way']}"),
            **{
                f"more_{name}": one[name] - bare[name]
                for name in ("flash_octets", "ram_octets", "stack_octets")
            },
            "flash_part": round(one["flash_octets"] / board.flash_octets, 4),
            "ram_part": round(used / board.ram_octets, 4),
        }
