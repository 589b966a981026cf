/* SPDX-License-Identifier: BSD-3-Clause */
/* CC2420 on the SPI: blocks by interrupt, single octets without; FIFOP on INT6; SFD on ICP1, whose
 * edges Timer1 stamps. */
#include <util/delay.h>
#include "../frames.h"
#include "parts.h"

#define SELECT (PORTB &= (uint8_t)~_BV(PB0))
#define RELEASE (PORTB |= _BV(PB0))

enum { SNOP, SXOSCON, SRXON = 3, STXONCCA = 5, SFLUSHRX = 8, SFLUSHTX };
enum { MDMCTRL0 = 0x11, RXCTRL1 = 0x17, FSCTRL = 0x18, IOCFG0 = 0x1C };

volatile uint16_t radio_air[2] = {0xFFFF, 0}, radio_gap[2] = {0xFFFF, 0};
uint8_t radio_acked, radio_heard;

static volatile bool arrived, edges;
static volatile uint16_t up, down;
static volatile uint8_t *volatile block;
static volatile uint8_t left;
static uint16_t self;
static uint8_t sequence;

static uint8_t exchange(uint8_t octet)
{
    SPDR = octet;
    loop_until_bit_is_set(SPSR, SPIF);
    return SPDR;
}

ISR(SPI_STC_vect)
{
    *block++ = SPDR;
    if (--left != 0) {
        SPDR = *block;
    }
}

/* Exchanges a block by interrupt; other threads run meanwhile. */
static void exchange_block(uint8_t *octets, uint8_t count)
{
    block = octets;
    left = count;
    SPCR |= _BV(SPIE);
    SPDR = octets[0];
    while (left != 0) {
        thread_yield();
    }
    SPCR &= (uint8_t)~_BV(SPIE);
}

static uint8_t strobe(uint8_t command)
{
    SELECT;
    uint8_t status = exchange(command);
    RELEASE;
    return status;
}

static void set(uint8_t address, uint16_t value)
{
    SELECT;
    exchange(address);
    exchange((uint8_t)(value >> 8));
    exchange((uint8_t)value);
    RELEASE;
}

static void memory(uint16_t address, uint8_t reads, uint8_t *octets, uint8_t count)
{
    SELECT;
    exchange((uint8_t)(0x80 | (address & 0x7F)));
    exchange((uint8_t)((address >> 1 & 0xC0) | reads));
    exchange_block(octets, count);
    RELEASE;
}

bool radio_start(void)
{
    uint8_t turns = 0;
    PORTB |= _BV(PB0);
    DDRB |= _BV(PB0) | _BV(PB1) | _BV(PB2);
    DDRA |= _BV(PA5) | _BV(PA6);
    SPCR = _BV(SPE) | _BV(MSTR);
    SPSR = _BV(SPI2X);
    PORTA |= _BV(PA5);
    _delay_us(700);
    PORTA &= (uint8_t)~_BV(PA6);
    _delay_us(2);
    PORTA |= _BV(PA6);
    strobe(SXOSCON);
    while (!(strobe(SNOP) & 0x40)) { /* the crystal is not stable */
        _delay_us(100);
        if (++turns == 20) {
            return false;
        }
    }
    set(MDMCTRL0, 0x0AF2);
    set(RXCTRL1, 0x2A56);
    set(FSCTRL, 0x4165 + 15 * 5);
    set(IOCFG0, 0x007F);
    return true;
}

uint8_t radio_memory(void)
{
    uint8_t octets[48], wrong = 0;
    for (uint8_t i = 0; i < sizeof octets; i++) {
        octets[i] = (uint8_t)(i * 37u);
    }
    memory(0x100, 0, octets, sizeof octets);
    memory(0x100, 0x20, octets, sizeof octets);
    for (uint8_t i = 0; i < sizeof octets; i++) {
        wrong += octets[i] != (uint8_t)(i * 37u);
    }
    return wrong;
}

static void note(volatile uint16_t *times, uint16_t ticks)
{
    times[0] = ticks < times[0] ? ticks : times[0];
    times[1] = ticks > times[1] ? ticks : times[1];
}

/* The next edge is the other one; the flag is cleared after that (data sheet, ICES1). */
ISR(TIMER1_CAPT_vect)
{
    uint16_t at = ICR1;
    bool rose = (TCCR1B & _BV(ICES1)) != 0;
    TCCR1B ^= _BV(ICES1);
    TIFR = _BV(ICF1);
    if (!edges) {
        return;
    }
    if (!rose) {
        note(radio_air, at - up);
        down = at;
    } else if (down != 0) {
        note(radio_gap, at - down);
        edges = false;
    }
    up = rose ? at : up;
}

ISR(INT6_vect)
{
    arrived = true;
}

void radio_listen(uint16_t address)
{
    uint8_t own[4] = {0x22, 0, (uint8_t)address, (uint8_t)(address >> 8)};
    self = address;
    memory(0x168, 0, own, sizeof own);
    EICRB |= _BV(ISC61) | _BV(ISC60);
    EIFR = _BV(INTF6);
    EIMSK |= _BV(INT6);
    TCCR1B |= _BV(ICES1);
    TIFR = _BV(ICF1);
    TIMSK |= _BV(TICIE1);
    strobe(SRXON);
}

static void take(const uint8_t *frame, uint8_t length)
{
    if (self == 1) {
        radio_acked += radio_is_ack(frame, length, sequence);
    } else if (radio_is(frame, length, radio_heard) && ++radio_heard == RADIO_FRAMES) {
        printf("heard %u\n", radio_heard);
    }
}

void radio_poll(void)
{
    uint8_t frame[128];
    if (!arrived) {
        return;
    }
    arrived = false;
    while (PINE & _BV(PE6)) {
        SELECT;
        exchange(0x7F);
        uint8_t length = exchange(0) & 0x7F;
        for (uint8_t i = 0; i < length; i++) {
            frame[i] = exchange(0);
        }
        RELEASE;
        if (!(PINB & _BV(PB7)) && (PINE & _BV(PE6))) {
            strobe(SFLUSHRX);
            strobe(SFLUSHRX);
        } else if (length >= 5 && (frame[length - 1] & 0x80)) {
            take(frame, length - 2);
        }
    }
}

void radio_send(uint8_t number)
{
    uint8_t frame[RADIO_FRAME];
    sequence = number;
    radio_fill(frame, (uint8_t)self, number);
    strobe(SFLUSHTX);
    SELECT;
    exchange(0x3E);
    exchange(RADIO_FRAME + 2);
    exchange_block(frame, RADIO_FRAME);
    RELEASE;
    down = 0;
    edges = true;
    strobe(STXONCCA);
}
