# SPDX-License-Identifier: BSD-3-Clause
"""What the security procedures of IEEE 802.15.4 take: octets of each table entry on each target,
and octets of code."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from wardmote.cpus import CPUS
from wardmote.errors import MissingError, UsageError
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import HOST, DataModel, Prototypes, read_public

SIZE = "llvm-size-22"
MODELS: Mapping[str, DataModel] = {name: cpu.model for name, cpu in CPUS.items()} | {"host": HOST}
ENTRIES = (
    ("key: descriptor", "wm_key_descriptor", "flash"),
    ("key: one way to name it", "wm_key_id_lookup", "flash"),
    ("key: one kind of frame it is for", "wm_key_usage", "flash"),
    ("key: expanded", "wm_aes128_tab_key", "RAM"),
    ("key: outgoing counter of its own", "wm_frame_counter", "RAM"),
    ("key: one device under it", "wm_key_device", "RAM"),
    ("device", "wm_device_descriptor", "flash"),
    ("device: counter (before 2015)", "wm_frame_counter", "RAM"),
    ("security level: one kind of frame", "wm_level_descriptor", "flash"),
    ("IE policy: one IE", "wm_ie_usage", "flash"),
    ("the PIB itself", "wm_security_pib", "RAM"),
)
"""Title, struct and memory of each entry. What the procedures never write may lie in flash."""
MODULES = (
    "procedures",
    "outgoing",
    "incoming",
    "lookup",
    "policy",
    "ash",
    "pib",
    "slots",
    "minimal",
)
LINE = re.compile(r"^\s*(\d+)\s+(\d+)\s+(\d+)\s.*\bsecurity_(\w+)\.o\b", re.MULTILINE)


class EntryRow(NamedTuple):
    """One kind of table entry."""

    entry: str
    record: str
    memory: str
    octets: Mapping[str, int]
    """By target."""


class CodeRow(NamedTuple):
    """One source file of the procedures."""

    module: str
    flash_octets: Mapping[str, int]
    """By target."""


class NetworkRow(NamedTuple):
    """Tables of one node among neighbours."""

    network: str
    flash_octets: Mapping[str, int]
    ram_octets: Mapping[str, int]


def sizes(prototypes: Prototypes, record: str) -> dict[str, int]:
    """Octets of a struct by target."""
    return {name: prototypes.layout(record, model).size for name, model in MODELS.items()}


def entries() -> tuple[EntryRow, ...]:
    """Every kind of entry."""
    prototypes = read_public(ROOT)
    return tuple(
        EntryRow(entry, record, memory, sizes(prototypes, record))
        for entry, record, memory in ENTRIES
    )


def networks() -> tuple[NetworkRow, ...]:
    """Three example nodes of the 2015 edition as sums of entries: expanded keys in RAM, four level
    descriptors, two ways to name a key."""
    prototypes = read_public(ROOT)
    size = {record: sizes(prototypes, record) for _, record, _ in ENTRIES}

    def node(title: str, keys: int, devices: int, under: int, *, counters: bool) -> NetworkRow:
        flash = {"wm_key_descriptor": keys, "wm_key_id_lookup": 2 * keys, "wm_key_usage": 3 * keys}
        flash |= {"wm_device_descriptor": devices, "wm_level_descriptor": 4}
        ram = {
            "wm_security_pib": 1,
            "wm_aes128_tab_key": keys,
            "wm_key_device": under if counters else 0,
        }
        return NetworkRow(
            title,
            {
                name: sum(count * size[record][name] for record, count in flash.items())
                for name in MODELS
            },
            {
                name: sum(count * size[record][name] for record, count in ram.items())
                for name in MODELS
            },
        )

    return (
        node("TSCH, two keys, no devices (RFC 8180)", 2, 0, 0, counters=False),
        node("one key, 10 neighbours with counters", 1, 10, 10, counters=True),
        node("10 neighbours, a key and counters with each", 10, 10, 10, counters=True),
    )


def code(build: Path = BUILD) -> tuple[CodeRow, ...]:
    """Counts octets of code and constants by source file, as the libraries have them."""
    found: dict[str, dict[str, int]] = {module: {} for module in MODULES}
    for target in CPUS:
        library = build / "stack" / target / "libwardmote.a"
        if not library.is_file():
            raise MissingError(f"{library}: no such file; `make stack` builds it")
        listed = subprocess.run(
            [SIZE, str(library)], check=True, capture_output=True, text=True
        ).stdout
        for text, data, _, module in LINE.findall(listed):
            if module in found:
                found[module][target] = int(text) + int(data)
    for module, octets in found.items():
        if set(octets) != set(CPUS):
            raise UsageError(
                f"security_{module}.o is missing in a library; `make stack` builds them"
            )
    return tuple(CodeRow(module, octets) for module, octets in found.items())
