/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of one Ketje v1, for the file that includes this: MonkeyWrap over MonkeyDuplex,
 * "CAESAR submission: Ketje v1" §2. That file has said what KETJE is, the type and the beginning of
 * names, what SEAL and OPEN are, a LANE and its octets, PERMUTE, and the sizes of key, nonce and
 * tag.
 *
 * A block is two lanes. The step behind it fills in its padding as well: two bits that tell what
 * comes next, and the first 1 of pad10*1, stand behind the octets of the block; the last 1 is at
 * the end of the rate, which is four bits longer than a block and so ends in lane 2. That step
 * waits for the next octet or the end: either decides the bits. */
#ifndef WM_MODE_KETJE_WRAP_H
#define WM_MODE_KETJE_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include "../util/compiler.h"
#include "../util/dead_stack.h"

WM_DEAD_STACK(24 * sizeof(unsigned)) /* the permutation */

#define PASTE(prefix, name) prefix##_##name
#define NAMED(prefix, name) PASTE(prefix, name)
#define FN(name) NAMED(KETJE, name)
#define RATE (2 * LANE_OCTETS)
_Static_assert(TAG_LEN % RATE == 0, "a tag is whole blocks");

#define START_ROUNDS 12
#define STEP_ROUNDS 1
#define STRIDE_ROUNDS 6

/* Two bits, the lower first, or in the tag a single 0; then a 1. */
enum { IN_TAG = 0x02, BETWEEN_A = 0x04, BETWEEN_M = 0x07, BEHIND_A = 0x06, BEHIND_M = 0x05 };
#define LAST 0x08

enum { FINISHED, IN_AAD, IN_MESSAGE };

/* Octets of the state: lanes are little-endian (FIPS 202 §B.1). */
#if LANE_OCTETS == 1
#define LOAD(octets) (*(octets))
#define STORE(octets, value) (*(octets) = (value))
#else
#define LOAD wm_load_le16
#define STORE wm_store_le16
#endif

static inline WM_ALWAYS_INLINE void xor_octet(KETJE *ctx, uint8_t at, uint8_t octet)
{
    ctx->lane[at / LANE_OCTETS] ^= (LANE)(at % LANE_OCTETS == 0 ? octet : (unsigned)octet << 8);
}

static inline WM_ALWAYS_INLINE uint8_t state_octet(const KETJE *ctx, uint8_t at)
{
    LANE lane = ctx->lane[at / LANE_OCTETS];
    return (uint8_t)(at % LANE_OCTETS == 0 ? lane : lane >> 8);
}

/* The block has ctx->fill octets; the next begins. */
static void step(KETJE *ctx, uint8_t frame, uint8_t rounds)
{
    xor_octet(ctx, ctx->fill, frame);
    ctx->lane[2] ^= LAST;
    ctx->fill = 0;
    PERMUTE(ctx->lane, rounds);
}

/* The same of a full block, whose padding is all in lane 2. */
static inline WM_ALWAYS_INLINE void step_full(KETJE *ctx, uint8_t frame)
{
    ctx->lane[2] ^= (uint8_t)(frame ^ LAST);
    PERMUTE(ctx->lane, STEP_ROUNDS);
}

void FN(start)(KETJE *ctx, const uint8_t key[KEY_LEN], const uint8_t nonce[NONCE_LEN],
               NAMED(KETJE, direction) direction)
{
    /* The key pack: how long it is, the key, 10*; the nonce, and pad10*1 to the end of the
     * state. */
    uint8_t *octet = (uint8_t *)ctx->lane, *end = octet + sizeof ctx->lane;
    *octet++ = KEY_LEN + 2;
    for (uint8_t i = 0; i < KEY_LEN; i++) {
        *octet++ = key[i];
    }
    *octet++ = 0x01;
    for (uint8_t i = 0; i < NONCE_LEN; i++) {
        *octet++ = nonce[i];
    }
    *octet++ = 0x01;
    while (octet != end) {
        *octet++ = 0;
    }
    end[-1] |= 0x80;
    for (uint8_t i = 0; i < 25; i++) {
        ctx->lane[i] = LOAD((const uint8_t *)&ctx->lane[i]);
    }
    PERMUTE(ctx->lane, START_ROUNDS);
    ctx->fill = 0;
    ctx->phase = IN_AAD;
    ctx->direction = (uint8_t)direction;
    wipe_dead_stack();
}

wm_status FN(aad)(KETJE *ctx, const uint8_t *a, size_t len)
{
    if (ctx->phase != IN_AAD) {
        return WM_ERR_STATE;
    }
    uint8_t fill = ctx->fill;
    while (len != 0) {
        if (fill == RATE) {
            step_full(ctx, BETWEEN_A);
            fill = 0;
        }
        if (fill == 0 && len >= RATE) {
            ctx->lane[0] ^= LOAD(a);
            ctx->lane[1] ^= LOAD(a + LANE_OCTETS);
            fill = RATE;
            a += RATE;
            len -= RATE;
        } else {
            xor_octet(ctx, fill++, *a++);
            len--;
        }
    }
    ctx->fill = fill;
    wipe_dead_stack();
    return WM_OK;
}

/* Ends a: no octets at all are one empty block as well. */
static void begin_message(KETJE *ctx)
{
    step(ctx, BEHIND_A, STEP_ROUNDS);
    ctx->phase = IN_MESSAGE;
}

/* As much of m as a lane: the state becomes the ciphertext either way. */
static inline WM_ALWAYS_INLINE void crypt_lane(LANE *lane, uint8_t *m, bool sealing)
{
    LANE given = LOAD(m), made = *lane ^ given;
    STORE(m, made);
    *lane = sealing ? made : given;
}

static void crypt_octet(KETJE *ctx, uint8_t at, uint8_t *m, bool sealing)
{
    uint8_t given = *m, made = state_octet(ctx, at) ^ given;
    *m = made;
    xor_octet(ctx, at, sealing ? given : made); /* the plaintext */
}

wm_status FN(crypt)(KETJE *ctx, uint8_t *m, size_t len)
{
    if (ctx->phase == FINISHED) {
        return WM_ERR_STATE;
    }
    if (ctx->phase == IN_AAD && len != 0) {
        begin_message(ctx);
    }
    bool sealing = ctx->direction == SEAL;
    uint8_t fill = ctx->fill;
    while (len != 0) {
        if (fill == RATE) {
            step_full(ctx, BETWEEN_M);
            fill = 0;
        }
        if (fill == 0 && len >= RATE) {
            crypt_lane(ctx->lane, m, sealing);
            crypt_lane(ctx->lane + 1, m + LANE_OCTETS, sealing);
            fill = RATE;
            m += RATE;
            len -= RATE;
        } else {
            crypt_octet(ctx, fill++, m++, sealing);
            len--;
        }
    }
    ctx->fill = fill;
    wipe_dead_stack();
    return WM_OK;
}

/* False when the context is finished or begun for the other direction. */
static bool make_tag(KETJE *ctx, NAMED(KETJE, direction) direction, uint8_t tag[TAG_LEN])
{
    if (ctx->phase == FINISHED || ctx->direction != direction) {
        return false;
    }
    if (ctx->phase == IN_AAD) {
        begin_message(ctx);
    }
    step(ctx, BEHIND_M, STRIDE_ROUNDS);
    for (uint8_t i = 0;;) {
        STORE(tag + i, ctx->lane[0]);
        STORE(tag + i + LANE_OCTETS, ctx->lane[1]);
        i = (uint8_t)(i + RATE);
        if (i == TAG_LEN) {
            break;
        }
        step(ctx, IN_TAG, STEP_ROUNDS);
    }
    wipe_dead_stack();
    return true;
}

wm_status FN(seal_finish)(KETJE *ctx, uint8_t tag[TAG_LEN])
{
    if (!make_tag(ctx, SEAL, tag)) {
        return WM_ERR_STATE;
    }
    wm_wipe(ctx, sizeof *ctx);
    return WM_OK;
}

wm_status FN(open_finish)(KETJE *ctx, const uint8_t tag[TAG_LEN])
{
    uint8_t want[TAG_LEN];
    if (!make_tag(ctx, OPEN, want)) {
        return WM_ERR_STATE;
    }
    uint8_t diff = wm_ct_diff(want, tag, TAG_LEN);
    wm_wipe(want, sizeof want);
    wm_wipe(ctx, sizeof *ctx);
    return diff == 0 ? WM_OK : WM_ERR_SECURITY;
}

void FN(seal)(const uint8_t key[KEY_LEN], const uint8_t nonce[NONCE_LEN], const uint8_t *a,
              size_t a_len, uint8_t *m, size_t m_len, uint8_t tag[TAG_LEN])
{
    KETJE ctx;
    FN(start)(&ctx, key, nonce, SEAL);
    /* None of these can be out of order. */
    (void)!FN(aad)(&ctx, a, a_len);
    (void)!FN(crypt)(&ctx, m, m_len);
    (void)!FN(seal_finish)(&ctx, tag);
}

wm_status FN(open)(const uint8_t key[KEY_LEN], const uint8_t nonce[NONCE_LEN], const uint8_t *a,
                   size_t a_len, uint8_t *m, size_t m_len, const uint8_t tag[TAG_LEN])
{
    KETJE ctx;
    FN(start)(&ctx, key, nonce, OPEN);
    wm_status status = FN(aad)(&ctx, a, a_len);
    if (status == WM_OK) {
        status = FN(crypt)(&ctx, m, m_len);
    }
    if (status == WM_OK) {
        status = FN(open_finish)(&ctx, tag);
    }
    if (status != WM_OK) {
        wm_wipe(m, m_len);
    }
    return status;
}

#endif
