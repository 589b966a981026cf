# SPDX-License-Identifier: BSD-3-Clause
"""Programs for a TelosB, and how tests run them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from wardmote import _motes

Build = Callable[..., Path]
MICROSECOND = 1_000_000
MILLISECOND = 1_000 * MICROSECOND
SECOND = 1_000 * MILLISECOND
TICK = SECOND / 32768

VECTORS = (
    '__attribute__((section(".vectors"), used)) void (*const vectors[16])(void) = {[15] = start};\n'
)

# Start-up and register names: what the programs below share.
COMMON = (
    """
#define R8(address) (*(volatile uint8_t *)(address))
#define R16(address) (*(volatile uint16_t *)(address))
#define P2OUT R8(0x29)
#define P2DIR R8(0x2A)
extern int main(void);
__attribute__((naked)) void start(void)
{
    __asm__ volatile("mov #0x3900, r1\\n mov #0x5A80, &0x0120\\n br #main");
}
"""
    + VECTORS
)


def simulate(
    elf: Path,
    seed: int = 1,
    *,
    ppm: float = 0.0,
    clock_hz: int = 8_000_000,
    changes: Mapping[str, float] | None = None,
) -> _motes.Simulation:
    """One TelosB with that program. `changes` are numbers of the board's record."""
    simulation = _motes.Simulation(seed)
    simulation.add_mote(
        "telosb", elf.read_bytes(), "one", ppm=ppm, clock_hz=clock_hz, changes=changes
    )
    return simulation


def word(simulation: _motes.Simulation, name: str, mote: int = 0) -> int:
    """A 16-bit variable of the program."""
    return int.from_bytes(simulation.read(mote, simulation.symbol(mote, name)[0], 2), "little")
