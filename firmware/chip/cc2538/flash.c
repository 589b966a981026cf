/* SPDX-License-Identifier: BSD-3-Clause */
/* Flash controller (SWRU319, "Internal Memory"): FADDR says where, FCTL what, and FWDATA takes words
 * while FCTL has WRITE. */
#include "flash.h"
#include <stddef.h>
#include <wardmote/octets.h>
#include "cpu.h"
#include "registers.h"

#define PAGES 0x0027E000u
#define PAGE_OCTETS 2048
#define SEGMENTS 2
#define UNIT 4

#define FLASH_FCTL REG32(0x400D3008)
#define FLASH_FADDR REG32(0x400D300C)
#define FLASH_FWDATA REG32(0x400D3010)
#define FCTL_BUSY 0x80u
#define FCTL_FULL 0x40u
#define FCTL_ABORT 0x20u
#define FCTL_WRITE 0x02u
#define FCTL_ERASE 0x01u

/* While the array is busy nothing can be read from it, code neither. */
#define FROM_RAM __attribute__((noinline, section(".ram_code")))

/* Erases the page of `address`, or writes `words` words there.
 * @retval false  the page is locked */
FROM_RAM static bool operate(uint32_t address, const uint32_t *word, uint32_t words)
{
    uint32_t mask = cpu_irq_save();
    FLASH_FADDR = address;
    FLASH_FCTL = (FLASH_FCTL & ~(FCTL_WRITE | FCTL_ERASE)) | (words == 0 ? FCTL_ERASE : FCTL_WRITE);
    for (; words != 0; words--) {
        FLASH_FWDATA = *word++;
        while ((FLASH_FCTL & FCTL_FULL) != 0) {
        }
    }
    while ((FLASH_FCTL & FCTL_BUSY) != 0) {
    }
    bool done = (FLASH_FCTL & FCTL_ABORT) == 0;
    cpu_irq_restore(mask);
    return done;
}

static uint32_t address_of(uint8_t segment, uint16_t offset)
{
    return PAGES + segment * (uint32_t)PAGE_OCTETS + offset;
}

static wm_status flash_read(void *medium, uint8_t segment, uint16_t offset, uint8_t *to,
                            uint16_t len)
{
    (void)medium;
    const volatile uint32_t *word = (const volatile uint32_t *)address_of(segment, offset);
    for (; len >= UNIT; len = (uint16_t)(len - UNIT), to += UNIT) {
        wm_store_le32(to, *word++);
    }
    return WM_OK;
}

static wm_status flash_program(void *medium, uint8_t segment, uint16_t offset, const uint8_t *from,
                               uint16_t len)
{
    (void)medium;
    for (uint16_t at = 0; at < len; at = (uint16_t)(at + UNIT)) {
        uint32_t word = wm_load_le32(from + at);
        if (!operate(address_of(segment, (uint16_t)(offset + at)), &word, 1)) {
            return WM_ERR_STORAGE;
        }
    }
    return WM_OK;
}

static wm_status flash_erase(void *medium, uint8_t segment)
{
    (void)medium;
    return operate(address_of(segment, 0), NULL, 0) ? WM_OK : WM_ERR_STORAGE;
}

const wm_counter_port flash_pages = {PAGE_OCTETS,   SEGMENTS,    UNIT, flash_read,
                                     flash_program, flash_erase, NULL};
