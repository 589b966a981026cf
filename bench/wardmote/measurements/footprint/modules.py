# SPDX-License-Identifier: BSD-3-Clause
"""Which part of the repository each octet of an image comes from, by its debug information.

Code is looked up address by address, so that inlined code counts for the file in which it was
written. Variables and tables are found by the file that declares them, or else by the linker's map.
"""

import hashlib
import json
import posixpath
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from wardmote.answers import answer
from wardmote.elf import Executable, Memory
from wardmote.errors import ImageError, MissingError

SYMBOLIZER = "llvm-symbolizer-22"
DWARFDUMP = "llvm-dwarfdump-22"
STEP = 2
"""Code is looked up every two octets: no instruction of these CPUs is shorter."""
CHIP = "chip and board"
NOT_NAMED = "not named"
"""Constants and padding without debug information."""
MODULES = (
    (r"stack/(src/hash|small|arch/\w+(/small)?)/sha(1|256)", "hash"),
    (r"stack/arch/\w+(/small)?/(md64|move|saved|xor)", "util"),
    (r"stack/arch/\w+(/small)?/counter", "stored counters"),
    (r"stack/arch/\w+(/small)?/x?cbc_mac", "mode"),
    (r"stack/arch/\w+(/small)?/ipsec", "IPsec"),
    (r"stack/(src/cipher|arch|include/wardmote/(aes128|block128))", "cipher"),
    (r"stack/(src/mode|include/wardmote/ccm)", "mode"),
    (r"stack/(src|include/wardmote)(/link)?/link_security", "link security"),
    (r"stack/(src|include/wardmote)(/link)?/ieee802154", "frame format"),
    (r"stack/(src/store|include/wardmote/counter_store)", "stored counters"),
    (r"stack/src/link", "tsch"),
    (r"stack/(src|include/wardmote)/tinysec", "tinysec"),
    (r"stack/(src|include/wardmote)/zigbee", "zigbee"),
    (r"stack/(src/net|small|include/wardmote)/ipsec", "IPsec"),
    (r"stack/(src/net|include/wardmote/(ipv6|lowpan))", "network layer"),
    (r"stack/", "util"),
    (r"firmware/.*(security|aes|crypto|engine)[^/]*$", "engine driver"),
    (r"firmware/driver", "radio driver"),
    (r"firmware/chip/[^/]+/(rf|radio)", "radio driver"),
    (r"firmware/chip/[^/]+/runtime", "runtime"),
    (r"firmware/image/slot/strategy", "strategy"),
    (r"firmware/image/tinysec/(protect|cipher)", "packets of the image"),
    (r"firmware/image", "image"),
    (r"firmware/", CHIP),
)
LINKED = re.compile(
    r"^.*?\b(?:0x)?0*([0-9a-f]+)\s+(?:[0-9a-f]+\s+)?(?:0x)?[0-9a-f]+\s+(?:\d+\s+)?\S*/object/(\S+)\.o(?::|$)",
    re.MULTILINE,
)
"""A line of a linker's map, ld's or lld's: address, size, and the object, whose name is that of its
source."""
SOURCE = re.compile(r"(?:^|/)((?:stack|firmware)/.*)$")
VARIABLE = re.compile(r"0x0*([0-9a-f]+):\s+DW_TAG_variable\n((?:\s+DW_AT_.*\n)+)")
ATTRIBUTE = re.compile(r'DW_AT_(name|decl_file)\s+\("([^"]+)"\)')
ORIGIN = re.compile(r'DW_AT_(?:specification|abstract_origin)\s+\(0x0*([0-9a-f]+) "([^"]+)"\)')
"""What a debug entry with an address refers to: its declaration in a header, or its form before
link-time optimisation."""
PLACE = re.compile(r"DW_OP_addr 0x([0-9a-f]+)")


def module_of(source: str) -> str:
    """The module a source file belongs to."""
    found = SOURCE.search(posixpath.normpath(source))
    path = found[1] if found else source
    return next((name for pattern, name in MODULES if re.match(pattern, path)), NOT_NAMED)


def split(path: Path, executable: Executable) -> dict[Memory, Counter[str]]:
    """Octets by module, in flash and in RAM; each adds up to what the executable takes of it."""
    said = answer(
        lambda: f"modules of {hashlib.sha256(path.read_bytes()).hexdigest()}",
        lambda: json.dumps(_split(path, executable)),
    )
    return {Memory(memory): Counter(octets) for memory, octets in json.loads(said).items()}


def _split(path: Path, executable: Executable) -> dict[str, dict[str, int]]:
    octets: dict[Memory, Counter[str]] = {Memory.FLASH: Counter(), Memory.RAM: Counter()}
    files = _code_files(path, executable)
    for file in files:
        octets[Memory.FLASH][module_of(file)] += STEP
    declared = _declared_in(path)
    linked = _linked_from(path.with_suffix(".map"))
    for section in executable.sections:
        if section.code:
            odd = section.octets % STEP
            octets[Memory.FLASH][NOT_NAMED] += odd
            continue
        places = [memory for memory in octets if section.memory in (memory, Memory.BOTH)]
        rest = section.octets
        for symbol in executable.objects:
            if section.address <= symbol.address < section.address + section.octets:
                rest -= symbol.octets
                file = (
                    declared.get(symbol.address)
                    or declared.get(symbol.name)
                    or linked.get(symbol.address, "")
                )
                for memory in places:
                    octets[memory][module_of(file)] += symbol.octets
        for memory in places:
            octets[memory][NOT_NAMED] += rest
    return {memory.value: dict(found) for memory, found in octets.items()}


def _code_files(path: Path, executable: Executable) -> list[str]:
    """Finds the source file of every two octets of code."""
    addresses = [
        address
        for section in executable.sections
        if section.code
        for address in range(section.address, section.address + section.octets - STEP + 1, STEP)
    ]
    words = [_tool(SYMBOLIZER), f"--obj={path}", "--output-style=JSON"]
    text = _run(words, "".join(f"CODE {address:#x}\n" for address in addresses))
    files = []
    for line in text.splitlines():
        files.append(
            _written_in([frame["FileName"] for frame in json.loads(line).get("Symbol", [])])
        )
    if len(files) != len(addresses):
        raise ImageError(
            f"{path.name}: {SYMBOLIZER} answers {len(files)} of {len(addresses)} questions"
        )
    return files


def _written_in(files: Sequence[str]) -> str:
    """Picks the file that octets of inlined code count for, given the files from the innermost
    function outwards. It is the innermost one, except that access to registers and wires in a
    chip's headers counts for its caller."""
    asking = (file for file in files if not (file.endswith(".h") and module_of(file) == CHIP))
    return next(asking, files[0] if files else "")


def _declared_in(path: Path) -> dict[str | int, str]:
    """Finds the file that defines each variable with an address of its own: by that address, or by
    name if the debug information keeps addresses in a table."""
    text = _run([_tool(DWARFDUMP), "--debug-info", str(path)], "")
    entries = dict(VARIABLE.findall(text))
    declared: dict[str | int, str] = {}
    for block in entries.values():
        if "DW_OP_addr" not in block:
            continue
        name, file = _definition(block, entries)
        declared.setdefault(name, file)
        if place := PLACE.search(block):
            declared[int(place[1], 16)] = file
    return declared


def _definition(block: str, entries: dict[str, str]) -> tuple[str, str]:
    """Finds name and file of a variable. If its own entry lacks one, the entry that it refers to
    has it."""
    attributes = dict(ATTRIBUTE.findall(block))
    name, file = attributes.get("name", ""), attributes.get("decl_file", "")
    origin = ORIGIN.search(block)
    if origin and not (name and file):
        file = file or _definition(entries.get(origin[1], ""), entries)[1]
        name = name or origin[2]
    return name, file


def _linked_from(path: Path) -> dict[int, str]:
    """Finds the source whose object's section begins at each address. This covers what assembly
    defines, which debug information does not declare."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return {int(address, 16): source for address, source in LINKED.findall(text)}


def _tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise MissingError(f"{name} is not installed: `make setup` installs it")
    return found


def _run(words: list[str], text: str) -> str:
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ImageError(f"{words[0]}: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout
