# SPDX-License-Identifier: BSD-3-Clause
"""What assembly and least flash are there for: cycles of the fast forms, octets of the small ones,
and that all forms agree at every length.

Bounds are what was measured, rounded up; where another's figure is to be met, it is named.
"""

from __future__ import annotations

import random

import pytest

from tests.flash import octets
from tests.stack.calls import OK
from tests.stack.conftest import target_named
from wardmote.call import EmulatedTarget
from wardmote.cpus import CPU_NAMES
from wardmote.measurements.primitives.table import PRIMITIVES

HEADERS = ("rc5", "trivium", "grain_v1", "grain128_aead")

LONG = 128
"""Octets of a long message."""

BLOCK_CYCLES = {
    ("wm_rc5", "encrypt"): (2_050, 1_917, 210),
    ("wm_rc5", "decrypt"): (2_150, 1_960, 200),
}
"""For the MSP430, the AVR and ARMv7-M. TinySec's assembly takes 0.26 ms at 7.3728 MHz, 1 917
cycles, on the AVR."""

RC5_KEY_CYCLES = (11_750, 12_900, 1_100)
"""A key of 16 octets. FELICS takes 1 300 on ARMv7-M, 26 of its 42 words."""

OCTET_CYCLES = {
    "trivium": (96, 114, 17),
    "grain_v1": (243, 300, 145),
    "grain128 a": (675, 720, 285),
    "grain128 m": (680, 728, 300),
}
"""Most for an octet of a long message, or of associated data."""

SMALL_OCTETS = {
    "rc5": (785, 920, 360),
    "trivium": (1_025, 1_005, 585),
    "grain_v1": (700, 830, 565),
    "grain128_aead": (2_375, 2_760, 1_555),
    "curupira1_96": (1_275, 1_380, 870),
    "curupira2": (1_050, 1_110, 690),
}
"""Octets of flash of the small forms."""


def target_of(cpu: str, kind: str = "") -> EmulatedTarget:
    """The ciphers of a CPU."""
    target = target_named(cpu + kind, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    target.reset()
    return target


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_cycles_of_a_block(cpu: str) -> None:
    """A block takes no more cycles than its bound."""
    target = target_of(cpu)
    key = target.pack("wm_rc5")
    assert target.call("wm_rc5_expand", key, bytes(16), 16).value == OK
    for (name, way), bounds in BLOCK_CYCLES.items():
        cycles = target.call(f"{name}_{way}", key, bytearray(8)).cycles
        assert cycles is not None
        assert 0.8 * bounds[CPU_NAMES.index(cpu)] < cycles <= bounds[CPU_NAMES.index(cpu)], (
            name,
            way,
            cycles,
        )


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_cycles_of_a_key_of_rc5(cpu: str) -> None:
    """A key takes no more cycles than its bound."""
    target = target_of(cpu)
    cycles = target.call("wm_rc5_expand", target.pack("wm_rc5"), bytes(16), 16).cycles
    bound = RC5_KEY_CYCLES[CPU_NAMES.index(cpu)]
    assert cycles is not None
    assert 0.8 * bound < cycles <= bound


def cycles_of_octets(target: EmulatedTarget) -> dict[str, float]:
    """Cycles for an octet of a long message, by cipher."""
    found = {}
    for name, iv in (("trivium", 10), ("grain_v1", 8)):
        context = target.pack(f"wm_{name}")
        target.call(f"wm_{name}_init", context, bytes(10), bytes(iv))
        found[name] = target.call(f"wm_{name}_crypt", context, bytearray(LONG), LONG).cycles
    context = target.pack("wm_grain128")
    target.call("wm_grain128_start", context, bytes(16), bytes(12), LONG, 1)
    found["grain128 a"] = target.call("wm_grain128_aad", context, bytes(LONG), LONG).cycles
    found["grain128 m"] = target.call("wm_grain128_crypt", context, bytearray(LONG), LONG).cycles
    return {name: cycles / LONG for name, cycles in found.items() if cycles is not None}


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_cycles_of_an_octet(cpu: str) -> None:
    """An octet of a long message takes no more cycles than its bound."""
    found = cycles_of_octets(target_of(cpu))
    assert found.keys() == OCTET_CYCLES.keys()
    for name, cycles in found.items():
        bound = OCTET_CYCLES[name][CPU_NAMES.index(cpu)]
        assert 0.8 * bound < cycles <= bound, (name, cycles)


@pytest.mark.parametrize("cpu", CPU_NAMES)
@pytest.mark.parametrize("name", SMALL_OCTETS)
def test_flash_of_the_small_forms(cpu: str, name: str) -> None:
    """A small form takes no more flash than its bound, nor than the fast one."""
    flash = {entry.variant: octets(cpu, entry)[0] for entry in PRIMITIVES if entry.name == name}
    assert flash.keys() == {"", "small"}
    assert 0 < flash["small"] <= SMALL_OCTETS[name][CPU_NAMES.index(cpu)], flash
    assert flash["small"] <= flash[""], flash


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_assembly_and_portable_code_agree_at_every_length(cpu: str) -> None:
    """All three forms seal random messages alike. Message and associated data have 40 octets
    together."""
    source = random.Random(cpu)
    targets = [target_of(cpu, kind) for kind in ("", "-portable", "-small")]
    for length in range(41):
        key, nonce, a, m = (source.randbytes(n) for n in (16, 12, 40 - length, length))
        sealed = set()
        for target in targets:
            text, tag = bytearray(m), bytearray(8)
            target.call("wm_grain128_seal", key, nonce, a, len(a), text, len(m), tag)
            sealed.add((bytes(text), bytes(tag)))
        assert len(sealed) == 1, length
