/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of Grain-128AEADv2 that take most of the time: steps of the registers, and the
 * authenticator. */
#ifndef WM_CIPHER_GRAIN128_CLOCK_H
#define WM_CIPHER_GRAIN128_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <wardmote/grain128_aead.h>

/* 32 steps; their pre-output, the oldest bit least. What else is fed back may be added to the
 * newest 32 bits of each register afterwards: no step of these 32 looks at them. */
uint32_t wm_grain128_clock(wm_grain128 *ctx);

/* Eight bits of what is authenticated: where one is set, the register is added to the accumulator;
 * either way the register takes in a bit of pre-output. */
void wm_grain128_authenticate(wm_grain128 *ctx, uint8_t octet, uint8_t pre_output);

/* Two octets of a, or of m, for each of `pairs` times 32 steps. `opening` is all ones where m is
 * ciphertext, else 0. */
void wm_grain128_aad_pairs(wm_grain128 *ctx, const uint8_t *a, size_t pairs);
void wm_grain128_crypt_pairs(wm_grain128 *ctx, uint8_t *m, size_t pairs, uint8_t opening);

/* Of both halves of x, the even bits as the lower octet. */
static inline uint32_t wm_grain128_even(uint32_t x)
{
    x &= 0x55555555;
    x = (x | x >> 1) & 0x33333333;
    x = (x | x >> 2) & 0x0f0f0f0f;
    return (x | x >> 4) & 0x00ff00ff;
}

/* In each half of y: the even bits, which encrypt, as its lower octet, the odd ones, which
 * authenticate, as its upper. Exchanging bits takes fewer steps; but clang has them multiply, which
 * the MSP430 does not. */
static inline uint32_t wm_grain128_separate(uint32_t y)
{
    return wm_grain128_even(y) | wm_grain128_even(y >> 1) << 8;
}

#endif
