/* SPDX-License-Identifier: BSD-3-Clause */
/* A sender behind a coprocessor: on its serial line come the statuses of two instructions, the key and
 * CBC without end, then the vector, then blocks. The vector is the first block of the chain. */
#include "serial.h"
#include "vector.h"

#define STATUSES 2u

bool vector_start(const picture_setup *setup, uint8_t chain[PICTURE_BLOCK],
                  uint8_t data[PICTURE_BLOCK])
{
    (void)setup;
    (void)chain;
    (void)data;
    return true;
}

vector_found vector_take(uint8_t chain[PICTURE_BLOCK], uint8_t data[PICTURE_BLOCK])
{
    uint8_t statuses[STATUSES];
    if (serial_have() < STATUSES + PICTURE_BLOCK) {
        return VECTOR_NOT_YET;
    }
    serial_take(statuses, STATUSES);
    serial_take(data, PICTURE_BLOCK);
    __builtin_memcpy(chain, data, PICTURE_BLOCK);
    return (statuses[0] | statuses[1]) == 0 ? VECTOR_THERE : VECTOR_WRONG;
}
