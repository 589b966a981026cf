/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of <string.h> that the runtime of the emulated CPUs has; found only where a
 * compiler brings none. */
#ifndef WARDMOTE_MEASURE_STRING_H
#define WARDMOTE_MEASURE_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t len);
void *memmove(void *to, const void *from, size_t len);
void *memset(void *to, int value, size_t len);
int memcmp(const void *a, const void *b, size_t len);

#endif
