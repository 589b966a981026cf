/* SPDX-License-Identifier: BSD-3-Clause */
/* OCB3.
 * References: RFC 7253 §4; its names are kept.
 * Departs: tags of less than 4 octets are refused; a nonce has at least one.
 * Invariants: what is done depends on lengths, on the number of a block and on the nonce only. L_i is doubled from L_0
 * whenever it is needed: every second block needs none, and no table takes RAM. */
#include <stdbool.h>
#include <stddef.h>
#include <wardmote/ct.h>
#include <wardmote/ocb3.h>
#include "../util/xor.h"

enum { IN_A, BEHIND_A, IN_M, BEHIND_M };

/* to = double(from) in GF(2^128), §2; may be the same. The bit that falls out is added by shifts: of a mask or a product
 * clang makes a branch on the MSP430. */
static void double_block(wm_block128 *to, const wm_block128 *from)
{
    uint8_t bit = from->octet[0] >> 7;
    uint8_t carry = (uint8_t)(bit << 7 | bit << 2 | bit << 1 | bit);
    for (uint8_t i = 0; i < 15; i++) {
        to->octet[i] = (uint8_t)(from->octet[i] << 1 | from->octet[i + 1] >> 7);
    }
    to->octet[15] = (uint8_t)(from->octet[15] << 1 ^ carry);
}

static void clear(wm_block128 *block)
{
    for (uint8_t i = 0; i < 16; i++) {
        block->octet[i] = 0;
    }
}

wm_status wm_ocb3_derive(wm_ocb3_key *ocb_key, const wm_cipher_function *forward, const wm_cipher_function *inverse,
                         const void *key)
{
    if (forward->block_octets != 16 || (inverse != NULL && inverse->block_octets != 16)) {
        return WM_ERR_PARAM;
    }
    ocb_key->forward = forward;
    ocb_key->inverse = inverse;
    ocb_key->key = key;
    clear(&ocb_key->l_star);
    forward->apply(key, &ocb_key->l_star);
    double_block(&ocb_key->l_dollar, &ocb_key->l_star);
    double_block(&ocb_key->l_0, &ocb_key->l_dollar);
    return WM_OK;
}

/* Offset_i from Offset_{i-1}: L_{ntz(i)} more. */
static void next_offset(wm_ocb3 *ctx)
{
    uint16_t i = ++ctx->blocks;
    if ((i & 1) != 0) {
        wm_block_xor(&ctx->offset, &ctx->key->l_0);
        return;
    }
    wm_block128 l;
    wm_block_copy(&l, &ctx->key->l_0);
    do {
        double_block(&l, &l);
        i >>= 1;
    } while ((i & 1) == 0);
    wm_block_xor(&ctx->offset, &l);
    wm_wipe(&l, sizeof l);
}

static bool lengths_valid(const wm_ocb3_key *key, uint8_t nonce_len, uint8_t tag_len, wm_ocb3_direction direction)
{
    return nonce_len != 0 && nonce_len <= WM_OCB3_NONCE_MAX && tag_len >= WM_OCB3_TAG_MIN &&
           tag_len <= WM_OCB3_TAG_MAX && (direction != WM_OCB3_OPEN || key->inverse != NULL);
}

wm_status wm_ocb3_start(wm_ocb3 *ctx, const wm_ocb3_key *key, const uint8_t *nonce, uint8_t nonce_len, uint8_t tag_len,
                        wm_ocb3_direction direction)
{
    ctx->direction = 0;
    if (!lengths_valid(key, nonce_len, tag_len, direction)) {
        return WM_ERR_PARAM;
    }
    wm_block128 ktop; /* Nonce, then its encryption but for six bits */
    clear(&ktop);
    ktop.octet[0] = (uint8_t)(tag_len % 16 << 4); /* TAGLEN mod 128 in seven bits */
    ktop.octet[15 - nonce_len] |= 1;
    for (uint8_t i = 0; i < nonce_len; i++) {
        ktop.octet[16 - nonce_len + i] = nonce[i];
    }
    uint8_t bottom = ktop.octet[15] & 0x3f;
    ktop.octet[15] &= 0xc0;
    key->forward->apply(key->key, &ktop);
    uint8_t stretch[24];
    for (uint8_t i = 0; i < 16; i++) {
        stretch[i] = ktop.octet[i];
    }
    for (uint8_t i = 0; i < 8; i++) {
        stretch[16 + i] = ktop.octet[i] ^ ktop.octet[i + 1];
    }
    for (uint8_t i = 0; i < 16; i++) { /* Stretch[1+bottom..128+bottom] */
        const uint8_t *s = stretch + bottom / 8 + i;
        ctx->first.octet[i] = (uint8_t)(((unsigned)s[0] << 8 | s[1]) >> (8 - bottom % 8));
    }
    wm_wipe(&ktop, sizeof ktop);
    wm_wipe(stretch, sizeof stretch);
    clear(&ctx->offset);
    clear(&ctx->sum);
    clear(&ctx->checksum);
    ctx->key = key;
    ctx->blocks = 0;
    ctx->tag_len = tag_len;
    ctx->direction = (uint8_t)direction;
    ctx->phase = IN_A;
    return WM_OK;
}

static void copy(uint8_t *to, const uint8_t *from, uint8_t len)
{
    for (; len != 0; len--) {
        *to++ = *from++;
    }
}

/* Sum ^= ENCIPHER(A_i ^ Offset_i); of the last, shorter than a block, `len` octets, padded with a bit 1 and zeros. */
static void hash_block(wm_ocb3 *ctx, const uint8_t *a, uint8_t len)
{
    wm_block128 block;
    wm_block_copy(&block, &ctx->offset);
    wm_xor(block.octet, a, len);
    if (len < 16) {
        block.octet[len] ^= 0x80;
    }
    ctx->key->forward->apply(ctx->key->key, &block);
    wm_block_xor(&ctx->sum, &block);
}

wm_status wm_ocb3_aad(wm_ocb3 *ctx, const uint8_t *a, uint16_t len)
{
    if (ctx->direction == 0 || ctx->phase != IN_A) {
        return WM_ERR_STATE;
    }
    for (; len >= 16; len = (uint16_t)(len - 16)) {
        next_offset(ctx);
        hash_block(ctx, a, 16);
        a += 16;
    }
    if (len != 0) {
        wm_block_xor(&ctx->offset, &ctx->key->l_star);
        hash_block(ctx, a, (uint8_t)len);
        ctx->phase = BEHIND_A;
    }
    return WM_OK;
}

static void begin_message(wm_ocb3 *ctx)
{
    if (ctx->phase < IN_M) {
        wm_block_copy(&ctx->offset, &ctx->first);
        ctx->blocks = 0;
        ctx->phase = IN_M;
    }
}

/* C_i = Offset_i ^ ENCIPHER(P_i ^ Offset_i), or the inverse; `block` is room. */
static void crypt_block(wm_ocb3 *ctx, uint8_t *m, wm_block128 *block)
{
    const wm_ocb3_key *key = ctx->key;
    next_offset(ctx);
    copy(block->octet, m, 16);
    if (ctx->direction == WM_OCB3_SEAL) {
        wm_block_xor(&ctx->checksum, block);
    }
    wm_block_xor(block, &ctx->offset);
    (ctx->direction == WM_OCB3_SEAL ? key->forward : key->inverse)->apply(key->key, block);
    wm_block_xor(block, &ctx->offset);
    if (ctx->direction == WM_OCB3_OPEN) {
        wm_block_xor(&ctx->checksum, block);
    }
    copy(m, block->octet, 16);
}

wm_status wm_ocb3_crypt(wm_ocb3 *ctx, uint8_t *m, uint16_t len)
{
    if (ctx->direction == 0 || ctx->phase == BEHIND_M) {
        return WM_ERR_STATE;
    }
    begin_message(ctx);
    wm_block128 block;
    for (; len >= 16; len = (uint16_t)(len - 16)) {
        crypt_block(ctx, m, &block);
        m += 16;
    }
    if (len != 0) {
        uint8_t n = (uint8_t)len;
        wm_block_xor(&ctx->offset, &ctx->key->l_star);
        wm_block_copy(&block, &ctx->offset);
        ctx->key->forward->apply(ctx->key->key, &block); /* Pad */
        if (ctx->direction == WM_OCB3_SEAL) {
            wm_xor(ctx->checksum.octet, m, n);
        }
        wm_xor(m, block.octet, n);
        if (ctx->direction == WM_OCB3_OPEN) {
            wm_xor(ctx->checksum.octet, m, n);
        }
        ctx->checksum.octet[n] ^= 0x80;
        ctx->phase = BEHIND_M;
    }
    wm_wipe(&block, sizeof block);
    return WM_OK;
}

/* Tag = ENCIPHER(Checksum ^ Offset ^ L_$) ^ HASH(A), in ctx->sum. False in another direction. */
static bool make_tag(wm_ocb3 *ctx, wm_ocb3_direction direction)
{
    if (ctx->direction != (uint8_t)direction) {
        return false;
    }
    begin_message(ctx);
    wm_block_xor(&ctx->checksum, &ctx->offset);
    wm_block_xor(&ctx->checksum, &ctx->key->l_dollar);
    ctx->key->forward->apply(ctx->key->key, &ctx->checksum);
    wm_block_xor(&ctx->sum, &ctx->checksum);
    return true;
}

wm_status wm_ocb3_seal_finish(wm_ocb3 *ctx, uint8_t *tag)
{
    if (!make_tag(ctx, WM_OCB3_SEAL)) {
        return WM_ERR_STATE;
    }
    copy(tag, ctx->sum.octet, ctx->tag_len);
    wm_wipe(ctx, sizeof *ctx);
    return WM_OK;
}

wm_status wm_ocb3_open_finish(wm_ocb3 *ctx, const uint8_t *tag)
{
    if (!make_tag(ctx, WM_OCB3_OPEN)) {
        return WM_ERR_STATE;
    }
    uint8_t diff = wm_ct_diff(ctx->sum.octet, tag, ctx->tag_len);
    wm_wipe(ctx, sizeof *ctx);
    return diff == 0 ? WM_OK : WM_ERR_SECURITY;
}

wm_status wm_ocb3_seal(const wm_ocb3_key *key, const uint8_t *nonce, uint8_t nonce_len, const uint8_t *a,
                       uint16_t a_len, uint8_t *m, uint16_t m_len, uint8_t *tag, uint8_t tag_len)
{
    wm_ocb3 ctx;
    wm_status status = wm_ocb3_start(&ctx, key, nonce, nonce_len, tag_len, WM_OCB3_SEAL);
    if (status == WM_OK) {
        status = wm_ocb3_aad(&ctx, a, a_len);
    }
    if (status == WM_OK) {
        status = wm_ocb3_crypt(&ctx, m, m_len);
    }
    return status == WM_OK ? wm_ocb3_seal_finish(&ctx, tag) : status;
}

wm_status wm_ocb3_open(const wm_ocb3_key *key, const uint8_t *nonce, uint8_t nonce_len, const uint8_t *a,
                       uint16_t a_len, uint8_t *m, uint16_t m_len, const uint8_t *tag, uint8_t tag_len)
{
    wm_ocb3 ctx;
    wm_status status = wm_ocb3_start(&ctx, key, nonce, nonce_len, tag_len, WM_OCB3_OPEN);
    if (status != WM_OK) {
        return status;
    }
    status = wm_ocb3_aad(&ctx, a, a_len);
    if (status == WM_OK) {
        status = wm_ocb3_crypt(&ctx, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_ocb3_open_finish(&ctx, tag);
    }
    if (status != WM_OK) {
        wm_wipe(m, m_len);
    }
    return status;
}
