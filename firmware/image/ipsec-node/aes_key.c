/* SPDX-License-Identifier: BSD-3-Clause */
#include "aes_key.h"
#include "engine.h"

#define ENGINE_KEYS 2u

WM_CIPHER_KEY_CHECK(engine_key_t);
WM_CIPHER_KEY_CHECK(ipsec_both_key);

static const uint8_t *held[ENGINE_KEYS]; /* what the engine has in each place */
static uint8_t last;

static void encrypt(const void *schedule, wm_block128 *block)
{
    const uint8_t *octets = schedule;
    if (held[last] != octets) {
        last ^= 1u;
        if (held[last] != octets) {
            engine_key(last, octets);
            held[last] = octets;
        }
    }
    engine_begin();
    engine_encrypt(last, block);
}

/* Along a CBC-MAC. Written out: a loop takes longer than the calls that are saved. */
static void chain(const void *schedule, wm_block128 *chain, const wm_block128 *data, size_t blocks)
{
    for (; blocks != 0; blocks--, data++) {
        encrypt(schedule, chain);
        chain->half[0] ^= data->half[0];
        chain->half[1] ^= data->half[1];
        chain->half[2] ^= data->half[2];
        chain->half[3] ^= data->half[3];
        chain->half[4] ^= data->half[4];
        chain->half[5] ^= data->half[5];
        chain->half[6] ^= data->half[6];
        chain->half[7] ^= data->half[7];
    }
}

/* After a failure nobody knows what the engine holds. */
static bool failed(const void *schedule)
{
    (void)schedule;
    bool yes = engine_failed();
    if (yes) {
        held[0] = held[1] = NULL;
    }
    return yes;
}

static void rekey(void *schedule, const uint8_t key[16])
{
    __builtin_memcpy(schedule, key, 16);
    held[0] = held[1] = NULL;
}

static const wm_aes128 *cpu_of(const void *schedule)
{
    return (const void *)((const uint8_t *)schedule + offsetof(ipsec_both_key, schedule.cpu) -
                          offsetof(ipsec_both_key, schedule));
}

static void encrypt_by_cpu(const void *schedule, wm_block128 *block)
{
    wm_aes128_tab_encrypt(cpu_of(schedule), block);
}

static void decrypt(const void *schedule, wm_block128 *block)
{
    wm_aes128_small_decrypt(cpu_of(schedule), block);
}

static const wm_cipher_ops by_engine = {
    .encrypt = encrypt, .chain = chain, .rekey = rekey, .failed = failed, .block_octets = 16};
static const wm_cipher_ops both_by_engine = {
    .encrypt = encrypt, .decrypt = decrypt, .failed = failed, .block_octets = 16};
static const wm_cipher_ops both_by_cpu = {
    .encrypt = encrypt_by_cpu, .decrypt = decrypt, .block_octets = 16};

wm_cipher *ipsec_key_make(ipsec_key *key, const uint8_t octets[16], bool engine)
{
    if (engine) {
        rekey(key->engine.schedule, octets);
        key->engine.cipher.ops = &by_engine;
    } else {
        wm_aes128_tab_init(&key->cpu, octets);
    }
    return &key->cipher;
}

wm_cipher *ipsec_both_key_make(ipsec_both_key *key, const uint8_t octets[16], bool engine)
{
    rekey(key->schedule.octets, octets);
    wm_aes128_expand(&key->schedule.cpu, octets);
    key->cipher.ops = engine ? &both_by_engine : &both_by_cpu;
    return &key->cipher;
}
