/* SPDX-License-Identifier: BSD-3-Clause */
/* Ascon-AEAD128, SP 800-232 §4.1; names of the standard in comments. */
#include <stdbool.h>
#include <wardmote/ascon_aead128.h>
#include <wardmote/ct.h>
#include "../hash/ascon_permutation.h"

#define RATE 16
#define OUTER_ROUNDS 12
#define INNER_ROUNDS 8

enum { FINISHED, BEGUN, IN_AAD, IN_MESSAGE };

static void load(uint32_t words[2][2], const uint8_t octets[16])
{
    for (uint8_t i = 0; i < 4; i++) {
        words[i >> 1][i & 1] = wm_load_le32(octets + 4 * i);
    }
}

/* S_i and S_(i+1) ^= K. */
static void add_key(wm_ascon_aead128 *ctx, uint8_t i)
{
    for (uint8_t half = 0; half < 2; half++) {
        ctx->state.s[i][half] ^= ctx->key[0][half];
        ctx->state.s[i + 1][half] ^= ctx->key[1][half];
    }
}

void wm_ascon_aead128_start(wm_ascon_aead128 *ctx, const uint8_t key[16], const uint8_t nonce[16],
                            wm_ascon_aead128_direction direction)
{
    load(ctx->key, key);
    ctx->state.s[0][0] = 0x808c0001; /* IV (§4.1.1) */
    ctx->state.s[0][1] = 0x00001000;
    load(ctx->state.s + 1, key);
    load(ctx->state.s + 3, nonce);
    wm_ascon_permute(&ctx->state, OUTER_ROUNDS);
    add_key(ctx, 3);
    ctx->fill = 0;
    ctx->phase = BEGUN;
    ctx->direction = (uint8_t)direction;
}

/* A full block is in; one that is not full is padded with a bit 1 and zeros (§2.1). */
static void end_block(wm_ascon_aead128 *ctx)
{
    ctx->fill = 0;
    wm_ascon_permute(&ctx->state, INNER_ROUNDS);
}

static void pad(wm_ascon_aead128 *ctx)
{
    wm_ascon_xor_octet(&ctx->state, ctx->fill, 1);
}

wm_status wm_ascon_aead128_aad(wm_ascon_aead128 *ctx, const uint8_t *a, uint16_t len)
{
    if (ctx->phase != BEGUN && ctx->phase != IN_AAD) {
        return WM_ERR_STATE;
    }
    if (len != 0) {
        ctx->phase = IN_AAD;
    }
    while (len != 0) {
        if (ctx->fill == 0 && len >= RATE) {
            for (uint8_t i = 0; i < 4; i++) {
                ctx->state.s[i >> 1][i & 1] ^= wm_load_le32(a + 4 * i);
            }
            a += RATE;
            len = (uint16_t)(len - RATE);
            end_block(ctx);
        } else {
            wm_ascon_xor_octet(&ctx->state, ctx->fill++, *a++);
            len--;
            if (ctx->fill == RATE) {
                end_block(ctx);
            }
        }
    }
    return WM_OK;
}

/* Ends a (§4.1.2): its last block, which no a at all does not have, and the bit that tells a from m. */
static void begin_message(wm_ascon_aead128 *ctx)
{
    if (ctx->phase == IN_AAD) {
        pad(ctx);
        end_block(ctx);
    }
    ctx->state.s[4][1] ^= 0x80000000;
    ctx->phase = IN_MESSAGE;
}

/* A block of m (§4.1.3, §4.1.4): the state becomes the ciphertext either way. */
static void crypt_block(wm_ascon_aead128 *ctx, uint8_t *m)
{
    for (uint8_t i = 0; i < 4; i++, m += 4) {
        uint32_t *s = &ctx->state.s[i >> 1][i & 1];
        uint32_t given = wm_load_le32(m);
        wm_store_le32(m, *s ^ given);
        *s = ctx->direction == WM_ASCON_AEAD128_SEAL ? *s ^ given : given;
    }
}

static void crypt_octet(wm_ascon_aead128 *ctx, uint8_t *m)
{
    uint8_t given = *m, stream = wm_ascon_octet(&ctx->state, ctx->fill);
    *m = stream ^ given;
    wm_ascon_xor_octet(&ctx->state, ctx->fill, ctx->direction == WM_ASCON_AEAD128_SEAL ? given : *m);
    ctx->fill++;
}

wm_status wm_ascon_aead128_crypt(wm_ascon_aead128 *ctx, uint8_t *m, uint16_t len)
{
    if (ctx->phase == FINISHED) {
        return WM_ERR_STATE;
    }
    if (ctx->phase != IN_MESSAGE && len != 0) {
        begin_message(ctx);
    }
    while (len != 0) {
        if (ctx->fill == 0 && len >= RATE) {
            crypt_block(ctx, m);
            m += RATE;
            len = (uint16_t)(len - RATE);
            end_block(ctx);
        } else {
            crypt_octet(ctx, m++);
            len--;
            if (ctx->fill == RATE) {
                end_block(ctx);
            }
        }
    }
    return WM_OK;
}

/* §4.1.5: the tag becomes S_3, S_4. False when the context is finished or begun for the other direction. */
static bool make_tag(wm_ascon_aead128 *ctx, wm_ascon_aead128_direction direction)
{
    if (ctx->phase == FINISHED || ctx->direction != direction) {
        return false;
    }
    if (ctx->phase != IN_MESSAGE) {
        begin_message(ctx);
    }
    pad(ctx);
    add_key(ctx, 2);
    wm_ascon_permute(&ctx->state, OUTER_ROUNDS);
    add_key(ctx, 3);
    return true;
}

static void store_tag(const wm_ascon_aead128 *ctx, uint8_t tag[16])
{
    for (uint8_t i = 0; i < 4; i++) {
        wm_store_le32(tag + 4 * i, ctx->state.s[3 + (i >> 1)][i & 1]);
    }
}

wm_status wm_ascon_aead128_seal_finish(wm_ascon_aead128 *ctx, uint8_t tag[16])
{
    if (!make_tag(ctx, WM_ASCON_AEAD128_SEAL)) {
        return WM_ERR_STATE;
    }
    store_tag(ctx, tag);
    wm_wipe(ctx, sizeof *ctx);
    return WM_OK;
}

wm_status wm_ascon_aead128_open_finish(wm_ascon_aead128 *ctx, const uint8_t tag[16])
{
    if (!make_tag(ctx, WM_ASCON_AEAD128_OPEN)) {
        return WM_ERR_STATE;
    }
    uint8_t want[16];
    store_tag(ctx, want);
    uint8_t diff = wm_ct_diff(want, tag, 16);
    wm_wipe(want, sizeof want);
    wm_wipe(ctx, sizeof *ctx);
    return diff == 0 ? WM_OK : WM_ERR_SECURITY;
}

void wm_ascon_aead128_seal(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *a, uint16_t a_len, uint8_t *m,
                           uint16_t m_len, uint8_t tag[16])
{
    wm_ascon_aead128 ctx;
    wm_ascon_aead128_start(&ctx, key, nonce, WM_ASCON_AEAD128_SEAL);
    /* None of these can be out of order. */
    (void)!wm_ascon_aead128_aad(&ctx, a, a_len);
    (void)!wm_ascon_aead128_crypt(&ctx, m, m_len);
    (void)!wm_ascon_aead128_seal_finish(&ctx, tag);
}

wm_status wm_ascon_aead128_open(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *a, uint16_t a_len,
                                uint8_t *m, uint16_t m_len, const uint8_t tag[16])
{
    wm_ascon_aead128 ctx;
    wm_ascon_aead128_start(&ctx, key, nonce, WM_ASCON_AEAD128_OPEN);
    wm_status status = wm_ascon_aead128_aad(&ctx, a, a_len);
    if (status == WM_OK) {
        status = wm_ascon_aead128_crypt(&ctx, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_ascon_aead128_open_finish(&ctx, tag);
    }
    if (status != WM_OK) {
        wm_wipe(m, m_len); /* §4.1.4: reveal nothing but that the tag was wrong */
    }
    return status;
}
