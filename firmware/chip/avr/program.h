/* SPDX-License-Identifier: BSD-3-Clause */
/** @file program.h
 *  Octets of program memory, which no pointer of C reaches. */
#ifndef CHIP_AVR_PROGRAM_H
#define CHIP_AVR_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/** Copies from an object in a section .progmem, in the lower 64 KiB. */
static inline void program_read(void *to, const void *from, size_t len)
{
    uint8_t *octet = to;
    for (; len != 0; len--) {
        __asm__ volatile("lpm %0, Z+" : "=r"(*octet), "+z"(from));
        octet++;
    }
}

#endif
