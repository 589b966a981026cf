/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 key expansion.
 * References: FIPS 197 §5.2. Branch-free; the S-box is indexed by the key (see aes128.h). */
#include <wardmote/aes128.h>
#include "aes128_sbox.h"

/* Round key after `prev`: SubWord(RotWord(w[i-1])) xor Rcon into the first word, then each word
 * into the next. */
static void next_round_key(wm_block128 *next, const wm_block128 *prev, uint8_t rcon)
{
    const uint8_t *last = prev->octet + 12;
    next->octet[0] = wm_aes128_sbox[last[1]] ^ rcon;
    next->octet[1] = wm_aes128_sbox[last[2]];
    next->octet[2] = wm_aes128_sbox[last[3]];
    next->octet[3] = wm_aes128_sbox[last[0]];
    uint16_t even = next->half[0] ^ prev->half[0];
    uint16_t odd = next->half[1] ^ prev->half[1];
    next->half[0] = even;
    next->half[1] = odd;
    next->half[2] = even ^= prev->half[2];
    next->half[3] = odd ^= prev->half[3];
    next->half[4] = even ^= prev->half[4];
    next->half[5] = odd ^= prev->half[5];
    next->half[6] = even ^ prev->half[6];
    next->half[7] = odd ^ prev->half[7];
}

void wm_aes128_expand(wm_aes128 *ctx, const uint8_t key[16])
{
    wm_block128 *rk = ctx->round_key;
    for (uint8_t i = 0; i < 16; i++) {
        rk->octet[i] = key[i];
    }
    uint8_t rcon = 1;
    for (uint8_t round = 10; round != 0; round--, rk++) {
        next_round_key(rk + 1, rk, rcon);
        /* public values; doubled in the field of FIPS 197 §4.2 */
        rcon = (uint8_t)(rcon << 1 ^ (-(rcon >> 7) & 0x1b));
    }
}
