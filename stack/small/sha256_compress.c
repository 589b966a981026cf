/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256's compression in little flash: one round and one W_t at a time; names of FIPS 180-4
 * §6.2.2 in comments. The message schedule overwrites the block it begins with. */
#include "../src/hash/sha256_compress.h"
#include "../src/hash/sha256_constants.h"
#include "../src/util/dead_stack.h"
#include "../src/util/md64.h"
#include "../src/util/rotate.h"

#ifdef WM_FORM_SMALL

WM_DEAD_STACK(128)

/* §4.1.2 */
static uint32_t small_sigma_0(uint32_t x)
{
    return wm_ror32(x, 7) ^ wm_ror32(x, 18) ^ x >> 3;
}

static uint32_t small_sigma_1(uint32_t x)
{
    return wm_ror32(wm_ror32(x, 2) ^ x, 17) ^ x >> 10;
}

static uint32_t big_sigma_0(uint32_t x) /* ROTR 2, 13, 22 */
{
    return wm_ror32(wm_ror32(wm_ror32(x, 9) ^ x, 11) ^ x, 2);
}

static uint32_t big_sigma_1(uint32_t x) /* ROTR 6, 11, 25 */
{
    return wm_ror32(wm_ror32(wm_ror32(x, 14) ^ x, 5) ^ x, 6);
}

WM_NOINLINE static void compress(uint32_t *state, wm_md64 *md)
{
    uint32_t v[8]; /* a to h */
    uint32_t *w = md->block.word;
    wm_md64_words(md);
    for (uint8_t i = 0; i < 8; i++) {
        v[i] = state[i];
    }
    for (uint8_t t = 0; t < 64; t++) {
        uint32_t *w_t = &w[t & 15];
        if (t >= 16) {
            *w_t +=
                small_sigma_1(w[(t + 14) & 15]) + w[(t + 9) & 15] + small_sigma_0(w[(t + 1) & 15]);
        }
        uint32_t a = v[0], e = v[4];
        uint32_t t_1 = v[7] + k[t] + *w_t + (v[6] ^ (e & (v[5] ^ v[6]))) + big_sigma_1(e);
        uint32_t t_2 = ((a & (v[1] | v[2])) | (v[1] & v[2])) + big_sigma_0(a);
        for (uint8_t i = 7; i != 0; i--) {
            v[i] = v[i - 1];
        }
        v[4] += t_1;
        v[0] = t_1 + t_2;
    }
    for (uint8_t i = 0; i < 8; i++) {
        state[i] += v[i];
    }
}

void wm_sha256_compress(uint32_t *state, wm_md64 *md)
{
    compress(state, md);
    wipe_dead_stack();
}

#endif
