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

/* Octets of the current block that `len` octets may take. */
static uint8_t piece(const wm_ccm *ctx, size_t len)
{
    uint8_t room = (uint8_t)(16 - ctx->fill);
    return len < room ? (uint8_t)len : room;
}

/* Counts `n` octets into the block; a full one, or the `last` of a or m (zero padding is no xor),
 * goes through. */
static void advance(wm_ccm *ctx, uint8_t n, bool last)
{
    ctx->fill = (uint8_t)(ctx->fill + n);
    if (ctx->fill == 16 || last) {
        ctx->fill = 0;
        if (ctx->tag_len != 0) {
            encrypt(ctx, &ctx->mac);
        }
    }
}

static void take_a(wm_ccm *ctx, const uint8_t *a, size_t len)
{
    while (len != 0) {
        uint8_t n = piece(ctx, len);
        wm_xor(ctx->mac.octet + ctx->fill, a, n);
        a += n;
        len -= n;
        ctx->a_left = (uint16_t)(ctx->a_left - n);
        advance(ctx, n, ctx->a_left == 0);
    }
}

wm_status wm_ccm_aad(wm_ccm *ctx, const uint8_t *a, size_t len)
{
    if (ctx->ops == NULL || len > ctx->a_left) {
        return WM_ERR_STATE;
    }
    take_a(ctx, a, len);
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
static void crypt_in_pairs(wm_ccm *ctx, uint8_t *m, size_t len)
{
    while (len != 0) {
        uint8_t n = piece(ctx, len);
        crypt_octets(ctx, m, n);
        m += n;
        len -= n;
        ctx->m_left = (uint16_t)(ctx->m_left - n);
        ctx->fill = (uint8_t)(ctx->fill + n);
        if (ctx->m_left == 0) {
            wm_store_be16(ctx->ctr.octet + LENGTH_AT, 0);
        } else if (ctx->fill == 16) {
            next_counter(ctx);
        } else {
            continue;
        }
        ctx->fill = 0;
        encrypt_pair(ctx);
    }
}

static void take_m(wm_ccm *ctx, uint8_t *m, size_t len)
{
    if (in_pairs(ctx)) {
        crypt_in_pairs(ctx, m, len);
        return;
    }
    while (len != 0) {
        uint8_t n = piece(ctx, len);
        if (ctx->fill == 0) {
            next_stream(ctx);
        }
        crypt_octets(ctx, m, n);
        m += n;
        len -= n;
        ctx->m_left = (uint16_t)(ctx->m_left - n);
        advance(ctx, n, ctx->m_left == 0);
    }
}

wm_status wm_ccm_crypt(wm_ccm *ctx, uint8_t *m, size_t len)
{
    if (ctx->ops == NULL || ctx->a_left != 0 || len > ctx->m_left) {
        return WM_ERR_STATE;
    }
    take_m(ctx, m, len);
    wm_status status = settled(ctx);
    if (status != WM_OK) {
        wm_wipe(m, len);
    }
    return status;
}

/* Whether all octets have come and the direction is this. */
static bool may_end(const wm_ccm *ctx, wm_ccm_direction direction)
{
    return ctx->ops != NULL && ctx->direction == direction && ctx->a_left == 0 && ctx->m_left == 0;
}

/* U = T xor S_0 (§2.3), the encrypted tag, in ctx->mac. */
static wm_status make_tag(wm_ccm *ctx)
{
    if (in_pairs(ctx)) {
        wm_block_xor(&ctx->mac, &ctx->stream);
    } else if (ctx->tag_len != 0) {
        wm_store_be16(ctx->ctr.octet + LENGTH_AT, 0);
        encrypt(ctx, &ctx->ctr);
        wm_block_xor(&ctx->mac, &ctx->ctr);
    }
    return settled(ctx);
}

static wm_status end_sealing(wm_ccm *ctx, uint8_t *tag)
{
    wm_status status = make_tag(ctx);
    if (status == WM_OK) {
        for (uint8_t i = 0; i < ctx->tag_len; i++) {
            tag[i] = ctx->mac.octet[i];
        }
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

static wm_status end_opening(wm_ccm *ctx, const uint8_t *tag)
{
    wm_status status = make_tag(ctx);
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

wm_status wm_ccm_seal_finish(wm_ccm *ctx, uint8_t *tag)
{
    return may_end(ctx, WM_CCM_SEAL) ? end_sealing(ctx, tag) : WM_ERR_STATE;
}

wm_status wm_ccm_open_finish(wm_ccm *ctx, const uint8_t *tag)
{
    return may_end(ctx, WM_CCM_OPEN) ? end_opening(ctx, tag) : WM_ERR_STATE;
}

wm_status wm_ccm_seal(const wm_cipher *cipher, const uint8_t nonce[13], const uint8_t *a,
                      size_t a_len, uint8_t *m, size_t m_len, uint8_t *tag, size_t tag_len)
{
    wm_ccm ctx;
    wm_status status = wm_ccm_start(&ctx, cipher, nonce, a_len, m_len, tag_len, WM_CCM_SEAL);
    if (status == WM_OK) {
        take_a(&ctx, a, a_len);
        take_m(&ctx, m, m_len);
        status = end_sealing(&ctx, tag);
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
        take_a(&ctx, a, a_len);
        take_m(&ctx, m, m_len);
        status = end_opening(&ctx, tag);
    }
    if (status == WM_ERR_SECURITY || status == WM_ERR_ENGINE) {
        wm_wipe(m, m_len); /* RFC 3610 §2.5: reveal nothing but that the tag was wrong */
    }
    return status;
}
