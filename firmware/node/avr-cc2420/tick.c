/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers of 16 bits are read and written octet by octet, by way of one that all share (Atmel 2467,
 * "Accessing 16-bit Registers"): outside handlers with interrupts disabled. */
#include "tick.h"

#define EDGES 8u /* a power of 2; one place stays empty */

static volatile bool fired;
static tick_edge edges[EDGES];
static volatile uint8_t in, out;
static volatile bool lost;

static uint8_t irq_save(void)
{
    uint8_t status = SREG;
    cpu_irq_disable();
    return status;
}

static void irq_restore(uint8_t status)
{
    __asm__ volatile("" : : : "memory");
    SREG = status;
}

void tick_start(void)
{
    TCCR1B = TCCR1B_256;
}

uint16_t tick_now(void)
{
    uint8_t status = irq_save();
    uint16_t now = TCNT1;
    irq_restore(status);
    return now;
}

bool tick_alarm(uint16_t tick)
{
    uint8_t status = irq_save();
    fired = false;
    OCR1A = tick;
    TIFR = OCF1A; /* what matches from here on is seen; what matched before, in the comparison */
    TIMSK |= OCIE1A;
    bool ahead = (int16_t)(tick - TCNT1) > 0;
    if (!ahead) {
        TIMSK &= (uint8_t)~OCIE1A;
    }
    irq_restore(status);
    return ahead;
}

CPU_HANDLER(VECTOR_TIMER1_COMPARE_A)
{
    TIMSK &= (uint8_t)~OCIE1A;
    fired = true;
}

bool tick_alarm_due(uint16_t *tick)
{
    uint8_t status = irq_save();
    *tick = OCR1A;
    irq_restore(status);
    return fired;
}

void tick_alarm_clear(void)
{
    fired = false;
}

/* Waits for the edge away from the level that the pin has. Changing the sense may set the flag. */
static bool sense(void)
{
    bool high = (PIND & PD_ICP1) != 0;
    TCCR1B = high ? TCCR1B_256 : TCCR1B_256 | ICES1;
    TIFR = ICF1;
    return high;
}

void tick_capture(bool on)
{
    uint8_t status = irq_save();
    (void)sense();
    TIMSK = (uint8_t)(on ? TIMSK | TICIE1 : TIMSK & (uint8_t)~TICIE1);
    out = in;
    lost = false;
    irq_restore(status);
}

CPU_HANDLER(VECTOR_TIMER1_CAPTURE)
{
    const bool rising = (TCCR1B & ICES1) != 0;
    tick_edge *edge = &edges[in % EDGES];
    edge->tick = ICR1;
    edge->high = sense();
    edge->missed = edge->high != rising || lost;
    if ((uint8_t)(in - out) == EDGES - 1u) {
        lost = true;
    } else {
        in++;
        lost = false;
    }
}

bool tick_edge_first(tick_edge *edge)
{
    if (in == out) {
        return false;
    }
    *edge = edges[out % EDGES];
    return true;
}

void tick_edge_drop(void)
{
    out++;
}

void tick_sleep(uint8_t mode)
{
    cpu_irq_disable();
    if (fired || in != out) {
        cpu_irq_enable();
    } else {
        cpu_sleep(mode); /* enables interrupts in the same step */
    }
}

void tick_wake(void)
{
    fired = true;
}
