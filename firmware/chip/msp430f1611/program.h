/* SPDX-License-Identifier: BSD-3-Clause */
/** @file program.h
 *  What of an image is written after it was linked. Here it is memory like any other. */
#ifndef CHIP_MSP430F1611_PROGRAM_H
#define CHIP_MSP430F1611_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/** Copies from a constant object, whatever the compiler knows of its value. */
static inline void program_read(void *to, const void *from, size_t len)
{
    const volatile uint8_t *octet = from;
    for (size_t i = 0; i < len; i++) {
        ((uint8_t *)to)[i] = octet[i];
    }
}

#endif
