/* SPDX-License-Identifier: BSD-3-Clause */
/* EEPROM as a medium for counters (Atmel 2467, "EEPROM Data Memory", "EEPROM Write Access"). An
 * octet is written by two stores to EECR, at most four cycles apart, and takes 8.5 ms. Interrupts are
 * served meanwhile. Guaranteed are 10^5 writes of an octet. The supply must not fall while an octet is
 * written: the octet then reads as anything. */
#include <wardmote/port/counter_cells_port.h>
#include "cpu.h"
#include "registers.h"

uint8_t wm_port_cells_read(uint16_t at)
{
    while ((EECR & EEWE) != 0) {
    }
    EEAR = at;
    EECR |= EERE;
    return EEDR;
}

void wm_port_cells_write(uint16_t at, uint8_t octet)
{
    if (wm_port_cells_read(at) == octet) {
        return;
    }
    EEAR = at;
    EEDR = octet;
    uint8_t status = SREG;
    cpu_irq_disable();
    EECR = (uint8_t)((EECR & EERIE) | EEMWE);
    EECR |= EEWE;
    SREG = status;
    while ((EECR & EEWE) != 0) {
    }
}
