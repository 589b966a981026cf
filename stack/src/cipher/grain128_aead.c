/* SPDX-License-Identifier: BSD-3-Clause */
/* Grain-128AEADv2, 16 or 32 steps at once: no tap looks at any of the youngest 31 bits of the 128 of a register.
 * References: M. Hell, T. Johansson, A. Maximov, W. Meier, H. Yoshida, "Grain-128AEADv2 - A lightweight AEAD stream
 * cipher", NIST lightweight cryptography finalist, 2021, §2; its names are kept.
 * Departs: l(a) to 65535 octets only, so that its DER encoding takes three octets at most.
 * Invariants: no branch or address depends on key, nonce, a, m or tag.
 *
 * Pre-output goes by pairs of bits: the first of a pair encrypts a bit of m (and is lost for a), the second moves into
 * the register of the authenticator. One octet of a or m takes 16 bits of pre-output. */
#include <wardmote/ct.h>
#include <wardmote/grain128_aead.h>
#include "../util/compiler.h"
#include "../util/unit.h"

#define UNITS (128 / WM_UNIT_BITS)
#define MAC_UNITS (64 / WM_UNIT_BITS)
#define SETUP_STEPS 320
#define KEY_STEPS 64

#define NFSR(ctx) ((ctx)->state.wm_units)
#define LFSR(ctx) ((ctx)->state.wm_units + UNITS)
#define ACCUMULATOR(ctx) ((ctx)->state.wm_units + 2 * UNITS)
#define REGISTER(ctx) ((ctx)->state.wm_units + 2 * UNITS + MAC_UNITS)

#define B(i) wm_bits(b, (i))
#define S(i) wm_bits(s, (i))

/* y: the pre-output. */
static inline wm_unit output(const wm_grain128 *ctx)
{
    const wm_unit *b = NFSR(ctx), *s = LFSR(ctx);
    wm_unit b12 = B(12), b95 = B(95);
    wm_unit h = (wm_unit)((b12 & S(8)) ^ (S(13) & S(20)) ^ (b95 & S(42)) ^ (S(60) & S(79)) ^ (b12 & b95 & S(94)));
    return (wm_unit)(h ^ S(93) ^ B(2) ^ B(15) ^ B(36) ^ B(45) ^ B(64) ^ B(73) ^ B(89));
}

/* Steps of one unit; what is fed back goes into each register. */
static inline void advance(wm_grain128 *ctx, wm_unit into_lfsr, wm_unit into_nfsr)
{
    wm_unit *b = NFSR(ctx), *s = LFSR(ctx);
    wm_unit f = (wm_unit)(S(0) ^ S(7) ^ S(38) ^ S(70) ^ S(81) ^ S(96));
    wm_unit g = (wm_unit)(S(0) ^ B(0) ^ B(26) ^ B(56) ^ B(91) ^ B(96) ^ (B(3) & B(67)) ^ (B(11) & B(13)));
    g ^= (wm_unit)((B(17) & B(18)) ^ (B(27) & B(59)) ^ (B(40) & B(48)) ^ (B(61) & B(65)) ^ (B(68) & B(84)));
    g ^= (wm_unit)((B(22) & B(24) & B(25)) ^ (B(70) & B(78) & B(82)) ^ (B(88) & B(92) & B(93) & B(95)));
    wm_unit_push(s, UNITS, f ^ into_lfsr);
    wm_unit_push(b, UNITS, g ^ into_nfsr);
}

/* A unit of pre-output. It goes into both registers where `feedback` has ones, with what else is given for each. One
 * body: it takes hundreds of instructions, and a call of it hardly more. */
WM_NOINLINE static wm_unit step(wm_grain128 *ctx, wm_unit feedback, wm_unit into_lfsr, wm_unit into_nfsr)
{
    wm_unit y = output(ctx);
    feedback &= y;
    advance(ctx, feedback ^ into_lfsr, feedback ^ into_nfsr);
    return y;
}

static inline wm_unit next(wm_grain128 *ctx)
{
    return step(ctx, 0, 0, 0);
}

static inline uint16_t next_16(wm_grain128 *ctx)
{
#if WM_UNIT_BITS == 16
    return next(ctx);
#else
    if (ctx->rest_bits != 0) {
        ctx->rest_bits = 0;
        return (uint16_t)ctx->rest.word[0];
    }
    wm_unit y = next(ctx);
    ctx->rest.word[0] = y >> 16;
    ctx->rest_bits = 16;
    return (uint16_t)y;
#endif
}

/* Bits 0, 2, 4 .. 14 as an octet. */
static inline uint8_t every_other(uint16_t x)
{
    x &= 0x5555;
    x = (uint16_t)((x | x >> 1) & 0x3333);
    x = (uint16_t)((x | x >> 2) & 0x0f0f);
    return (uint8_t)(x | x >> 4);
}

/* What follows is written for each unit by itself, so that all lie in registers of the CPU. TAKE_IN: the register takes in the least bit of `in` at its young end, and `in` moves on by one. Small CPUs
 * move a carry through all of it, which their compilers do not find. */
#if WM_UNIT_BITS == 16
#define EACH(step) step(0) step(1) step(2) step(3)
#else
#define EACH(step) step(0) step(1)
#endif
#if defined(__MSP430__)
#define TAKE_IN(in)                                                                                                    \
    __asm__("rra.b %4\n\trrc %3\n\trrc %2\n\trrc %1\n\trrc %0" : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3), "+r"(in));
#elif defined(__AVR__)
#define TAKE_IN(in)                                                                                                    \
    __asm__("lsr %4\n\tror %B3\n\tror %A3\n\tror %B2\n\tror %A2\n\tror %B1\n\tror %A1\n\tror %B0\n\tror %A0"           \
            : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3), "+r"(in));
#else
#define OLD(i, next) r##i = (wm_unit)(r##i >> 1 | r##next << (WM_UNIT_BITS - 1));
#define YOUNGEST(i, in)                                                                                                \
    r##i = (wm_unit)(r##i >> 1 | (wm_unit)((in) & 1) << (WM_UNIT_BITS - 1));                                           \
    (in) = (uint8_t)((in) >> 1);
#if WM_UNIT_BITS == 16
#define TAKE_IN(in) OLD(0, 1) OLD(1, 2) OLD(2, 3) YOUNGEST(3, in)
#else
#define TAKE_IN(in) OLD(0, 1) YOUNGEST(1, in)
#endif
#endif

#define LOAD(i) wm_unit a##i = a[i], r##i = r[i];
#define ADD(i) a##i ^= r##i & mask;
#define STORE(i) a[i] = a##i, r[i] = r##i;

/* Eight bits of what is authenticated: where one is set, the register is added to the accumulator; either way the
 * register takes in a bit of pre-output. */
WM_NOINLINE static void authenticate(wm_grain128 *ctx, uint8_t octet, uint8_t pre_output)
{
    wm_unit *a = ACCUMULATOR(ctx), *r = REGISTER(ctx);
    EACH(LOAD)
    for (uint8_t bit = 8; bit != 0; bit--) {
        wm_unit mask = (wm_unit)(0 - (wm_unit)(octet & 1));
        EACH(ADD)
        TAKE_IN(pre_output)
        octet >>= 1;
    }
    EACH(STORE)
}

static void take_a(wm_grain128 *ctx, uint8_t octet)
{
    authenticate(ctx, octet, every_other((uint16_t)(next_16(ctx) >> 1)));
}

void wm_grain128_start(wm_grain128 *ctx, const uint8_t key[16], const uint8_t nonce[12], uint16_t a_len,
                       wm_grain128_direction direction)
{
    wm_unit *b = NFSR(ctx), *s = LFSR(ctx);
    for (uint8_t i = 0; i < UNITS; i++) {
        b[i] = wm_unit_load(key + WM_UNIT_OCTETS * i);
        s[i] = i < 96 / WM_UNIT_BITS ? wm_unit_load(nonce + WM_UNIT_OCTETS * i) : (wm_unit)-1;
    }
    s[UNITS - 1] >>= 1; /* 31 ones and a zero */
    for (uint8_t i = SETUP_STEPS / WM_UNIT_BITS; i != 0; i--) {
        (void)step(ctx, (wm_unit)-1, 0, 0);
    }
    for (uint8_t i = 0; i < KEY_STEPS / 8; i = (uint8_t)(i + WM_UNIT_OCTETS)) {
        (void)step(ctx, (wm_unit)-1, wm_unit_load(key + KEY_STEPS / 8 + i), wm_unit_load(key + i));
    }
    for (uint8_t i = 0; i < 2 * MAC_UNITS; i++) {
        ACCUMULATOR(ctx)[i] = next(ctx); /* and the register behind it */
    }
    ctx->rest_bits = 0;
    ctx->a_left = a_len;
    ctx->direction = (uint8_t)direction;
    if (a_len >= 0x100) { /* DER: the number of octets of the length, then the length */
        take_a(ctx, 0x82);
        take_a(ctx, (uint8_t)(a_len >> 8));
    } else if (a_len >= 0x80) {
        take_a(ctx, 0x81);
    }
    take_a(ctx, (uint8_t)a_len);
}

wm_status wm_grain128_aad(wm_grain128 *ctx, const uint8_t *a, uint16_t len)
{
    if (ctx->direction == 0 || len > ctx->a_left) {
        return WM_ERR_STATE;
    }
    ctx->a_left = (uint16_t)(ctx->a_left - len);
    for (; len != 0; len--) {
        take_a(ctx, *a++);
    }
    return WM_OK;
}

wm_status wm_grain128_crypt(wm_grain128 *ctx, uint8_t *m, uint16_t len)
{
    if (ctx->direction == 0 || ctx->a_left != 0) {
        return WM_ERR_STATE;
    }
    uint8_t opening = (uint8_t)(0 - (ctx->direction == WM_GRAIN128_OPEN));
    for (; len != 0; len--) {
        uint16_t y = next_16(ctx);
        uint8_t stream = every_other(y);
        uint8_t plain = (uint8_t)(*m ^ (stream & opening));
        *m++ ^= stream;
        authenticate(ctx, plain, every_other((uint16_t)(y >> 1)));
    }
    return WM_OK;
}

/* The bit 1 behind m, in the accumulator. False when octets are missing or the direction is another. */
static uint8_t make_tag(wm_grain128 *ctx, wm_grain128_direction direction, uint8_t tag[8])
{
    if (ctx->direction != (uint8_t)direction || ctx->a_left != 0) {
        return 0;
    }
    for (uint8_t i = 0; i < MAC_UNITS; i++) {
        wm_unit u = ACCUMULATOR(ctx)[i] ^ REGISTER(ctx)[i];
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

void wm_grain128_seal(const uint8_t key[16], const uint8_t nonce[12], const uint8_t *a, uint16_t a_len, uint8_t *m,
                      uint16_t m_len, uint8_t tag[8])
{
    wm_grain128 ctx;
    wm_grain128_start(&ctx, key, nonce, a_len, WM_GRAIN128_SEAL);
    (void)!wm_grain128_aad(&ctx, a, a_len); /* in order, so that none of the three can refuse */
    (void)!wm_grain128_crypt(&ctx, m, m_len);
    (void)!wm_grain128_seal_finish(&ctx, tag);
}

wm_status wm_grain128_open(const uint8_t key[16], const uint8_t nonce[12], const uint8_t *a, uint16_t a_len, uint8_t *m,
                           uint16_t m_len, const uint8_t tag[8])
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
