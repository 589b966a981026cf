/* SPDX-License-Identifier: BSD-3-Clause */
/* DCO calibration: Timer_A counts SMCLK and captures edges of ACLK (CCI2B), divided by 8 so that
 * the slowest DCO has cycles enough between them. 4 periods, 1 ms, are long against the modulator's
 * pattern of 32 DCO periods. Frequency rises with RSELx at one DCOCTL, and with the octet DCOCTL
 * (DCOx, MODx) at one RSELx, so DCOCTL is found by successive approximation. Real DCOs spread by 30
 * %: nothing is assumed of absolute values. */
#include "clock.h"
#include "registers.h"

#define ACLK_DIVIDER 8u
#define PERIODS 4u
#define DCO_LOWEST 0x00u
#define DCO_HIGHEST 0xE0u /* DCOx = 7: the modulator has no faster tap to mix in */

/* A crystal may need a second to start; a turn of the wait loop takes 10 cycles and more. */
#define EDGE_PATIENCE 1000000ul

static bool wait_edge(uint16_t *at)
{
    for (uint32_t turn = 0; turn < EDGE_PATIENCE; turn++) {
        if ((TACCTL2 & CCIFG) != 0) {
            *at = TACCR2;
            TACCTL2 &= (uint16_t)~(CCIFG | COV);
            return true;
        }
    }
    return false;
}

/* DCO periods in PERIODS of ACLK / 8; 0 when ACLK does not run. */
static uint16_t measure(void)
{
    uint16_t first, last;
    TACTL = TSSEL_SMCLK | MC_CONTINUOUS | TCLR;
    TACCTL2 = CM_RISING | CCIS_B | SCS | CAP;
    if (!wait_edge(&first)) {
        return 0;
    }
    last = first;
    for (uint8_t n = 0; n < PERIODS; n++) {
        if (!wait_edge(&last)) {
            return 0;
        }
    }
    return (uint16_t)(last - first);
}

static uint16_t measure_at(uint8_t rsel, uint8_t tap)
{
    BCSCTL1 = XT2OFF | DIVA_8 | rsel;
    DCOCTL = tap;
    return measure();
}

/* The highest RSELx whose lowest tap is not above `target`: the target then lies at a low tap, with
 * faster ones for the modulator to mix in. Range 0 when even its lowest tap is faster. */
static uint8_t choose_range(uint16_t target)
{
    uint8_t rsel = RSEL_MASK;
    while (rsel != 0 && measure_at(rsel, DCO_LOWEST) > target) {
        rsel--;
    }
    return rsel;
}

/* The highest DCOCTL of range `rsel` with at most `limit` periods; returns its periods. */
static uint16_t choose_tap(uint8_t rsel, uint16_t limit)
{
    uint8_t tap = 0;
    for (uint8_t bit = 0x80; bit != 0; bit >>= 1) {
        if (measure_at(rsel, tap | bit) <= limit) {
            tap |= bit;
        }
    }
    return measure_at(rsel, tap);
}

bool clock_start(uint32_t hz)
{
    uint16_t target = (uint16_t)(hz / (CLOCK_ACLK_HZ / (ACLK_DIVIDER * PERIODS))); /* 976..7812 */
    uint16_t limit = target + (target >> 9);

    BCSCTL2 = 0; /* MCLK = SMCLK = DCO, internal resistor */
    if (measure_at(RSEL_MASK, DCO_HIGHEST) == 0) {
        return false;
    }
    if (measure_at(RSEL_MASK, DCO_HIGHEST) < target) {
        BCSCTL2 = DCOR; /* the board's resistor at Rosc: faster */
    }
    uint8_t rsel = choose_range(target);
    uint16_t reached = choose_tap(rsel, limit);
    uint16_t off = reached > target ? reached - target : target - reached;
    BCSCTL1 = XT2OFF | rsel;
    TACTL = 0;
    TACCTL2 = 0;
    return off <= target / 100;
}
