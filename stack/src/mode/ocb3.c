/* SPDX-License-Identifier: BSD-3-Clause */
/* OCB3.
 * References: RFC 7253 §4; its names are kept. For blocks of 12 octets the Internet draft "OCB
 * for block ciphers without 128-bit blocks" (T. Krovetz), which makes Offset_0 from other bits
 * and changes nothing else.
 * Departs: tags of less than 4 octets are refused; a nonce has at least one.
 * Invariants: what is done depends on lengths, on the number of a block and on the nonce only.
 * L_i is doubled from L_0 whenever it is needed: every second block needs none, and no table
 * takes RAM. */
#include <stdbool.h>
#include <stddef.h>
#include <wardmote/ocb3.h>
#include "../util/dead_stack.h"
#include "../util/xor.h"
#include "bound.h"
#include "double_block.h"

WM_DEAD_STACK(16 * sizeof(unsigned)) /* a block, and the cipher */

enum { IN_A, BEHIND_A, IN_M, BEHIND_M };

WM_NOINLINE static void clear(wm_block128 *block)
{
    for (uint8_t i = 0; i < WM_BLOCK_MAX / 4; i++) {
        block->word[i] = 0;
    }
}

wm_status wm_ocb3_derive(wm_ocb3_key *ocb_key, const wm_cipher *cipher)
{
    ocb_key->cipher = NULL;
    if (!wm_cipher_ready(cipher)) {
        return WM_ERR_STATE;
    }
    uint8_t b = cipher->ops->block_octets;
    if (b != 16 && b != 12) {
        return WM_ERR_PARAM;
    }
    clear(&ocb_key->l_star);
    cipher->ops->encrypt(wm_cipher_schedule(cipher), &ocb_key->l_star);
    if (wm_cipher_failed(cipher->ops, wm_cipher_schedule(cipher))) {
        wm_wipe(ocb_key, sizeof *ocb_key);
        return WM_ERR_ENGINE;
    }
    wm_double_block(&ocb_key->l_dollar, &ocb_key->l_star, b);
    wm_double_block(&ocb_key->l_0, &ocb_key->l_dollar, b);
    ocb_key->cipher = cipher;
    return WM_OK;
}

/* How a call ends that had blocks go through the cipher: a message that it failed at is over. */
static wm_status settled(wm_ocb3 *ctx)
{
    if (!wm_cipher_failed(ctx->ops, ctx->schedule)) {
        return WM_OK;
    }
    wm_wipe(ctx, sizeof *ctx);
    return WM_ERR_ENGINE;
}

/* Offset_i from Offset_{i-1}: L_{ntz(i)} more. */
static void next_offset(wm_ocb3 *ctx)
{
    uint32_t i = ++ctx->blocks; /* not 0: ocb3.h */
    if ((i & 1) != 0) {
        wm_block_xor(&ctx->offset, &ctx->key->l_0);
        return;
    }
    wm_block128 l;
    wm_block_copy(&l, &ctx->key->l_0);
    do {
        wm_double_block(&l, &l, ctx->block_octets);
        i >>= 1;
    } while ((i & 1) == 0);
    wm_block_xor(&ctx->offset, &l);
    wm_wipe(&l, sizeof l);
}

static bool lengths_valid(const wm_ocb3_key *key, size_t nonce_len, size_t tag_len,
                          wm_ocb3_direction direction)
{
    uint8_t b = key->cipher->ops->block_octets;
    return nonce_len != 0 && nonce_len < b && tag_len >= WM_OCB3_TAG_MIN && tag_len <= b &&
           (direction != WM_OCB3_OPEN || key->cipher->ops->decrypt != NULL);
}

/* Offset_0 from Ktop, whose octets from b on are zero: 8b bits of Stretch behind its first
 * `bottom`, 63 at most. Behind Ktop comes the sum of Ktop and itself moved up by 8 bits, for b = 12
 * by 33. */
static void first_offset(wm_block128 *first, const wm_block128 *ktop, uint8_t b, uint8_t bottom)
{
    uint8_t stretch[WM_BLOCK_MAX + 8];
    wm_copy(stretch, ktop->octet, b);
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t moved = ktop->octet[i + 1];
        if (b == 12) {
            moved = (uint8_t)((unsigned)ktop->octet[i + 4] << 1 | ktop->octet[i + 5] >> 7);
        }
        stretch[b + i] = ktop->octet[i] ^ moved;
    }
    const uint8_t *s = stretch + bottom / 8;
    for (uint8_t i = 0; i < b; i++) {
        first->octet[i] =
            (uint8_t)((uint16_t)(((unsigned)s[i] << 8 | s[i + 1]) << bottom % 8) >> 8);
    }
    for (uint8_t i = b; i < WM_BLOCK_MAX; i++) {
        first->octet[i] = 0;
    }
    wm_wipe(stretch, sizeof stretch);
}

wm_status wm_ocb3_start(wm_ocb3 *ctx, const wm_ocb3_key *key, const uint8_t *nonce,
                        size_t nonce_len, size_t tag_len, wm_ocb3_direction direction)
{
    ctx->direction = 0;
    if (!wm_cipher_ready(key->cipher)) {
        return WM_ERR_STATE;
    }
    if (!lengths_valid(key, nonce_len, tag_len, direction)) {
        return WM_ERR_PARAM;
    }
    ctx->ops = key->cipher->ops;
    ctx->schedule = wm_cipher_schedule(key->cipher);
    uint8_t b = ctx->ops->block_octets;
    wm_block128 ktop; /* Nonce, then its encryption but for six bits */
    clear(&ktop);
    /* TAGLEN mod BLOCKLEN in seven bits */
    ktop.octet[0] = (uint8_t)(tag_len == b ? 0 : tag_len << 4);
    uint8_t at = (uint8_t)(b - nonce_len);
    ktop.octet[at - 1] |= 1;
    for (uint8_t i = 0; i < nonce_len; i++) {
        ktop.octet[at + i] = nonce[i];
    }
    uint8_t bottom = ktop.octet[b - 1] & 0x3f;
    ktop.octet[b - 1] &= 0xc0;
    ctx->ops->encrypt(ctx->schedule, &ktop);
    first_offset(&ctx->first, &ktop, b, bottom);
    wm_wipe(&ktop, sizeof ktop);
    clear(&ctx->offset);
    clear(&ctx->sum);
    clear(&ctx->checksum);
    ctx->key = key;
    ctx->blocks = 0;
    ctx->block_octets = b;
    ctx->tag_len = (uint8_t)tag_len;
    ctx->direction = (uint8_t)direction;
    ctx->phase = IN_A;
    return settled(ctx);
}

/* Sum ^= ENCIPHER(A_i ^ Offset_i); of the last, shorter than a block, `len` octets, padded with a
 * bit 1 and zeros. */
static void hash_block(wm_ocb3 *ctx, const uint8_t *a, uint8_t len)
{
    wm_block128 block;
    wm_block_copy(&block, &ctx->offset);
    wm_xor(block.octet, a, len);
    if (len < ctx->block_octets) {
        block.octet[len] ^= 0x80;
    }
    ctx->ops->encrypt(ctx->schedule, &block);
    wm_block_xor(&ctx->sum, &block);
    wm_wipe(&block, sizeof block);
}

wm_status wm_ocb3_aad(wm_ocb3 *ctx, const uint8_t *a, size_t len)
{
    if (ctx->direction == 0 || ctx->phase != IN_A) {
        return WM_ERR_STATE;
    }
    uint8_t b = ctx->block_octets;
    for (; len >= b; len -= b) {
        next_offset(ctx);
        hash_block(ctx, a, b);
        a += b;
    }
    if (len != 0) {
        wm_block_xor(&ctx->offset, &ctx->key->l_star);
        hash_block(ctx, a, (uint8_t)len);
        ctx->phase = BEHIND_A;
    }
    wipe_dead_stack();
    return settled(ctx);
}

static void begin_message(wm_ocb3 *ctx)
{
    if (ctx->phase < IN_M) {
        wm_block_copy(&ctx->offset, &ctx->first);
        ctx->blocks = 0;
        ctx->phase = IN_M;
    }
}

/* C_i = Offset_i ^ ENCIPHER(P_i ^ Offset_i), or the inverse; `block` is room. A function of its own:
 * inlined, registers that the caller saves somewhere would hold plaintext. */
WM_NOINLINE static void crypt_block(wm_ocb3 *ctx, uint8_t *m, wm_block128 *block)
{
    next_offset(ctx);
    wm_block_copy(block, &ctx->offset);
    wm_xor(block->octet, m, ctx->block_octets);
    if (ctx->direction == WM_OCB3_SEAL) {
        wm_xor(ctx->checksum.octet, m, ctx->block_octets);
        ctx->ops->encrypt(ctx->schedule, block);
    } else {
        ctx->ops->decrypt(ctx->schedule, block);
    }
    wm_block_xor(block, &ctx->offset);
    wm_copy(m, block->octet, ctx->block_octets);
    if (ctx->direction == WM_OCB3_OPEN) {
        wm_xor(ctx->checksum.octet, m, ctx->block_octets);
    }
}

wm_status wm_ocb3_crypt(wm_ocb3 *ctx, uint8_t *m, size_t len)
{
    if (ctx->direction == 0 || ctx->phase == BEHIND_M) {
        return WM_ERR_STATE;
    }
    begin_message(ctx);
    wm_block128 block;
    uint8_t *at = m, b = ctx->block_octets;
    size_t left = len;
    for (; left >= b; left -= b) {
        crypt_block(ctx, at, &block);
        at += b;
    }
    if (left != 0) {
        uint8_t n = (uint8_t)left;
        wm_block_xor(&ctx->offset, &ctx->key->l_star);
        wm_block_copy(&block, &ctx->offset);
        ctx->ops->encrypt(ctx->schedule, &block); /* Pad */
        if (ctx->direction == WM_OCB3_SEAL) {
            wm_xor(ctx->checksum.octet, at, n);
        }
        wm_xor(at, block.octet, n);
        if (ctx->direction == WM_OCB3_OPEN) {
            wm_xor(ctx->checksum.octet, at, n);
        }
        ctx->checksum.octet[n] ^= 0x80;
        ctx->phase = BEHIND_M;
    }
    wm_wipe(&block, sizeof block);
    wipe_dead_stack();
    wm_status status = settled(ctx);
    if (status != WM_OK) {
        wm_wipe(m, len);
    }
    return status;
}

/* Tag = ENCIPHER(Checksum ^ Offset ^ L_$) ^ HASH(A), in ctx->sum. */
static wm_status make_tag(wm_ocb3 *ctx, wm_ocb3_direction direction)
{
    if (ctx->direction != (uint8_t)direction) {
        return WM_ERR_STATE;
    }
    begin_message(ctx);
    wm_block_xor(&ctx->checksum, &ctx->offset);
    wm_block_xor(&ctx->checksum, &ctx->key->l_dollar);
    ctx->ops->encrypt(ctx->schedule, &ctx->checksum);
    wm_block_xor(&ctx->sum, &ctx->checksum);
    wipe_dead_stack();
    return settled(ctx);
}

wm_status wm_ocb3_seal_finish(wm_ocb3 *ctx, uint8_t *tag)
{
    wm_status status = make_tag(ctx, WM_OCB3_SEAL);
    if (status == WM_OK) {
        wm_copy(tag, ctx->sum.octet, ctx->tag_len);
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

wm_status wm_ocb3_open_finish(wm_ocb3 *ctx, const uint8_t *tag)
{
    wm_status status = make_tag(ctx, WM_OCB3_OPEN);
    if (status == WM_OK) {
        status = wm_ct_diff(ctx->sum.octet, tag, ctx->tag_len) == 0 ? WM_OK : WM_ERR_SECURITY;
        wm_wipe(ctx, sizeof *ctx);
    }
    return status;
}

wm_status wm_ocb3_seal(const wm_ocb3_key *key, const uint8_t *nonce, size_t nonce_len,
                       const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len, uint8_t *tag,
                       size_t tag_len)
{
    wm_ocb3 ctx;
    wm_status status = wm_ocb3_start(&ctx, key, nonce, nonce_len, tag_len, WM_OCB3_SEAL);
    if (status == WM_ERR_PARAM || status == WM_ERR_STATE) {
        return status;
    }
    if (status == WM_OK) {
        status = wm_ocb3_aad(&ctx, a, a_len);
    }
    if (status == WM_OK) {
        status = wm_ocb3_crypt(&ctx, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_ocb3_seal_finish(&ctx, tag);
    }
    if (status != WM_OK) {
        wm_wipe(m, m_len);
    }
    return status;
}

wm_status wm_ocb3_open(const wm_ocb3_key *key, const uint8_t *nonce, size_t nonce_len,
                       const uint8_t *a, size_t a_len, uint8_t *m, size_t m_len, const uint8_t *tag,
                       size_t tag_len)
{
    wm_ocb3 ctx;
    wm_status status = wm_ocb3_start(&ctx, key, nonce, nonce_len, tag_len, WM_OCB3_OPEN);
    if (status == WM_ERR_PARAM || status == WM_ERR_STATE) {
        return status;
    }
    if (status == WM_OK) {
        status = wm_ocb3_aad(&ctx, a, a_len);
    }
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
