/* SPDX-License-Identifier: BSD-3-Clause */
/* Image `nap` counts for 10 ms at 8 MHz, then sleeps in LPM3 for the rest of a second of the crystal,
 * for ever, as a sensor does that measures and computes once a second. */
#include "clock.h"
#include "cpu.h"
#include "registers.h"

#define CLOCK_HZ 8000000u
#define ROUNDS 8889u /* of nine cycles: 10 ms */

volatile uint16_t nap_rounds;
volatile uint16_t nap_seconds;

int main(void)
{
    (void)clock_start(CLOCK_HZ);
    TBCCR0 = CLOCK_ACLK_HZ - 1u;
    TBCCTL0 = CCIE;
    TBCTL = TSSEL_ACLK | MC_UP;
    for (;;) {
        for (uint16_t round = 0; round < ROUNDS; round++) {
            nap_rounds = round;
        }
        nap_seconds++;
        cpu_sr_set(SR_LPM3 | SR_GIE);
    }
}
