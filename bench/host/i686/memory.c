/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that the compiler calls to copy and to fill. They take a word at a time; any C library
 * of a 32-bit x86 is at least as fast. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t octets);
void *memmove(void *to, const void *from, size_t octets);
void *memset(void *to, int value, size_t octets);
int memcmp(const void *one, const void *other, size_t octets);

/* A word anywhere: this processor needs no alignment. */
typedef uint32_t __attribute__((may_alias, aligned(1))) word;

void *memcpy(void *restrict to, const void *restrict from, size_t octets)
{
    uint8_t *t = to;
    const uint8_t *f = from;
    for (; octets >= sizeof(word); octets -= sizeof(word), t += sizeof(word), f += sizeof(word))
        *(word *)(void *)t = *(const word *)(const void *)f;
    while (octets--)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t octets)
{
    uint8_t *t = to;
    const uint8_t *f = from;
    if ((uintptr_t)t <= (uintptr_t)f)
        return memcpy(to, from, octets);
    while (octets--)
        t[octets] = f[octets];
    return to;
}

void *memset(void *to, int value, size_t octets)
{
    uint8_t *t = to;
    uint32_t four = 0x01010101u * (uint8_t)value;
    for (; octets >= sizeof(word); octets -= sizeof(word), t += sizeof(word))
        *(word *)(void *)t = four;
    while (octets--)
        *t++ = (uint8_t)value;
    return to;
}

int memcmp(const void *one, const void *other, size_t octets)
{
    const uint8_t *a = one, *b = other;
    for (; octets; octets--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}
