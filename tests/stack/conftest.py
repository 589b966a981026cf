# SPDX-License-Identifier: BSD-3-Clause
"""Targets on which the stack's functions run: one parametrisation for all of tests/stack."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest

from tests.stack.foreign import EMULATORS, foreign
from tests.turn import of_this_commit
from wardmote.call import Arena, EmulatedTarget, HostTarget, Outcome, Target, Timing, TraceMode
from wardmote.cpus import CPU_NAMES
from wardmote.linked import Form, declared, linked
from wardmote.measurements.needs.stack_use import bounds
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import Function, Prototypes, public_headers, read_headers

HOST_LIBRARY = "WARDMOTE_HOST_LIBRARY"
"""Environment variable: another build of the host library, such as one with sanitizers; the small
one is beside."""

LONG, LONG_PSDU = "long", ROOT / "tests/stack/long_psdu.h"
"""Kind of the host library whose frames may be longest, and what its sources read first."""

SANITIZED = "-sanitized"
"""In the name of that library."""

EMULATED = tuple(f"{cpu}{form}" for cpu in CPU_NAMES for form in ("", "-portable", "-small"))
BIG_ENDIAN = tuple(f"{name}{form}" for name in EMULATORS for form in ("", "-small"))
"""The most significant octet first. They are slower than the host and take few of the tests."""
TARGETS = ("host", "host-small", *EMULATED, *BIG_ENDIAN)
DIFFERENT = ("host", *CPU_NAMES)
"""Targets whose code is another in any case; `-portable` differs only where something is in
assembly."""
USUAL = tuple(name for name in TARGETS if not name.endswith("-small"))
KINDS: dict[str, tuple[Form, Timing | None]] = {
    "": ("fast", None),
    "portable": ("portable", None),
    "small": ("small", None),
    "low": ("fast", "low"),
    "flash": ("fast", "flash"),
}
"""What the second word of a target's name means: form of the library, and timing."""
SAMPLED = frozenset(name for name in EMULATED if name.endswith(("-portable", "-small")))
"""Targets that take every test only in the long run, and else one in `SAMPLE`, which the commit
chooses: others with the next one."""
SAMPLE = 10
SAMPLE_BIG_ENDIAN = 20
TEMPLATES = (
    *("grain128_pairs", "trivium_words"),
    *("keccak_p_round", "keccak_p200_rounds", "keccak_p400_rounds", "ketje_wrap", "ccm_begin"),
)
"""Headers that a source completes before it includes them."""


class WatchedTarget(HostTarget):
    """The host under AddressSanitizer, which is told where buffers end. All buffers are in one
    piece of memory, so without this it would not notice a read from one into the next."""

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


class DeepTarget(EmulatedTarget):
    """An emulated CPU that keeps how many octets of stack each function took at most, and holds every
    call of every test to the bounds in stack/stack-use."""

    def __init__(self, elf: Path, known: Prototypes, timing: Timing | None) -> None:
        super().__init__(elf, known, timing)
        self.deepest: dict[str, int] = {}
        self.most: dict[str, int] = {}

    def _run(self, function: Function, values: list[int], trace: TraceMode) -> Outcome:
        outcome = super()._run(function, values, trace)
        name, octets = function.name, outcome.stack_octets or 0
        self.deepest[name] = max(self.deepest.get(name, 0), octets)
        assert octets <= self.most.get(name, octets), f"{name} took {octets} octets of stack"
        return outcome


@cache
def prototypes(before: tuple[Path, ...] = ()) -> Prototypes:
    """The public headers, the internal headers of the stack, and the headers of the doubles; all of
    them as they are behind the headers `before`."""
    found = (*ROOT.glob("stack/src/*/*.h"), *ROOT.glob("tests/stack/*/*_double.h"))
    inner = tuple(sorted(path for path in found if path.stem not in TEMPLATES))
    return read_headers((*before, *public_headers(ROOT), *inner), (ROOT / "stack/include",))


def room(name: str) -> tuple[str, ...]:
    """The headers of a room of the stack: those that a source of it is named after, and its own."""
    folder = ROOT / "stack/src" / name
    public = [path.stem for path in (ROOT / "stack/include/wardmote").glob("*.h")]
    named = [stem for stem in public if any(folder.glob(f"{stem}*.c"))]
    return tuple(sorted({*named, *(path.stem for path in folder.glob("*.h"))}))


def target_named(name: str, *headers: str) -> Target:
    """A target with what the headers declare; the host has everything. `msp430` is what firmware
    links, assembly included; `msp430-portable` is the same from C alone, `msp430-small` is what
    takes the least flash; so for others. `armv7m-flash` has the wait states that flash may have, so
    that time depends on addresses, and `armv7m-low` is the fast end of its timing band."""
    cpu, _, kind = name.partition("-")
    if cpu in EMULATORS:
        return foreign(cpu, kind, prototypes())
    return _host(kind) if cpu == "host" else _emulated(cpu, kind, headers)


@cache
def _host(kind: str) -> HostTarget:
    usual = Path(os.environ.get(HOST_LIBRARY) or BUILD / "stack/host/libwardmote.so")
    path = usual.with_name(
        usual.name.replace("libwardmote", f"libwardmote-{kind}" if kind else "libwardmote")
    )
    return (WatchedTarget if SANITIZED in path.name else HostTarget)(
        path, prototypes((LONG_PSDU,) if kind == LONG else ())
    )


@cache
def _emulated(cpu: str, kind: str, headers: tuple[str, ...]) -> DeepTarget:
    form, timing = KINDS[kind]
    elf = linked(cpu, declared(cpu, headers, form), form)
    target = DeepTarget(elf, prototypes(), timing)
    target.most = bounds(cpu, form)
    return target


def fresh(name: str, headers: tuple[str, ...]) -> Iterator[Target]:
    """A target without buffers of an earlier test; they are dropped afterwards, too."""
    target = target_named(name, *headers)
    target.reset()
    yield target
    target.reset()


@pytest.fixture(params=TARGETS)
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """Every place where the stack runs, without buffers of an earlier test, with what the headers
    declare that the module names in HEADERS."""
    yield from fresh(request.param, request.module.HEADERS)


@pytest.fixture(params=EMULATED)
def emulated(request: pytest.FixtureRequest) -> Iterator[EmulatedTarget]:
    """The places that count cycles and record traces."""
    for target in fresh(request.param, request.module.HEADERS):
        assert isinstance(target, EmulatedTarget)
        yield target


@pytest.fixture
def stride(request: pytest.FixtureRequest) -> int:
    """How many generated cases a target takes: all, or one in five where `-portable` is the same
    code as without."""
    values = request.node.callspec.params.values()
    return 5 if any(str(value).endswith("-portable") for value in values) else 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without `--long`, keeps one test in `SAMPLE` of the portable and of the small form on an
    emulated CPU: by its name and the commit, so that the choice is the same until the next one."""
    if config.getoption("long"):
        return
    commit = of_this_commit()

    def left_out(item: pytest.Item) -> bool:
        callspec = getattr(item, "callspec", None)
        values = callspec.params.values() if callspec else ()
        names = [value for value in values if isinstance(value, str)]
        turn = crc32(item.nodeid.encode(), commit)
        if any(name in BIG_ENDIAN for name in names):
            return turn % SAMPLE_BIG_ENDIAN != 0
        return any(name in SAMPLED for name in names) and turn % SAMPLE != 0

    dropped = [item for item in items if left_out(item)]
    items[:] = [item for item in items if not left_out(item)]
    config.hook.pytest_deselected(items=dropped)


@pytest.fixture(params=["lean", "small", "tab", "fix"])
def variant(request: pytest.FixtureRequest) -> str:
    """Every software variant of AES-128."""
    return str(request.param)
