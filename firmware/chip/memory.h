/* SPDX-License-Identifier: BSD-3-Clause */
/** @file memory.h
 *  memcpy, memmove, memset and memcmp, which compilers call by themselves. A chip's
 *  runtime/memory.c includes this file and says how its CPU copies and fills; memcmp goes octet by
 *  octet on every CPU. */
#ifndef CHIP_MEMORY_H
#define CHIP_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t len);
void *memmove(void *to, const void *from, size_t len);
void *memset(void *to, int value, size_t len);
int memcmp(const void *a, const void *b, size_t len);

/* Copies upwards, from the first octets on. */
static void copy_up(uint8_t *d, const uint8_t *s, size_t len);

/* Copies downwards; `d` and `s` lie behind the last octets. */
static void copy_down(uint8_t *d, const uint8_t *s, size_t len);

void *memcpy(void *restrict to, const void *restrict from, size_t len)
{
    copy_up(to, from, len);
    return to;
}

void *memmove(void *to, const void *from, size_t len)
{
    if ((uintptr_t)to - (uintptr_t)from >= len) { /* `to` before `from`, or past its end */
        copy_up(to, from, len);
    } else {
        copy_down((uint8_t *)to + len, (const uint8_t *)from + len, len);
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t len)
{
    const uint8_t *x = a, *y = b;
    for (; len != 0; len--, x++, y++) {
        if (*x != *y) {
            return *x - *y;
        }
    }
    return 0;
}

#endif
