/* SPDX-License-Identifier: BSD-3-Clause */
/** @file draw.h
 *  What back-offs are drawn from: a xorshift of 16 bits, all values but 0 in one cycle. */
#ifndef FIRMWARE_TINYSEC_DRAW_H
#define FIRMWARE_TINYSEC_DRAW_H

#include <stdint.h>

/** The state to begin with. */
static inline uint16_t draw_seed(uint16_t seed)
{
    return seed == 0 ? 1 : seed;
}

/** The next value, which is the state. */
static inline uint16_t draw(uint16_t *state)
{
    uint16_t x = *state;
    x = (uint16_t)(x ^ (uint16_t)(x << 7));
    x ^= x >> 9;
    x = (uint16_t)(x ^ (uint16_t)(x << 8));
    *state = x;
    return x;
}

#endif
