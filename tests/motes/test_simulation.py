# SPDX-License-Identifier: BSD-3-Clause
"""A TelosB boots an image and runs it against its devices: time, sleep, pins, faults, flash, radio,
two motes."""

import sys
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.motes.faults import check_stops
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


def simulate(
    elf: Path, seed: int = 1, *, ppm: float = 0.0, clock_hz: int = 8_000_000
) -> _motes.Simulation:
    """One TelosB with that program."""
    simulation = _motes.Simulation(seed)
    simulation.add_mote("telosb", elf.read_bytes(), "one", ppm=ppm, clock_hz=clock_hz)
    return simulation


def word(simulation: _motes.Simulation, name: str, mote: int = 0) -> int:
    """A 16-bit variable of the program."""
    return int.from_bytes(simulation.read(mote, simulation.symbol(mote, name)[0], 2), "little")


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
        ("R16(0x1A0) = R16(0x1A0) | 0x13;", ["(main", "ADC12"]),
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
        match='unknown board "zigbee"; boards are: atmega128, atmega1281, openmote-cc2538, telosb',
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


RADIO = (
    COMMON
    + """
#define P4OUT R8(0x1D)
static uint8_t spi(uint8_t octet)
{
    R8(0x77) = octet;
    while (!(R8(0x71) & 1))
        ;
    while (!(R8(0x02) & 0x40))
        ;
    return R8(0x76);
}
static uint8_t strobe(uint8_t number)
{
    P4OUT &= (uint8_t)~4;
    uint8_t status = spi(number);
    P4OUT |= 4;
    return status;
}
static void wait(uint16_t loops)
{
    while (loops--)
        __asm__ volatile("nop");
}
static void set(uint8_t number, uint16_t value)
{
    P4OUT &= (uint8_t)~4;
    spi(number);
    spi((uint8_t)(value >> 8));
    spi((uint8_t)value);
    P4OUT |= 4;
}
static void radio_on(void)
{
    R8(0x57) = 0x87; /* BCSCTL1: RSEL 7 */
    R8(0x58) = 0x01; /* BCSCTL2: DCOR */
    R8(0x56) = 0x80; /* DCOCTL: DCO 4, MOD 0: the tap at 8 MHz */
    R8(0x1B) |= 0x0E; /* P3SEL: SPI */
    R8(0x1A) |= 0x0A;
    P4OUT = 4;
    R8(0x1E) = 0x64; /* P4DIR: CSn, VREG_EN, RESETn */
    R8(0x70) = 0x01; /* U0CTL: SWRST */
    R8(0x70) = 0x17;
    R8(0x71) = 0xB2; /* CKPH, SMCLK, STC */
    R8(0x74) = 2;
    R8(0x75) = 0;
    R8(0x73) = 0;
    R8(0x04) |= 0x40; /* ME1: USPIE0 */
    R8(0x70) &= (uint8_t)~1;
    P4OUT |= 0x20;
    wait(5000);
    P4OUT |= 0x40;
    strobe(1);
    while (!(strobe(0) & 0x40))
        ;
    set(0x11, 0x02E2); /* MDMCTRL0: no address decoding, AUTOCRC */
}
volatile uint16_t asn[3];
"""
)

SENDER = (
    RADIO
    + """
static const uint8_t frame[] = {9, 0x01, 0x80, 0x05, 0xAA, 0xBB, 0xCC, 0xDD};
int main(void)
{
    asn[0] = 0x0100, asn[1] = 0x0302, asn[2] = 0x0004;
    radio_on();
    wait(5000);
    P2DIR |= 1;
    for (uint8_t turn = 0; turn < 3; turn++) {
        strobe(9);
        P4OUT &= (uint8_t)~4;
        spi(0x3E);
        for (uint8_t i = 0; i < sizeof frame; i++)
            spi(frame[i]);
        P4OUT |= 4;
        P2OUT ^= 1;
        strobe(4);
        while (!(R8(0x1C) & 2)) /* SFD up */
            ;
        P2OUT ^= 1;
        while (R8(0x1C) & 2)
            ;
        P2OUT ^= 1;
        asn[2]++;
        wait(3000);
    }
    for (;;)
        __asm__ volatile("bis #0xf0, r2");
}
"""
)

RECEIVER = (
    RADIO
    + """
volatile uint16_t frames;
uint8_t received[16];
int main(void)
{
    frames = 0;
    P2DIR |= 1;
    radio_on();
    strobe(3);
    for (;;) {
        while (!(R8(0x1C) & 2)) /* SFD up */
            ;
        P2OUT ^= 1;
        while (R8(0x1C) & 2)
            ;
        P2OUT ^= 1;
        while (!(R8(0x20) & 1)) /* FIFOP */
            ;
        P4OUT &= (uint8_t)~4;
        spi(0x7F);
        uint8_t length = received[0] = spi(0);
        for (uint8_t i = 1; i <= length; i++)
            received[i & 15] = spi(0);
        P4OUT |= 4;
        frames++;
    }
}
"""
)


@pytest.fixture(scope="module")
def radios(msp430: Build) -> tuple[bytes, bytes]:
    """A program that sends three frames, and one that receives."""
    return msp430(SENDER).read_bytes(), msp430(RECEIVER).read_bytes()


def exchange(radios: tuple[bytes, bytes], seed: int = 5, **air: float) -> _motes.Simulation:
    """Both motes, run until everything is sent."""
    simulation = _motes.Simulation(seed, **air)
    for elf, name in zip(radios, ("sender", "receiver"), strict=True):
        simulation.add_mote("telosb", elf, name)
    simulation.capture(0, "asn", 0)
    simulation.run_until(SECOND // 2)
    return simulation


def test_frames_cross_the_air(radios: tuple[bytes, bytes]) -> None:
    """What one mote puts into its TXFIFO the other takes out of its RXFIFO, with RSSI and CRC_OK
    appended."""
    simulation = exchange(radios)
    assert word(simulation, "frames", 1) == 3
    received = simulation.read(1, simulation.symbol(1, "received")[0], 10)
    assert received[:8] == bytes([9, 0x01, 0x80, 0x05, 0xAA, 0xBB, 0xCC, 0xDD])
    assert received[9] & 0x80


def test_frames_take_their_time(radios: tuple[bytes, bytes]) -> None:
    """SFD is seen 12 + 10 symbols after STXON, lasts one octet of 32 us for length and each octet,
    and reaches the receiver when it ends at the sender."""
    simulation = exchange(radios)
    sent, heard = ([ps for *_, ps in simulation.marks(mote)[1:]] for mote in (0, 1))
    slack = 3 * MICROSECOND  # two turns of a polling loop at 8 MHz
    for turn in range(3):
        strobe, sfd, end = sent[3 * turn : 3 * turn + 3]
        assert abs(sfd - strobe - (192 + 160) * MICROSECOND) < 5 * slack
        assert abs(end - sfd - 10 * 32 * MICROSECOND) < slack
        assert abs(heard[2 * turn] - sfd) < slack
        assert abs(heard[2 * turn + 1] - end) < slack


def test_capture_holds_every_frame_with_its_asn(radios: tuple[bytes, bytes]) -> None:
    """Three frames, each with FCS and the ASN its sender had when it sent."""
    pcap = exchange(radios).pcap()
    body = bytes([0x01, 0x80, 0x05, 0xAA, 0xBB, 0xCC, 0xDD])
    assert pcap.count(body) == 3
    asns = [(0x0001020304 + turn).to_bytes(8, "little") for turn in range(3)]
    assert [pcap.count(asn) for asn in asns] == [1, 1, 1]


def test_same_seed_same_capture(radios: tuple[bytes, bytes]) -> None:
    """Captures and times repeat to the last octet."""
    first, second = exchange(radios), exchange(radios)
    assert first.pcap() == second.pcap()
    assert (first.marks(0), first.marks(1)) == (second.marks(0), second.marks(1))


def test_misuse_of_the_radio_is_told(msp430: Build) -> None:
    """A strobe before the oscillator runs has no effect on the chip; the instrument says so."""
    early = RADIO.replace(
        "static void radio_on(void)", "__attribute__((unused)) static void radio_on(void)"
    )
    body = """
    int main(void)
    {
        R8(0x1B) |= 0x0E;
        P4OUT = 4;
        R8(0x1E) = 0x64;
        R8(0x70) = 0x17;
        R8(0x71) = 0xB2;
        R8(0x74) = 2;
        R8(0x04) |= 0x40;
        R8(0x70) &= (uint8_t)~1;
        P4OUT |= 0x20;
        wait(5000);
        P4OUT |= 0x40;
        strobe(4);
        for (;;);
    }"""
    early = early.replace("static void set(", "__attribute__((unused)) static void set(")
    simulation = simulate(msp430(early + body))
    simulation.run_until(SECOND)
    (misuse,) = simulation.misuse(0)
    assert misuse[1].startswith("CC2420: a strobe, RAM or FIFO access needs the crystal oscillator")
    assert simulation.misuse(0) == []


def test_lost_frames_are_not_received(radios: tuple[bytes, bytes]) -> None:
    """With a loss of 1 the receiver gets nothing, though all was sent."""
    simulation = exchange(radios, loss=1.0)
    assert word(simulation, "frames", 1) == 0
    assert simulation.pcap().count(bytes([0xAA, 0xBB, 0xCC, 0xDD])) == 3
