/* SPDX-License-Identifier: BSD-3-Clause */
/* XTEA. References: R. Needham, D. Wheeler, "Tea extensions", 1997. Names are those of the report.
 * Invariant: the path and the addresses depend on the round alone. */
#include <wardmote/octets.h>
#include <wardmote/xtea.h>

#define DELTA 0x9E3779B9u
#define CYCLES 32 /* of two rounds each */

void wm_xtea_expand(wm_xtea *ctx, const uint8_t key[16])
{
    for (uint8_t i = 0; i < 4; i++) {
        ctx->k[i] = wm_load_be32(key + 4u * i);
    }
}

static inline uint32_t mixed(uint32_t z)
{
    return ((z << 4) ^ (z >> 5)) + z;
}

void wm_xtea_encrypt(const wm_xtea *ctx, uint8_t block[8])
{
    uint32_t y = wm_load_be32(block), z = wm_load_be32(block + 4), sum = 0;

    for (uint8_t i = 0; i < CYCLES; i++) {
        y += mixed(z) ^ (sum + ctx->k[sum & 3]);
        sum += DELTA;
        z += mixed(y) ^ (sum + ctx->k[(sum >> 11) & 3]);
    }
    wm_store_be32(block, y);
    wm_store_be32(block + 4, z);
}
