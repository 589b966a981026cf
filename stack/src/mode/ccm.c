/* SPDX-License-Identifier: BSD-3-Clause */
/* CCM and CCM*.
 * References: RFC 3610 §2 with L = 2; IEEE 802.15.4 Annex B (CCM*: M = 0 allowed). Names of RFC
 * 3610 in comments.
 * Departs: l(a) to 65279 octets only, the two-octet form of §2.2; M = 0 needs l(a) = 0, since
 * nothing would protect a.
 * Invariants of a context that start accepted:
 *   mac     X_i xored with the first `fill` octets of B_i; B_0 is already in
 *   stream  in m with fill > 0: S_i, whose octets from `fill` on are unused. a and m are both
 *           padded to whole blocks (§2.2, §2.3), so one `fill` counts for the CBC-MAC and the
 *           keystream. When blocks go in pairs, also before m and between its blocks: S_i for the
 *           next block; after m: S_0
 *   ops     NULL once the context is refused or finished; every call then answers WM_ERR_STATE
 * A call that is exported asks whether the cipher failed before it returns. */
#define L 2
#include "ccm_begin.h"

wm_status wm_ccm_start(wm_ccm *ctx, const wm_cipher *cipher, const uint8_t nonce[13], size_t a_len,
                       size_t m_len, size_t tag_len, wm_ccm_direction direction)
{
    wm_status status = begin(ctx, cipher, nonce, a_len, m_len, tag_len, direction);
    return status == WM_OK ? settled(ctx) : status;
}

/* Octets of a block that holds `fill` that `len` octets may take. */
static inline uint8_t piece(uint8_t fill, size_t len)
{
    uint8_t room = (uint8_t)(16 - fill);
    return len < room ? (uint8_t)len : room;
}

wm_status wm_ccm_aad(wm_ccm *ctx, const uint8_t *a, size_t len)
{
    if (ctx->ops == NULL || len > ctx->a_left) {
        return WM_ERR_STATE;
    }
    ctx->a_left = (uint16_t)(ctx->a_left - len);
    while (len != 0) { /* there is a tag: start takes no a without */
        uint8_t n = piece(ctx->fill, len);
        wm_xor(ctx->mac.octet + ctx->fill, a, n);
        a += n;
        len -= n;
        ctx->fill = (uint8_t)(ctx->fill + n);
        if (ctx->fill != 16 && ctx->a_left != 0) { /* the last block is padded with zeros: no xor */
            break;
        }
        ctx->fill = 0;
        encrypt(ctx, &ctx->mac);
    }
    return settled(ctx);
}

/* A_i for the next i (§2.3). */
static inline void next_counter(wm_ccm *ctx)
{
    uint8_t *counter = ctx->ctr.octet + LENGTH_AT;
    wm_store_be16(counter, (uint16_t)(wm_load_be16(counter) + 1));
}

/* S_i for the next i. */
static void next_stream(wm_ccm *ctx)
{
    next_counter(ctx);
    wm_block_copy(&ctx->stream, &ctx->ctr);
    encrypt(ctx, &ctx->stream);
}

/* The next `n` octets of m, all of one block. */
static inline void crypt_octets(wm_ccm *ctx, uint8_t *m, uint8_t n)
{
    uint8_t *mac = ctx->mac.octet + ctx->fill;
    if (ctx->direction == WM_CCM_SEAL) { /* the CBC-MAC takes the plaintext: before, or after */
        wm_xor(mac, m, n);
        wm_xor(m, ctx->stream.octet + ctx->fill, n);
    } else {
        wm_xor(m, ctx->stream.octet + ctx->fill, n);
        wm_xor(mac, m, n);
    }
}

/* With each block of the CBC-MAC goes S_i for the next i, which after the last block of m is S_0. A
 * loop of its own: asking block by block which way to go would cost 16-bit CPUs half a percent of a
 * frame. */
static uint8_t *crypt_in_pairs(wm_ccm *ctx, uint8_t *m, size_t len)
{
    while (len != 0) {
        uint8_t n = piece(ctx->fill, len);
        crypt_octets(ctx, m, n);
        m += n;
        len -= n;
        ctx->fill = (uint8_t)(ctx->fill + n);
        if (ctx->fill != 16 && ctx->m_left != 0) {
            break;
        }
        ctx->fill = 0;
        if ((len | ctx->m_left) == 0) {
            wm_store_be16(ctx->ctr.octet + LENGTH_AT, 0);
        } else {
            next_counter(ctx);
        }
        encrypt_pair(ctx);
    }
    return m;
}

/* Asks an engine after octets of m. */
WM_NOINLINE static wm_status asked_after(wm_ccm *ctx, uint8_t *m, const uint8_t *end)
{
    wm_status status = asked(ctx);
    if (status != WM_OK) {
        wm_wipe(m, (size_t)(end - m));
    }
    return status;
}

wm_status wm_ccm_crypt(wm_ccm *ctx, uint8_t *m, size_t len)
{
    if (ctx->ops == NULL || ctx->a_left != 0 || len > ctx->m_left) {
        return WM_ERR_STATE;
    }
    ctx->m_left = (uint16_t)(ctx->m_left - len);
    uint8_t *next = m;
    if (in_pairs(ctx)) {
        next = crypt_in_pairs(ctx, m, len);
        len = 0;
    }
    while (len != 0) {
        uint8_t n = piece(ctx->fill, len);
        if (ctx->fill == 0) {
            next_stream(ctx);
        }
        crypt_octets(ctx, next, n);
        next += n;
        len -= n;
        ctx->fill = (uint8_t)(ctx->fill + n);
        if (ctx->fill != 16 && ctx->m_left != 0) {
            break;
        }
        ctx->fill = 0;
        if (ctx->tag_len != 0) {
            encrypt(ctx, &ctx->mac);
        }
    }
    return ctx->ops->failed == NULL ? WM_OK : asked_after(ctx, m, next);
}

/* U = T xor S_0 (§2.3), the encrypted tag, in ctx->mac. */
static wm_status make_tag(wm_ccm *ctx, wm_ccm_direction direction)
{
    if (ctx->ops == NULL || ctx->direction != direction || (ctx->a_left | ctx->m_left) != 0) {
        return WM_ERR_STATE;
    }
    if (in_pairs(ctx)) {
        wm_block_xor(&ctx->mac, &ctx->stream);
    } else if (ctx->tag_len != 0) {
        wm_store_be16(ctx->ctr.octet + LENGTH_AT, 0);
        encrypt(ctx, &ctx->ctr);
        wm_block_xor(&ctx->mac, &ctx->ctr);
    }
    return settled(ctx);
}

wm_status wm_ccm_seal_finish(wm_ccm *ctx, uint8_t *tag)
{
    wm_status status = make_tag(ctx, WM_CCM_SEAL);
    if (status == WM_OK) {
        for (uint8_t i = 0; i < ctx->tag_len; i++) {
            tag[i] = ctx->mac.octet[i];
        }
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

wm_status wm_ccm_open_finish(wm_ccm *ctx, const uint8_t *tag)
{
    wm_status status = make_tag(ctx, WM_CCM_OPEN);
    if (status == WM_OK) {
        if (ctx->tag_len == 0) {
            status = WM_NOT_AUTHENTICATED;
        } else if (wm_ct_diff(ctx->mac.octet, tag, ctx->tag_len) != 0) {
            status = WM_ERR_SECURITY;
        }
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

wm_status wm_ccm_seal(const wm_cipher *cipher, const uint8_t nonce[13], const uint8_t *a,
                      size_t a_len, uint8_t *m, size_t m_len, uint8_t *tag, size_t tag_len)
{
    wm_ccm ctx;
    wm_status status = wm_ccm_start(&ctx, cipher, nonce, a_len, m_len, tag_len, WM_CCM_SEAL);
    if (status == WM_OK) {
        status = wm_ccm_aad(&ctx, a, a_len);
    }
    if (status == WM_OK) {
        status = wm_ccm_crypt(&ctx, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_ccm_seal_finish(&ctx, tag);
    }
    if (status == WM_ERR_ENGINE) {
        wm_wipe(m, m_len);
    }
    return status;
}

wm_status wm_ccm_open(const wm_cipher *cipher, const uint8_t nonce[13], const uint8_t *a,
                      size_t a_len, uint8_t *m, size_t m_len, const uint8_t *tag, size_t tag_len)
{
    wm_ccm ctx;
    wm_status status = wm_ccm_start(&ctx, cipher, nonce, a_len, m_len, tag_len, WM_CCM_OPEN);
    if (status == WM_OK) {
        status = wm_ccm_aad(&ctx, a, a_len);
    }
    if (status == WM_OK) {
        status = wm_ccm_crypt(&ctx, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_ccm_open_finish(&ctx, tag);
    }
    if (status == WM_ERR_SECURITY || status == WM_ERR_ENGINE) {
        wm_wipe(m, m_len); /* RFC 3610 §2.5: reveal nothing but that the tag was wrong */
    }
    return status;
}
