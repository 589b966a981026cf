/* SPDX-License-Identifier: BSD-3-Clause */
/* How CCM begins a frame, for a source that defines L before it includes this (RFC 3610 §2: octets of
 * the length field, 2 or 4). ccm.c says what holds in a context. A length fits 16 bits in any case,
 * so that with L = 4 its first two octets, and those of the counter, are 0. */
#ifndef WM_MODE_CCM_BEGIN_H
#define WM_MODE_CCM_BEGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <wardmote/ccm.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "../util/compiler.h"
#include "../util/xor.h"
#include "bound.h"

#define FLAG_ADATA 0x40  /* §2.2 */
#define A_LEN_MAX 0xfeff /* §2.2: longer a takes a longer length field */
#define LENGTH_AT 14     /* l(m) in B_0, counter in A_i */

static bool tag_len_valid(size_t tag_len)
{
    return tag_len == 0 || (tag_len >= 4 && tag_len <= WM_CCM_TAG_MAX && (tag_len & 1) == 0);
}

static void encrypt(const wm_ccm *ctx, wm_block128 *block)
{
    ctx->ops->encrypt(ctx->schedule, block);
}

/* Whether one call encrypts a block of the CBC-MAC and the next block of the keystream. Neither
 * needs the other. */
static bool in_pairs(const wm_ccm *ctx)
{
    return ctx->ops->encrypt2 != NULL && ctx->tag_len != 0;
}

static void encrypt_pair(wm_ccm *ctx)
{
    wm_block_copy(&ctx->stream, &ctx->ctr);
    ctx->ops->encrypt2(ctx->schedule, &ctx->mac, &ctx->stream);
}

/* How a call ends that had blocks encrypted: a frame that the cipher failed at is over. */
static wm_status settled(wm_ccm *ctx)
{
    if (!wm_cipher_failed(ctx->ops, ctx->schedule)) {
        return WM_OK;
    }
    wm_wipe(ctx, sizeof *ctx);
    return WM_ERR_ENGINE;
}

/* Whether a frame of such lengths can begin. */
static wm_status may_begin(const wm_cipher *cipher, size_t a_len, size_t m_len, size_t tag_len)
{
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    if (cipher->ops->block_octets != 16 || !tag_len_valid(tag_len) || a_len > A_LEN_MAX ||
        (uint16_t)m_len != m_len || (tag_len == 0 && a_len != 0)) {
        return WM_ERR_PARAM;
    }
    return WM_OK;
}

WM_ALWAYS_INLINE static inline wm_status begin(wm_ccm *ctx, const wm_cipher *cipher,
                                               const uint8_t nonce[15 - L], size_t a_len,
                                               size_t m_len, size_t tag_len,
                                               wm_ccm_direction direction)
{
    ctx->ops = NULL;
    wm_status status = may_begin(cipher, a_len, m_len, tag_len);
    if (status != WM_OK) {
        return status;
    }
    ctx->ops = cipher->ops;
    ctx->schedule = wm_cipher_schedule(cipher);
    ctx->a_left = (uint16_t)a_len;
    ctx->m_left = (uint16_t)m_len;
    ctx->fill = 0;
    ctx->tag_len = (uint8_t)tag_len;
    ctx->direction = (uint8_t)direction;

    uint8_t *a_0 = ctx->ctr.octet; /* §2.3: flags | N | counter 0 */
    *a_0++ = (L - 1);
    for (uint8_t i = 15 - L; i != 0; i--) {
        *a_0++ = *nonce++;
    }
    for (uint8_t i = 0; i < L; i += 2) {
        wm_store_be16(a_0 + i, 0);
    }
    if (tag_len == 0) {
        return WM_OK;
    }
    wm_block_copy(&ctx->mac, &ctx->ctr); /* §2.2: B_0 = flags | N | l(m) */
    uint8_t m_prime = (uint8_t)((tag_len - 2) / 2);
    ctx->mac.octet[0] = (uint8_t)((a_len != 0 ? FLAG_ADATA : 0) | m_prime << 3 | (L - 1));
    wm_store_be16(ctx->mac.octet + LENGTH_AT, (uint16_t)m_len);
    if (in_pairs(ctx)) {
        ctx->ctr.octet[LENGTH_AT + 1] = m_len != 0; /* S_1, or S_0 at once */
        encrypt_pair(ctx);
    } else {
        encrypt(ctx, &ctx->mac);
    }
    if (a_len != 0) {
        ctx->mac.octet[0] ^= (uint8_t)(a_len >> 8);
        ctx->mac.octet[1] ^= (uint8_t)a_len;
        ctx->fill = 2;
    }
    return WM_OK;
}

#endif
