/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusive or and copy of short octet strings. Whole blocks are written out, since most of a frame
 * is whole blocks. */
#include "xor.h"
#include "compiler.h"

#if defined(__GNUC__) && defined(__ARM_FEATURE_UNALIGNED)
/* a word may lie anywhere: it takes longer then, but less long than its octets */
typedef uint32_t unit;
#define UNIT_ALIGN 1
#elif defined(__GNUC__) && !defined(__AVR__) /* its registers are of octets */
typedef uint16_t unit;
#define UNIT_ALIGN 2
#else
typedef uint8_t unit;
#define UNIT_ALIGN 1
#endif

#define BOTH_ALIGNED(p, q) ((((uintptr_t)(p) | (uintptr_t)(q)) & (UNIT_ALIGN - 1)) == 0)

#if defined(__AVR__) && defined(WM_FORM_SMALL)
#define WHOLE 0 /* the loop does it, in a third more time */
#else
#define WHOLE 16
#endif

/* One unit at aligned addresses. The copies are the defined way to read octets as a wider type;
 * they become moves. */
WM_ALWAYS_INLINE static inline void xor_unit(uint8_t *to, const uint8_t *from)
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
WM_ALWAYS_INLINE static inline void xor_two(uint8_t *to, const uint8_t *from)
{
    to[0] ^= from[0];
    to[1] ^= from[1];
}

/* One unit at aligned addresses. */
WM_ALWAYS_INLINE static inline void copy_unit(uint8_t *to, const uint8_t *from)
{
#if defined(__GNUC__)
    __builtin_memcpy(__builtin_assume_aligned(to, UNIT_ALIGN),
                     __builtin_assume_aligned(from, UNIT_ALIGN), sizeof(unit));
#else
    *to = *from;
#endif
}

/* Sixteen octets without a loop, `n` at a step. */
#define STEP(step, n, to, from)                                                                    \
    do {                                                                                           \
        step((to), (from));                                                                        \
        (to) += (n);                                                                               \
        (from) += (n);                                                                             \
        WM_IN_TURN_AVR(to);                                                                        \
        WM_IN_TURN_AVR(from);                                                                      \
    } while (0)
#define FOUR(step, n, to, from)                                                                    \
    do {                                                                                           \
        STEP(step, n, to, from);                                                                   \
        STEP(step, n, to, from);                                                                   \
        STEP(step, n, to, from);                                                                   \
        STEP(step, n, to, from);                                                                   \
    } while (0)
#define SIXTEEN(step, n, to, from)                                                                 \
    do {                                                                                           \
        FOUR(step, n, to, from);                                                                   \
        if ((n) < 4) {                                                                             \
            FOUR(step, n, to, from);                                                               \
        }                                                                                          \
        if ((n) < 2) {                                                                             \
            FOUR(step, n, to, from);                                                               \
            FOUR(step, n, to, from);                                                               \
        }                                                                                          \
    } while (0)

void wm_xor(uint8_t *to, const uint8_t *from, uint8_t len)
{
    uint_fast8_t left = len;
    if (BOTH_ALIGNED(to, from)) {
        if (WHOLE != 0 && left == WHOLE) {
            SIXTEEN(xor_unit, sizeof(unit), to, from);
            return;
        }
        for (; left >= sizeof(unit); left = (uint_fast8_t)(left - sizeof(unit))) {
            xor_unit(to, from);
            WM_IN_TURN_MSP430(to);
            to += sizeof(unit);
            from += sizeof(unit);
            WM_STEP_BY_STEP(left);
        }
    } else if (left == WHOLE) {
        SIXTEEN(xor_two, 2, to, from);
        return;
    }
    for (; left != 0; left--) {
        uint8_t octet = *from++;
        *to ^= octet;
        WM_STEP_BY_STEP(to);
        to++;
        WM_STEP_BY_STEP(left);
    }
}

void wm_copy(uint8_t *to, const uint8_t *from, uint8_t len)
{
    uint_fast8_t left = len;
    if (BOTH_ALIGNED(to, from)) {
        if (WHOLE != 0 && left == WHOLE) {
            SIXTEEN(copy_unit, sizeof(unit), to, from);
            return;
        }
        for (; left >= sizeof(unit); left = (uint_fast8_t)(left - sizeof(unit))) {
            copy_unit(to, from);
            to += sizeof(unit);
            from += sizeof(unit);
            WM_STEP_BY_STEP(left);
        }
    }
    for (; left != 0; left--) {
        *to = *from++;
        to++;
        WM_STEP_BY_STEP(left);
    }
}
