/* SPDX-License-Identifier: BSD-3-Clause */
/* Key and block in one call. */
#include "primitives.h"

void block(const uint8_t *key, uint8_t *octets)
{
    library_key(key);
    library_block(octets);
}
