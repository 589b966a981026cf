# SPDX-License-Identifier: BSD-3-Clause
"""An access outside every buffer, object and the stack is a fault with its place and its neighbour."""

from pathlib import Path

import pytest

from wardmote.measurements.function.api import measure

CPUS = ("msp430", "avr", "armv7m")
HEAD = "#include <stdint.h>\n"
WRONG = {
    "past the end of a buffer": (
        "uint8_t f(const uint8_t key[4])\n{ volatile const uint8_t *p = key; return p[4]; }",
        "reads at", "1 octet past the end of key (4 octets)",
    ),
    "before a buffer": (
        "uint8_t f(const uint8_t key[4])\n{ volatile const uint8_t *p = key; return p[-1]; }",
        "reads at", "1 octet before key (4 octets)",
    ),
    "far past a buffer": (
        "uint8_t f(const uint8_t key[4])\n{ volatile const uint8_t *p = key; return p[15]; }",
        "reads at", "12 octets past the end of key (4 octets)",
    ),
    "between two variables": (
        "static volatile uint8_t first[12] __attribute__((aligned(16)));\n"
        "static volatile uint8_t second[12] __attribute__((aligned(16)));\n"
        "uint8_t f(const uint8_t key[4])\n"
        "{ second[0] = first[0]; return *(volatile uint8_t *)((uintptr_t)second + 12 + (key[0] & 0)); }",
        "reads at", "1 octet past the end of ",
    ),
    "below the stack": (
        "uint8_t f(const uint8_t key[4])\n"
        "{ volatile uint8_t here = key[0]; return *(volatile uint8_t *)((uintptr_t)&here - 90); }",
        "reads at", "before the stack",
    ),
}  # fmt: skip


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("case", sorted(WRONG))
def test_a_stray_access_is_a_fault(tmp_path: Path, case: str, cpu: str) -> None:
    """One line names the instruction, the octet, its nearest neighbour, and the line."""
    text, does, where = WRONG[case]
    file = tmp_path / "f.c"
    file.write_text(HEAD + text + "\n", encoding="utf-8")
    with pytest.raises(Exception, match=r"PC 0x") as caught:
        measure(file, "uint8_t f(const uint8_t key[4])", cpus=cpu, runs=1)
    message = str(caught.value)
    assert does in message
    assert where in message
    assert "f.c:" in message
    assert "\n" not in message


@pytest.mark.parametrize("cpu", CPUS)
def test_all_of_every_buffer_may_be_used(tmp_path: Path, cpu: str) -> None:
    """Literals and tables without a name belong to the program too."""
    file = tmp_path / "f.c"
    file.write_text(
        HEAD + 'static const char *const words[2] = {"ab", "c"};\n'
        "static uint8_t kept[3];\n"
        "uint8_t f(const uint8_t key[4], uint8_t out[1])\n"
        "{ out[0] = (uint8_t)words[key[0] & 1][key[1] & 1]; kept[2] = key[3]; return kept[0]; }\n",
        encoding="utf-8",
    )
    (row,) = measure(file, "uint8_t f(const uint8_t key[4], uint8_t out[1])", cpus=cpu, runs=4)
    assert row.failure is None
    assert row.paths == 1
    assert row.inputs == 4
    assert row.no_dependence is None
