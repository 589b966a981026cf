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

#if defined(__GNUC__)
/* A word as wide as a register. Like `uint8_t` it may alias any object. */
typedef unsigned __attribute__((__may_alias__)) any_word;
#else
typedef uint8_t any_word; /* no such type in ISO C: then octet by octet */
#endif

void wm_wipe(void *p, size_t len)
{
    volatile uint8_t *octet = p; /* a volatile store is never left out (C11 5.1.2.3) */
    if ((((uintptr_t)p | len) & (sizeof(any_word) - 1)) == 0) {
        for (; len != 0; len -= sizeof(any_word)) {
            *(volatile any_word *)octet = 0;
            octet += sizeof(any_word);
        }
    }
    for (; len != 0; len--) {
        *octet++ = 0;
    }
}
