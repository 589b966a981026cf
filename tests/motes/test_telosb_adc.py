# SPDX-License-Identifier: BSD-3-Clause
"""A TelosB measures its own supply and temperature by the ADC12 (SLAU049, "ADC12"), with an
interrupt when the result is there."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.motes.telosb import COMMON, MILLISECOND, word
from wardmote import _motes

Build = Callable[..., Path]

# A sequence: half the supply and the temperature, against the reference of 2.5 V.
MEASURE = """
volatile uint16_t half, temperature, vector;
__attribute__((interrupt(7))) void measured(void)
{
    vector = R16(0x1A8);
    half = R16(0x140);
    temperature = R16(0x142);
    __asm__ volatile("bic %0, 0(r1)" : : "i"(0x10) : "memory");
}
int main(void)
{
    half = temperature = vector = 0;
    R8(0x80) = 0x10 | 11;
    R8(0x81) = 0x80 | 0x10 | 10;
    R16(0x1A0) = 0x0400 | 0x80 | 0x40 | 0x20 | 0x10;
    R16(0x1A2) = 0x0200 | 0x02;
    R16(0x1A6) = 0x0002;
    R16(0x1A0) |= 0x03;
    for (;;)
        __asm__ volatile("bis #24, r2" : : : "memory");
}
"""


@pytest.mark.parametrize("supply_v", [2.7, 3.0, 3.6])
def test_supply_and_temperature(msp430: Build, supply_v: float) -> None:
    """Half the supply, and 25 degrees, as 4095 steps of 2.5 V."""
    text = COMMON.replace("[15] = start", "[7] = measured, [15] = start")
    text = text.replace("extern int main", "extern void measured(void);\nextern int main")
    simulation = _motes.Simulation()
    simulation.add_mote("telosb", msp430(text + MEASURE).read_bytes(), "node", supply_v=supply_v)
    simulation.run_for(5 * MILLISECOND)
    assert word(simulation, "half") == int(4095 * round(supply_v / 2, 6) / 2.5)
    assert word(simulation, "temperature") == int(4095 * (0.986 + 25 * 0.00355) / 2.5)
    assert word(simulation, "vector") == 6 + 2 * 1
    assert simulation.cpu(0)["asleep"]
    assert simulation.misuse(0) == []
