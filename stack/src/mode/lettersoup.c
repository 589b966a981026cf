/* SPDX-License-Identifier: BSD-3-Clause */
/* LetterSoup: m is encrypted with E(O_i) as keystream, O_i = R x^(8i), and the ciphertext summed
 * with the same masks, a with masks from L = E(0); the sum of a joins that of m by one more
 * square-complete transform. */
#include <stdbool.h>
#include <wardmote/ct.h>
#include <wardmote/lettersoup.h>
#include "../util/xor.h"
#include "bound.h"
#include "marvin_sum.h"

enum { FINISHED, BEGUN, IN_AAD, IN_MESSAGE };

static void copy(uint8_t to[12], const uint8_t from[12])
{
    for (uint8_t i = 0; i < WM_CURUPIRA_BLOCK_LEN; i++) {
        to[i] = from[i];
    }
}

/* How a call ends that had blocks encrypted: a message that the cipher failed at is over. */
static wm_status settled(wm_lettersoup *ctx)
{
    if (!wm_cipher_failed(ctx->ops, ctx->schedule)) {
        return WM_OK;
    }
    wm_wipe(ctx, sizeof *ctx);
    return WM_ERR_ENGINE;
}

wm_status wm_lettersoup_start(wm_lettersoup *ctx, const wm_cipher *cipher, const uint8_t nonce[12],
                              size_t tag_len, wm_lettersoup_direction direction)
{
    ctx->phase = FINISHED;
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    if (cipher->ops->block_octets != WM_CURUPIRA_BLOCK_LEN || !wm_marvin_tag_len_valid(tag_len)) {
        return WM_ERR_PARAM;
    }
    ctx->ops = cipher->ops;
    ctx->schedule = wm_cipher_schedule(cipher);
    copy(ctx->stream.octet, nonce);
    ctx->ops->encrypt(ctx->schedule, &ctx->stream);
    copy(ctx->r.octet, ctx->stream.octet);
    wm_xor(ctx->r.octet, nonce, WM_CURUPIRA_BLOCK_LEN); /* R = E(N) xor N */
    ctx->tag_len = (uint8_t)tag_len;
    ctx->phase = BEGUN;
    ctx->direction = (uint8_t)direction;
    return settled(ctx);
}

wm_status wm_lettersoup_aad(wm_lettersoup *ctx, const uint8_t *a, size_t len)
{
    if (ctx->phase != BEGUN && ctx->phase != IN_AAD) {
        return WM_ERR_STATE;
    }
    if (ctx->phase == BEGUN && len != 0) {
        wm_block96 l;
        for (uint8_t i = 0; i < WM_CURUPIRA_BLOCK_LEN; i++) {
            ctx->stream.octet[i] = 0;
        }
        ctx->ops->encrypt(ctx->schedule, &ctx->stream);
        copy(l.octet, ctx->stream.octet);
        wm_marvin_sum_begin(&ctx->sum, &l);
        wm_wipe(&l, sizeof l);
        ctx->phase = IN_AAD;
    }
    wm_marvin_sum_update(&ctx->sum, a, len);
    return settled(ctx);
}

/* Ends a, whose sum is then part of that of m. */
static void begin_message(wm_lettersoup *ctx)
{
    uint8_t of_a[12];
    bool some = ctx->phase == IN_AAD;
    if (some) {
        wm_marvin_sum_end(&ctx->sum, ctx->tag_len);
        wm_curupira_sct(ctx->sum.sum.octet);
        copy(of_a, ctx->sum.sum.octet);
    }
    wm_marvin_sum_begin(&ctx->sum, &ctx->r);
    if (some) {
        wm_xor(ctx->sum.sum.octet, of_a, WM_CURUPIRA_BLOCK_LEN);
        wm_wipe(of_a, sizeof of_a);
    }
    ctx->phase = IN_MESSAGE;
}

wm_status wm_lettersoup_crypt(wm_lettersoup *ctx, uint8_t *m, size_t len)
{
    if (ctx->phase == FINISHED) {
        return WM_ERR_STATE;
    }
    if (ctx->phase != IN_MESSAGE && len != 0) {
        begin_message(ctx);
    }
    uint8_t *at = m;
    for (size_t left = len; left != 0;) {
        uint8_t fill = ctx->sum.fill, n = (uint8_t)(WM_CURUPIRA_BLOCK_LEN - fill);
        if (left < n) {
            n = (uint8_t)left;
        }
        if (fill == 0) {
            wm_marvin_sum_next(&ctx->sum);
            copy(ctx->stream.octet, ctx->sum.mask.octet);
            ctx->ops->encrypt(ctx->schedule, &ctx->stream);
        }
        if (ctx->direction == WM_LETTERSOUP_SEAL) {
            wm_xor(at, ctx->stream.octet + fill, n);
            wm_marvin_sum_take(&ctx->sum, at, n);
        } else {
            wm_marvin_sum_take(&ctx->sum, at, n);
            wm_xor(at, ctx->stream.octet + fill, n);
        }
        at += n;
        left -= n;
    }
    wm_status status = settled(ctx);
    if (status != WM_OK) {
        wm_wipe(m, len);
    }
    return status;
}

/* The tag, in `stream`. */
static wm_status make_tag(wm_lettersoup *ctx, wm_lettersoup_direction direction)
{
    if (ctx->phase == FINISHED || ctx->direction != direction) {
        return WM_ERR_STATE;
    }
    if (ctx->phase != IN_MESSAGE) {
        begin_message(ctx);
    }
    wm_marvin_sum_end(&ctx->sum, ctx->tag_len);
    copy(ctx->stream.octet, ctx->sum.sum.octet);
    ctx->ops->encrypt(ctx->schedule, &ctx->stream);
    return settled(ctx);
}

wm_status wm_lettersoup_seal_finish(wm_lettersoup *ctx, uint8_t *tag)
{
    wm_status status = make_tag(ctx, WM_LETTERSOUP_SEAL);
    if (status == WM_OK) {
        for (uint8_t i = 0; i < ctx->tag_len; i++) {
            tag[i] = ctx->stream.octet[i];
        }
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

wm_status wm_lettersoup_open_finish(wm_lettersoup *ctx, const uint8_t *tag)
{
    wm_status status = make_tag(ctx, WM_LETTERSOUP_OPEN);
    if (status == WM_OK) {
        status = wm_ct_diff(ctx->stream.octet, tag, ctx->tag_len) == 0 ? WM_OK : WM_ERR_SECURITY;
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

/* What sealing and opening do before the tag. */
static wm_status through(wm_lettersoup *ctx, const uint8_t *a, size_t a_len, uint8_t *m,
                         size_t m_len)
{
    wm_status status = wm_lettersoup_aad(ctx, a, a_len);
    return status == WM_OK ? wm_lettersoup_crypt(ctx, m, m_len) : status;
}

wm_status wm_lettersoup_seal(const wm_cipher *cipher, const uint8_t nonce[12], const uint8_t *a,
                             size_t a_len, uint8_t *m, size_t m_len, uint8_t *tag, size_t tag_len)
{
    wm_lettersoup ctx;
    wm_status status = wm_lettersoup_start(&ctx, cipher, nonce, tag_len, WM_LETTERSOUP_SEAL);
    if (status == WM_ERR_PARAM || status == WM_ERR_STATE) {
        return status;
    }
    if (status == WM_OK) {
        status = through(&ctx, a, a_len, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_lettersoup_seal_finish(&ctx, tag);
    }
    if (status != WM_OK) {
        wm_wipe(m, m_len);
    }
    return status;
}

wm_status wm_lettersoup_open(const wm_cipher *cipher, const uint8_t nonce[12], const uint8_t *a,
                             size_t a_len, uint8_t *m, size_t m_len, const uint8_t *tag,
                             size_t tag_len)
{
    wm_lettersoup ctx;
    wm_status status = wm_lettersoup_start(&ctx, cipher, nonce, tag_len, WM_LETTERSOUP_OPEN);
    if (status == WM_ERR_PARAM || status == WM_ERR_STATE) {
        return status;
    }
    if (status == WM_OK) {
        status = through(&ctx, a, a_len, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_lettersoup_open_finish(&ctx, tag);
    }
    if (status != WM_OK) {
        wm_wipe(m, m_len); /* nothing is released of what was not authentic */
    }
    return status;
}
