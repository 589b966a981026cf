/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of products of taps of a shift register, read from a list: the step function of a stream
 * cipher as data. */
#ifndef WM_SMALL_TAPS_H
#define WM_SMALL_TAPS_H

#include "../src/util/compiler.h"
#include "../src/util/unit.h"

/* Defines `name`, which gives the sum for each bit of a `unit` of `bits` bits. A list is a product
 * after the other and 0; a product is its number of factors, and where in `reg` each is. */
#define WM_SUM_OF_PRODUCTS(name, unit, bits)                                                       \
    WM_NOINLINE static unit name(const unit *reg, const uint8_t *list)                             \
    {                                                                                              \
        unit sum = 0;                                                                              \
        uint8_t factors;                                                                           \
        while ((factors = *list++) != 0) {                                                         \
            unit product = (unit) - 1;                                                             \
            for (; factors != 0; factors--) {                                                      \
                const unit *at = reg + *list / (bits);                                             \
                uint8_t by = *list++ % (bits);                                                     \
                product &= (unit)(at[0] >> by | (unit)((unit)(at[1] << 1) << ((bits) - 1 - by)));  \
            }                                                                                      \
            sum ^= product;                                                                        \
        }                                                                                          \
        return sum;                                                                                \
    }

#endif
