# SPDX-License-Identifier: BSD-3-Clause
"""Targets on which the stack's functions run: one parametrisation for all of tests/stack."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from wardmote.call import (
    Arena,
    EmulatedTarget,
    HostTarget,
    Target,
)
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import read_public

HOST_LIBRARY = "WARDMOTE_HOST_LIBRARY"
"""Environment variable: another build of the host library, such as one with sanitizers; the small
one is beside."""

SANITIZED = "-sanitized"
"""In the name of that library."""

EMULATED = ("msp430", "msp430-portable", "avr", "avr-portable", "armv7m", "armv7m-portable")
TARGETS = ("host", *EMULATED)
SMALL = ("msp430-small", "avr-small", "armv7m-small")
DIFFERENT = ("host", "msp430", "avr", "armv7m")
"""Targets whose code is another in any case; `-portable` differs only where something is in
assembly."""
PRIMITIVES_EMULATED = (*EMULATED, *SMALL)
PRIMITIVES = ("host", "host-small", *PRIMITIVES_EMULATED)
"""The link layer is only in executables of the usual library."""


class WatchedTarget(HostTarget):
    """The host under AddressSanitizer, which is told where buffers end: reading on from one into
    the next is else no fault to it, for all are in one piece of memory."""

    def _place(self, arena: Arena) -> tuple[int, Callable[[], bytes], Callable[[int, bytes], None]]:
        address, load, store = super()._place(arena)
        process = ctypes.CDLL(None)
        begins = [
            0,
            *(
                at + len(octets)
                for at, (_, octets, _) in zip(arena.offsets, arena.named, strict=True)
            ),
        ]
        gaps = list(zip(begins, [*arena.offsets, len(arena.image)], strict=True))

        def watch() -> None:
            for begin, end in gaps:
                process["__asan_poison_memory_region"](
                    ctypes.c_void_p(address + begin), ctypes.c_size_t(end - begin)
                )

        def read() -> bytes:
            process["__asan_unpoison_memory_region"](
                ctypes.c_void_p(address), ctypes.c_size_t(len(arena.image))
            )
            try:
                return load()
            finally:
                watch()

        watch()
        return address, read, store


@cache
def target_named(name: str, executable: str = "stack") -> Target:
    """`msp430` is what firmware links, assembly included; `msp430-portable` is the same from C
    alone, `msp430-small` is what takes the least flash; so for others. `armv7m-flash` has the wait
    states that flash may have, so that time depends on addresses. The executable `stack` holds
    link/ and what it needs; `ciphers` and `hashes` are all of a room, `macs` message authentication
    codes and Ascon, `sponges` Ketje, `modes` the other modes, with what they need."""
    internal = (
        "util/xor.h",
        "hash/keccak_p.h",
        "hash/keccak_f1600.h",
        "hash/ascon_permutation.h",
        "hash/sha1_compress.h",
        "hash/sha256_compress.h",
        "hash/blake2s_compress.h",
    )
    prototypes = read_public(ROOT, *(ROOT / "stack/src" / header for header in internal))
    folder = BUILD / "stack"
    architecture, _, kind = name.partition("-")
    if architecture == "host":
        usual = Path(os.environ.get(HOST_LIBRARY) or folder / "host/libwardmote.so")
        path = (
            usual.with_name(usual.name.replace("libwardmote", f"libwardmote-{kind}"))
            if kind
            else usual
        )
        return (WatchedTarget if SANITIZED in path.name else HostTarget)(path, prototypes)
    elf = (
        folder
        / architecture
        / (f"{executable}-{kind}.elf" if kind in ("portable", "small") else f"{executable}.elf")
    )
    return EmulatedTarget(elf, prototypes, "flash" if kind == "flash" else None)


def _fresh(name: str, executable: str = "stack") -> Iterator[Target]:
    target = target_named(name, executable)
    target.reset()
    yield target
    target.reset()


def _emulated(name: str, executable: str = "stack") -> Iterator[EmulatedTarget]:
    for target in _fresh(name, executable):
        assert isinstance(target, EmulatedTarget)
        yield target


@pytest.fixture(params=TARGETS)
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the stack runs, without buffers of an earlier test."""
    yield from _fresh(request.param)


@pytest.fixture(params=EMULATED)
def emulated(request: pytest.FixtureRequest) -> Iterator[EmulatedTarget]:
    """The places that count cycles and record traces."""
    yield from _emulated(request.param)


@pytest.fixture
def stride(request: pytest.FixtureRequest) -> int:
    """How many generated cases a target takes: all, or one in five where `-portable` is the same
    code as without."""
    return (
        5
        if any(str(value).endswith("-portable") for value in request.node.callspec.params.values())
        else 1
    )


@pytest.fixture(params=PRIMITIVES)
def ciphers(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the stack runs, with every cipher."""
    yield from _fresh(request.param, "ciphers")


@pytest.fixture(params=PRIMITIVES_EMULATED)
def emulated_ciphers(request: pytest.FixtureRequest) -> Iterator[EmulatedTarget]:
    """The places that count cycles and record traces, with every cipher."""
    yield from _emulated(request.param, "ciphers")


@pytest.fixture(params=PRIMITIVES)
def hashes(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the stack runs, with every hash."""
    yield from _fresh(request.param, "hashes")


@pytest.fixture(params=PRIMITIVES_EMULATED)
def emulated_hashes(request: pytest.FixtureRequest) -> Iterator[EmulatedTarget]:
    """The places that count cycles and record traces, with every hash."""
    yield from _emulated(request.param, "hashes")


@pytest.fixture(params=PRIMITIVES)
def macs(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the stack runs, with every message authentication code and Ascon."""
    yield from _fresh(request.param, "macs")


@pytest.fixture(params=PRIMITIVES_EMULATED)
def emulated_macs(request: pytest.FixtureRequest) -> Iterator[EmulatedTarget]:
    """The places that count cycles and record traces, with every message authentication code and
    Ascon."""
    yield from _emulated(request.param, "macs")


@pytest.fixture(params=PRIMITIVES)
def modes(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the stack runs, with every mode."""
    yield from _fresh(request.param, "modes")


@pytest.fixture(params=PRIMITIVES_EMULATED)
def emulated_modes(request: pytest.FixtureRequest) -> Iterator[EmulatedTarget]:
    """The places that count cycles and record traces, with every mode."""
    yield from _emulated(request.param, "modes")


@pytest.fixture(params=PRIMITIVES)
def block_modes(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the stack runs, with the modes that need a block cipher both ways, and
    EAX."""
    yield from _fresh(request.param, "blockmodes")


@pytest.fixture(params=PRIMITIVES_EMULATED)
def emulated_block_modes(request: pytest.FixtureRequest) -> Iterator[EmulatedTarget]:
    """The places that count cycles and record traces, with those modes."""
    yield from _emulated(request.param, "blockmodes")


@pytest.fixture(params=PRIMITIVES)
def sponges(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the stack runs, with Ketje."""
    yield from _fresh(request.param, "sponges")


@pytest.fixture(params=PRIMITIVES_EMULATED)
def emulated_sponges(request: pytest.FixtureRequest) -> Iterator[EmulatedTarget]:
    """The places that count cycles and record traces, with Ketje."""
    yield from _emulated(request.param, "sponges")


@pytest.fixture(params=["small", "tab", "fix"])
def variant(request: pytest.FixtureRequest) -> str:
    """Every software variant of AES-128."""
    return str(request.param)
