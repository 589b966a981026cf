# SPDX-License-Identifier: BSD-3-Clause
"""Flash and RAM of TinySec: an image with it less the image without it, by section and by module of
the repository, and the stack that it makes deeper."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wardmote.campaign.cases import Artefacts, Figures
from wardmote.elf import Executable, Memory, read
from wardmote.errors import ImageError
from wardmote.experiments.experiment import BoardCase
from wardmote.experiments.tinysec.network import (
    AE,
    DONE,
    PLAIN,
    RECEIVER,
    SENDER,
    Network,
    Setup,
)
from wardmote.experiments.tinysec.stacks import NONE, SKIPJACK
from wardmote.measurements.footprint.modules import split
from wardmote.measurements.footprint.stack import bounds, paint
from wardmote.paths import firmware_image
from wardmote.published import load

CIPHERS = {"skipjack": SKIPJACK, "rc5": "tinysec-rc5"}
"""Images with TinySec. Auth and AE are the same image: the mode is chosen when it runs."""
WHOLE, SECTION, MODULE = "whole", "section", "module"
PACKETS, RUN_MS = 20, 2000


@dataclass(frozen=True, slots=True)
class TinysecFootprintRow:
    """What an image with TinySec takes more than the one without: the whole, a section or a module,
    which `part` says and `name` names."""

    board: str
    cipher: str
    part: str
    name: str
    flash_octets: int
    ram_octets: int
    """Variables; of the whole image alone, the stack stands beside."""
    stack_octets: int | None
    image_flash_octets: int
    """Of the image with TinySec, all of that part."""
    image_ram_octets: int
    paper_flash_octets: int | None
    paper_ram_octets: int | None
    later_flash_octets: int | None
    """Of the paper's later version, which is 6 % slower."""
    later_ram_octets: int | None
    seed: int
    wardmote: str
    commit: str


def images(case: BoardCase) -> dict[str, Path]:
    """All of them, by their names."""
    return {name: firmware_image(case.board, name) for name in (NONE, *CIPHERS.values())}


def measure(case: BoardCase, artefacts: Artefacts) -> Figures:
    """Differences of executables, whole and in parts."""
    paths = images(case)
    found = {
        name: taken(case, paths[name], octets, AE if name != NONE else PLAIN)
        for name, octets in artefacts.items()
    }
    rows = []
    for cipher, image in CIPHERS.items():
        rows += [{"cipher": cipher, **row} for row in differences(found[image], found[NONE])]
    return {"rows": rows}


@dataclass(frozen=True, slots=True)
class Taken:
    """What one image takes: flash and RAM by part and name, and the stack."""

    octets: dict[tuple[str, str], tuple[int, int]]
    stack: int

    def of(self, part: tuple[str, str]) -> tuple[int, int]:
        """Nothing of a part that is not there."""
        return self.octets.get(part, (0, 0))


def taken(case: BoardCase, path: Path, image: bytes, mode: int) -> Taken:
    """Sizes from the executable, the stack from a run of sender and receiver."""
    executable = read(image, path.name)
    octets = {(WHOLE, ""): (executable.octets(Memory.FLASH), executable.octets(Memory.RAM))}
    for section in executable.sections:
        flash, ram = octets.get((SECTION, section.name), (0, 0))
        flash += section.octets if section.memory is not Memory.RAM else 0
        ram += section.octets if section.memory is not Memory.FLASH else 0
        octets[SECTION, section.name] = flash, ram
    modules = split(path, executable)
    for name in Counter(modules[Memory.FLASH]) | Counter(modules[Memory.RAM]):
        octets[MODULE, name] = modules[Memory.FLASH][name], modules[Memory.RAM][name]
    for part in (SECTION, MODULE):
        own = [both for (kind, _), both in octets.items() if kind == part]
        if tuple(map(sum, zip(*own, strict=True))) != octets[WHOLE, ""]:
            raise ImageError(f"{path.name}: its {part}s do not add up")
    return Taken(octets, depth(case, executable, path.name, image, mode))


def depth(case: BoardCase, executable: Executable, name: str, image: bytes, mode: int) -> int:
    """Octets of stack that were written, interrupts included, on the mote that needed more."""
    low, last = bounds(executable, name)
    pattern = paint(last + 1 - low)
    setups = [
        Setup(0, role=RECEIVER, mode=mode, seed=case.seed),
        Setup(1, role=SENDER, mode=mode, packets=PACKETS, data_octets=29, seed=case.seed),
    ]
    network = Network(case.board, image, setups, case.seed)
    for mote in range(network.motes):
        network.simulation.write(mote, low, pattern)
    network.run(RUN_MS)
    if network.state(1) != DONE or network.report(0).received != PACKETS:
        raise ImageError(f"{name}: of {PACKETS} packets the receiver has {network.report(0)}")
    return max(
        len(pattern) - untouched(network.simulation.read(mote, low, len(pattern)), pattern)
        for mote in range(network.motes)
    )


def untouched(now: bytes, pattern: bytes) -> int:
    """Octets from the lowest one on that nobody has written."""
    at = 0
    while at < len(pattern) and now[at] == pattern[at]:
        at += 1
    if at == 0:
        raise ImageError("the stack reaches the variables")
    return at


def differences(full: Taken, bare: Taken) -> Iterator[Figures]:
    """A row for the whole and for each part that is not the same, most flash first."""
    printed = load("tinysec")["footprint_bytes"]
    parts = dict.fromkeys([*full.octets, *bare.octets])
    for part in sorted(parts, key=lambda one: (ORDER[one[0]], -full.of(one)[0] + bare.of(one)[0])):
        (flash, ram), (less_flash, less_ram) = full.of(part), bare.of(part)
        whole = part[0] == WHOLE
        if flash == less_flash and ram == less_ram:
            continue
        yield {
            "part": part[0],
            "name": part[1],
            "flash_octets": flash - less_flash,
            "ram_octets": ram - less_ram,
            "stack_octets": full.stack - bare.stack if whole else None,
            "image_flash_octets": flash,
            "image_ram_octets": ram,
            "paper_flash_octets": printed["rom"] if whole else None,
            "paper_ram_octets": printed["ram"] if whole else None,
            "later_flash_octets": printed["rom_later"] if whole else None,
            "later_ram_octets": printed["ram_later"] if whole else None,
        }


ORDER = {WHOLE: 0, SECTION: 1, MODULE: 2}
