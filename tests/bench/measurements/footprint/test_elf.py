# SPDX-License-Identifier: BSD-3-Clause
"""Sizes of an image agree with LLVM's own tool, and a file that is no image of ours is refused in
one line."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from wardmote.boards import SLOT_BOARDS
from wardmote.elf import Memory, read
from wardmote.errors import ImageError
from wardmote.measurements.footprint import modules, stack

STRATEGIES = ("none", "software", "hybrid", "hardware")
STARTS_ENGINE = {
    "cc2420_aes",
    "cc2420_decrypt",
    "cc2420_load_secured",
    "aes_block",
    "aes_ccm_begin",
}
"""Functions of the drivers that have an engine do something; an image may hold them inlined."""


def image_of(root: Path, board: str, strategy: str) -> Path:
    """A built image `slot`."""
    return root / f"build/firmware/{board}/slot-{strategy}.elf"


@pytest.mark.parametrize("board", list(SLOT_BOARDS))
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_sizes_agree_with_llvm_size(
    root: Path, oracle: Callable[[str], str], board: str, strategy: str
) -> None:
    """Flash is text and data, RAM is data and bss, to the octet."""
    path = image_of(root, board, strategy)
    done = subprocess.run(
        [oracle("llvm-size-22"), str(path)], capture_output=True, text=True, check=True
    )
    text, data, bss = (int(word) for word in done.stdout.splitlines()[1].split()[:3])
    executable = read(path.read_bytes(), path.name)
    assert executable.octets(Memory.FLASH) == text + data
    assert executable.octets(Memory.RAM) == data + bss


@pytest.mark.parametrize("board", list(SLOT_BOARDS))
def test_stack_lies_behind_the_variables(root: Path, board: str) -> None:
    """The painted RAM begins behind the last variable, and ends in the board's RAM."""
    path = image_of(root, board, "software")
    executable = read(path.read_bytes(), path.name)
    low, top = stack.bounds(executable, path.name)
    assert low == executable.addresses["__bss_end"]
    assert 1000 < top - low < SLOT_BOARDS[board].ram_octets


@pytest.mark.parametrize(
    "contents", [b"", b"no executable" * 10, b"\x7fELF\x02\x01" + bytes(60), b"\x7fELF\x01\x01"]
)
def test_no_executable_is_refused(contents: bytes) -> None:
    """Text, a 64-bit file and a stub are no images."""
    with pytest.raises(ImageError, match=r"x\.elf: no 32-bit"):
        read(contents, "x.elf")


def test_damaged_executable_is_refused(root: Path) -> None:
    """A file that ends before its headers say is reported as damaged."""
    octets = image_of(root, "telosb", "software").read_bytes()
    with pytest.raises(ImageError, match="truncated or damaged"):
        read(octets[: len(octets) // 3], "x.elf")


@pytest.mark.parametrize(
    ("source", "module"),
    [
        ("/somewhere/firmware/../stack/src/cipher/aes128_tab.c", "cipher"),
        ("stack/arch/armv7m/aes128_tab.S", "cipher"),
        ("stack/include/wardmote/aes128.h", "cipher"),
        ("stack/src/mode/ccm.c", "mode"),
        ("stack/src/link/link_security.c", "link security"),
        ("stack/include/wardmote/link_security.h", "link security"),
        ("stack/src/link/ieee802154.c", "frame format"),
        ("stack/src/link/tsch_slot.c", "tsch"),
        ("stack/src/util/xor.c", "util"),
        ("stack/src/hash/sha1.c", "hash"),
        ("stack/arch/msp430/sha1_compress.S", "hash"),
        ("stack/small/sha256_compress.c", "hash"),
        ("stack/small/ipsec_aes_ctr.c", "IPsec"),
        ("stack/src/net/ipsec_ah.c", "IPsec"),
        ("stack/src/net/ipv6.c", "network layer"),
        ("firmware/driver/cc2420/cc2420_security.c", "engine driver"),
        ("firmware/chip/cc2538/aes.c", "engine driver"),
        ("firmware/driver/cc2420/cc2420.c", "radio driver"),
        ("firmware/chip/cc2538/rf.c", "radio driver"),
        ("firmware/chip/msp430f1611/runtime/memory.c", "runtime"),
        ("firmware/image/slot/strategy_ccm.c", "strategy"),
        ("firmware/image/slot/main.c", "image"),
        ("firmware/node/msp430f1611-cc2420/port.c", "chip and board"),
        ("", "not named"),
    ],
)
def test_every_source_has_a_module(source: str, module: str) -> None:
    """Where the repository lies makes no difference."""
    assert modules.module_of(source) == module


def functions_in(symbolizer: str, path: Path) -> set[str]:
    """The functions that the code of an image was written in, inlined ones included."""
    executable = read(path.read_bytes(), path.name)
    addresses = [
        address
        for section in executable.sections
        if section.code
        for address in range(section.address, section.address + section.octets, 2)
    ]
    done = subprocess.run(
        [symbolizer, f"--obj={path}", "--functions=short"],
        input="".join(f"CODE {address:#x}\n" for address in addresses),
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines())


@pytest.mark.parametrize("board", list(SLOT_BOARDS))
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_only_hybrid_and_hardware_start_an_engine(
    root: Path, oracle: Callable[[str], str], board: str, strategy: str
) -> None:
    """The other images hold none of the functions that start one."""
    found = functions_in(oracle("llvm-symbolizer-22"), image_of(root, board, strategy))
    assert bool(found & STARTS_ENGINE) == (strategy in ("hybrid", "hardware"))


@pytest.mark.parametrize("board", list(SLOT_BOARDS))
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_modules_add_up(root: Path, board: str, strategy: str) -> None:
    """No octet is lost or counted twice, little is left without a module, and only security has a
    cipher."""
    path = image_of(root, board, strategy)
    executable = read(path.read_bytes(), path.name)
    octets = modules.split(path, executable)
    for memory in (Memory.FLASH, Memory.RAM):
        assert octets[memory].total() == executable.octets(memory)
        assert octets[memory][modules.NOT_NAMED] < 0.02 * octets[memory].total()
    have = octets[Memory.FLASH]
    assert (have["cipher"] > 500) == (strategy == "software")
    assert (have["mode"] > 500) == (strategy in ("software", "hybrid"))
