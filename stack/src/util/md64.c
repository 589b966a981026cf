/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of 64 octets for SHA-1 and SHA-256 (FIPS 180-4 §5.1.1, §5.2.1). */
#include "md64.h"
#include <wardmote/octets.h>

#define BLOCK 64
#define LENGTH_AT 56 /* of the 64-bit length in the last block */

void wm_md64_init(wm_md64 *md)
{
    md->octets[0] = 0;
    md->octets[1] = 0;
}

void wm_md64_words(wm_md64 *md)
{
    for (uint8_t i = 0; i < BLOCK / 4; i++) {
        md->block.word[i] = wm_load_be32(md->block.octet + 4 * i);
    }
}

void wm_md64_update(wm_md64 *md, uint32_t *state, wm_md64_compress *compress, const uint8_t *data,
                    size_t len)
{
    uint8_t fill = (uint8_t)(md->octets[0] % BLOCK);
    uint32_t low = (uint32_t)len;
    md->octets[0] += low;
    md->octets[1] += (uint32_t)((uint64_t)len >> 32) + (md->octets[0] < low);
    while (len != 0) {
        uint8_t n = (uint8_t)(BLOCK - fill);
        if (len < n) {
            n = (uint8_t)len;
        }
        len -= n;
        uint8_t *to = md->block.octet + fill;
        fill = (uint8_t)(fill + n);
        for (const uint8_t *end = data + n; data != end;) {
            *to++ = *data++;
        }
        if (fill == BLOCK) {
            compress(state, md);
            fill = 0;
        }
    }
}

void wm_md64_finish(wm_md64 *md, uint32_t *state, wm_md64_compress *compress)
{
    uint8_t fill = (uint8_t)(md->octets[0] % BLOCK);
    md->block.octet[fill++] = 0x80;
    if (fill > LENGTH_AT) { /* the length does not fit behind it */
        while (fill < BLOCK) {
            md->block.octet[fill++] = 0;
        }
        compress(state, md);
        fill = 0;
    }
    while (fill < LENGTH_AT) {
        md->block.octet[fill++] = 0;
    }
    wm_store_be32(md->block.octet + LENGTH_AT, md->octets[1] << 3 | md->octets[0] >> 29);
    wm_store_be32(md->block.octet + LENGTH_AT + 4, md->octets[0] << 3);
    compress(state, md);
}
