# SPDX-License-Identifier: BSD-3-Clause
"""Targets on which the stack's functions run: one parametrisation for all of tests/stack."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from wardmote.call import Armv7mTarget, EmulatedTarget, HostTarget, Msp430Target, Target
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import read_public

HOST_LIBRARY = "WARDMOTE_HOST_LIBRARY"
"""Environment variable: another build of the host library, such as the one with sanitizers."""

EMULATED = ("msp430", "msp430-portable", "armv7m", "armv7m-portable")
TARGETS = ("host", *EMULATED)


@cache
def target_named(name: str) -> Target:
    """`msp430` is what firmware links, assembly included; `msp430-portable` is the same from C alone; so for `armv7m`.
    `armv7m-flash` has the wait states that flash may have, so that time depends on addresses."""
    prototypes = read_public(ROOT, ROOT / "stack/src/util/xor.h")
    folder = BUILD / "stack"
    if name == "host":
        library = os.environ.get(HOST_LIBRARY)
        return HostTarget(Path(library) if library else folder / "host/libwardmote.so", prototypes)
    architecture, _, kind = name.partition("-")
    elf = folder / architecture / ("stack-portable.elf" if kind == "portable" else "stack.elf")
    if architecture == "armv7m":
        return Armv7mTarget(elf, prototypes, "flash" if kind == "flash" else "high")
    return Msp430Target(elf, prototypes)


def _fresh(name: str) -> Iterator[Target]:
    target = target_named(name)
    target.reset()
    yield target
    target.reset()


@pytest.fixture(params=TARGETS)
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the stack runs, without buffers of an earlier test."""
    yield from _fresh(request.param)


@pytest.fixture(params=EMULATED)
def emulated(request: pytest.FixtureRequest) -> Iterator[EmulatedTarget]:
    """The places that count cycles and record traces."""
    for target in _fresh(request.param):
        assert isinstance(target, EmulatedTarget)
        yield target


@pytest.fixture(params=["small", "tab", "fix"])
def variant(request: pytest.FixtureRequest) -> str:
    """Every software variant of AES-128."""
    return str(request.param)
