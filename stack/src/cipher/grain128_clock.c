/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps and authenticator of Grain-128AEADv2. It does 16 or 32 steps at once, because no step reads
 * any of the 31 youngest bits of a register of 128.
 * References: M. Hell, T. Johansson, A. Maximov, W. Meier, H. Yoshida, "Grain-128AEADv2 - A
 * lightweight AEAD stream cipher", NIST lightweight cryptography finalist, 2021, §2; its names
 * are kept.
 * Invariants: straight code; no branch or address depends on a secret. */
#include "../util/dead_stack.h"
#include "../util/unit.h"
#include "grain128_clock.h"

#ifndef WM_FORM_SMALL

WM_DEAD_STACK_16(72) /* products of bits */

#define UNITS (128 / WM_UNIT_BITS)
#define MAC_UNITS (64 / WM_UNIT_BITS)

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
    wm_unit h = (wm_unit)((b12 & S(8)) ^ (S(13) & S(20)) ^ (b95 & S(42)) ^ (S(60) & S(79)) ^
                          (b12 & b95 & S(94)));
    return (wm_unit)(h ^ S(93) ^ B(2) ^ B(15) ^ B(36) ^ B(45) ^ B(64) ^ B(73) ^ B(89));
}

/* A unit of steps; their pre-output. One function body: it takes hundreds of instructions, and a
 * call adds hardly any. */
WM_NOINLINE static wm_unit step(wm_grain128 *ctx)
{
    wm_unit *b = NFSR(ctx), *s = LFSR(ctx);
    wm_unit y = output(ctx);
    wm_unit f = (wm_unit)(S(0) ^ S(7) ^ S(38) ^ S(70) ^ S(81) ^ S(96));
    wm_unit g =
        (wm_unit)(S(0) ^ B(0) ^ B(26) ^ B(56) ^ B(91) ^ B(96) ^ (B(3) & B(67)) ^ (B(11) & B(13)));
    g ^= (wm_unit)((B(17) & B(18)) ^ (B(27) & B(59)) ^ (B(40) & B(48)) ^ (B(61) & B(65)) ^
                   (B(68) & B(84)));
    g ^= (wm_unit)((B(22) & B(24) & B(25)) ^ (B(70) & B(78) & B(82)) ^
                   (B(88) & B(92) & B(93) & B(95)));
    wm_unit_push(s, UNITS, f);
    wm_unit_push(b, UNITS, g);
    return y;
}

uint32_t wm_grain128_clock(wm_grain128 *ctx)
{
    uint32_t y = step(ctx);
#if WM_UNIT_BITS == 16
    y |= (uint32_t)step(ctx) << 16;
#endif
    wipe_dead_stack();
    return y;
}

/* What follows is written for each unit by itself, so that all lie in registers of the CPU.
 * TAKE_IN: the register takes in the least bit of `in` at its young end, and `in` moves on by one.
 * Small CPUs move a carry through all of it, which their compilers do not find. */
#if WM_UNIT_BITS == 16
#define EACH(step) step(0) step(1) step(2) step(3)
#else
#define EACH(step) step(0) step(1)
#endif
#if defined(__MSP430__)
#define TAKE_IN(in)                                                                                \
    __asm__("rra.b %4\n\trrc %3\n\trrc %2\n\trrc %1\n\trrc %0"                                     \
            : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3), "+r"(in));
#elif defined(__AVR__)
#define TAKE_IN(in)                                                                                \
    __asm__("lsr %4\n\tror %B3\n\tror %A3\n\tror %B2\n\tror %A2\n\tror %B1\n\tror %A1\n\tror "     \
            "%B0\n\tror %A0"                                                                       \
            : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3), "+r"(in));
#else
#define OLD(i, next) r##i = (wm_unit)(r##i >> 1 | r##next << (WM_UNIT_BITS - 1));
#define YOUNGEST(i, in)                                                                            \
    r##i = (wm_unit)(r##i >> 1 | (wm_unit)((in) & 1) << (WM_UNIT_BITS - 1));                       \
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

void wm_grain128_authenticate(wm_grain128 *ctx, uint8_t octet, uint8_t pre_output)
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

#include "grain128_pairs.h"

#endif
