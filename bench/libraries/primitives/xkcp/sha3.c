/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA3-256 by the sponge of the eXtended Keccak Code Package, its code for 32-bit words in
 * place. */
#include <KeccakSpongeWidth1600.h>

#include "../primitives.h"

#define RATE_BITS 1088
#define SUFFIX 0x06 /* FIPS 202 §6.1: 01, and the first bit of the padding */

void hash(const uint8_t *m, uint16_t octets, uint8_t *digest)
{
    if (KeccakWidth1600_Sponge(RATE_BITS, 1600 - RATE_BITS, m, octets, SUFFIX, digest, 32))
        digest[0] ^= 1; /* so that a refusal shows in the output */
}
