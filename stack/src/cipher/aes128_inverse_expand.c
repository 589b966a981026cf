/* SPDX-License-Identifier: BSD-3-Clause */
/* Key of the equivalent inverse cipher.
 * References: FIPS 197 §5.3.5: the round keys of encryption in reverse order, and all but the
 * outer two through InvMixColumns.
 * Invariants: no branch and no address depends on the key, but for the look-ups of the key
 * expansion itself. */
#include <wardmote/aes128.h>
#include <wardmote/octets.h>

/* Four octets doubled in the field (FIPS 197 §4.2). */
static inline uint32_t double_each(uint32_t a)
{
    uint32_t top = a & 0x80808080;
    return (a ^ top) << 1 ^ ((top - (top >> 7)) & 0x1b1b1b1b);
}

static inline uint32_t turned(uint32_t a, uint8_t bits)
{
    return a >> bits | a << (32 - bits);
}

/* InvMixColumns of a column with octet 0 lowest: MixColumns after a_i ^ 4(a_i ^ a_{i+2}). */
static uint32_t inverse_mix(uint32_t a)
{
    a ^= double_each(double_each(a ^ turned(a, 16)));
    uint32_t sum = a ^ turned(a, 8);
    return double_each(sum) ^ turned(a ^ turned(sum, 8), 8);
}

void wm_aes128_tab_expand_inverse(wm_aes128_two_way *ctx, const uint8_t key[16])
{
    wm_aes128_expand(&ctx->forward, key);
    for (uint8_t round = 0; round <= 10; round++) {
        const uint8_t *from = ctx->forward.round_key[10 - round].octet;
        uint8_t *to = ctx->inverse[round].octet;
        for (uint8_t i = 0; i < 16; i = (uint8_t)(i + 4)) {
            uint32_t column = wm_load_le32(from + i);
            wm_store_le32(to + i, round == 0 || round == 10 ? column : inverse_mix(column));
        }
    }
}
