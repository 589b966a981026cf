/* SPDX-License-Identifier: BSD-3-Clause */
/* The DCO has no frequency of its own: it is searched bit by bit, against the crystal. */
#include "hal.h"

#define PERIODS 16u
#define WANTED (128u * PERIODS) /* 4 MiHz in so many periods of 32 768 Hz */

static void set(uint16_t taps)
{
    BCSCTL1 = (uint8_t)((BCSCTL1 & ~7u) | (taps >> 8 & 7u));
    DCOCTL = (uint8_t)taps;
}

/* DCO periods in some of ACLK: Timer_A counts them, Timer_B says when. */
static uint16_t measure(uint16_t taps)
{
    uint16_t tick, before;
    set(taps);
    tick = TBR;
    while (TBR == tick) {
    }
    before = TAR;
    tick += PERIODS + 1;
    while (TBR != tick) {
    }
    return TAR - before;
}

void clock_calibrate(void)
{
    uint16_t taps = 0;
    BCSCTL1 = XT2OFF;
    BCSCTL2 = 0;
    TACTL = TASSEL_2 | MC_2 | TACLR;
    TBCTL = TBSSEL_1 | MC_2 | TBCLR;
    while (IFG1 & OFIFG) { /* the crystal */
        IFG1 &= ~OFIFG;
        for (volatile uint8_t left = 50; left != 0; left--) {
        }
    }
    for (uint16_t step = 0x400; step != 0; step >>= 1) {
        if (measure(taps | step) <= WANTED) {
            taps |= step;
        }
    }
    if ((taps & 0xE0u) == 0xE0u) { /* no tap above: nothing to mix with */
        taps &= ~0x1Fu;
    }
    set(taps);
    BCSCTL2 = DIVS_2;
}

/* The other way to measure: TACCR2 takes the timer's value at edges of ACLK. */
uint16_t clock_captured(void)
{
    uint16_t first;
    BCSCTL1 |= DIVA_3; /* ACLK / 8 */
    TACCTL2 = CM_1 | CCIS_1 | CAP | SCS;
    for (uint8_t edge = 0; edge < 2; edge++) { /* the first ones may be from before */
        TACCTL2 &= ~CCIFG;
        while (!(TACCTL2 & CCIFG)) {
        }
    }
    first = TACCR2;
    TACCTL2 &= ~CCIFG;
    while (!(TACCTL2 & CCIFG)) {
    }
    first = TACCR2 - first;
    TACCTL2 = 0;
    BCSCTL1 &= ~DIVA_3;
    return first * 4u; /* SMCLK is a quarter */
}
