/* SPDX-License-Identifier: BSD-3-Clause */
#include "cc1000.h"
#include "cc1000_registers.h"
#include "cpu.h"
#include "pins.h"

/* The synthesizer: f = REFERENCE_HZ * (word + 8192) / 16384 (SWRS048, "Frequency programming").
 * Receiving, the oscillator is 150 kHz above the carrier; sending, a 1 is SEPARATION_HZ above a 0,
 * and the carrier is between them. */
#define CRYSTAL_HZ 14745600u
#define DIVIDER 12u
#define REFERENCE_HZ (CRYSTAL_HZ / DIVIDER)
#define OSCILLATOR_HZ 433152000u
#define INTERMEDIATE_HZ 150000u
#define SEPARATION_HZ 64000u
#define STEPS(hz) ((uint32_t)((uint64_t)(hz) * 16384u / REFERENCE_HZ))
#define WORD_RECEIVE (STEPS(OSCILLATOR_HZ) - 8192u)
#define WORD_SEND (STEPS(OSCILLATOR_HZ - INTERMEDIATE_HZ - SEPARATION_HZ / 2u) - 8192u)

/* CURRENT for receiving and sending at 433 MHz: VCO and buffers, as SWRS048 recommends. */
#define CURRENT_RECEIVE 0x44u
#define CURRENT_SEND 0x81u

/* What MAIN is in each mode. */
#define SLEEPS (CC1000_RX_PD | CC1000_TX_PD | CC1000_FS_PD | CC1000_BIAS_PD)
#define RECEIVES (CC1000_TX_PD | CC1000_RESET_N)
#define SENDS (CC1000_RXTX | CC1000_F_REG | CC1000_RX_PD | CC1000_RESET_N)

struct setting {
    uint8_t address;
    uint8_t value;
};

#define OCTET(word, place) ((uint8_t)((word) >> (8 * (place))))
#define FREQUENCY(first, word)                                                                     \
    {first, OCTET(word, 2)}, {(first) + 1u, OCTET(word, 1)},                                       \
    {                                                                                              \
        (first) + 2u, OCTET(word, 0)                                                               \
    }

static const struct setting settings[] = {
    FREQUENCY(CC1000_FREQ_2A, WORD_RECEIVE),
    FREQUENCY(CC1000_FREQ_2B, WORD_SEND),
    {CC1000_FSEP1, OCTET(STEPS(SEPARATION_HZ), 1)},
    {CC1000_FSEP1 + 1u, OCTET(STEPS(SEPARATION_HZ), 0)},
    {CC1000_CURRENT, CURRENT_RECEIVE},
    {CC1000_FRONT_END, 0x02u}, /* RSSI at its pin */
    {CC1000_PA_POW, 0u},
    {CC1000_PLL, DIVIDER << 3},
    {CC1000_MODEM2, 0u},
    {CC1000_MODEM1, 0x6Bu}, /* the averaging filter runs freely and settles in 22 baud */
    {CC1000_MODEM0, 0x55u}, /* 38.4 kBaud of Manchester's code, crystal of 14.7456 MHz */
    {CC1000_MATCH, 0x70u},
    {CC1000_FSCTRL, 0x01u},
    {CC1000_TEST4, 0x3Fu}, /* for 38.4 kBaud and more */
};

/* Sends eight bits, the most significant one first: the radio takes them at falling edges. */
static void send(uint8_t octet)
{
    for (uint8_t bits = 8; bits > 0; bits--) {
        if ((octet & 0x80u) != 0) {
            CC1000_OUT |= CC1000_PDATA;
        } else {
            CC1000_OUT &= (uint8_t)~CC1000_PDATA;
        }
        CC1000_OUT &= (uint8_t)~CC1000_PCLK;
        CC1000_OUT |= CC1000_PCLK;
        octet = (uint8_t)(octet << 1);
    }
}

/* Address and direction, while PALE is low. */
static void address(uint8_t head)
{
    CC1000_OUT &= (uint8_t)~CC1000_PALE;
    send(head);
}

void cc1000_write(uint8_t to, uint8_t value)
{
    address((uint8_t)(to << 1 | 1u));
    CC1000_OUT |= CC1000_PALE;
    send(value);
}

uint8_t cc1000_read(uint8_t from)
{
    uint8_t value = 0;
    address((uint8_t)(from << 1));
    CC1000_DIR &= (uint8_t)~CC1000_PDATA;
    CC1000_OUT |= CC1000_PALE;
    for (uint8_t bits = 8; bits > 0; bits--) {
        CC1000_OUT &= (uint8_t)~CC1000_PCLK;
        value = (uint8_t)(value << 1 | ((CC1000_IN & CC1000_PDATA) != 0));
        CC1000_OUT |= CC1000_PCLK;
    }
    CC1000_DIR |= CC1000_PDATA;
    return value;
}

/* Calibrates the synthesizer for what MAIN has selected: up to 34 ms. */
static void calibrate(uint8_t main, uint8_t current)
{
    cc1000_write(CC1000_MAIN, main);
    cc1000_write(CC1000_CURRENT, current);
    cc1000_write(CC1000_CAL, CC1000_CAL_START | CC1000_CAL_WAIT | CC1000_CAL_ITERATE);
    while ((cc1000_read(CC1000_CAL) & CC1000_CAL_COMPLETE) == 0) {
        CPU_WAIT_US(100);
    }
    cc1000_write(CC1000_CAL, CC1000_CAL_WAIT | CC1000_CAL_ITERATE);
}

void cc1000_start(void)
{
    CC1000_OUT |= CC1000_PALE | CC1000_PCLK | CC1000_PDATA;
    CC1000_DIR |= CC1000_PALE | CC1000_PCLK | CC1000_PDATA;
    cc1000_write(CC1000_MAIN, SLEEPS); /* a reset, because RESET_N is 0 */
    cc1000_on();
    for (uint8_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        cc1000_write(settings[i].address, settings[i].value);
    }
    calibrate(RECEIVES, CURRENT_RECEIVE);
    calibrate(SENDS, CURRENT_SEND);
    cc1000_write(CC1000_MAIN, SLEEPS | CC1000_RESET_N);
}

void cc1000_off(void)
{
    SPCR = 0;
    cc1000_write(CC1000_PA_POW, 0);
    cc1000_write(CC1000_MAIN, SLEEPS | CC1000_CORE_PD | CC1000_RESET_N);
}

void cc1000_on(void)
{
    cc1000_write(CC1000_MAIN, SLEEPS | CC1000_RESET_N);
    CPU_WAIT_US(2000);
}

void cc1000_receive(void)
{
    SPCR = 0;
    DDRB &= (uint8_t)~(PB_MISO | PB_MOSI | PB_SCK);
    cc1000_write(CC1000_PA_POW, 0);
    cc1000_write(CC1000_MAIN, RECEIVES);
    cc1000_write(CC1000_CURRENT, CURRENT_RECEIVE);
    CPU_WAIT_US(250);
    SPCR = SPIE | SPE;
}

void cc1000_transmit(uint8_t pa_pow, uint8_t first)
{
    SPCR = 0;
    cc1000_write(CC1000_MAIN, SENDS);
    cc1000_write(CC1000_CURRENT, CURRENT_SEND);
    CPU_WAIT_US(250);
    cc1000_write(CC1000_PA_POW, pa_pow);
    CPU_WAIT_US(20);
    DDRB |= PB_MISO;
    SPCR = SPIE | SPE;
    SPDR = first;
}

uint16_t cc1000_rssi(void)
{
    ADMUX = CC1000_RSSI;
    ADCSRA = ADEN | ADSC | ADIF | ADPS_64;
    while ((ADCSRA & ADSC) != 0) {
    }
    return ADCW;
}
