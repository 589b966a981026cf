/* SPDX-License-Identifier: BSD-3-Clause */
/* EAX.
 * References: M. Bellare, P. Rogaway, D. Wagner, "The EAX mode of operation", FSE 2004, figure
 * 3. OMAC^t of a string is CMAC of a block that holds the number t and then the string.
 * Departs: tags of less than 4 octets are refused. */
#include <stdbool.h>
#include <wardmote/ct.h>
#include <wardmote/eax.h>
#include "../util/xor.h"

#define OF_NONCE 0
#define OF_HEADER 1
#define OF_CIPHERTEXT 2

static void begin_omac(wm_eax *ctx, const wm_cmac_key *key, uint8_t t)
{
    wm_cmac_init(&ctx->mac, key);
    /* A block of zeros but for its last octet changes no other octet of the chain. */
    ctx->mac.mac.fill = ctx->block_octets;
    ctx->mac.mac.chain.octet[ctx->block_octets - 1] = t;
}

/* Writes the present OMAC to `out`, wipes it and forgets its key. Whole unions are copied and
 * xored, even if the cipher's blocks are shorter. */
static void end_omac(wm_eax *ctx, wm_block128 *out)
{
    for (uint8_t i = ctx->block_octets; i < WM_BLOCK_MAX; i++) {
        out->octet[i] = 0;
    }
    (void)!wm_cmac_final(&ctx->mac, out->octet, ctx->block_octets); /* a length it takes */
}

void wm_eax_start(wm_eax *ctx, const wm_cmac_key *key, const uint8_t *nonce, uint16_t nonce_len,
                  wm_eax_direction direction)
{
    ctx->block_octets = key->forward->block_octets;
    begin_omac(ctx, key, OF_NONCE);
    wm_cmac_update(&ctx->mac, nonce, nonce_len);
    end_omac(ctx, &ctx->counter);
    wm_block_copy(&ctx->tag, &ctx->counter);
    ctx->used = ctx->block_octets;
    ctx->direction = (uint8_t)direction;
    ctx->in_message = false;
    begin_omac(ctx, key, OF_HEADER);
}

wm_status wm_eax_aad(wm_eax *ctx, const uint8_t *a, uint16_t len)
{
    if (ctx->direction == 0 || ctx->in_message) {
        return WM_ERR_STATE;
    }
    wm_cmac_update(&ctx->mac, a, len);
    return WM_OK;
}

/* From OMAC^1 to OMAC^2, once. */
static void begin_message(wm_eax *ctx)
{
    if (!ctx->in_message) {
        const wm_cmac_key *key = ctx->mac.key;
        end_omac(ctx, &ctx->stream);
        wm_block_xor(&ctx->tag, &ctx->stream);
        begin_omac(ctx, key, OF_CIPHERTEXT);
        ctx->in_message = true;
    }
}

static void next_stream(wm_eax *ctx)
{
    const wm_cmac_key *key = ctx->mac.key;
    wm_block_copy(&ctx->stream, &ctx->counter);
    key->forward->apply(key->key, &ctx->stream);
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

wm_status wm_eax_crypt(wm_eax *ctx, uint8_t *m, uint16_t len)
{
    if (ctx->direction == 0) {
        return WM_ERR_STATE;
    }
    begin_message(ctx);
    if (ctx->direction == WM_EAX_OPEN) {
        wm_cmac_update(&ctx->mac, m, len);
    }
    uint8_t *at = m, b = ctx->block_octets, used = ctx->used;
    for (uint16_t left = len; left != 0;) {
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
        left = (uint16_t)(left - n);
    }
    ctx->used = used;
    if (ctx->direction == WM_EAX_SEAL) {
        wm_cmac_update(&ctx->mac, m, len);
    }
    return WM_OK;
}

static bool tag_len_valid(uint8_t tag_len, uint8_t block_octets)
{
    return tag_len >= WM_EAX_TAG_MIN && tag_len <= block_octets;
}

/* All of the tag, in ctx->tag. */
static wm_status make_tag(wm_eax *ctx, wm_eax_direction direction, uint8_t tag_len)
{
    if (ctx->direction != (uint8_t)direction) {
        return WM_ERR_STATE;
    }
    if (!tag_len_valid(tag_len, ctx->block_octets)) {
        return WM_ERR_PARAM;
    }
    begin_message(ctx);
    end_omac(ctx, &ctx->stream);
    wm_block_xor(&ctx->tag, &ctx->stream);
    return WM_OK;
}

wm_status wm_eax_seal_finish(wm_eax *ctx, uint8_t *tag, uint8_t tag_len)
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

wm_status wm_eax_open_finish(wm_eax *ctx, const uint8_t *tag, uint8_t tag_len)
{
    wm_status status = make_tag(ctx, WM_EAX_OPEN, tag_len);
    if (status == WM_OK) {
        status = wm_ct_diff(ctx->tag.octet, tag, tag_len) == 0 ? WM_OK : WM_ERR_SECURITY;
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

wm_status wm_eax_seal(const wm_cmac_key *key, const uint8_t *nonce, uint16_t nonce_len,
                      const uint8_t *a, uint16_t a_len, uint8_t *m, uint16_t m_len, uint8_t *tag,
                      uint8_t tag_len)
{
    wm_eax ctx;
    if (!tag_len_valid(tag_len, key->forward->block_octets)) {
        return WM_ERR_PARAM;
    }
    wm_eax_start(&ctx, key, nonce, nonce_len, WM_EAX_SEAL);
    wm_status status = wm_eax_aad(&ctx, a, a_len);
    if (status == WM_OK) {
        status = wm_eax_crypt(&ctx, m, m_len);
    }
    return status == WM_OK ? wm_eax_seal_finish(&ctx, tag, tag_len) : status;
}

wm_status wm_eax_open(const wm_cmac_key *key, const uint8_t *nonce, uint16_t nonce_len,
                      const uint8_t *a, uint16_t a_len, uint8_t *m, uint16_t m_len,
                      const uint8_t *tag, uint8_t tag_len)
{
    wm_eax ctx;
    if (!tag_len_valid(tag_len, key->forward->block_octets)) {
        return WM_ERR_PARAM;
    }
    wm_eax_start(&ctx, key, nonce, nonce_len, WM_EAX_OPEN);
    wm_status status = wm_eax_aad(&ctx, a, a_len);
    if (status == WM_OK) {
        status = wm_eax_crypt(&ctx, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_eax_open_finish(&ctx, tag, tag_len);
    }
    if (status != WM_OK) {
        wm_wipe(m, m_len);
    }
    return status;
}
