# SPDX-License-Identifier: BSD-3-Clause
"""Power that fails: the remains of flash, RAM and a frame on the air, and the report on wear."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware import power_cuts
from tests.motes.openmote import BOARD, COMMON
from wardmote import _motes

Build = Callable[..., Path]
MILLISECOND = 10**9
INFORMATION, SEGMENT = 0x1000, 128

# Erases segment B, then programs a word of it again and again: 4 MHz / 10 for the flash.
PROGRAM = """
#define R8(address) (*(volatile uint8_t *)(address))
#define R16(address) (*(volatile uint16_t *)(address))
extern int main(void);
__attribute__((naked)) void start(void)
{
    __asm__ volatile("mov #0x3900, r1\\n mov #0x5A80, &0x0120\\n br #main");
}
__attribute__((section(".vectors"), used)) void (*const vectors[16])(void) = {[15] = start};
volatile uint16_t words;
int main(void)
{
    words = 0;
    R16(0x12A) = 0xA581; /* FCTL2: SMCLK / 2, about 400 kHz */
    R16(0x12C) = 0xA500; /* FCTL3: LOCK off */
    R16(0x128) = 0xA502; /* FCTL1: ERASE */
    R16(0x1000) = 0;
    R16(0x128) = 0xA540; /* FCTL1: WRT */
    for (uint16_t at = 0x1000; at < 0x1080; at += 2) {
        R16(at) = 0x5A5A;
        words++;
    }
    for (;;)
        __asm__ volatile("bis #0xf0, r2");
}
"""


def simulation_of(elf: Path, board: str = "telosb") -> _motes.Simulation:
    """One mote at power-on, its information memory all zero."""
    simulation = _motes.Simulation(4)
    simulation.add_mote(board, elf.read_bytes(), "mote")
    if board == "telosb":
        simulation.write(0, INFORMATION, bytes(2 * SEGMENT))
    return simulation


def test_the_nth_operation_is_cut(msp430: Build) -> None:
    """Operations are counted from the plan on: after the erasure and nine words power fails within
    the tenth."""
    simulation = simulation_of(msp430(PROGRAM))
    simulation.power_cut(0, 1, operation=10, part=0.5)
    simulation.run_until(100 * MILLISECOND)
    assert not simulation.powered(0)
    flash = simulation.read(0, INFORMATION, 2 * SEGMENT)
    assert flash[:18] == b"\x5a" * 18
    assert all(octet & 0x5A == 0x5A for octet in flash[18:20])
    assert flash[20:SEGMENT] == b"\xff" * (SEGMENT - 20)
    assert flash[SEGMENT:] == bytes(SEGMENT)
    assert simulation.wear(0) == [(INFORMATION, 1, 10)]


def test_a_cut_erasure_leaves_anything(msp430: Build) -> None:
    """Of a segment that was all zero some bits are ones, which ones follows from the seed; the
    other segment stays."""

    def left(seed: int) -> bytes:
        simulation = simulation_of(msp430(PROGRAM))
        simulation.power_cut(0, seed, operation=0, part=0.3)
        simulation.run_until(100 * MILLISECOND)
        flash = simulation.read(0, INFORMATION, 2 * SEGMENT)
        assert flash[SEGMENT:] == bytes(SEGMENT)
        return flash[:SEGMENT]

    ones = [sum(octet.bit_count() for octet in left(seed)) for seed in range(8)]
    assert all(0 < number < 8 * SEGMENT for number in ones)
    assert len(set(ones)) > 1
    assert left(1) == left(1) != left(2)


def test_a_plan_can_be_replaced_and_time_goes_on(msp430: Build) -> None:
    """The last plan holds; the medium's time passes over a mote without power, whose CPU stands."""
    simulation = simulation_of(msp430(PROGRAM))
    simulation.power_cut(0, 1, at_ps=1 * MILLISECOND)
    simulation.power_cut(0, 1, at_ps=50 * MILLISECOND)
    simulation.run_until(49 * MILLISECOND)
    assert simulation.powered(0)
    assert simulation.read(0, simulation.symbol(0, "words")[0], 2) == bytes([64, 0])
    simulation.run_until(60 * MILLISECOND)
    assert not simulation.powered(0)
    assert simulation.now_ps == 60 * MILLISECOND
    assert simulation.read(0, INFORMATION, SEGMENT) == b"\x5a" * SEGMENT, "what was done is done"
    cycles = simulation.cpu(0)["cycles"]
    simulation.run_for(10 * MILLISECOND)
    assert simulation.cpu(0)["cycles"] == cycles


def test_what_cannot_be_cut_is_said(msp430: Build, armv7m: Build) -> None:
    """One moment and only one; a part below the whole; power that is there; a board that can; a
    mote that is there."""
    simulation = simulation_of(msp430(PROGRAM))
    for moment in ({}, {"at_ps": 1, "operation": 1}):
        with pytest.raises(ValueError, match="either at_ps or operation"):
            simulation.power_cut(0, 1, **moment)
    with pytest.raises(ValueError, match="0 to below 1"):
        simulation.power_cut(0, 1, operation=0, part=1.0)
    with pytest.raises(IndexError):
        simulation.power_cut(1, 1, at_ps=1)
    simulation.power_cut(0, 1, at_ps=0)
    simulation.run_for(1)
    with pytest.raises(ValueError, match="power is off already"):
        simulation.power_cut(0, 1, at_ps=1)
    idle = COMMON.replace("@HANDLERS@", "").replace("@VECTORS@", "").replace("@VALID@", "0")
    other = simulation_of(armv7m(idle + "int main(void) { for (;;); }"), BOARD)
    with pytest.raises(ValueError, match="openmote-cc2538 are not modelled"):
        other.power_cut(0, 1, at_ps=1)
    assert other.powered(0)
    assert other.wear(0) == []


def test_a_frame_that_is_cut_is_told(root: Path) -> None:
    """What had left the antenna is known, also of a frame that the cut ended; a capture file has
    whole frames only."""
    image = root / "build/firmware/telosb/counters.elf"
    if not image.is_file():
        pytest.fail(f"{image} is missing: run `make firmware`")

    def on_air(cut_ps: int) -> _motes.Simulation:
        simulation = _motes.Simulation(4)
        simulation.add_mote("telosb", image.read_bytes(), "mote")
        simulation.write(0, power_cuts.INFORMATION, power_cuts.EMPTY_STORE)
        simulation.capture(0, "counters_state", 0)
        simulation.power_cut(0, 1, at_ps=cut_ps)
        simulation.run_until(100 * MILLISECOND)
        return simulation

    whole = on_air(99 * MILLISECOND)
    mote, begin, channel, psdu, complete = whole.frames()[0]
    assert (mote, channel, complete) == (0, 26, True)
    # Ten symbols of header and the length octet, then octets of 32 us.
    cut = on_air(begin + 192_000_000 + 10 * 32_000_000 + 1)
    assert cut.frames() == [(0, begin, 26, psdu[:10], False)]
    assert len(cut.pcap()) == len(whole.pcap()) - len(whole.pcap()[24:]) < len(whole.pcap())
