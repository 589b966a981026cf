/* SPDX-License-Identifier: BSD-3-Clause */
/* Doubling modulo the first of the irreducible polynomials with fewest terms of each degree:
 * x^64 + x^4 + x^3 + x + 1 and x^128 + x^7 + x^2 + x + 1 (SP 800-38B §5.3), x^96 + x^10 + x^9 +
 * x^6 + 1.
 * Invariants: time and addresses depend on the length of a block only. */
#include "double_block.h"
#include "../util/compiler.h"

void wm_double_block(wm_block128 *to, const wm_block128 *from, uint8_t b)
{
    uint16_t bits = 0; /* those of an octet, and in bit 8 the one that falls out of it */
    const uint8_t *next = from->octet + b;
    uint8_t *done = to->octet + b;
    for (uint8_t left = b; left != 0; left--) {
        bits = (uint16_t)((unsigned)*--next << 1 | bits >> 8);
        *--done = (uint8_t)bits;
    }
    for (uint8_t i = b; i < 16; i++) {
        to->octet[i] = 0;
    }
    uint8_t mask = (uint8_t)(0 - wm_opaque((uint8_t)(bits >> 8)));
    uint8_t low = 0x87;
    if (b != 16) {
        low = 0x1b;
        if (b == 12) {
            low = 0x41;
            to->octet[10] ^= mask & 0x06;
        }
    }
    to->octet[b - 1] ^= mask & low;
}
