/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-1's compression, FIPS 180-4 §6.1.2; names of the standard in comments. The message schedule
 * overwrites the block it begins with: W_t is only ever needed with the 15 before it (§6.1.3). */
#include "sha1_compress.h"
#include "../util/dead_stack.h"
#include "../util/md64.h"
#include "../util/rotate.h"

#ifndef WM_FORM_SMALL

WM_DEAD_STACK(96)

/* W_t of the schedule, in place of W_(t-16); the first 16 are the block. */
static inline uint32_t word(uint32_t w[16], uint8_t t)
{
    uint8_t s = t & 15;
    if (t >= 16) {
        w[s] = wm_ror32(w[(s + 13) & 15] ^ w[(s + 8) & 15] ^ w[(s + 2) & 15] ^ w[s], 31);
    }
    return w[s];
}

/* §6.1.2 step 3 for the twenty t from `first` on, with their f_t and K_t. */
#define TWENTY(f, k, first)                                                                        \
    for (uint8_t t = (first); t != (first) + 20; t++) {                                            \
        uint32_t new_a = wm_ror32(a, 27) + (f(b, c, d)) + e + (k) + word(w, t);                    \
        e = d;                                                                                     \
        d = c;                                                                                     \
        c = wm_ror32(b, 2);                                                                        \
        b = a;                                                                                     \
        a = new_a;                                                                                 \
    }

/* §4.1.1 */
#define CH(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define PARITY(x, y, z) ((x) ^ (y) ^ (z))
#define MAJ(x, y, z) (((x) & ((y) | (z))) | ((y) & (z)))

WM_NOINLINE static void compress(uint32_t *state, wm_md64 *md)
{
    wm_md64_words(md);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    uint32_t *w = md->block.word;
    TWENTY(CH, 0x5a827999, 0) /* K_t: §4.2.1 */
    TWENTY(PARITY, 0x6ed9eba1, 20)
    TWENTY(MAJ, 0x8f1bbcdc, 40)
    TWENTY(PARITY, 0xca62c1d6, 60)
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

void wm_sha1_compress(uint32_t *state, wm_md64 *md)
{
    compress(state, md);
    wipe_dead_stack();
}

#endif
