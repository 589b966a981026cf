/* SPDX-License-Identifier: BSD-3-Clause */
/* Both oscillators are asked for in one write; each is switched to when it is stable, which
 * CLOCK_STA says.
 * References: SWRU319, system control: CLOCK_CTRL, CLOCK_STA. */
#include "clock.h"
#include "registers.h"

#include "cpu.h"

#define HZ_32M 32000000u
#define HZ_16M 16000000u

#define CRYSTAL_PADS 0xC0u /* PD6, PD7 */
#define PATIENCE 4000000u  /* turns of at least 6 cycles of at most 32 MHz: 0.75 s and more */

uint32_t clock_power_downs;

bool clock_valid(uint32_t hz)
{
    return hz == HZ_32M || hz == HZ_16M;
}

/* Waits until the bits `mask` of CLOCK_STA are `value`. */
static bool wait_status(uint32_t mask, uint32_t value)
{
    for (uint32_t turn = 0; turn < PATIENCE; turn++) {
        if ((CLOCK_STA & mask) == value) {
            return true;
        }
    }
    return false;
}

/* An edge of the 32 kHz clock: only after one does the sleep timer tell what it has counted
 * meanwhile. */
static bool wait_edge(void)
{
    return wait_status(CLOCK_SYNC_32K, 0) && wait_status(CLOCK_SYNC_32K, CLOCK_SYNC_32K);
}

bool clock_start(uint32_t hz)
{
    GPIO_DIR(GPIO_D) &= ~CRYSTAL_PADS;
    IOC_PD6_OVER = IOC_OVERRIDE_ANALOG;
    IOC_PD7_OVER = IOC_OVERRIDE_ANALOG;
    CLOCK_CTRL = CLOCK_OSC_PD | CLOCK_IO_DIV_16MHZ |
                 (hz == HZ_32M ? CLOCK_SYS_DIV_32MHZ : CLOCK_SYS_DIV_16MHZ);
    return wait_status(CLOCK_OSC32K | CLOCK_OSC, 0) && wait_edge();
}

/* From the RC oscillator, and with dividers that fit it: the dividers may come back wrong otherwise
 * (an erratum of the chip). */
void clock_power_down(void)
{
    uint32_t control = CLOCK_CTRL;
    clock_power_downs++;
    CLOCK_CTRL = CLOCK_OSC_PD | CLOCK_OSC | CLOCK_IO_DIV_16MHZ | CLOCK_SYS_DIV_16MHZ;
    (void)wait_status(CLOCK_OSC, CLOCK_OSC);
    IWE = IWE_SLEEP_TIMER;
    PMCTL = PMCTL_PM2;
    SCR |= SCR_SLEEPDEEP;
    cpu_wait();
    SCR &= ~SCR_SLEEPDEEP;
    PMCTL = PMCTL_PM0;
    CLOCK_CTRL = control;
    (void)wait_edge();
    (void)wait_status(CLOCK_OSC, 0); /* it has started before */
}
