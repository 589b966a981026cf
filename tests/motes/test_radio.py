# SPDX-License-Identifier: BSD-3-Clause
"""The radio of a TelosB: frames cross the air between two motes, and misuse is told."""

import math

import pytest

from tests.motes.telosb import COMMON, MICROSECOND, SECOND, Build, simulate, word
from wardmote import _motes

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


@pytest.mark.parametrize(("path_loss_db", "rssi_dbm"), [(71.0, -71), (97.0, -97), (98.0, None)])
def test_a_link_has_its_path_loss(
    radios: tuple[bytes, bytes], path_loss_db: float, rssi_dbm: int | None
) -> None:
    """The receiver appends the level of the link. A frame that noise drowns does not arrive. A link
    without any level, set after the first frame, loses the others."""
    simulation = _motes.Simulation(5)
    for elf, name in zip(radios, ("sender", "receiver"), strict=True):
        simulation.add_mote("telosb", elf, name)
    simulation.set_path_loss(0, 1, path_loss_db)
    edges = 0
    while edges < 4 and simulation.now_ps < SECOND:
        simulation.run_for(SECOND // 1000)
        edges += len(simulation.marks(0))
    simulation.set_path_loss(0, 1, math.inf)
    simulation.run_until(SECOND)
    assert word(simulation, "frames", 1) == (rssi_dbm is not None)
    rssi = simulation.read(1, simulation.symbol(1, "received")[0], 10)[8]
    assert rssi_dbm is None or rssi == (rssi_dbm + 45) % 256


def test_a_path_loss_is_no_gain() -> None:
    """A negative loss, and a mote that is not there, are refused."""
    simulation = _motes.Simulation()
    with pytest.raises(ValueError, match=r"path loss of -1 dB; it is 0 or more"):
        simulation.set_path_loss(0, 0, -1.0)
    with pytest.raises(IndexError):
        simulation.set_path_loss(0, 0, 1.0)
