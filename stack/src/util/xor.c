/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusive or of short octet strings. Whole blocks are written out, since most of a frame is whole blocks. */
#include "xor.h"

#if defined(__GNUC__)
#define BOTH_EVEN(p, q) ((((uintptr_t)(p) | (uintptr_t)(q)) & 1) == 0)

/* One half at even addresses. The copies are the defined way to read octets as a wider type; they become moves. */
static inline void xor_half(uint8_t *to, const uint8_t *from)
{
    uint16_t a, b;
    __builtin_memcpy(&a, __builtin_assume_aligned(to, 2), 2);
    __builtin_memcpy(&b, __builtin_assume_aligned(from, 2), 2);
    a ^= b;
    __builtin_memcpy(__builtin_assume_aligned(to, 2), &a, 2);
}
#else
#define BOTH_EVEN(p, q) 0

static inline void xor_half(uint8_t *to, const uint8_t *from)
{
    to[0] ^= from[0];
    to[1] ^= from[1];
}
#endif

static inline void xor_two(uint8_t *to, const uint8_t *from)
{
    to[0] ^= from[0];
    to[1] ^= from[1];
}

/* Sixteen octets in steps of two, without a loop. */
#define SIXTEEN(step, to, from)                                                                                        \
    do {                                                                                                               \
        step((to), (from)), step((to) + 2, (from) + 2), step((to) + 4, (from) + 4), step((to) + 6, (from) + 6);        \
        step((to) + 8, (from) + 8), step((to) + 10, (from) + 10), step((to) + 12, (from) + 12);                        \
        step((to) + 14, (from) + 14);                                                                                  \
    } while (0)

void wm_xor(uint8_t *to, const uint8_t *from, uint8_t len)
{
    if (BOTH_EVEN(to, from)) {
        if (len == 16) {
            SIXTEEN(xor_half, to, from);
            return;
        }
        for (; len > 1; len = (uint8_t)(len - 2)) {
            xor_half(to, from);
            to += 2;
            from += 2;
        }
    } else if (len == 16) {
        SIXTEEN(xor_two, to, from);
        return;
    }
    for (; len != 0; len--) {
        *to++ ^= *from++;
    }
}
