/* SPDX-License-Identifier: BSD-3-Clause */
/* Grain-128AEADv2: beginning, order and end of a message, octets that are alone.
 * grain128_clock.c does the work.
 * References: M. Hell, T. Johansson, A. Maximov, W. Meier, H. Yoshida, "Grain-128AEADv2 - A
 * lightweight AEAD stream cipher", NIST lightweight cryptography finalist, 2021, §2; its names
 * are kept.
 * Departs: l(a) to 65535 octets only, so that its DER encoding takes three octets at most.
 * Invariants: no branch or address depends on key, nonce, a, m or tag.
 *
 * Pre-output goes by pairs of bits: the first of a pair encrypts a bit of m (and is lost for a),
 * the second moves into the register of the authenticator. One octet of a or m takes 16 bits of
 * pre-output. */
#include <wardmote/ct.h>
#include <wardmote/grain128_aead.h>
#include <wardmote/octets.h>
#include "../util/dead_stack.h"
#include "../util/unit.h"
#include "grain128_clock.h"

#define UNITS (128 / WM_UNIT_BITS)
#define MAC_UNITS (64 / WM_UNIT_BITS)
#define WORD (32 / WM_UNIT_BITS)
#define SETUP_STEPS 320
#define KEY_STEPS 64

WM_DEAD_STACK(24 * sizeof(unsigned)) /* the steps, and the authenticator */

static inline void add(wm_unit *to, uint32_t word)
{
    to[0] ^= (wm_unit)word;
    if (WORD == 2) {
        to[1] ^= (wm_unit)(word >> 16);
    }
}

/* 32 steps whose pre-output goes back into both registers. */
static void set_up(wm_grain128 *ctx)
{
    uint32_t y = wm_grain128_clock(ctx);
    add(ctx->state.wm_units + UNITS - WORD, y);
    add(ctx->state.wm_units + 2 * UNITS - WORD, y);
}

/* Sixteen bits of pre-output, for an octet alone. */
static uint16_t next(wm_grain128 *ctx)
{
    if (ctx->rest_bits != 0) {
        ctx->rest_bits = 0;
        return ctx->rest;
    }
    uint32_t y = wm_grain128_clock(ctx);
    ctx->rest = (uint16_t)(y >> 16);
    ctx->rest_bits = 16;
    return (uint16_t)y;
}

/* The even bits of x. */
static uint8_t every_other(uint16_t x)
{
    x &= 0x5555;
    x = (uint16_t)((x | x >> 1) & 0x3333);
    x = (uint16_t)((x | x >> 2) & 0x0f0f);
    return (uint8_t)(x | x >> 4);
}

static void take_a(wm_grain128 *ctx, uint8_t octet)
{
    wm_grain128_authenticate(ctx, octet, every_other((uint16_t)(next(ctx) >> 1)));
}

static void take_m(wm_grain128 *ctx, uint8_t *m, uint8_t opening)
{
    uint16_t y = next(ctx);
    uint8_t stream = every_other(y);
    uint8_t plain = (uint8_t)(*m ^ (stream & opening));
    *m ^= stream;
    wm_grain128_authenticate(ctx, plain, every_other((uint16_t)(y >> 1)));
}

/* The length in DER: below 128 itself, else the number of its octets and then these. */
static void take_length(wm_grain128 *ctx, size_t len)
{
    uint8_t more = 0; /* octets but the last */
    for (size_t rest = len >> 8; rest != 0; rest >>= 8) {
        more++;
    }
    if (len >= 0x80) {
        take_a(ctx, (uint8_t)(0x81 + more));
    }
    for (; more != 0; more--) {
        take_a(ctx, (uint8_t)(len >> 8 * more));
    }
    take_a(ctx, (uint8_t)len);
}

void wm_grain128_start(wm_grain128 *ctx, const uint8_t key[16], const uint8_t nonce[12],
                       size_t a_len, wm_grain128_direction direction)
{
    wm_unit *b = ctx->state.wm_units, *s = b + UNITS, *authenticator = s + UNITS;
    for (uint8_t i = 0; i < UNITS; i++) {
        b[i] = wm_unit_load(key + WM_UNIT_OCTETS * i);
        s[i] = i < 96 / WM_UNIT_BITS ? wm_unit_load(nonce + WM_UNIT_OCTETS * i) : (wm_unit)-1;
    }
    s[UNITS - 1] >>= 1; /* 31 ones and a zero */
    for (uint8_t i = 0; i < (SETUP_STEPS + KEY_STEPS) / 32; i++) {
        set_up(ctx);
        if (i >= SETUP_STEPS / 32) { /* and the key again */
            add(b + UNITS - WORD, wm_load_le32(key));
            add(s + UNITS - WORD, wm_load_le32(key + KEY_STEPS / 8));
            key += 4;
        }
    }
    for (uint8_t i = 0; i < 2 * MAC_UNITS; i++) { /* the accumulator, and the register behind it */
        authenticator[i] = 0;
    }
    for (uint8_t i = 0; i < 2 * MAC_UNITS; i = (uint8_t)(i + WORD)) {
        add(authenticator + i, wm_grain128_clock(ctx));
    }
    ctx->rest_bits = 0;
    ctx->a_left = a_len;
    ctx->direction = (uint8_t)direction;
    take_length(ctx, a_len);
    wipe_dead_stack();
}

wm_status wm_grain128_aad(wm_grain128 *ctx, const uint8_t *a, size_t len)
{
    if (ctx->direction == 0 || len > ctx->a_left) {
        return WM_ERR_STATE;
    }
    ctx->a_left -= len;
    if (len != 0 && ctx->rest_bits != 0) {
        take_a(ctx, *a++);
        len--;
    }
    wm_grain128_aad_pairs(ctx, a, len / 2);
    if (len % 2 != 0) {
        take_a(ctx, a[len - 1]);
    }
    wipe_dead_stack();
    return WM_OK;
}

wm_status wm_grain128_crypt(wm_grain128 *ctx, uint8_t *m, size_t len)
{
    if (ctx->direction == 0 || ctx->a_left != 0) {
        return WM_ERR_STATE;
    }
    uint8_t opening = (uint8_t)(0 - (ctx->direction == WM_GRAIN128_OPEN));
    if (len != 0 && ctx->rest_bits != 0) {
        take_m(ctx, m++, opening);
        len--;
    }
    wm_grain128_crypt_pairs(ctx, m, len / 2, opening);
    if (len % 2 != 0) {
        take_m(ctx, m + len - 1, opening);
    }
    wipe_dead_stack();
    return WM_OK;
}

/* The bit 1 behind m, in the accumulator. False when octets are missing or the direction is
 * another. */
static uint8_t make_tag(wm_grain128 *ctx, wm_grain128_direction direction, uint8_t tag[8])
{
    if (ctx->direction != (uint8_t)direction || ctx->a_left != 0) {
        return 0;
    }
    const wm_unit *authenticator = ctx->state.wm_units + 2 * UNITS;
    for (uint8_t i = 0; i < MAC_UNITS; i++) {
        wm_unit u = (wm_unit)(authenticator[i] ^ authenticator[MAC_UNITS + i]);
        for (uint8_t j = 0; j < WM_UNIT_OCTETS; j++) {
            *tag++ = (uint8_t)u;
            u = (wm_unit)(u >> 8);
        }
    }
    return 1;
}

wm_status wm_grain128_seal_finish(wm_grain128 *ctx, uint8_t tag[8])
{
    if (!make_tag(ctx, WM_GRAIN128_SEAL, tag)) {
        return WM_ERR_STATE;
    }
    wm_wipe(ctx, sizeof *ctx);
    return WM_OK;
}

wm_status wm_grain128_open_finish(wm_grain128 *ctx, const uint8_t tag[8])
{
    uint8_t want[WM_GRAIN128_TAG_LEN];
    if (!make_tag(ctx, WM_GRAIN128_OPEN, want)) {
        return WM_ERR_STATE;
    }
    uint8_t diff = wm_ct_diff(want, tag, WM_GRAIN128_TAG_LEN);
    wm_wipe(want, sizeof want); /* of a forged message, the right tag is a secret */
    wm_wipe(ctx, sizeof *ctx);
    return diff == 0 ? WM_OK : WM_ERR_SECURITY;
}

void wm_grain128_seal(const uint8_t key[16], const uint8_t nonce[12], const uint8_t *a,
                      size_t a_len, uint8_t *m, size_t m_len, uint8_t tag[8])
{
    wm_grain128 ctx;
    wm_grain128_start(&ctx, key, nonce, a_len, WM_GRAIN128_SEAL);
    (void)!wm_grain128_aad(&ctx, a, a_len); /* in order, so that none of the three can refuse */
    (void)!wm_grain128_crypt(&ctx, m, m_len);
    (void)!wm_grain128_seal_finish(&ctx, tag);
}

wm_status wm_grain128_open(const uint8_t key[16], const uint8_t nonce[12], const uint8_t *a,
                           size_t a_len, uint8_t *m, size_t m_len, const uint8_t tag[8])
{
    wm_grain128 ctx;
    wm_grain128_start(&ctx, key, nonce, a_len, WM_GRAIN128_OPEN);
    wm_status status = wm_grain128_aad(&ctx, a, a_len);
    if (status == WM_OK) {
        status = wm_grain128_crypt(&ctx, m, m_len);
    }
    if (status == WM_OK) {
        status = wm_grain128_open_finish(&ctx, tag);
    }
    if (status != WM_OK) {
        wm_wipe(m, m_len);
    }
    return status;
}
