/* SPDX-License-Identifier: BSD-3-Clause */
/* Round robin over stacks from the heap. */
#include <stdlib.h>
#include "parts.h"

#define MOST 3
#define SAVED 34 /* octets that a switch leaves above the address to return to */

static thread threads[MOST];
thread *volatile thread_current;
volatile uint16_t thread_switches;

void thread_main(void)
{
    threads[0].runs = true;
    thread_current = &threads[0];
}

bool thread_start(uint16_t stack, void (*entry)(void))
{
    uint8_t place = 1;
    while (place < MOST && threads[place].runs) {
        place++;
    }
    uint8_t *base = malloc(stack);
    if (base == NULL || place == MOST) {
        return false;
    }
    uint8_t *sp = base + stack - 1;
    *sp-- = (uint8_t)(uint16_t)entry;
    *sp-- = (uint8_t)((uint16_t)entry >> 8);
    for (uint8_t i = 0; i < SAVED; i++) {
        *sp-- = i == 1 ? 0x80 : 0; /* SREG: interrupts are on */
    }
    threads[place] = (thread){(uint16_t)sp, true};
    return true;
}

void thread_next(void);
void thread_next(void)
{
    thread *next = thread_current;
    do {
        next = next == &threads[MOST - 1] ? threads : next + 1;
    } while (!next->runs);
    thread_current = next;
    thread_switches++;
}

void thread_end(void)
{
    cli();
    thread_current->runs = false;
    thread_yield();
}

uint8_t thread_others(void)
{
    return (uint8_t)(threads[1].runs + threads[2].runs);
}

void thread_ticks(bool on)
{
    OCR3A = F_CPU / 1000 - 1;
    TCCR3B = _BV(WGM32) | _BV(CS30);
    ETIMSK = on ? _BV(OCIE3A) : 0;
}
