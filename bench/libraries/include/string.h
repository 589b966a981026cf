/* SPDX-License-Identifier: BSD-3-Clause */
/* String functions that libraries need where there is no C library. The mem... functions exist; the
 * str... functions are never called. */
#ifndef LIBRARY_STRING_H
#define LIBRARY_STRING_H
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t octets);
void *memmove(void *to, const void *from, size_t octets);
void *memset(void *to, int value, size_t octets);
int memcmp(const void *one, const void *other, size_t octets);
int strcmp(const char *one, const char *other);
size_t strlen(const char *text);
#endif
