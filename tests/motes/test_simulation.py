# SPDX-License-Identifier: BSD-3-Clause
"""A TelosB boots an image and runs it against its devices: time, sleep, pins, faults and flash."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from tests.motes.faults import check_stops
from tests.motes.telosb import (
    COMMON,
    MICROSECOND,
    MILLISECOND,
    SECOND,
    TICK,
    VECTORS,
    Build,
    simulate,
    word,
)
from wardmote import _motes

TICKING = (
    COMMON.replace(VECTORS, "")
    + """
volatile uint16_t count;
__attribute__((interrupt(6))) void tick(void)
{
    count++;
    P2OUT ^= 1;
}
__attribute__((section(".vectors"), used)) void (*const vectors[16])(void) = {[6] = (void (*)(void))tick, [15] = start};
int main(void)
{
    count = 0;
    P2DIR |= 1;
    R16(0x172) = 327; /* TACCR0 */
    R16(0x162) = 0x10; /* CCIE */
    R16(0x160) = 0x110; /* ACLK, up */
    for (;;)
        __asm__ volatile("bis #0xd8, r2"); /* LPM3 and GIE */
}
"""
)


@pytest.fixture(scope="module")
def ticking(msp430: Build) -> Path:
    """Wakes from LPM3 every 328 ticks of ACLK and toggles P2.0."""
    return msp430(TICKING)


def edge_times(simulation: _motes.Simulation) -> list[int]:
    """When P2.0 moved."""
    return [ps for port, bit, _, _, ps in simulation.marks(0) if (port, bit) == (2, 0)]


def test_timer_wakes_the_cpu_at_exact_ticks(ticking: Path) -> None:
    """A mote in LPM3 wakes every 328 ticks, to the picosecond of the crystal, and sleeps in
    between."""
    simulation = simulate(ticking)
    simulation.run_until(SECOND)
    edges = edge_times(simulation)[1:]
    assert len(edges) == 99
    steps = {b - a for a, b in pairwise(edges)}
    assert all(abs(step - 328 * TICK) <= 1.5 * MICROSECOND for step in steps)
    assert abs((edges[-1] - edges[0]) / (len(edges) - 1) - 328 * TICK) < 0.02 * MICROSECOND
    assert word(simulation, "count") == 99
    cpu = simulation.cpu(0)
    assert cpu["asleep"]
    assert cpu["symbol"].startswith("main")
    assert cpu["cycles"] < 6000


@pytest.mark.parametrize("ppm", [-40.0, 40.0])
def test_crystal_deviation_scales_time(ticking: Path, ppm: float) -> None:
    """A crystal that is fast by 40 ppm makes every wake-up earlier by 40 ppm."""
    simulation = simulate(ticking, ppm=ppm)
    simulation.run_until(2 * SECOND)
    edges = edge_times(simulation)[1:]
    mean = (edges[-1] - edges[0]) / (len(edges) - 1)
    assert mean == pytest.approx(328 * TICK / (1 + ppm * 1e-6), rel=1e-6)


def test_clock_has_its_exact_tap(msp430: Build) -> None:
    """A part made for 4 MHz runs at exactly 4 MHz at one tap of its DCO."""
    body = "int main(void) { R8(0x57) = 0x87; R8(0x56) = 0xA0; P2DIR |= 1; for (;;) P2OUT ^= 1; }"
    simulation = simulate(msp430(COMMON + body), clock_hz=4_000_000)
    simulation.run_until(MILLISECOND)
    marks = simulation.marks(0)[2:]
    assert simulation.cpu(0)["clock_hz"] == 4_000_000
    assert {(b[4] - a[4]) / (b[3] - a[3]) for a, b in pairwise(marks)} == {250_000}


def test_small_steps_change_nothing(ticking: Path) -> None:
    """However time is cut into runs, the same things happen at the same times."""
    whole, pieces = simulate(ticking), simulate(ticking)
    whole.run_until(300 * MILLISECOND)
    while pieces.now_ps < 300 * MILLISECOND:
        pieces.run_for(777_777_777)
    pieces.run_until(pieces.now_ps)
    limit = 300 * MILLISECOND
    assert [m for m in pieces.marks(0) if m[4] < limit] == whole.marks(0)


def test_same_seed_same_trace_other_seed_other_phase(ticking: Path) -> None:
    """Everything arbitrary follows from the seed: crystal phase and RAM contents."""

    def trace(seed: int) -> tuple[list[int], bytes]:
        simulation = simulate(ticking, seed)
        memory = simulation.read(0, 0x1400, 64)
        simulation.run_until(50 * MILLISECOND)
        return edge_times(simulation), memory

    assert trace(3) == trace(3)
    assert trace(3)[0] != trace(4)[0]
    assert trace(3)[1] != trace(4)[1]


def test_run_while_stops_at_the_bound(ticking: Path) -> None:
    """A run ends soon after the variable reaches the bound, or at the limit."""
    simulation = simulate(ticking)
    address = simulation.symbol(0, "count")[0]
    simulation.run_until(MILLISECOND)
    assert simulation.run_while(0, address, 2, 10, SECOND)
    assert word(simulation, "count") == 10
    assert 0 <= simulation.now_ps - 10 * 328 * TICK < 1100 * MICROSECOND
    assert not simulation.run_while(0, address, 2, 1000, 200 * MILLISECOND)
    assert simulation.now_ps == 200 * MILLISECOND


def test_meter_counts_every_moment_once(ticking: Path) -> None:
    """The states of each device add up to the time that passed; energy is charge times voltage."""
    simulation = simulate(ticking)
    simulation.run_until(SECOND)
    rows = simulation.meter(0)
    for device in {row["device"] for row in rows}:
        assert sum(row["seconds"] for row in rows if row["device"] == device) == pytest.approx(
            1.0, abs=1e-9
        )
    states = {(row["device"], row["state"]): row["seconds"] for row in rows}
    assert states["cpu", "lpm3"] > 0.98
    assert (
        0
        < sum(s for (device, state), s in states.items() if (device, state) == ("cpu", "active"))
        < 0.02
    )
    for row in rows:
        assert row["charge_uc"] == pytest.approx(row["seconds"] * row["current_ma"] * 1000)
        assert row["energy_uj"] == pytest.approx(row["charge_uc"] * 3.0)
        assert row["source"]
        assert row["kind"] in ("datasheet", "measured", "assumed")


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        (
            "((void (*)(void))0x9000)();",
            ["PC 0x9000 (no symbol)", "erased flash", "came from 0x", "(main"],
        ),
        ("((void (*)(void))0x0C00)();", ["PC 0x0C00 (no symbol)", "no code can be", "(main"]),
        ("R16(0x3A00) = 1;", ["(main", "nothing is mapped at 0x3a00"]),
        ("R8(0x55) = 0x10;", ["(main", "the supply voltage supervisor"]),
        ('__asm__ volatile(".word 0x0001");', ["(main", "0x0001 is no instruction"]),
    ],
)
def test_impossible_deeds_stop_with_place_and_cycle(
    msp430: Build, body: str, texts: list[str]
) -> None:
    """What the chip cannot do ends the run with mote, PC, symbol and cycle; running on says the
    same again."""
    check_stops(simulate(msp430(COMMON + f"int main(void) {{ {body} for (;;); }}")), texts)


def test_watchdog_restarts_the_chip(msp430: Build) -> None:
    """A program that does not stop the watchdog is restarted, and that is counted."""
    text = COMMON.replace("mov #0x5A80, &0x0120", "nop")
    simulation = simulate(msp430(text + "int main(void) { for (;;); }"))
    simulation.run_until(SECOND)
    cpu = simulation.cpu(0)
    assert cpu["resets"] > 10
    assert cpu["last_reset"] == "the watchdog expired"


def test_information_flash_is_set_from_outside_and_written_by_the_program(msp430: Build) -> None:
    """A block written before boot is read by the program; programming flash clears bits and holds
    the CPU."""
    body = """
    volatile uint16_t before, after;
    int main(void)
    {
        before = R16(0x1000);
        R16(0x12A) = 0xA541; /* FCTL2: MCLK / 2 */
        R16(0x12C) = 0xA500; /* FCTL3: unlock */
        R16(0x128) = 0xA540; /* FCTL1: WRT */
        R16(0x1000) = 0x0FF0;
        R16(0x128) = 0xA500;
        after = R16(0x1000);
        P2DIR |= 1;
        P2OUT |= 1;
        for (;;);
    }"""
    simulation = simulate(msp430(COMMON + body))
    simulation.write(0, 0x1000, b"\x34\x12")
    simulation.run_until(10 * MILLISECOND)
    assert (word(simulation, "before"), word(simulation, "after")) == (0x1234, 0x1234 & 0x0FF0)
    assert simulation.cpu(0)["resets"] == 0


def test_mirror_of_ram(msp430: Build) -> None:
    """What is written at 0x0200 appears at 0x1100."""
    simulation = simulate(msp430(COMMON + "int main(void) { R16(0x0342) = 0xCAFE; for (;;); }"))
    simulation.run_until(MILLISECOND)
    assert simulation.read(0, 0x1242, 2) == b"\xfe\xca"


def test_wrong_requests_are_refused(ticking: Path) -> None:
    """Unknown boards, motes, symbols, memory and values out of range are named."""
    elf = ticking.read_bytes()
    simulation = _motes.Simulation()
    with pytest.raises(
        ValueError,
        match='unknown board "zigbee"; boards are: atmega128, atmega1281-cc2420, atmega1281, firefly, mica2, micaz, ',
    ):
        simulation.add_mote("zigbee", elf, "x")
    with pytest.raises(ValueError, match="clock of 9000000 Hz"):
        simulation.add_mote("telosb", elf, "x", clock_hz=9_000_000)
    with pytest.raises(ValueError, match="telosb has no timing band"):
        simulation.add_mote("telosb", elf, "x", band="high")
    with pytest.raises(ValueError, match="ppm"):
        simulation.add_mote("telosb", elf, "x", ppm=float("nan"))
    with pytest.raises(IndexError, match="no mote 0; there are 0"):
        simulation.read(0, 0x1100, 1)
    simulation.add_mote("telosb", elf, "x")
    with pytest.raises(_motes.MoteError, match="mote x has no symbol absent"):
        simulation.symbol(0, "absent")
    with pytest.raises(_motes.MoteError, match=r"no memory at 0x38FF\.\.0x3901"):
        simulation.read(0, 0x38FF, 2)
    with pytest.raises(ValueError, match="loss"):
        _motes.Simulation(loss=1.5)
    simulation.run_for(1)
    with pytest.raises(ValueError, match="before time passes"):
        simulation.add_mote("telosb", elf, "y")


def test_other_threads_run_meanwhile(ticking: Path) -> None:
    """The interpreter is free while motes run: another thread gets in, although nobody takes the
    interpreter from a thread that keeps it."""
    simulation = simulate(ticking)
    began, stopped = threading.Event(), threading.Event()
    interval = sys.getswitchinterval()
    rounds = 0

    def work() -> None:
        nonlocal rounds
        began.set()
        while rounds < 2000 and not stopped.is_set():
            rounds += 1
            simulation.run_until(rounds * SECOND)

    worker = threading.Thread(target=work)
    try:
        sys.setswitchinterval(1000)
        worker.start()
        began.wait()
        stopped.set()
        worker.join()
    finally:
        sys.setswitchinterval(interval)
    assert 0 < rounds < 2000
    assert simulation.now_ps == rounds * SECOND


def test_runs_at_once_give_what_runs_in_turn_give(ticking: Path) -> None:
    """Simulations in two threads share nothing: edges, charge and cycles are the same."""

    def outcome(_: int) -> tuple[list[int], object, object]:
        simulation = simulate(ticking)
        simulation.run_until(3 * SECOND)
        return edge_times(simulation), simulation.meter(0), simulation.cpu(0)

    with ThreadPoolExecutor(2) as pool:
        at_once = list(pool.map(outcome, range(4)))
    assert len(at_once[0][0]) > 250
    assert at_once == [outcome(0)] * 4
