/* SPDX-License-Identifier: BSD-3-Clause */
/* An ATmega128 as SPI slave, octet by octet: what each interrupt finds, and what it gives. The test
 * defines SEED, which is the first octet of a sender and 0 for a receiver, how many OCTETS pass, and
 * HELD: behind so many, interrupts wait for as long as two and a half. */
#include <stdint.h>
#include "cc1000.h"
#include "cpu.h"
#include "pins.h"

enum { MOST = 64, OCTET_US = 417 };

struct log {
    uint8_t done;
    uint8_t before; /* SPSR while interrupts wait */
    uint8_t taken[MOST];
    uint8_t status[MOST]; /* SPSR in each handler */
};
volatile struct log seen;

static volatile uint8_t at;
static uint8_t given = SEED;

CPU_HANDLER(VECTOR_SPI)
{
    if (at == OCTETS) {
        return;
    }
    seen.status[at] = SPSR;
    seen.taken[at] = SPDR;
    at++;
    if (SEED) {
        given = (uint8_t)(5 * given + 17);
        SPDR = given;
    }
}

int main(void)
{
    cc1000_start();
    if (SEED) {
        CPU_WAIT_US(10000); /* the receiver is there */
        cc1000_transmit(CC1000_PA_0_DBM, SEED);
    } else {
        cc1000_receive();
    }
    cpu_irq_enable();
    while (HELD && at != HELD) {
    }
    if (HELD) {
        cpu_irq_disable();
        CPU_WAIT_US(5 * OCTET_US / 2);
        seen.before = SPSR;
        cpu_irq_enable();
    }
    while (at != OCTETS) {
    }
    cpu_irq_disable();
    SPCR = 0;
    seen.done = 1;
    MCUCR = SE;
    for (;;) {
        __asm__ volatile("sleep");
    }
}
