/* SPDX-License-Identifier: BSD-3-Clause */
#include "engine_double.h"

static uint16_t wanted, count;
static bool has_failed;

void engine_double_fail_at(uint16_t operation)
{
    wanted = operation;
    count = 0;
    has_failed = false;
}

uint16_t engine_double_count(void)
{
    return count;
}

/* Whether this operation is done. */
static bool works(void)
{
    count++;
    if (count == wanted) {
        has_failed = true;
        return false;
    }
    return true;
}

static bool failed(const void *schedule)
{
    const bool was = has_failed;
    (void)schedule;
    has_failed = false;
    return was;
}

static void encrypt16(const void *schedule, wm_block128 *block)
{
    if (works()) {
        wm_aes128_small_encrypt(schedule, block);
    }
}

static void decrypt16(const void *schedule, wm_block128 *block)
{
    if (works()) {
        wm_aes128_small_decrypt(schedule, block);
    }
}

static void rekey(void *schedule, const uint8_t key[16])
{
    wm_aes128_expand(schedule, key);
}

static void encrypt12(const void *schedule, wm_block128 *block)
{
    if (works()) {
        wm_curupira2_encrypt(schedule, block->octet);
    }
}

static const wm_cipher_ops aes128 = {.encrypt = encrypt16,
                                     .decrypt = decrypt16,
                                     .rekey = rekey,
                                     .failed = failed,
                                     .block_octets = 16};
static const wm_cipher_ops curupira2 = {.encrypt = encrypt12, .failed = failed, .block_octets = 12};

void engine_double_aes128(wm_aes128_small_key *key, const uint8_t octets[16])
{
    wm_aes128_expand(&key->schedule, octets);
    key->cipher.ops = &aes128;
}

void engine_double_curupira2(wm_curupira2_key *key, const uint8_t octets[12])
{
    wm_curupira2_expand(&key->schedule, octets);
    key->cipher.ops = &curupira2;
}
