/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cc2420_access.h
 *  Register accesses of the files of this driver (SWRS041B §13). */
#ifndef DRIVER_CC2420_ACCESS_H
#define DRIVER_CC2420_ACCESS_H

#include "spi.h"

/** While CSn is low and only writes go on: several accesses may follow each other. spi_end ends
 *  them. */
static inline void cc2420_put_register(uint8_t address, uint16_t value)
{
    spi_write1(address);
    spi_write1((uint8_t)(value >> 8));
    spi_write1((uint8_t)value);
}

#endif
