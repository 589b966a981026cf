/* SPDX-License-Identifier: BSD-3-Clause */
/* Ticks, microseconds, ASN, hopping.
 *
 * References: IEEE 802.15.4-2015 6.2.10 (hopping), 6.5.4 (time correction), 7.4.2.7 (its range).
 * One tick is (WM_TICK_US_WHOLE + WM_TICK_US_REST / 512) us: (30 + 265/512) us are 1/32768 s, 4 us
 * are 1/250000 s. */
#include "tsch_time.h"

#define CORRECTION_MIN_US (-2048)
#define CORRECTION_MAX_US 2047
/* 67 ticks of 1/32768 s are 2045 us, 68 are 2075; 511 of 1/250000 s are 2044 us */
#define CORRECTION_MAX_TICKS ((int)(2047ul * WM_TICK_HZ / 1000000ul))
/* 512ths of a microsecond in a tick */
#define TICK_US_512THS (WM_TICK_US_WHOLE * UINT32_C(512) + WM_TICK_US_REST)
#define HALF_TICK_US (WM_TICK_US_WHOLE / 2u)
/* a tick more, rounded: of two, one has the rest */
#define SECOND_TICK_US (WM_TICK_US_WHOLE + WM_TICK_US_REST / 256)

/* Default hopping sequence of the 2.4 GHz band, as channel numbers. */
static const uint8_t hopping_sequence[WM_HOPPING_LEN] = {16, 17, 23, 18, 26, 15, 25, 22,
                                                         19, 11, 12, 13, 24, 14, 20, 21};

uint32_t wm_ticks_to_us(uint16_t ticks)
{
    return (ticks * TICK_US_512THS + 256u) >> 9; /* at most 65535 x 15625 < 2^30 */
}

/* Greatest t with wm_ticks_to_us(t) <= us + half a tick, bit by bit; the half is rounded down so that
 * a step of whole microseconds never takes it in. Monotonic, because every tick adds at least
 * WM_TICK_US_WHOLE. */
uint16_t wm_us_to_ticks(uint32_t us)
{
    uint16_t ticks = 0;
    uint16_t bit = 0x8000u;

    us = us > 2000000u ? 2000000u : us;
    do {
        if (wm_ticks_to_us(ticks | bit) <= us + HALF_TICK_US) {
            ticks |= bit;
        }
        bit >>= 1;
    } while (bit != 0);
    return ticks;
}

int16_t wm_difference_to_us(int16_t ticks)
{
    unsigned t;

    if (ticks > CORRECTION_MAX_TICKS) {
        return CORRECTION_MAX_US;
    }
    if (ticks < -CORRECTION_MAX_TICKS) {
        return CORRECTION_MIN_US;
    }
    t = (unsigned)(ticks < 0 ? -ticks : ticks);
    t = t * WM_TICK_US_WHOLE +
        ((t * WM_TICK_US_REST + 256u) >> 9); /* 67 x 265 < 2^15: 16 bits do */
    return (int16_t)(ticks < 0 ? -(int)t : (int)t);
}

int16_t wm_correction_to_ticks(int16_t us)
{
    uint16_t left = (uint16_t)(us < 0 ? -us : us);
    int16_t ticks = 0;

    /* Corrections are a few ticks: taking them off one by one is cheapest. Of 1/32768 s every second
     * tick is 31 us: 61 us for two against 61.04, 1.2 us short at the largest correction. */
    while (left > HALF_TICK_US) {
        ticks++;
        left = (uint16_t)(left > WM_TICK_US_WHOLE
                              ? left - ((ticks & 1) != 0 ? WM_TICK_US_WHOLE : SECOND_TICK_US)
                              : 0u);
    }
    return (int16_t)(us < 0 ? -ticks : ticks);
}

void wm_asn_increment(uint8_t asn[5])
{
    uint8_t *octet = asn + 4;

    if ((asn[0] & asn[1] & asn[2] & asn[3] & asn[4]) == 0xFF) {
        return;
    }
    while (++*octet == 0) {
        octet--;
    }
}

void wm_asn_add(uint8_t asn[5], uint16_t slots)
{
    uint8_t i = 5;
    uint32_t sum = slots;

    while (i-- != 0) {
        sum += asn[i];
        asn[i] = (uint8_t)sum;
        sum >>= 8;
    }
    if (sum != 0) {
        asn[0] = asn[1] = asn[2] = asn[3] = asn[4] = 0xFF;
    }
}

bool wm_asn_less(const uint8_t a[5], const uint8_t b[5])
{
    uint8_t i = 0;

    while (i < 4 && a[i] == b[i]) {
        i++;
    }
    return a[i] < b[i];
}

uint16_t wm_asn_mod(const uint8_t asn[5], uint16_t length)
{
    uint16_t rest = 0;
    uint8_t i;

    for (i = 0; i < 5; i++) {
        uint8_t octet = asn[i];
        uint8_t bits = 8;
        do {
            /* rest < length <= 2^15 - 1: no carry is lost */
            rest = (uint16_t)(rest << 1 | octet >> 7);
            octet = (uint8_t)(octet << 1);
            if (rest >= length) {
                rest = (uint16_t)(rest - length);
            }
        } while (--bits != 0);
    }
    return rest;
}

uint8_t wm_hopping_channel(uint8_t position)
{
    return hopping_sequence[position & (WM_HOPPING_LEN - 1u)];
}
