/* SPDX-License-Identifier: BSD-3-Clause */
/* A receiver before a coprocessor: the vector is the first block of the chain. */
#include "serial.h"
#include "vector.h"

void vector_came(const uint8_t vector[PICTURE_BLOCK])
{
    serial_give(vector, PICTURE_BLOCK);
}
