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

#define FLAG_ADATA 0x40                                 /* §2.2 */
#define M_PRIME(tag_len) (4 * ((uint8_t)(tag_len) - 2)) /* (M - 2) / 2, from bit 3 on (§2.2) */
#define A_LEN_MAX 0xfeff /* §2.2: longer a takes a longer length field */
#define LENGTH_AT 14     /* l(m) in B_0, counter in A_i */

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

/* Asks an engine. */
WM_NOINLINE static wm_status asked(wm_ccm *ctx)
{
    if (!ctx->ops->failed(ctx->schedule)) {
        return WM_OK;
    }
    wm_wipe(ctx, sizeof *ctx);
    return WM_ERR_ENGINE;
}

/* How a call ends that had blocks encrypted: a frame that the cipher failed at is over. */
WM_ALWAYS_INLINE static inline wm_status settled(wm_ccm *ctx)
{
    return ctx->ops->failed == NULL ? WM_OK : asked(ctx);
}

/* Whether a frame of such lengths can begin. */
static inline bool lengths_valid(size_t a_len, size_t m_len, size_t tag_len)
{
    if (tag_len == 0 ? a_len != 0 : a_len > A_LEN_MAX) {
        return false;
    }
    return tag_len <= WM_CCM_TAG_MAX && (tag_len & 1) == 0 && tag_len != 2 &&
           (uint16_t)m_len == m_len;
}

#if defined(WM_FORM_SMALL) && UINTPTR_MAX > 0xffff
static inline void copy_nonce(uint8_t *to, const uint8_t *nonce)
{
    wm_copy(to, nonce, 15 - L);
}
#elif defined(WM_FORM_SMALL) || defined(__AVR__)
static inline void copy_nonce(uint8_t *to, const uint8_t *nonce)
{
    for (uint8_t i = 15 - L; i != 0; i--) {
        *to++ = *nonce++;
        WM_STEP_BY_STEP(i);
    }
}
#else
/* Four octets from the i-th on. */
static inline void copy_four(uint8_t *to, const uint8_t *from, uint8_t i)
{
    to[i] = from[i];
    to[i + 1] = from[i + 1];
    to[i + 2] = from[i + 2];
    to[i + 3] = from[i + 3];
}

/* Written out: a loop takes twice as long. Two of the four octets meet where L is 4. */
static inline void copy_nonce(uint8_t *to, const uint8_t *nonce)
{
    copy_four(to, nonce, 0);
    copy_four(to, nonce, 4);
    copy_four(to, nonce, 8 - (L - 2) / 2);
    to[14 - L] = nonce[14 - L];
}
#endif

WM_ALWAYS_INLINE static inline wm_status begin(wm_ccm *ctx, const wm_cipher *cipher,
                                               const uint8_t nonce[15 - L], size_t a_len,
                                               size_t m_len, size_t tag_len,
                                               wm_ccm_direction direction)
{
    ctx->ops = NULL;
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    if (cipher->ops->block_octets != 16 || !lengths_valid(a_len, m_len, tag_len)) {
        return WM_ERR_PARAM;
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
    copy_nonce(a_0, nonce);
    a_0 += 15 - L;
    for (uint8_t i = 0; i < L; i += 2) {
        wm_store_be16(a_0 + i, 0);
    }
    if (tag_len == 0) {
        return WM_OK;
    }
    wm_block_copy(&ctx->mac, &ctx->ctr); /* §2.2: B_0 = flags | N | l(m) */
    ctx->mac.octet[0] = (uint8_t)((a_len != 0 ? FLAG_ADATA : 0) + M_PRIME(tag_len) + (L - 1));
    wm_store_be16(ctx->mac.octet + LENGTH_AT, (uint16_t)m_len);
    WM_FORGET_MEMORY(); /* else ctr stays in registers for encrypt_pair, and they are saved for it */
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
