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

/* S_i and S_(i+1) ^= K. */
static void add_key(wm_ascon_aead128 *ctx, uint8_t i)
{
    wm_ascon_xor(&ctx->state, (uint8_t)(8 * i), ctx->key, 16);
}

void wm_ascon_aead128_start(wm_ascon_aead128 *ctx, const uint8_t key[16], const uint8_t nonce[16],
                            wm_ascon_aead128_direction direction)
{
    static const uint8_t iv[8] = {0x01, 0x00, 0x8c, 0x80, 0x00, 0x10, 0x00, 0x00}; /* §4.1.1 */
    for (uint8_t i = 0; i < 5; i++) {
        ctx->state.lane[i][0] = 0;
        ctx->state.lane[i][1] = 0;
    }
    for (uint8_t i = 0; i < 16; i++) {
        ctx->key[i] = key[i];
    }
    wm_ascon_xor(&ctx->state, 0, iv, sizeof iv);
    add_key(ctx, 1);
    wm_ascon_xor(&ctx->state, 24, nonce, 16);
    wm_ascon_permute(&ctx->state, OUTER_ROUNDS);
    add_key(ctx, 3);
    ctx->fill = 0;
    ctx->phase = BEGUN;
    ctx->direction = (uint8_t)direction;
}

/* How many of `len` octets the current block takes. */
static uint8_t room(const wm_ascon_aead128 *ctx, size_t len)
{
    uint8_t left = (uint8_t)(RATE - ctx->fill);
    return len < left ? (uint8_t)len : left;
}

/* A block took octets; a full one is permuted in. */
static void take(wm_ascon_aead128 *ctx, uint8_t octets)
{
    ctx->fill = (uint8_t)(ctx->fill + octets);
    if (ctx->fill == RATE) {
        ctx->fill = 0;
        wm_ascon_permute(&ctx->state, INNER_ROUNDS);
    }
}

/* A block that is not full gets a bit 1 and zeros (§2.1). */
static void pad(wm_ascon_aead128 *ctx)
{
    uint8_t bit = 1;
    wm_ascon_xor(&ctx->state, ctx->fill, &bit, 1);
}

wm_status wm_ascon_aead128_aad(wm_ascon_aead128 *ctx, const uint8_t *a, size_t len)
{
    if (ctx->phase != BEGUN && ctx->phase != IN_AAD) {
        return WM_ERR_STATE;
    }
    if (len != 0) {
        ctx->phase = IN_AAD;
    }
    while (len != 0) {
        uint8_t taken = room(ctx, len);
        wm_ascon_xor(&ctx->state, ctx->fill, a, taken);
        a += taken;
        len -= taken;
        take(ctx, taken);
    }
    return WM_OK;
}

/* Ends a (§4.1.2): its last block, which no a at all does not have, and the bit that tells a from
 * m. */
static void begin_message(wm_ascon_aead128 *ctx)
{
    if (ctx->phase == IN_AAD) {
        pad(ctx);
        ctx->fill = 0;
        wm_ascon_permute(&ctx->state, INNER_ROUNDS);
    }
    uint8_t bit = 0x80;
    wm_ascon_xor(&ctx->state, 39, &bit, 1);
    ctx->phase = IN_MESSAGE;
}

/* §4.1.3, §4.1.4: the state becomes the ciphertext either way. */
wm_status wm_ascon_aead128_crypt(wm_ascon_aead128 *ctx, uint8_t *m, size_t len)
{
    if (ctx->phase == FINISHED) {
        return WM_ERR_STATE;
    }
    if (ctx->phase != IN_MESSAGE && len != 0) {
        begin_message(ctx);
    }
    while (len != 0) {
        uint8_t taken = room(ctx, len);
        if (ctx->direction == WM_ASCON_AEAD128_SEAL) {
            wm_ascon_encrypt(&ctx->state, ctx->fill, m, taken);
        } else {
            wm_ascon_decrypt(&ctx->state, ctx->fill, m, taken);
        }
        m += taken;
        len -= taken;
        take(ctx, taken);
    }
    return WM_OK;
}

/* §4.1.5: the tag becomes S_3, S_4. False when the context is finished or begun for the other
 * direction. */
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

wm_status wm_ascon_aead128_seal_finish(wm_ascon_aead128 *ctx, uint8_t tag[16])
{
    if (!make_tag(ctx, WM_ASCON_AEAD128_SEAL)) {
        return WM_ERR_STATE;
    }
    wm_ascon_extract(&ctx->state, 24, tag, 16);
    wm_wipe(ctx, sizeof *ctx);
    return WM_OK;
}

wm_status wm_ascon_aead128_open_finish(wm_ascon_aead128 *ctx, const uint8_t tag[16])
{
    if (!make_tag(ctx, WM_ASCON_AEAD128_OPEN)) {
        return WM_ERR_STATE;
    }
    uint8_t want[16];
    wm_ascon_extract(&ctx->state, 24, want, 16);
    uint8_t diff = wm_ct_diff(want, tag, 16);
    wm_wipe(want, sizeof want);
    wm_wipe(ctx, sizeof *ctx);
    return diff == 0 ? WM_OK : WM_ERR_SECURITY;
}

void wm_ascon_aead128_seal(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *a,
                           size_t a_len, uint8_t *m, size_t m_len, uint8_t tag[16])
{
    wm_ascon_aead128 ctx;
    wm_ascon_aead128_start(&ctx, key, nonce, WM_ASCON_AEAD128_SEAL);
    /* None of these can be out of order. */
    (void)!wm_ascon_aead128_aad(&ctx, a, a_len);
    (void)!wm_ascon_aead128_crypt(&ctx, m, m_len);
    (void)!wm_ascon_aead128_seal_finish(&ctx, tag);
}

wm_status wm_ascon_aead128_open(const uint8_t key[16], const uint8_t nonce[16], const uint8_t *a,
                                size_t a_len, uint8_t *m, size_t m_len, const uint8_t tag[16])
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
