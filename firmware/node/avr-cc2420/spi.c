/* SPDX-License-Identifier: BSD-3-Clause */
#include "spi.h"

#define ANYTHING 0x00u

static void read(uint8_t *to, uint8_t len)
{
    for (uint8_t i = 0; i < len; i++) {
        to[i] = spi_exchange(ANYTHING);
    }
}

void spi_write(const uint8_t *from, uint16_t len)
{
    for (uint16_t i = 0; i < len; i++) {
        spi_write1(from[i]);
    }
}

void spi_write_reversed(const uint8_t *from, uint16_t len)
{
    while (len-- != 0) {
        spi_write1(from[len]);
    }
}

void spi_read_after1(uint8_t address, uint8_t *to, uint8_t len)
{
    spi_write1(address);
    read(to, len);
}

void spi_read_after2(uint8_t address0, uint8_t address1, uint8_t *to, uint8_t len)
{
    spi_write1(address0);
    spi_read_after1(address1, to, len);
}

uint8_t spi_take_after2(uint8_t address0, uint8_t address1, uint8_t *to, uint8_t len)
{
    uint8_t first;
    spi_read_after2(address0, address1, &first, 1);
    read(to, len);
    return first;
}
