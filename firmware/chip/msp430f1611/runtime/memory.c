/* SPDX-License-Identifier: BSD-3-Clause */
/* memcpy, memmove, memset and memcmp: clang calls them for structures and loops even in a
 * freestanding build. Words need even addresses on this CPU: operands of unlike parity go octet by
 * octet. Built with -fno-builtin, so that no loop below becomes a call of itself. */
#include "../../memory.h"

/* Words of a group: enough to hide the loop. */
#define GROUP 16

static void copy_up(uint8_t *d, const uint8_t *s, size_t len)
{
    if ((((uintptr_t)d ^ (uintptr_t)s) & 1) == 0 && len >= 2) {
        if (((uintptr_t)d & 1) != 0) {
            *d++ = *s++;
            len--;
        }
        uint16_t *dw = (uint16_t *)(void *)d;
        const uint16_t *sw = (const uint16_t *)(const void *)s;
        for (; len >= GROUP; len -= GROUP) {
            dw[0] = sw[0];
            dw[1] = sw[1];
            dw[2] = sw[2];
            dw[3] = sw[3];
            dw[4] = sw[4];
            dw[5] = sw[5];
            dw[6] = sw[6];
            dw[7] = sw[7];
            dw += GROUP / 2;
            sw += GROUP / 2;
        }
        for (; len >= 2; len -= 2) {
            *dw++ = *sw++;
        }
        d = (uint8_t *)dw;
        s = (const uint8_t *)sw;
    }
    for (; len != 0; len--) {
        *d++ = *s++;
    }
}

static void copy_down(uint8_t *d, const uint8_t *s, size_t len)
{
    if ((((uintptr_t)d ^ (uintptr_t)s) & 1) == 0 && len >= 2) {
        if (((uintptr_t)d & 1) != 0) {
            *--d = *--s;
            len--;
        }
        for (; len >= 2; len -= 2) {
            d -= 2;
            s -= 2;
            *(uint16_t *)(void *)d = *(const uint16_t *)(const void *)s;
        }
    }
    for (; len != 0; len--) {
        *--d = *--s;
    }
}

void *memset(void *to, int value, size_t len)
{
    uint8_t *d = to;
    uint8_t octet = (uint8_t)value;
    if (len >= 2) {
        if (((uintptr_t)d & 1) != 0) {
            *d++ = octet;
            len--;
        }
        uint16_t *dw = (uint16_t *)(void *)d;
        uint16_t pair = octet;
        /* clang, knowing the high octet to be 0, would multiply by 0x101 */
        __asm__("" : "+r"(pair));
        pair |= __builtin_bswap16(pair);
        for (; len >= GROUP; len -= GROUP) {
            dw[0] = pair;
            dw[1] = pair;
            dw[2] = pair;
            dw[3] = pair;
            dw[4] = pair;
            dw[5] = pair;
            dw[6] = pair;
            dw[7] = pair;
            dw += GROUP / 2;
        }
        for (; len >= 2; len -= 2) {
            *dw++ = pair;
        }
        d = (uint8_t *)dw;
    }
    for (; len != 0; len--) {
        *d++ = octet;
    }
    return to;
}
