# SPDX-License-Identifier: BSD-3-Clause
"""A TelosB writes its external flash by USART0 and reads it back, beside a radio on the same wires
(M25P80 data sheet; pins P4.4 and P4.7 of the Tmote Sky)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.motes.telosb import COMMON, MICROSECOND, MILLISECOND, SECOND, simulate, word
from wardmote import _motes

Build = Callable[..., Path]

# USART0 as SPI master; one access of the flash from buffer to buffer.
SPI = """
#define CSN 0x10
#define HOLD 0x80
static volatile uint8_t buffer[300];
static void spi_on(void)
{
    R8(0x1B) |= 0x0E;
    R8(0x1D) |= 0x04 | CSN | HOLD;
    R8(0x1E) |= 0x04 | CSN | HOLD;
    R8(0x70) = 0x17;
    R8(0x71) = 0xB2;
    R8(0x74) = 2;
    R8(0x75) = 0;
    R8(0x73) = 0;
    R8(0x04) |= 0x40;
    R8(0x70) &= (uint8_t)~1;
}
static void access(uint16_t length)
{
    R8(0x1D) &= (uint8_t)~CSN;
    for (uint16_t i = 0; i < length; i++) {
        R8(0x77) = buffer[i];
        while ((R8(0x02) & 0x40) == 0) {
        }
        buffer[i] = R8(0x76);
    }
    R8(0x1D) |= CSN;
}
static uint8_t ask(uint8_t code, uint8_t at)
{
    for (uint16_t i = 1; i < 10; i++)
        buffer[i] = 0;
    buffer[0] = code;
    access((uint16_t)(at + 1));
    return buffer[at];
}
__attribute__((unused)) static void settle(void)
{
    while (ask(0x05, 1) & 1) {
    }
}
"""

WRITES = (
    SPI
    + """
volatile uint16_t identity, signature, first, second, done;
int main(void)
{
    done = 0;
    spi_on();
    signature = ask(0xAB, 4);
    ask(0x9F, 3);
    identity = (uint16_t)(buffer[2] << 8 | buffer[3]);
    ask(0x06, 0);
    buffer[0] = 2;
    buffer[1] = 1;
    buffer[2] = 2;
    buffer[3] = 0;
    for (uint16_t i = 0; i < 256; i++)
        buffer[4 + i] = (uint8_t)(i ^ 0x5A);
    access(260);
    done = 1;
    settle();
    buffer[0] = 3;
    buffer[1] = 1;
    buffer[2] = 2;
    buffer[3] = 0xFE;
    access(6);
    first = (uint16_t)(buffer[4] << 8 | buffer[5]);
    done = 2;
    ask(0x06, 0);
    buffer[0] = 0xD8;
    buffer[1] = 1;
    buffer[2] = buffer[3] = 0;
    access(4);
    settle();
    done = 3;
    ask(0xB9, 0);
    __asm__ volatile("bis #240, r2");
    for (;;) {
    }
}
"""
)


def reached(simulation: _motes.Simulation, value: int) -> int:
    """When the program has come so far."""
    address = simulation.symbol(0, "done")[0]
    assert simulation.run_while(0, address, 2, value, 5 * SECOND)
    return simulation.now_ps


def test_a_program_writes_and_reads_its_flash(msp430: Build) -> None:
    """Identity, a page in 0.64 ms, a sector in 0.6 s, and the charge of each state; from deep
    power-down on there is 1 uA."""
    simulation = simulate(msp430(COMMON + WRITES))
    simulation.run_for(20 * MICROSECOND)
    written = reached(simulation, 1)
    read = reached(simulation, 2)
    assert (word(simulation, "signature"), word(simulation, "identity")) == (0x13, 0x2014)
    assert word(simulation, "first") == (0xFE ^ 0x5A) << 8 | 0xFF ^ 0x5A
    erased = reached(simulation, 3)
    assert 640 * MICROSECOND < read - written < 1500 * MICROSECOND
    assert 600 * MILLISECOND < erased - read < 603 * MILLISECOND
    simulation.run_until(2 * SECOND)
    assert simulation.misuse(0) == []
    rows = {row["state"]: row for row in simulation.meter(0) if row["device"] == "m25p80"}
    assert rows["writing"]["seconds"] == pytest.approx(0.64e-3 + 0.6)
    asleep = 2 - erased / SECOND
    assert rows["deep_power_down"]["seconds"] == pytest.approx(asleep, abs=1e-3)
    assert rows["writing"]["charge_uc"] == pytest.approx(15e3 * rows["writing"]["seconds"])


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("ask(0xD8, 3);", "without WREN"),
        ("ask(0x06, 0); ask(0xD8, 3); ask(0x03, 4);", "while a write is in progress"),
        ("ask(0xB9, 0); for (int i = 0; i < 99; i++) ask(0x05, 1);", "in deep power-down"),
        ("R8(0x1D) &= (uint8_t)~0x04; ask(0x9F, 3);", "selected at once"),
    ],
)
def test_what_the_data_sheet_forbids_is_told(msp430: Build, body: str, why: str) -> None:
    """A line for each, and the flash does nothing."""
    text = f"int main(void) {{ spi_on(); {body} for (;;) {{ }} }}"
    simulation = simulate(msp430(COMMON + SPI + text))
    simulation.run_for(5 * MILLISECOND)
    assert any(why in what for _, what in simulation.misuse(0))


def test_a_flash_that_is_held_or_not_touched(msp430: Build) -> None:
    """With HOLDn low nothing answers. Who never selects the flash has no charge of it."""
    held = "volatile uint16_t answer; int main(void) { answer = 0; spi_on(); "
    held += "R8(0x1D) &= (uint8_t)~HOLD; ask(0x9F, 3); answer = buffer[3]; for (;;) { } }"
    simulation = simulate(msp430(COMMON + SPI + held))
    simulation.run_for(5 * MILLISECOND)
    assert word(simulation, "answer") == 0xFF
    idle = simulate(msp430(COMMON + SPI + "int main(void) { spi_on(); for (;;) { } }"))
    idle.run_for(5 * MILLISECOND)
    devices = [{row["device"] for row in one.meter(0)} for one in (simulation, idle)]
    assert ["m25p80" in one for one in devices] == [True, False]
