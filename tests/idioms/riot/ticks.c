/* SPDX-License-Identifier: BSD-3-Clause */
/* Timer1 has 16 bits; its overflows are counted. An alarm farther away than that waits for its
 * overflow before it is given to the comparator. */
#include "parts.h"

volatile uint16_t ticks_overflows;
volatile int16_t ticks_late;
static volatile uint32_t alarm;

static void arm(void)
{
    uint32_t left = alarm - ticks_now();
    if (left < 0x10000 - 64) {
        OCR1A = (uint16_t)alarm;
        TIFR = _BV(OCF1A);
        TIMSK |= _BV(OCIE1A);
    }
}

ISR(TIMER1_OVF_vect)
{
    ticks_overflows++;
    if (ticks_late < 0) {
        arm();
    }
}

ISR(TIMER1_COMPA_vect)
{
    TIMSK &= (uint8_t)~_BV(OCIE1A);
    ticks_late = (int16_t)(ticks_now() - alarm);
}

void ticks_start(void)
{
    TCCR1A = 0;
    TCCR1B = _BV(CS11);
    TIMSK |= _BV(TOIE1);
}

uint32_t ticks_now(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        uint16_t low = TCNT1;
        now = (uint32_t)ticks_high(low, (TIFR & _BV(TOV1)) != 0) << 16 | low;
    }
    return now;
}

void ticks_alarm(uint32_t at)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        alarm = at;
        ticks_late = -1;
        arm();
    }
}
