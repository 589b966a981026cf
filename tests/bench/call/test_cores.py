# SPDX-License-Identifier: BSD-3-Clause
"""Other cores of a family: the stack's own AES there, compiled for them, and code of the family."""

import subprocess
from pathlib import Path

import pytest

from tests.stack.calls import encrypt, expand
from tests.vectors import load
from wardmote.call import CallError, EmulatedTarget
from wardmote.cpus import CPUS, MEASURED
from wardmote.errors import UsageError
from wardmote.linked import declared, linked
from wardmote.measurements.function.build import CHIPS, LANGUAGE, toolchain
from wardmote.prototypes import read_public

CORES = tuple(name for name in MEASURED if name not in CPUS)
BLOCKS = load("aes128", "block")
FORMS = ("small", "tab", "fix", "lean")


@pytest.fixture(scope="module", params=CORES)
def target(
    request: pytest.FixtureRequest, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> EmulatedTarget:
    """AES-128, compiled and linked for a core."""
    core, elf = request.param, tmp_path_factory.mktemp("core") / "aes.elf"
    tools = toolchain(core)
    sources = [
        *(root / "stack/src/cipher").glob("aes128*.c"),
        *(root / "stack/src/util").glob("*.c"),
    ]
    words = [*tools.compiler, *LANGUAGE, f"-I{root / 'stack/include'}", f"-I{root / 'stack/src'}"]
    objects = [elf.with_name(f"{source.stem}.o") for source in sources]
    for source, object_ in zip(sources, objects, strict=True):
        subprocess.run([*words, "-c", str(source), "-o", str(object_)], check=True)
    linker = [word for word in tools.linker if word != "-Wl,--gc-sections"]
    runtime = [str(path) for path in (tools.runtime or CHIPS).glob("*.c")]
    script = str(CHIPS / str(tools.chip) / "link.ld")
    link = [*linker, *tools.runtime_flags, "-O2", "-o", str(elf), *map(str, objects), *runtime]
    link += ["-Wl,-e,wm_aes128_expand", "-T", script, *tools.libraries]
    subprocess.run(link, check=True)
    return EmulatedTarget(elf, read_public(root), cpu=core)


@pytest.mark.parametrize("form", FORMS)
def test_vectors_of_aes(target: EmulatedTarget, form: str) -> None:
    """Every form of AES-128 gives every ciphertext, in the same time for every block."""
    cycles = set()
    for vector in BLOCKS:
        target.reset()
        schedule = expand(target, vector.octets("key"), form)
        got, outcome = encrypt(target, form, schedule, vector.octets("pt"))
        assert got == vector.octets("ct"), vector
        cycles.add(outcome.cycles)
    assert len(cycles) == 1
    assert target.name in CORES


def test_code_of_the_family(root: Path) -> None:
    """The archive for ARMv7-M runs on a Cortex-M4, never slower than on a Cortex-M3, and ends on a
    Cortex-M0+ with a line that names the core."""
    elf = linked("armv7m", declared("armv7m", ("aes128",)))
    cycles = {}
    for cpu in ("armv7m", "cortex-m4"):
        target = EmulatedTarget(elf, read_public(root), cpu=cpu)
        schedule = expand(target, BLOCKS[0].octets("key"), "fix")
        got, outcome = encrypt(target, "fix", schedule, BLOCKS[0].octets("pt"))
        assert got == BLOCKS[0].octets("ct")
        cycles[cpu] = outcome.cycles or 0
    assert 0 < cycles["cortex-m4"] <= cycles["armv7m"]
    target = EmulatedTarget(elf, read_public(root), cpu="cortex-m0plus")
    with pytest.raises(CallError, match="is no instruction of a cortex-m0plus"):
        expand(target, BLOCKS[0].octets("key"), "fix")


def test_a_core_of_another_family(root: Path) -> None:
    """An MSP430 has no core of ARM, and a Cortex-M0+ no band of timing."""
    elf = linked("msp430", declared("msp430", ("aes128",)))
    with pytest.raises(UsageError, match="MSP430 has one core: none can be chosen"):
        EmulatedTarget(elf, read_public(root), cpu="cortex-m4")
    elf = linked("armv7m", declared("armv7m", ("aes128",)))
    with pytest.raises(UsageError, match="cortex-m0plus has no timing band"):
        EmulatedTarget(elf, read_public(root), "low", "cortex-m0plus")
