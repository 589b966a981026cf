/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256's compression, FIPS 180-4 §6.2.2; names of the standard in comments. The message schedule
 * overwrites the block it begins with: W_t is only ever needed with the 15 before it. */
#include "sha256_compress.h"
#include "../util/dead_stack.h"
#include "../util/md64.h"
#include "../util/rotate.h"
#include "sha256_constants.h"

#ifndef WM_FORM_SMALL

WM_DEAD_STACK(128)

/* §4.1.2, with what the rotations share done once: few single-bit rotations where a CPU has no
 * other. */
static inline uint32_t big_sigma_0(uint32_t x) /* ROTR 2, 13, 22 */
{
    return wm_ror32(wm_ror32(wm_ror32(x, 9) ^ x, 11) ^ x, 2);
}

static inline uint32_t big_sigma_1(uint32_t x) /* ROTR 6, 11, 25 */
{
    return wm_ror32(x, 6) ^ wm_ror32(x, 11) ^ wm_ror32(x, 25);
}

static inline uint32_t small_sigma_0(uint32_t x)
{
    return wm_ror32(x, 7) ^ wm_ror32(x, 18) ^ x >> 3;
}

static inline uint32_t small_sigma_1(uint32_t x)
{
    return wm_ror32(x, 17) ^ wm_ror32(x, 19) ^ x >> 10;
}

/* W_t for the next 16 t (§6.2.2 step 1). */
static void schedule(uint32_t w[16])
{
    for (uint8_t t = 0; t < 16; t++) {
        w[t] += small_sigma_1(w[(t + 14) & 15]) + w[(t + 9) & 15] + small_sigma_0(w[(t + 1) & 15]);
    }
}

/* §6.2.2 step 3 for one t. The eight working variables stay where they are and change their names
 * instead. */
#define ROUND(a, b, c, d, e, f, g, h, t)                                                           \
    do {                                                                                           \
        h += big_sigma_1(e) + (g ^ (e & (f ^ g))) + *constant++ + w[t]; /* T_1 */                  \
        d += h;                                                                                    \
        h += big_sigma_0(a) + ((a & (b | c)) | (b & c)); /* T_1 + T_2 */                           \
    } while (0)

WM_NOINLINE static void compress(uint32_t *state, wm_md64 *md)
{
    wm_md64_words(md);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    const uint32_t *constant = k;
    for (;;) {
        for (uint32_t *w = md->block.word; w != md->block.word + 16; w += 8) {
            ROUND(a, b, c, d, e, f, g, h, 0);
            ROUND(h, a, b, c, d, e, f, g, 1);
            ROUND(g, h, a, b, c, d, e, f, 2);
            ROUND(f, g, h, a, b, c, d, e, 3);
            ROUND(e, f, g, h, a, b, c, d, 4);
            ROUND(d, e, f, g, h, a, b, c, 5);
            ROUND(c, d, e, f, g, h, a, b, 6);
            ROUND(b, c, d, e, f, g, h, a, 7);
        }
        if (constant == k + 64) {
            break;
        }
        schedule(md->block.word);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void wm_sha256_compress(uint32_t *state, wm_md64 *md)
{
    compress(state, md);
    wipe_dead_stack();
}

#endif
