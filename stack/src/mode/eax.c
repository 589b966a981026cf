/* SPDX-License-Identifier: BSD-3-Clause */
/* EAX.
 * References: M. Bellare, P. Rogaway, D. Wagner, "The EAX mode of operation", FSE 2004, figure
 * 3. OMAC^t of a string is CMAC of a block that holds the number t and then the string.
 * Departs: tags of less than 4 octets are refused. */
#include <stdbool.h>
#include <wardmote/ct.h>
#include <wardmote/eax.h>
#include "../util/xor.h"
#include "bound.h"

#define OF_NONCE 0
#define OF_HEADER 1
#define OF_CIPHERTEXT 2

static wm_status begin_omac(wm_eax *ctx, uint8_t t)
{
    wm_status status = wm_cmac_init(&ctx->mac, ctx->key);
    if (status != WM_OK) {
        return status;
    }
    /* A block of zeros but for its last octet changes no other octet of the chain. */
    ctx->mac.mac.fill = ctx->block_octets;
    ctx->mac.mac.chain.octet[ctx->block_octets - 1] = t;
    return WM_OK;
}

/* Writes the present OMAC to `out` and wipes it. Whole unions are copied and xored, even if the
 * cipher's blocks are shorter. */
static wm_status end_omac(wm_eax *ctx, wm_block128 *out)
{
    for (uint8_t i = ctx->block_octets; i < WM_BLOCK_MAX; i++) {
        out->octet[i] = 0;
    }
    return wm_cmac_final(&ctx->mac, out->octet, ctx->block_octets);
}

/* A message that cannot go on is over. */
static wm_status over(wm_eax *ctx, wm_status status)
{
    if (status != WM_OK) {
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

wm_status wm_eax_start(wm_eax *ctx, const wm_cmac_key *key, const uint8_t *nonce, size_t nonce_len,
                       wm_eax_direction direction)
{
    ctx->key = key;
    ctx->direction = 0;
    if (!wm_cipher_ready(key->cipher)) {
        return WM_ERR_STATE;
    }
    ctx->block_octets = key->cipher->ops->block_octets;
    wm_status status = begin_omac(ctx, OF_NONCE);
    if (status == WM_OK) {
        wm_cmac_update(&ctx->mac, nonce, nonce_len);
        status = end_omac(ctx, &ctx->counter);
    }
    if (status == WM_OK) {
        status = begin_omac(ctx, OF_HEADER);
    }
    if (status == WM_OK) {
        wm_block_copy(&ctx->tag, &ctx->counter);
        ctx->used = ctx->block_octets;
        ctx->direction = (uint8_t)direction;
        ctx->in_message = false;
    }
    return over(ctx, status);
}

wm_status wm_eax_aad(wm_eax *ctx, const uint8_t *a, size_t len)
{
    if (ctx->direction == 0 || ctx->in_message) {
        return WM_ERR_STATE;
    }
    wm_cmac_update(&ctx->mac, a, len);
    return WM_OK;
}

/* From OMAC^1 to OMAC^2, once. */
static wm_status begin_message(wm_eax *ctx)
{
    if (ctx->in_message) {
        return WM_OK;
    }
    wm_status status = end_omac(ctx, &ctx->stream);
    if (status != WM_OK) {
        return status;
    }
    wm_block_xor(&ctx->tag, &ctx->stream);
    ctx->in_message = true;
    return begin_omac(ctx, OF_CIPHERTEXT);
}

static void next_stream(wm_eax *ctx)
{
    wm_block_copy(&ctx->stream, &ctx->counter);
    ctx->mac.mac.ops->encrypt(ctx->mac.mac.schedule, &ctx->stream);
    /* The first counter is OMAC^0 of the nonce, whose octets say nothing without the key: the carry
     * goes all the way. */
    uint16_t carry = 1;
    uint8_t *octet = ctx->counter.octet + ctx->block_octets;
    do {
        carry = (uint16_t)(carry + *--octet);
        *octet = (uint8_t)carry;
        carry >>= 8;
    } while (octet != ctx->counter.octet);
}

static void take_stream(wm_eax *ctx, uint8_t *at, size_t left)
{
    uint8_t b = ctx->block_octets, used = ctx->used;
    while (left != 0) {
        if (used == b) {
            next_stream(ctx);
            used = 0;
        }
        uint8_t n = (uint8_t)(b - used);
        if (left < n) {
            n = (uint8_t)left;
        }
        wm_xor(at, ctx->stream.octet + used, n);
        used = (uint8_t)(used + n);
        at += n;
        left -= n;
    }
    ctx->used = used;
}

wm_status wm_eax_crypt(wm_eax *ctx, uint8_t *m, size_t len)
{
    if (ctx->direction == 0) {
        return WM_ERR_STATE;
    }
    wm_status status = begin_message(ctx);
    if (status == WM_OK) {
        if (ctx->direction == WM_EAX_OPEN) {
            wm_cmac_update(&ctx->mac, m, len);
        }
        take_stream(ctx, m, len);
        if (ctx->direction == WM_EAX_SEAL) {
            wm_cmac_update(&ctx->mac, m, len);
        }
        if (wm_cipher_failed(ctx->mac.mac.ops, ctx->mac.mac.schedule) || ctx->mac.mac.failed) {
            status = WM_ERR_ENGINE;
        }
    }
    if (status != WM_OK) {
        wm_wipe(m, len);
    }
    return over(ctx, status);
}

static bool tag_len_valid(size_t tag_len, uint8_t block_octets)
{
    return tag_len >= WM_EAX_TAG_MIN && tag_len <= block_octets;
}

/* All of the tag, in ctx->tag. */
static wm_status make_tag(wm_eax *ctx, wm_eax_direction direction, size_t tag_len)
{
    if (ctx->direction != (uint8_t)direction) {
        return WM_ERR_STATE;
    }
    if (!tag_len_valid(tag_len, ctx->block_octets)) {
        return WM_ERR_PARAM;
    }
    wm_status status = begin_message(ctx);
    if (status == WM_OK) {
        status = end_omac(ctx, &ctx->stream);
    }
    wm_block_xor(&ctx->tag, &ctx->stream);
    return over(ctx, status);
}

wm_status wm_eax_seal_finish(wm_eax *ctx, uint8_t *tag, size_t tag_len)
{
    wm_status status = make_tag(ctx, WM_EAX_SEAL, tag_len);
    if (status == WM_OK) {
        for (uint8_t i = 0; i < tag_len; i++) {
            tag[i] = ctx->tag.octet[i];
        }
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

wm_status wm_eax_open_finish(wm_eax *ctx, const uint8_t *tag, size_t tag_len)
{
    wm_status status = make_tag(ctx, WM_EAX_OPEN, tag_len);
    if (status == WM_OK) {
        status = wm_ct_diff(ctx->tag.octet, tag, tag_len) == 0 ? WM_OK : WM_ERR_SECURITY;
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

/* What sealing and opening do before the tag; on WM_ERR_PARAM nothing was done. */
static wm_status through(wm_eax *ctx, const wm_cmac_key *key, const uint8_t *nonce,
                         size_t nonce_len, wm_eax_direction direction, const uint8_t *a,
                         size_t a_len, size_t tag_len)
{
    if (!wm_cipher_ready(key->cipher)) {
        return WM_ERR_STATE;
    }
    if (!tag_len_valid(tag_len, key->cipher->ops->block_octets)) {
        return WM_ERR_PARAM;
    }
    wm_status status = wm_eax_start(ctx, key, nonce, nonce_len, direction);
    return status == WM_OK ? wm_eax_aad(ctx, a, a_len) : status;
}

/* Whether a status leaves m as it was: nothing had been done. */
static bool before_all(wm_status status)
{
    return status == WM_ERR_PARAM || status == WM_ERR_STATE;
}

wm_status wm_eax_seal(const wm_cmac_key *key, const uint8_t *nonce, size_t nonce_len,
                      const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len, uint8_t *tag,
                      size_t tag_len)
{
    wm_eax ctx;
    wm_status status = through(&ctx, key, nonce, nonce_len, WM_EAX_SEAL, a, a_len, tag_len);
    if (status == WM_OK) {
        status = wm_eax_crypt(&ctx, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_eax_seal_finish(&ctx, tag, tag_len);
    }
    if (status != WM_OK && !before_all(status)) {
        wm_wipe(m, m_len);
    }
    return status;
}

wm_status wm_eax_open(const wm_cmac_key *key, const uint8_t *nonce, size_t nonce_len,
                      const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len, const uint8_t *tag,
                      size_t tag_len)
{
    wm_eax ctx;
    wm_status status = through(&ctx, key, nonce, nonce_len, WM_EAX_OPEN, a, a_len, tag_len);
    if (status == WM_OK) {
        status = wm_eax_crypt(&ctx, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_eax_open_finish(&ctx, tag, tag_len);
    }
    if (status != WM_OK && !before_all(status)) {
        wm_wipe(m, m_len);
    }
    return status;
}
