/* SPDX-License-Identifier: BSD-3-Clause */
/* memcpy, memmove, memset and memcmp: gcc calls them for structures and loops even in a
 * freestanding build. Word accesses of the Cortex-M3 may have any address; those that have not an
 * address of a multiple of 4 take longer than aligned ones, less long than four octets. Built with
 * -fno-builtin and -fno-tree-loop-distribute-patterns, so that no loop below becomes a call of
 * itself. */
#include "../../memory.h"

/* A word that may lie anywhere and overlay any object. */
typedef uint32_t __attribute__((__may_alias__, __aligned__(1))) any_word;

#define WORD sizeof(any_word)
#define GROUP (4 * WORD)

static void copy_up(uint8_t *d, const uint8_t *s, size_t len)
{
    for (; len >= GROUP; len -= GROUP) {
        const any_word *sw = (const any_word *)s;
        any_word *dw = (any_word *)d;
        uint32_t w0 = sw[0], w1 = sw[1], w2 = sw[2], w3 = sw[3];
        dw[0] = w0;
        dw[1] = w1;
        dw[2] = w2;
        dw[3] = w3;
        s += GROUP;
        d += GROUP;
    }
    for (; len >= WORD; len -= WORD) {
        *(any_word *)d = *(const any_word *)s;
        s += WORD;
        d += WORD;
    }
    for (; len != 0; len--) {
        *d++ = *s++;
    }
}

static void copy_down(uint8_t *d, const uint8_t *s, size_t len)
{
    for (; len >= WORD; len -= WORD) {
        d -= WORD;
        s -= WORD;
        *(any_word *)d = *(const any_word *)s;
    }
    for (; len != 0; len--) {
        *--d = *--s;
    }
}

void *memset(void *to, int value, size_t len)
{
    uint8_t *d = to;
    uint8_t octet = (uint8_t)value;
    uint32_t word = octet * 0x01010101u;
    for (; len >= GROUP; len -= GROUP) {
        any_word *dw = (any_word *)d;
        dw[0] = word;
        dw[1] = word;
        dw[2] = word;
        dw[3] = word;
        d += GROUP;
    }
    for (; len >= WORD; len -= WORD) {
        *(any_word *)d = word;
        d += WORD;
    }
    for (; len != 0; len--) {
        *d++ = octet;
    }
    return to;
}
