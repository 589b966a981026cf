/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 by AESENC and AESENCLAST of x86-64, which take the round keys of FIPS 197 as
 * wm_aes128_expand makes them. They use no table and no branch on data, so they are
 * constant time. Other CPUs take a variant of the stack's. */
#include <stddef.h>
#include "aes128_host.h"

WM_CIPHER_KEY_CHECK(frames_host_key);

#if defined(__x86_64__)
#include <wmmintrin.h>

#define ROUNDS 10
#define WITH_AES __attribute__((target("aes,sse2")))

WITH_AES static void encrypt(const void *schedule, wm_block128 *block)
{
    const wm_block128 *round_key = ((const wm_aes128 *)schedule)->round_key;
    __m128i state = _mm_loadu_si128((const __m128i *)(const void *)block);

    state = _mm_xor_si128(state, _mm_loadu_si128((const __m128i *)(const void *)round_key));
    for (int round = 1; round < ROUNDS; round++) {
        state = _mm_aesenc_si128(
            state, _mm_loadu_si128((const __m128i *)(const void *)(round_key + round)));
    }
    state = _mm_aesenclast_si128(
        state, _mm_loadu_si128((const __m128i *)(const void *)(round_key + ROUNDS)));
    _mm_storeu_si128((__m128i *)(void *)block, state);
}

/* The instruction takes several cycles, but the next one may begin a cycle later. So two blocks
 * cost little more than one. */
WITH_AES static void encrypt2(const void *schedule, wm_block128 *first, wm_block128 *second)
{
    const wm_block128 *round_key = ((const wm_aes128 *)schedule)->round_key;
    __m128i now = _mm_loadu_si128((const __m128i *)(const void *)round_key);
    __m128i one = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)first), now);
    __m128i two = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)second), now);

    for (int round = 1; round < ROUNDS; round++) {
        now = _mm_loadu_si128((const __m128i *)(const void *)(round_key + round));
        one = _mm_aesenc_si128(one, now);
        two = _mm_aesenc_si128(two, now);
    }
    now = _mm_loadu_si128((const __m128i *)(const void *)(round_key + ROUNDS));
    _mm_storeu_si128((__m128i *)(void *)first, _mm_aesenclast_si128(one, now));
    _mm_storeu_si128((__m128i *)(void *)second, _mm_aesenclast_si128(two, now));
}

static const wm_cipher_ops by_instructions = {
    .encrypt = encrypt, .encrypt2 = encrypt2, .block_octets = 16};

bool frames_has_aes128_host(void)
{
    return __builtin_cpu_supports("aes");
}

void frames_host_init(frames_host_key *key, const uint8_t octets[16])
{
    wm_aes128_expand(&key->schedule, octets);
    key->cipher.ops = frames_has_aes128_host() ? &by_instructions : NULL;
}

#else

bool frames_has_aes128_host(void)
{
    return false;
}

void frames_host_init(frames_host_key *key, const uint8_t octets[16])
{
    (void)octets;
    key->cipher.ops = NULL;
}

#endif
