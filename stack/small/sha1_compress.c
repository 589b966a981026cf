/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-1's compression in little flash: all eighty rounds in one loop; names of FIPS 180-4 §6.1.2 in
 * comments. The message schedule overwrites the block it begins with (§6.1.3). */
#include "../src/hash/sha1_compress.h"
#include "../src/util/dead_stack.h"
#include "../src/util/md64.h"
#include "../src/util/rotate.h"

#ifdef WM_FORM_SMALL

WM_DEAD_STACK(96)

/* f_t (§4.1.1) and K_t (§4.2.1). */
static uint32_t f_and_k(uint8_t t, uint32_t x, uint32_t y, uint32_t z)
{
    if (t < 20) {
        return (z ^ (x & (y ^ z))) + 0x5a827999;
    }
    if (t >= 40 && t < 60) {
        return ((x & (y | z)) | (y & z)) + 0x8f1bbcdc;
    }
    return (x ^ y ^ z) + (t < 40 ? 0x6ed9eba1 : 0xca62c1d6);
}

WM_NOINLINE static void compress(uint32_t *state, wm_md64 *md)
{
    uint32_t v[5]; /* a to e */
    uint32_t *w = md->block.word;
    wm_md64_words(md);
    for (uint8_t i = 0; i < 5; i++) {
        v[i] = state[i];
    }
    for (uint8_t t = 0; t < 80; t++) {
        uint32_t *w_t = &w[t & 15];
        if (t >= 16) {
            *w_t = wm_ror32(w[(t + 13) & 15] ^ w[(t + 8) & 15] ^ w[(t + 2) & 15] ^ *w_t, 31);
        }
        uint32_t new_a = wm_ror32(v[0], 27) + f_and_k(t, v[1], v[2], v[3]) + v[4] + *w_t;
        for (uint8_t i = 4; i != 0; i--) {
            v[i] = v[i - 1];
        }
        v[2] = wm_ror32(v[2], 2);
        v[0] = new_a;
    }
    for (uint8_t i = 0; i < 5; i++) {
        state[i] += v[i];
    }
}

void wm_sha1_compress(uint32_t *state, wm_md64 *md)
{
    compress(state, md);
    wipe_dead_stack();
}

#endif
