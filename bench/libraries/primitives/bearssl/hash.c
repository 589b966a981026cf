/* SPDX-License-Identifier: BSD-3-Clause */
/* BearSSL 0.6: the hash that PRIMITIVE names. */
#include <bearssl.h>

#include "../primitives.h"

void hash(const uint8_t *m, uint16_t octets, uint8_t *digest)
{
    NAME(br_, PRIMITIVE, _context) context;
    NAME(br_, PRIMITIVE, _init)(&context);
    NAME(br_, PRIMITIVE, _update)(&context, m, octets);
    NAME(br_, PRIMITIVE, _out)(&context, digest);
}
