/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries include this header, but there is no C library here. Their adapter defines the
 * functions that they call. */
#ifndef LIBRARY_STDLIB_H
#define LIBRARY_STDLIB_H
#include <stddef.h>
void *calloc(size_t count, size_t octets);
void *malloc(size_t octets);
void *realloc(void *old, size_t octets);
void free(void *octets);
void qsort(void *base, size_t count, size_t octets, int (*compare)(const void *, const void *));
#endif
