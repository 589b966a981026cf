/* SPDX-License-Identifier: BSD-3-Clause */
/* wardmote's own hash that PRIMITIVE names. */
#include <wardmote/ascon_hash256.h>
#include <wardmote/blake2s.h>
#include <wardmote/sha1.h>
#include <wardmote/sha256.h>
#include <wardmote/sha3_256.h>

#include "../primitives.h"

void hash(const uint8_t *m, uint16_t octets, uint8_t *digest)
{
    NAME(wm_, PRIMITIVE, _digest)(m, octets, digest);
}
