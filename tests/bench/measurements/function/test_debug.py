# SPDX-License-Identifier: BSD-3-Clause
"""Prototypes of objects, archives and executables against their debug information."""

import subprocess
from pathlib import Path

import pytest

import wardmote
from wardmote.errors import UsageError
from wardmote.measurements.function.build import toolchain

SOURCE = """#include <stdint.h>
struct pair { uint16_t a, b; };
uint16_t mix(const uint8_t key[4], uint16_t *words, uint8_t n, struct pair *pair)
{
    for (uint8_t i = 0; i < n; i++)
        words[i] ^= key[i & 3];
    return (uint16_t)(pair->a + pair->b);
}
float real(float x) { return x; }
"""
CPUS = ("msp430", "avr", "armv7m", "host")
GOOD = "uint16_t mix(const uint8_t key[4], uint16_t words[2], uint8_t n, void *pair)"
WRONG = {
    "count": GOOD.replace(", uint8_t n", ""),
    "more": GOOD.replace("uint8_t n", "uint8_t n, uint8_t m"),
    "size of a number": GOOD.replace("uint8_t n", "uint32_t n"),
    "size of elements": GOOD.replace("uint16_t words[2]", "uint32_t words[2]"),
    "kind": GOOD.replace("uint8_t n", "uint8_t *n"),
    "pointer": GOOD.replace("uint16_t words[2]", "uint16_t words"),
    "result": GOOD.replace("uint16_t mix", "uint32_t mix"),
    "no result": GOOD.replace("uint16_t mix", "void mix"),
    "structure": GOOD.replace("void *pair", "uint8_t *pair"),
}
VALUES = {"n": "1", "m": "1", "pair": "random:4", "words": "random"}


def compiled(folder: Path, cpu: str, *more: str) -> Path:
    """The functions above as an object of a CPU."""
    source, output = folder / "mix.c", folder / f"mix-{cpu}.o"
    source.write_text(SOURCE)
    words = [*toolchain(cpu).compiler, "-std=c11", "-ffreestanding", "-O2", *more]
    subprocess.run([*words, "-c", str(source), "-o", str(output)], check=True)
    return output


def arguments(call: str) -> dict[str, str]:
    """Values for those parameters that the prototype has."""
    found = {
        name: value for name, value in VALUES.items() if f"{name}," in call or f"{name})" in call
    }
    if "words)" not in call and "uint16_t words," in call:
        found["words"] = "7"
    else:
        found.pop("words", None)
    if "*n" in call:
        found["n"] = "random:4"
    return found


@pytest.mark.parametrize("cpu", CPUS)
def test_right_and_wrong(tmp_path: Path, cpu: str) -> None:
    """A wrong count, kind or size is one line that says what is there."""
    file = compiled(tmp_path, cpu, "-g")
    [row] = wardmote.measure(file, GOOD, args=arguments(GOOD), runs=1, cpus=cpu)
    assert row.failure is None
    for what, call in WRONG.items():
        with pytest.raises(UsageError) as caught:
            wardmote.measure(file, call, args=arguments(call), runs=1, cpus=cpu)
        said = str(caught.value)
        assert (
            f"does not match mix-{cpu}.o: its debug information says 'uint16_t mix(const" in said
        ), what
        assert "\n" not in said


def test_floating_point_is_no_integer(tmp_path: Path) -> None:
    """A number of the same size, and yet another type."""
    with pytest.raises(UsageError, match=r"says 'float real\(float\)'"):
        wardmote.measure(
            compiled(tmp_path, "armv7m", "-g"), "uint32_t real(uint32_t x)", args=["x=1"], runs=1
        )


def test_assembly_knows_no_types(tmp_path: Path) -> None:
    """An assembler writes that there is a function, and nothing of its parameters."""
    source, file = tmp_path / "twice.S", tmp_path / "twice.o"
    source.write_text(
        ".syntax unified\n.thumb\n.text\n.global twice\n.type twice, %function\n.thumb_func\n"
        "twice:\n\tadds r0, r0, r0\n\tbx lr\n.size twice, . - twice\n"
    )
    words = [*toolchain("armv7m").compiler, "-g", "-c", str(source), "-o", str(file)]
    subprocess.run(words, check=True)
    [row] = wardmote.measure(
        file, "uint32_t twice(uint32_t x)", args=["x=21"], expect=["return=42"], runs=1,
        cpus="armv7m",
    )  # fmt: skip
    assert row.expected


def test_nothing_is_said_without_debug_information(tmp_path: Path) -> None:
    """Then the prototype is believed."""
    file = compiled(tmp_path, "msp430")
    [row] = wardmote.measure(file, WRONG["no result"], args=arguments(GOOD), runs=1, cpus="msp430")
    assert row.failure is None
