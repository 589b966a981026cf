/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory for libraries that ask for some, at the least cost there can be: the next octets of a
 * pool, which is empty again when everything was given back. */
#include <stdlib.h>
#include <string.h>

#include "primitives.h"

#ifndef POOL_OCTETS /* which a library may need more of */
#define POOL_OCTETS 1536
#endif

static union {
    uint64_t aligned;
    uint8_t octets[POOL_OCTETS];
} pool;
static size_t used;
static unsigned lent;

void *malloc(size_t octets)
{
    size_t wanted = (octets + 7) & ~(size_t)7;
    if (wanted > sizeof pool.octets - used)
        return NULL;
    void *found = pool.octets + used;
    used += wanted;
    lent++;
    return found;
}

void *calloc(size_t count, size_t octets)
{
    void *found = malloc(count * octets);
    return found ? memset(found, 0, count * octets) : NULL;
}

void free(void *octets)
{
    if (octets != NULL && --lent == 0)
        used = 0;
}
