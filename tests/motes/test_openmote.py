# SPDX-License-Identifier: BSD-3-Clause
"""An OpenMote-CC2538 boots an image and runs it against its devices: time, sleep, pins, bands,
faults, ROM, flash."""

import subprocess
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest

from tests.motes.faults import check_stops
from tests.motes.openmote import (
    BOARD,
    MICROSECOND,
    MILLISECOND,
    PORT_C,
    PORT_D,
    SECOND,
    TICK,
    program,
    ticking,
)
from wardmote import _motes

Build = Callable[..., Path]
POWER_MODES = {0: "sleep", 1: "pm1", 2: "pm2"}


def simulate(
    elf: Path, seed: int = 1, *, ppm: float = 0.0, band: Literal["low", "high"] | None = None
) -> _motes.Simulation:
    """One OpenMote with that program."""
    simulation = _motes.Simulation(seed)
    simulation.add_mote(BOARD, elf.read_bytes(), "one", ppm=ppm, band=band)
    return simulation


def word(simulation: _motes.Simulation, name: str, mote: int = 0) -> int:
    """A 32-bit variable of the program."""
    return int.from_bytes(simulation.read(mote, simulation.symbol(mote, name)[0], 4), "little")


@pytest.fixture(scope="module", params=POWER_MODES)
def mode(request: pytest.FixtureRequest) -> int:
    """Power modes in which the sleep timer runs."""
    return int(request.param)


@pytest.fixture(scope="module")
def ticker(armv7m: Build, mode: int) -> Path:
    """Wakes every 328 ticks of the crystal and toggles PC4."""
    flags = ("-Wl,--section-start=.bss=0x20004000",) if mode == 2 else ()
    return armv7m(ticking(mode), flags=flags)


def edge_times(simulation: _motes.Simulation) -> list[int]:
    """When PC4 moved."""
    return [ps for port, bit, _, _, ps in simulation.marks(0) if (port, bit) == (PORT_C, 4)]


def test_sleep_timer_wakes_the_cpu_at_its_ticks(ticker: Path, mode: int) -> None:
    """A mote that sleeps wakes every 328 ticks of the crystal, counts no cycles asleep, and the
    meter has the mode."""
    simulation = simulate(ticker)
    simulation.run_until(SECOND)
    edges = edge_times(simulation)
    assert len(edges) == 99
    slack = 3 * MICROSECOND
    assert all(abs(b - a - 328 * TICK) <= slack for a, b in pairwise(edges))
    assert abs((edges[-1] - edges[0]) / 98 - 328 * TICK) < 0.05 * MICROSECOND
    assert word(simulation, "count") == 99
    cpu = simulation.cpu(0)
    assert cpu["asleep"]
    assert cpu["symbol"].startswith("main")
    assert cpu["cycles"] < 40_000
    seconds = {(row["device"], row["state"]): row["seconds"] for row in simulation.meter(0)}
    assert seconds["cpu", POWER_MODES[mode]] > 0.9


@pytest.mark.parametrize("ppm", [-40.0, 40.0])
def test_crystal_deviation_scales_time(ticker: Path, ppm: float) -> None:
    """Crystals that are fast by 40 ppm make every wake-up earlier by 40 ppm."""
    simulation = simulate(ticker, ppm=ppm)
    simulation.run_until(2 * SECOND)
    edges = edge_times(simulation)
    mean = (edges[-1] - edges[0]) / (len(edges) - 1)
    assert mean == pytest.approx(328 * TICK / (1 + ppm * 1e-6), rel=2e-6)


def test_small_steps_change_nothing(ticker: Path) -> None:
    """However time is cut into runs, the same things happen at the same times."""
    whole, pieces = simulate(ticker), simulate(ticker)
    limit = 200 * MILLISECOND
    whole.run_until(limit)
    while pieces.now_ps < limit:
        pieces.run_for(777_777_777)
    assert [m for m in pieces.marks(0) if m[4] < limit] == whole.marks(0)


def test_same_seed_same_trace_other_seed_other_phase(ticker: Path) -> None:
    """Everything arbitrary follows from the seed: crystal phase, RAM contents and IEEE address."""

    def trace(seed: int) -> tuple[list[int], bytes, bytes]:
        simulation = simulate(ticker, seed)
        memory = simulation.read(0, 0x20002000, 64)
        simulation.run_until(50 * MILLISECOND)
        return edge_times(simulation), memory, simulation.read(0, 0x00280028, 8)

    assert trace(3) == trace(3)
    assert all(a != b for a, b in zip(trace(3), trace(4), strict=True))
    assert trace(3)[2][1:4] == bytes.fromhex("4b1200")


def test_meter_counts_every_moment_once(ticker: Path) -> None:
    """The states of each device add up to the time that passed; energy is charge times voltage."""
    simulation = simulate(ticker)
    simulation.run_until(SECOND)
    rows = simulation.meter(0)
    assert {row["device"] for row in rows} >= {"cpu", "radio", "aes"}
    for device in {row["device"] for row in rows}:
        assert sum(row["seconds"] for row in rows if row["device"] == device) == pytest.approx(
            1.0, abs=1e-9
        )
    for row in rows:
        assert row["charge_uc"] == pytest.approx(row["seconds"] * row["current_ma"] * 1000)
        assert row["source"]
        assert row["kind"] in ("datasheet", "measured", "assumed")


@pytest.mark.parametrize(("divider", "hertz"), [(0, 32_000_000), (1, 16_000_000)])
def test_clock_is_the_one_the_image_selects(armv7m: Build, divider: int, hertz: int) -> None:
    """Cycles between marks are whole periods of the selected clock; marks come from PC4 to PC7 and
    PD3 only."""
    body = (
        f"int main(void) {{ begin(); crystal({divider});"
        + """
        for (;;) {
            LEDS(0xF0) ^= 0xF0;
            HEADER(8) ^= 8;
            HEADER(4) ^= 4;
        }
    }"""
    )
    simulation = simulate(armv7m(program(body)))
    simulation.run_until(2 * MILLISECOND)
    marks = simulation.marks(0)
    assert simulation.cpu(0)["clock_hz"] == hertz
    assert {(port, bit) for port, bit, *_ in marks} == {(PORT_C, b) for b in range(4, 8)} | {
        (PORT_D, 3)
    }
    late = [m for m in marks if m[4] > MILLISECOND]
    periods = {(b[4] - a[4]) / (b[3] - a[3]) for a, b in pairwise(late) if b[3] > a[3]}
    assert periods == {SECOND / hertz}


WORK = """
__attribute__((noinline)) uint32_t turns(uint32_t n)
{
    uint32_t x = 1;
    while (n--) {
        __asm__ volatile("nop\\n nop\\n nop\\n nop\\n nop\\n nop\\n nop\\n nop\\n nop\\n nop\\n nop\\n nop");
        x = x * 3 + n;
    }
    return x;
}
volatile uint32_t result;
int main(void)
{
    begin();
    LEDS(0x10) = 0x10;
    result = turns(1000);
    LEDS(0x10) = 0;
    for (;;)
        __asm__ volatile("wfi");
}
"""


def test_bands_enclose(armv7m: Build) -> None:
    """The slow end takes longer than the quick end: by a wait state for each line of flash and by
    refills, no more."""
    elf = armv7m(program(WORK))
    cycles = {}
    for band in ("low", "high", None):
        simulation = simulate(elf, band=band)
        simulation.run_until(10 * MILLISECOND)
        (_, _, _, begin, _), (_, _, _, end, _) = simulation.marks(0)
        cycles[band] = end - begin
    assert cycles["high"] == cycles[None]
    lines = 40 / 8
    assert 14_000 < cycles["low"] < cycles["high"] < cycles["low"] + 1000 * (lines + 6)


SYSTICK = """
int main(void)
{
    begin();
    crystal(0);
    count = 0;
    R(0xE000E014) = 31999;
    R(0xE000E018) = 0;
    R(0xE000E010) = 7;
    for (;;)
        __asm__ volatile("wfi");
}
"""


def test_systick_runs_on_in_sleep(armv7m: Build) -> None:
    """SysTick of 32 000 cycles wakes the CPU every millisecond, without drift and without executed
    cycles."""
    handler = "volatile uint32_t count; void systick(void) { LEDS(0x10) = ++count & 1 ? 0x10 : 0; }"
    simulation = simulate(armv7m(program(SYSTICK, handler, "[15] = systick")))
    simulation.run_until(100 * MILLISECOND + 900 * MICROSECOND)
    edges = edge_times(simulation)
    assert {b - a for a, b in pairwise(edges)} == {MILLISECOND}
    assert word(simulation, "count") == len(edges) == 100
    assert simulation.cpu(0)["cycles"] < 20_000


def test_bit_bands(armv7m: Build) -> None:
    """A word of an alias is a bit of RAM or of a register."""
    body = """
    volatile uint32_t bits, seen;
    int main(void)
    {
        begin();
        bits = 0xFFFF0000;
        R(0x22000000 + ((uint32_t)&bits - 0x20000000) * 32 + 4 * 5) = 1;
        R(0x22000000 + ((uint32_t)&bits - 0x20000000) * 32 + 4 * 31) = 0xFE;
        seen = R(0x42000000 + (0x400DB400 - 0x40000000) * 32 + 4 * 7);
        R(0x42000000 + (0x400DB400 - 0x40000000) * 32 + 4 * 3) = 1;
        seen |= LEDS_DIR << 8;
        for (;;);
    }"""
    simulation = simulate(armv7m(program(body)))
    simulation.run_until(MILLISECOND)
    assert (word(simulation, "bits"), word(simulation, "seen")) == (0x7FFF0020, 0xF801)


def test_program_restarts_the_chip(armv7m: Build) -> None:
    """SYSRESETREQ starts the image again, and that is counted."""
    body = (
        "int main(void) { begin(); for (volatile int i = 0; i < 1000; i++); "
        "R(0xE000ED0C) = "
        "0x05FA0004; for (;;); }"
    )
    simulation = simulate(armv7m(program(body)))
    simulation.run_until(10 * MILLISECOND)
    cpu = simulation.cpu(0)
    assert cpu["resets"] > 5
    assert cpu["last_reset"] == "a reset by software"


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        (
            "((void (*)(void))0x00270001)();",
            ["PC 0x270000 (no symbol)", "erased flash", "came from 0x", "(main"],
        ),
        ("((void (*)(void))0x10000001)();", ["(no symbol)", "no code can be", "(main"]),
        ("R(0x20008000) = 1;", ["(main", "nothing is mapped at 0x20008000"]),
        ("*(volatile uint8_t *)0x400DB400 = 1;", ["(main", "wrong width"]),
        ("R(0x00210000) = 1;", ["(main", "read-only"]),
        ("R(0x4008903C) = 1;", ["(main", "USB (USB_CTRL.USB_EN) is not modelled"]),
        ('__asm__ volatile("udf #7");', ["(main", "0xDE07", "is no instruction"]),
        ("((void (*)(void))R(0x0C))();", ["no code can be"]),
    ],
)
def test_impossible_deeds_stop_with_place_and_cycle(
    armv7m: Build, body: str, texts: list[str]
) -> None:
    """Where firmware does what the chip cannot do, the run ends, and the error names mote, PC, symbol
    and cycle. A second run from there ends with the same error."""
    check_stops(simulate(armv7m(program(f"int main(void) {{ {body} for (;;); }}"))), texts)


def test_rom_is_its_source(armv7m: Build, root: Path, tmp_path: Path) -> None:
    """The ROM holds what the assembler makes of its source."""
    source = root / "motes/crates/board/data/openmote-cc2538-rom.s"
    names = [str(tmp_path / name) for name in ("rom.o", "rom.elf", "rom.bin")]
    for command in (
        ["arm-none-eabi-as", str(source), "-o", names[0]],
        ["arm-none-eabi-ld", "-Ttext=0", "-e", "0", *names[:1], "-o", names[1]],
        ["arm-none-eabi-objcopy", "-O", "binary", "-j", ".text", names[1], names[2]],
    ):
        subprocess.run(command, check=True)
    simulation = simulate(armv7m(program("int main(void) { for (;;); }")))
    octets = Path(names[2]).read_bytes()
    assert len(octets) > 300
    assert simulation.read(0, 0, len(octets)) == octets


ROM_USER = """
#define ROM(entry, type) ((type)R(0x48 + 4 * (entry)))
typedef uint32_t (*number)(void);
typedef int32_t (*erase)(uint32_t, uint32_t);
typedef int32_t (*flash)(const uint32_t *, uint32_t, uint32_t);
typedef void *(*set)(void *, int, uint32_t);
typedef void *(*copy)(void *, const void *, uint32_t);
typedef int (*compare)(const void *, const void *, uint32_t);
typedef uint32_t (*check)(const void *, uint32_t);
volatile uint32_t flash_size, chip_id, order, crc;
volatile int32_t status[5];
char text[16], moved[16];
static const uint32_t data[3] = {0x12345678, 0x9ABCDEF0, 0x0F0F0F0F};
int main(void)
{
    begin();
    crystal(0);
    flash_size = ROM(1, number)();
    chip_id = ROM(2, number)();
    ROM(6, set)(text, 'x', 16);
    ROM(7, copy)(text, "abcdefgh", 8);
    ROM(7, copy)(moved, text, 16);
    ROM(9, copy)(moved + 2, moved, 8);
    order = (uint32_t)ROM(8, compare)("abc", "abd", 3) >> 31 | (ROM(8, compare)("abc", "abc", 3) == 0) << 1;
    crc = ROM(0, check)("123456789", 9);
    status[0] = ROM(3, erase)(0x00270000, 2048);
    status[1] = ROM(4, flash)(data, 0x00270004, 12);
    status[2] = ROM(3, erase)(0x00270000, 100);
    status[3] = ROM(4, flash)(data, 0x00270002, 12);
    LEDS(0x10) = 0x10;
    status[4] = (int32_t)R(0x00270008);
    for (;;)
        __asm__ volatile("wfi");
}
"""


def test_rom_functions_work(armv7m: Build) -> None:
    """The functions in ROM that drivers call do what TI documents, flash included."""
    simulation = simulate(armv7m(program(ROM_USER)))
    simulation.write(0, 0x00270000, bytes(64))
    simulation.run_until(100 * MILLISECOND)
    assert (word(simulation, "flash_size"), word(simulation, "chip_id")) == (0x80000, 0xB9640000)
    assert simulation.read(0, simulation.symbol(0, "moved")[0], 16) == b"ababcdefgh" + b"xxxxxx"
    assert word(simulation, "order") == 3
    assert word(simulation, "crc") == zlib.crc32(b"123456789") == 0xCBF43926
    status = simulation.read(0, simulation.symbol(0, "status")[0], 20)
    signed = [int.from_bytes(status[i : i + 4], "little", signed=True) for i in range(0, 16, 4)]
    assert signed == [0, 0, -2, -2]
    octets = bytes.fromhex("ffffffff 78563412 f0debc9a 0f0f0f0f ffffffff")
    assert simulation.read(0, 0x00270000, 20) == octets
    (edge,) = edge_times(simulation)
    assert edge > 20 * MILLISECOND, "erasing a page takes its time"


WRITER = """
volatile uint32_t after;
int main(void)
{
    begin();
    crystal(0);
    R(0x400D300C) = 0x00270008;
    R(0x400D3008) |= 2;
    LEDS(0x10) = 0x10;
    R(0x400D3010) = 0x0FF0FFFF;
    LEDS(0x10) = 0;
    after = R(0x00270008);
    for (;;)
        __asm__ volatile("wfi");
}
"""


def test_code_in_flash_stands_still_while_flash_is_written(armv7m: Build) -> None:
    """Programming clears bits; the CPU, whose code is in flash, waits until the word is written."""
    simulation = simulate(armv7m(program(WRITER)))
    simulation.write(0, 0x00270008, bytes.fromhex("34127856"))
    simulation.run_until(10 * MILLISECOND)
    assert word(simulation, "after") == 0x56781234 & 0x0FF0FFFF
    begin, end = (m for m in simulation.marks(0) if m[1] == 4)
    assert 19 * MICROSECOND < end[4] - begin[4] < 23 * MICROSECOND
    assert end[3] - begin[3] < 40, "waiting counts no executed cycles"


def test_images_the_boot_loader_refuses(armv7m: Build, msp430: Build) -> None:
    """An image without a valid CCA page, or for another CPU, is refused by name."""
    body = "int main(void) { for (;;); }"
    with pytest.raises(_motes.MoteError, match="IMAGE_VALID at 0x0027FFD8 is 0xFFFFFFFF, not 0"):
        simulate(armv7m(program(body, valid="~0u")))
    with pytest.raises(
        _motes.MoteError, match="this is an ELF for MSP430; openmote-cc2538 needs ARM"
    ):
        simulate(msp430("void start(void) { for (;;); }"))
    with pytest.raises(
        _motes.MoteError, match=r"segment at 0x300000, .* is outside openmote-cc2538"
    ):
        simulate(armv7m(program(body), flash_at="0x00300000"))


def test_wrong_requests_are_refused(armv7m: Build) -> None:
    """Clocks and bands that a board does not have are named."""
    elf = armv7m(program("int main(void) { for (;;); }")).read_bytes()
    simulation = _motes.Simulation()
    with pytest.raises(
        ValueError, match="clock of 8000000 Hz; openmote-cc2538 has 32000000 or 16000000 Hz"
    ):
        simulation.add_mote(BOARD, elf, "x", clock_hz=8_000_000)
    with pytest.raises(ValueError, match='band "middle"; it is low or high'):
        simulation.add_mote(BOARD, elf, "x", band="middle")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="ppm"):
        simulation.add_mote(BOARD, elf, "x", ppm=1e6)
    simulation.add_mote(BOARD, elf, "x", clock_hz=16_000_000, band="low")
    with pytest.raises(_motes.MoteError, match=r"no memory at 0x20007FFF\.\.0x20008001"):
        simulation.read(0, 0x20007FFF, 2)


def test_outside_writes_are_seen_by_the_program(armv7m: Build) -> None:
    """A block that a programmer puts into flash before boot is read by the program."""
    body = "volatile uint32_t seen; int main(void) { seen = R(0x0027F000); for (;;); }"
    simulation = simulate(armv7m(program(body)))
    simulation.write(0, 0x0027F000, bytes.fromhex("78563412"))
    simulation.run_until(MILLISECOND)
    assert word(simulation, "seen") == 0x12345678
