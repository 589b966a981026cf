/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparison and wiping whose time depends on lengths (and, for wiping, on the alignment of the
 * address) only. Wiping saves no register: what its caller had there would go to the stack. */
#include <wardmote/ct.h>
#include "compiler.h"

uint8_t wm_ct_diff(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint_fast8_t diff = 0;
    while (len-- != 0) {
        diff |= (uint_fast8_t)(*a++ ^ *b++);
        WM_OPAQUE(diff);
    }
    return (uint8_t)diff;
}

#if defined(__AVR__) || !defined(__GNUC__)
typedef uint8_t any_word; /* what the AVR stores at once; ISO C has no other that may alias */
#else
/* A word as wide as a register. Like `uint8_t` it may alias any object. */
typedef unsigned __attribute__((__may_alias__)) any_word;
#endif
#define STEP (4 * sizeof(any_word))

void wm_wipe(void *p, size_t len)
{
    volatile uint8_t *octet = p; /* a volatile store is never left out (C11 5.1.2.3) */
    if (((uintptr_t)p & (sizeof(any_word) - 1)) == 0) {
        volatile any_word *word = p;
        for (; len >= STEP; len -= STEP) {
            *word++ = 0;
            *word++ = 0;
            *word++ = 0;
            *word++ = 0;
            WM_STEP_BY_STEP(len);
        }
        for (; sizeof(any_word) > 1 && len >= sizeof(any_word); len -= sizeof(any_word)) {
            *word++ = 0;
            WM_STEP_BY_STEP(len);
        }
        octet = (volatile uint8_t *)word;
    }
    for (; len != 0; len--) {
        *octet++ = 0;
        WM_STEP_BY_STEP(len);
    }
}
