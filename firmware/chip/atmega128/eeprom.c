/* SPDX-License-Identifier: BSD-3-Clause */
/* EEPROM (Atmel 2467, "EEPROM Data Memory"). An octet is written by two stores to EECR, at most four
 * cycles apart. */
#include "eeprom.h"
#include <stddef.h>
#include "cpu.h"
#include "registers.h"

#define SEGMENT_OCTETS 96u
#define SEGMENTS 2u
#define UNIT 4u /* an octet whose writing was interrupted reads as anything: so does its unit */
#define ERASED 0xFFu

static uint8_t read_octet(uint16_t address)
{
    while ((EECR & EEWE) != 0) {
    }
    EEAR = address;
    EECR |= EERE;
    return EEDR;
}

static void write_octet(uint16_t address, uint8_t octet)
{
    if (read_octet(address) == octet) {
        return;
    }
    EEAR = address;
    EEDR = octet;
    uint8_t status = SREG;
    cpu_irq_disable();
    EECR = (uint8_t)((EECR & EERIE) | EEMWE);
    EECR |= EEWE;
    SREG = status;
    while ((EECR & EEWE) != 0) {
    }
}

static uint16_t address_of(uint8_t segment, uint16_t offset)
{
    return (uint16_t)(segment * SEGMENT_OCTETS + offset);
}

static wm_status eeprom_read(void *medium, uint8_t segment, uint16_t offset, uint8_t *to,
                             uint16_t len)
{
    uint16_t address = address_of(segment, offset);
    (void)medium;
    while (len-- != 0) {
        *to++ = read_octet(address++);
    }
    return WM_OK;
}

static wm_status eeprom_program(void *medium, uint8_t segment, uint16_t offset, const uint8_t *from,
                                uint16_t len)
{
    uint16_t address = address_of(segment, offset);
    (void)medium;
    while (len-- != 0) {
        write_octet(address++, *from++);
    }
    return WM_OK;
}

static wm_status eeprom_erase(void *medium, uint8_t segment)
{
    (void)medium;
    for (uint16_t offset = 0; offset < SEGMENT_OCTETS; offset++) {
        write_octet(address_of(segment, offset), ERASED);
    }
    return WM_OK;
}

const wm_counter_port eeprom_counters = {SEGMENT_OCTETS, SEGMENTS,     UNIT, eeprom_read,
                                         eeprom_program, eeprom_erase, NULL};

bool eeprom_is_erased(void)
{
    for (uint16_t address = 0; address < SEGMENTS * SEGMENT_OCTETS; address++) {
        if (read_octet(address) != ERASED) {
            return false;
        }
    }
    return true;
}
