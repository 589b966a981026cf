/* SPDX-License-Identifier: BSD-3-Clause */
/* Flash controller (SLAU049, "Flash Memory Controller"). This code runs from flash: the CPU is held
 * while the array is busy, so no wait for BUSY is needed. Interrupts are disabled from the mode to
 * the write that starts the operation and so until its end; between two words they are not. */
#include <stddef.h>
#include "cpu.h"
#include "flash.h"
#include "registers.h"

#define INFORMATION 0x1000u
#define SEGMENT_OCTETS 128
#define SEGMENTS 2

/* Highest frequency asked of the timing generator. The next divider gives 300 kHz at least,
 * whatever SMCLK is: both are 5 % and more inside the permitted range. */
#define GENERATOR_HZ 450000ul

void flash_start(uint32_t hz)
{
    uint16_t divider = 1;
    for (uint32_t reached = GENERATOR_HZ; reached < hz; reached += GENERATOR_HZ) {
        divider++;
    }
    FCTL2 = (uint16_t)(FWKEY | FSSEL_SMCLK | (divider - 1));
}

static volatile uint16_t *word_at(uint8_t segment, uint16_t offset)
{
    return (volatile uint16_t *)(uintptr_t)(INFORMATION + segment * (uint16_t)SEGMENT_OCTETS +
                                            offset);
}

/* Writes `value` in `mode`: programs a word, or erases the segment it is in. */
static void operate(volatile uint16_t *word, uint16_t mode, uint16_t value)
{
    uint16_t sr = cpu_irq_save();
    FCTL3 = FWKEY; /* LOCK off */
    FCTL1 = FWKEY | mode;
    *word = value;
    FCTL1 = FWKEY;
    FCTL3 = FWKEY | LOCK;
    cpu_irq_restore(sr);
}

static wm_status flash_read(void *medium, uint8_t segment, uint16_t offset, uint8_t *to,
                            uint16_t len)
{
    const volatile uint8_t *from = (const volatile uint8_t *)word_at(segment, offset);
    (void)medium;
    while (len-- != 0) {
        *to++ = *from++;
    }
    return WM_OK;
}

static wm_status flash_program(void *medium, uint8_t segment, uint16_t offset, const uint8_t *from,
                               uint16_t len)
{
    volatile uint16_t *to = word_at(segment, offset);
    (void)medium;
    for (; len != 0; len = (uint16_t)(len - 2)) {
        operate(to++, WRT, (uint16_t)(from[0] | (unsigned)from[1] << 8));
        from += 2;
    }
    return WM_OK;
}

static wm_status flash_erase(void *medium, uint8_t segment)
{
    (void)medium;
    operate(word_at(segment, 0), ERASE, 0);
    return WM_OK;
}

const wm_counter_port flash_information = {SEGMENT_OCTETS, SEGMENTS,    2,   flash_read,
                                           flash_program,  flash_erase, NULL};
