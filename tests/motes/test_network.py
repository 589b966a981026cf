# SPDX-License-Identifier: BSD-3-Clause
"""Two TelosBs, two MICAz and an OpenMote in one network: each hears every frame of each other one,
and answers the one before it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.motes import openmote, test_radio
from tests.motes.telosb import Build
from wardmote import Air, Mote

NODES = ("telosb", "micaz", openmote.BOARD, "telosb", "micaz")
"""By their numbers from 1 on. Each one's frame is answered by a board of another kind."""
ROUNDS = 3
MOST_S = 1.0
"""Within this three rounds are over."""

# The same program for all: node 1 begins; who hears node N - 1 sends as node N. The frame is a data
# frame to everybody with PAN ID compression and short addresses; its payload is the round.
RING = """
#define NODES 5
#define ROUNDS 3
#define LENGTH 12
volatile uint16_t heard[NODES + 1], rounds_in_order[NODES + 1], wrong, sent;
static void pass_on(void)
{
    const uint8_t frame[LENGTH - 1] = {LENGTH, 0x41, 0x88, (uint8_t)sent, 0xFF, 0xFF,
                                       0xFF,   0xFF, NODE, 0,             (uint8_t)sent};
    send(frame, sizeof frame);
    sent++;
}
static void take(const uint8_t *frame)
{
    const uint8_t from = frame[8];
    if (frame[0] != LENGTH || frame[1] != 0x41 || frame[2] != 0x88 || from == 0 || from > NODES ||
        from == NODE || !(frame[LENGTH] & 0x80)) {
        wrong++;
        return;
    }
    if (frame[3] == heard[from] && frame[10] == heard[from])
        rounds_in_order[from]++;
    heard[from]++;
    if (from % NODES + 1 == NODE && sent < ROUNDS)
        pass_on();
}
int main(void)
{
    for (uint8_t i = 0; i <= NODES; i++)
        heard[i] = rounds_in_order[i] = 0;
    wrong = sent = 0;
    radio_on();
    listen();
    if (NODE == 1) {
        for (volatile uint16_t left = 20000; left; left--)
            ;
        pass_on();
    }
    for (;;) {
        uint8_t frame[16];
        receive(frame);
        take(frame);
    }
}
"""

# What both boards with a CC2420 share; the names in capitals are the board's.
CC2420 = """
static void listen(void)
{
    strobe(3); /* SRXON */
}
static void send(const uint8_t *frame, uint8_t octets)
{
    strobe(9); /* SFLUSHTX */
    SELECT;
    spi(0x3E);
    while (octets--)
        spi(*frame++);
    RELEASE;
    strobe(4); /* STXON; the receiver is on behind the frame */
}
static void receive(uint8_t *frame)
{
    while (!FIFOP)
        ;
    SELECT;
    spi(0x7F);
    frame[0] = spi(0);
    for (uint8_t i = 1; i <= frame[0]; i++)
        frame[i & 15] = spi(0);
    RELEASE;
}
"""

TELOSB = (
    test_radio.RADIO
    + """
#define SELECT P4OUT &= (uint8_t)~4
#define RELEASE P4OUT |= 4
#define FIFOP (R8(0x20) & 1)
"""
    + CC2420
    + RING
)

MICAZ = (
    """
#include <avr/io.h>
#include <util/delay.h>
#define SELECT PORTB &= (uint8_t)~_BV(0)
#define RELEASE PORTB |= _BV(0)
#define FIFOP (PINE & _BV(6))
static uint8_t spi(uint8_t octet)
{
    SPDR = octet;
    loop_until_bit_is_set(SPSR, SPIF);
    return SPDR;
}
static uint8_t strobe(uint8_t number)
{
    SELECT;
    uint8_t status = spi(number);
    RELEASE;
    return status;
}
static void radio_on(void)
{
    PORTB = _BV(0);
    DDRB = _BV(0) | _BV(1) | _BV(2); /* CSn, SCK, MOSI */
    DDRA = _BV(5) | _BV(6); /* VREG_EN, RESETn */
    SPCR = _BV(SPE) | _BV(MSTR);
    SPSR = _BV(SPI2X);
    PORTA = _BV(5);
    _delay_ms(1);
    PORTA |= _BV(6);
    strobe(1); /* SXOSCON */
    while (!(strobe(0) & 0x40))
        ;
    SELECT;
    spi(0x11); /* MDMCTRL0: no address decoding, AUTOCRC */
    spi(0x02);
    spi(0xE2);
    RELEASE;
}
"""
    + CC2420
    + RING
)

OPENMOTE = openmote.program(
    openmote.RADIO
    + """
static void listen(void)
{
    RFST = 0xE3; /* ISRXON */
}
static void send(const uint8_t *frame, uint8_t octets)
{
    RFST = 0xEE; /* ISFLUSHTX */
    while (octets--)
        RF(0x828) = *frame++;
    RFST = 0xE9; /* ISTXON; the receiver is on behind the frame */
}
static void receive(uint8_t *frame)
{
    while (!(RF(0x64C) & (1 << 6))) /* FIFOP */
        ;
    frame[0] = (uint8_t)RF(0x828);
    for (uint32_t i = 1; i <= frame[0]; i++)
        frame[i & 15] = (uint8_t)RF(0x828);
}
"""
    + RING
)


@pytest.fixture(scope="module")
def images(
    msp430: Build, armv7m: Build, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, ...]:
    """The program of each node. That of a MICAz is made with avr-libc and its start-up code."""

    def avr(node: str) -> Path:
        folder = tmp_path_factory.mktemp("micaz")
        (folder / "ring.c").write_text(MICAZ)
        flags = ("-mmcu=atmega128", "-DF_CPU=7372800UL", "-Os", "-Wall", "-Wextra", "-Werror")
        words = ("avr-gcc", *flags, node, folder / "ring.c", "-o", folder / "ring.elf")
        subprocess.run(words, check=True)
        return folder / "ring.elf"

    def image(board: str, number: int) -> Path:
        node = f"-DNODE={number}"
        if board == "micaz":
            return avr(node)
        build, text = (msp430, TELOSB) if board == "telosb" else (armv7m, OPENMOTE)
        return build(text, flags=(node,))

    return tuple(image(board, number) for number, board in enumerate(NODES, 1))


def words(mote: Mote, name: str) -> list[int]:
    """An array of 16-bit words."""
    address, octets = mote.air.simulation.symbol(mote.place, name)
    held = mote.air.simulation.read(mote.place, address, octets)
    return [int.from_bytes(held[at : at + 2], "little") for at in range(0, octets, 2)]


def test_each_hears_each_other_one(images: tuple[Path, ...]) -> None:
    """Three rounds: every frame arrives at all four others, in order and with a right checksum, and
    each is an answer. Nobody does anything against a data sheet."""
    air = Air()
    motes = [Mote(image, board, air=air) for board, image in zip(NODES, images, strict=True)]
    air.until(
        lambda: all(mote.variable("sent") == ROUNDS for mote in motes), "three rounds", MOST_S
    )
    air.run(0.01)
    for number, mote in enumerate(motes, 1):
        wanted = [0, *(0 if other == number else ROUNDS for other in range(1, 6))]
        assert words(mote, "heard") == wanted, number
        assert words(mote, "rounds_in_order") == wanted, number
        assert (mote.variable("wrong"), mote.variable("sent")) == (0, ROUNDS), number
        assert mote.misuse == [], number
    order = [place for place, *_ in air.simulation.frames()]
    assert order == [0, 1, 2, 3, 4] * ROUNDS
    assert all(frame.whole for mote in motes for frame in mote.frames)


def test_a_ring_with_a_cut_stops_there(images: tuple[Path, ...]) -> None:
    """If the OpenMote does not hear the MICAz before it, nobody sends behind that one."""
    air = Air()
    motes = [Mote(image, board, air=air) for board, image in zip(NODES, images, strict=True)]
    air.link(motes[1], motes[2], prr=0)
    air.run(MOST_S)
    assert [mote.variable("sent") for mote in motes] == [1, 1, 0, 0, 0]
    assert [mote.variable("wrong") for mote in motes] == [0] * 5
    assert [words(mote, "heard")[2] for mote in motes] == [1, 0, 0, 1, 1]
