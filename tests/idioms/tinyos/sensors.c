/* SPDX-License-Identifier: BSD-3-Clause */
/* Two devices on wires of their own, by hand: DS2411 on P2.4, SHT11 on P1.5 (data), P1.6, P1.7. */
#include "hal.h"

#define WIRE 0x10u
#define DATA 0x20u
#define SCK 0x40u
#define POWER 0x80u

uint16_t temperature_raw;
bool temperature_right;
static action *done;

/* Timer_A counts SMCLK: 1.05 ticks in a microsecond. */
static void wait_us(uint16_t us)
{
    uint16_t from = TAR;
    while ((uint16_t)(TAR - from) < us) {
    }
}

static void pull(uint16_t us)
{
    P2DIR |= WIRE;
    wait_us(us);
    P2DIR &= ~WIRE;
}

static bool wire_bit(bool one)
{
    atomic_t before = atomic_begin();
    pull(one ? 6 : 60);
    wait_us(8);
    bool level = (P2IN & WIRE) != 0;
    wait_us(60);
    atomic_end(before);
    return level;
}

void serial_number(uint8_t octets[8])
{
    P2OUT &= ~WIRE;
    P2SEL &= ~WIRE;
    pull(560); /* binary microseconds: 534 */
    wait_us(500);
    for (uint8_t bit = 0; bit < 8; bit++) {
        wire_bit(0x33 >> bit & 1);
    }
    for (uint8_t i = 0; i < 8; i++) {
        octets[i] = 0;
        for (uint8_t bit = 0; bit < 8; bit++) {
            octets[i] |= (uint8_t)(wire_bit(true) << bit);
        }
    }
}

static void data(bool high)
{
    P1DIR = high ? P1DIR & (uint8_t)~DATA : P1DIR | DATA; /* open drain */
}

static void clock(bool high)
{
    P1OUT = high ? P1OUT | SCK : P1OUT & (uint8_t)~SCK;
    wait_us(2);
}

static bool sht_bit(bool bit)
{
    data(bit);
    clock(true);
    bool level = (P1IN & DATA) != 0;
    clock(false);
    return level;
}

static uint8_t sht_octet(uint8_t out, bool acknowledge)
{
    uint8_t in = 0;
    for (uint8_t i = 0; i < 8; i++) {
        in = (uint8_t)(in << 1 | sht_bit(out & 0x80));
        out <<= 1;
    }
    sht_bit(!acknowledge);
    return in;
}

static void sht_start(void)
{
    data(true);
    clock(true);
    data(false);
    clock(false);
    clock(true);
    data(true);
    clock(false);
}

/* x^8 + x^5 + x^4 + 1, over the command and both octets; it comes with its bits in reverse. */
static uint8_t check(const uint8_t *octets)
{
    uint8_t sum = 0, reverse = 0;
    for (uint8_t i = 0; i < 3; i++) {
        sum ^= octets[i];
        for (uint8_t bit = 0; bit < 8; bit++) {
            sum = (uint8_t)(sum & 0x80 ? sum << 1 ^ 0x31 : sum << 1);
        }
    }
    for (uint8_t bit = 0; bit < 8; bit++) {
        reverse = (uint8_t)(reverse << 1 | (sum >> bit & 1));
    }
    return reverse;
}

static void take(void)
{
    uint8_t octets[3] = {0x03};
    octets[1] = sht_octet(0xFF, true);
    octets[2] = sht_octet(0xFF, true);
    temperature_raw = (uint16_t)(octets[1] << 8 | octets[2]);
    temperature_right = sht_octet(0xFF, false) == check(octets);
    P1OUT &= ~POWER;
    done();
}

/* The sensor pulls its line down when it is ready. */
void sensors_edge(void)
{
    P1IE &= ~DATA;
    task_is(TASK_STEP, take);
    task_post(TASK_STEP);
}

static void measure(void)
{
    sht_start();
    sht_octet(0x03, false); /* the acknowledgement is the sensor's */
    P1IES |= DATA;
    P1IFG &= ~DATA;
    P1IE |= DATA;
}

void sensors_start(void)
{
    TACTL = TASSEL_2 | MC_2;
    P1OUT &= ~(DATA | SCK);
    P1DIR = (P1DIR | SCK | POWER) & (uint8_t)~DATA;
}

void temperature(action *then)
{
    done = then;
    P1OUT |= POWER;
    timer_once(TIMER_STEP, 12, measure);
}
