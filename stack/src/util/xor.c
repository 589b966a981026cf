/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusive or and copy of short octet strings. Whole blocks are written out, since most of a frame
 * is whole blocks. */
#include "xor.h"
#include "compiler.h"

#if defined(__GNUC__) && defined(__ARM_FEATURE_UNALIGNED)
/* a word may lie anywhere: it takes longer then, but less long than its octets */
typedef uint32_t unit;
#define UNIT_ALIGN 1
#elif defined(__AVR__)
typedef uint16_t unit; /* its memory is of octets */
#define UNIT_ALIGN 1
#elif defined(__GNUC__)
typedef uint16_t unit;
#define UNIT_ALIGN 2
#else
typedef uint8_t unit;
#define UNIT_ALIGN 1
#endif

#define BOTH_ALIGNED(p, q) ((((uintptr_t)(p) | (uintptr_t)(q)) & (UNIT_ALIGN - 1)) == 0)

/* One unit at aligned addresses. The copies are the defined way to read octets as a wider type;
 * they become moves. */
static inline void xor_unit(uint8_t *to, const uint8_t *from)
{
#if defined(__GNUC__)
    unit a, b;
    __builtin_memcpy(&a, __builtin_assume_aligned(to, UNIT_ALIGN), sizeof a);
    __builtin_memcpy(&b, __builtin_assume_aligned(from, UNIT_ALIGN), sizeof b);
    a ^= b;
    __builtin_memcpy(__builtin_assume_aligned(to, UNIT_ALIGN), &a, sizeof a);
#else
    *to ^= *from;
#endif
}

/* Two octets at any address. */
static inline void xor_two(uint8_t *to, const uint8_t *from)
{
    to[0] ^= from[0];
    to[1] ^= from[1];
}

/* One unit at aligned addresses. */
static inline void copy_unit(uint8_t *to, const uint8_t *from)
{
#if defined(__GNUC__)
    __builtin_memcpy(__builtin_assume_aligned(to, UNIT_ALIGN),
                     __builtin_assume_aligned(from, UNIT_ALIGN), sizeof(unit));
#else
    *to = *from;
#endif
}

/* Sixteen octets without a loop, `n` at a step. */
#define FOUR(step, n, to, from)                                                                    \
    step((to), (from)), step((to) + (n), (from) + (n)), step((to) + 2 * (n), (from) + 2 * (n)),    \
        step((to) + 3 * (n), (from) + 3 * (n))
#define SIXTEEN(step, n, to, from)                                                                 \
    do {                                                                                           \
        FOUR(step, n, to, from);                                                                   \
        if ((n) < 4) {                                                                             \
            FOUR(step, n, (to) + 4 * (n), (from) + 4 * (n));                                       \
        }                                                                                          \
        if ((n) < 2) {                                                                             \
            FOUR(step, n, (to) + 8 * (n), (from) + 8 * (n));                                       \
            FOUR(step, n, (to) + 12 * (n), (from) + 12 * (n));                                     \
        }                                                                                          \
    } while (0)

/* Other lengths are calls of their own, so that whole blocks save no registers. */
WM_NOINLINE static void xor_some(uint8_t *to, const uint8_t *from, uint8_t len)
{
    if (BOTH_ALIGNED(to, from)) {
        for (; len >= sizeof(unit); len = (uint8_t)(len - sizeof(unit))) {
            xor_unit(to, from);
            to += sizeof(unit);
            from += sizeof(unit);
        }
    }
    for (; len != 0; len--) {
        *to++ ^= *from++;
    }
}

WM_NOINLINE static void copy_some(uint8_t *to, const uint8_t *from, uint8_t len)
{
    if (BOTH_ALIGNED(to, from)) {
        for (; len >= sizeof(unit); len = (uint8_t)(len - sizeof(unit))) {
            copy_unit(to, from);
            to += sizeof(unit);
            from += sizeof(unit);
        }
    }
    for (; len != 0; len--) {
        *to++ = *from++;
    }
}

void wm_xor(uint8_t *to, const uint8_t *from, uint8_t len)
{
    if (len != 16) {
        xor_some(to, from, len);
    } else if (BOTH_ALIGNED(to, from)) {
        SIXTEEN(xor_unit, sizeof(unit), to, from);
    } else {
        SIXTEEN(xor_two, 2, to, from);
    }
}

void wm_copy(uint8_t *to, const uint8_t *from, uint8_t len)
{
    if (len == 16 && BOTH_ALIGNED(to, from)) {
        SIXTEEN(copy_unit, sizeof(unit), to, from);
    } else {
        copy_some(to, from, len);
    }
}
