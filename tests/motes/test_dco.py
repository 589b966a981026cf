# SPDX-License-Identifier: BSD-3-Clause
"""The DCO of a TelosB has the chip's steps and its noise: calibrations of any kind come to an end,
and ours is right on every part."""

from pathlib import Path

import pytest

from tests.firmware.test_slot_image import LONG_SLOT, TELOSB, Node
from tests.motes.telosb import COMMON, SECOND, Build, simulate, word
from wardmote._motes import Simulation
from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot import block
from wardmote.measurements.slot.block import ROOT_MOTE

WAITS_FOR_EQUALITY = (
    COMMON
    + """
volatile uint16_t turns, done;
int main(void)
{
    uint16_t before = 0;
    turns = done = 0;
    R8(0x57) = 0xB4; /* BCSCTL1: ACLK / 8, RSEL 4 */
    R16(0x166) = 0x5100; /* TACCTL2: captures rising edges of ACLK */
    R16(0x160) = 0x224; /* TACTL: SMCLK, continuous, clear */
    for (;; turns++) {
        while (!(R16(0x166) & 1))
            ;
        R16(0x166) &= (uint16_t)~1;
        uint16_t now = R16(0x176);
        uint16_t count = now - before;
        before = now;
        if (count == 952) /* 3.9 MHz */
            break;
        if (count > 952) {
            if (R8(0x56)-- == 0)
                R8(0x57)--;
        } else if (++R8(0x56) == 0)
            R8(0x57)++;
    }
    done = 1;
    for (;;)
        ;
}
"""
)
PARTS_HZ = (8_000_000, 7_900_000, 6_700_000, 4_194_304, 3_900_000)
"""Parts with a tap at these clocks."""


@pytest.fixture(scope="module")
def waits_for_equality(msp430: Build) -> Path:
    """Steps the DCO until a period of ACLK / 8 has exactly 952 of its cycles."""
    return msp430(WAITS_FOR_EQUALITY)


def ends(elf: Path, part_hz: int, jitter: float) -> bool:
    """Whether the calibration ends within half a second. It takes a step each quarter of a
    millisecond, and needs a hundred of them."""
    changes = {"timing.msp430f1611.dco_jitter": jitter}
    simulation = simulate(elf, clock_hz=part_hz, changes=changes)
    simulation.run_until(SECOND // 2)
    return word(simulation, "done") == 1


def test_a_calibration_that_waits_for_equality_ends(waits_for_equality: Path) -> None:
    """A step of the modulator is 4 cycles in 952. Without noise the count jumps over 952 for ever
    on most parts; chips do not hang."""
    found = {
        hz: (ends(waits_for_equality, hz, 0), ends(waits_for_equality, hz, 2)) for hz in PARTS_HZ
    }
    assert all(noisy for _, noisy in found.values()), found
    assert not all(quiet for quiet, _ in found.values()), found


@pytest.mark.parametrize("clock_hz", SLOT_BOARDS[TELOSB].clocks_hz.values())
def test_our_calibration_is_right_on_every_part(clock_hz: int) -> None:
    """It finds the highest setting that is at most 0.2 % above the clock. On a part with a tap at
    the clock that is the tap; on others it is at most a step of the modulator below."""
    node = Node(TELOSB, "software")
    for part in (0.8, 0.901, 0.97, 1.0, 1.033, 1.1, 1.2):
        simulation = Simulation(5)
        changes = {"timing.msp430f1611.dco_part": part}
        simulation.add_mote(TELOSB, node.image(), "root", clock_hz=clock_hz, changes=changes)
        octets = block.slot_block(node.case(5, "paper", clock_hz), ROOT_MOTE, LONG_SLOT)
        simulation.write(0, simulation.symbol(0, "slot_block_address")[0], octets)
        simulation.run_for(SECOND // 4)
        reached = simulation.cpu(0)["clock_hz"] / clock_hz
        assert 0.9965 <= reached <= 1.0025, part
        assert part != 1.0 or reached == 1.0, part
