/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 encryption that makes each round key as it goes, with the S-box as its only table.
 * References: FIPS 197 §5.1, §5.2.
 * Invariants: no branch depends on key or block; the S-box is indexed by both (see aes128.h). */
#include <wardmote/ct.h>
#include "../util/compiler.h"
#include "../util/dead_stack.h"
#include "aes128_forward.h"
#include "aes128_sbox.h"

WM_DEAD_STACK_16(80) /* key, block, and what the rounds have no register for */

#define AFTER_LAST 0x6cu /* the round constant behind the tenth */

/* SubBytes and ShiftRows (FIPS 197 §5.1.1, §5.1.2): octet i of the result comes from octet 5i
 * (mod 16). */
static void substitute(wm_block128 *to, const wm_block128 *from)
{
    uint8_t at = 0;
    for (uint8_t i = 0; i < 16; i++) {
        to->octet[i] = wm_aes128_sbox[from->octet[at]];
        at = (uint8_t)((at + 5u) & 15u);
    }
}

/* An octet doubled in the field (FIPS 197 §4.2). */
static inline uint8_t twice(uint8_t a)
{
    const uint8_t top = wm_opaque(a >> 7);
    return (uint8_t)((unsigned)a << 1 ^ ((0u - top) & 0x1bu));
}

/* MixColumns in place: b_i = a_i ^ sum ^ 2(a_i ^ a_{i+1}) (FIPS 197 §5.1.3). */
static void mix(wm_block128 *block)
{
    for (uint8_t *a = block->octet; a != block->octet + 16;) {
        const uint8_t first = a[0], sum = first ^ a[1] ^ a[2] ^ a[3];
        for (uint8_t left = 4; left != 0; left--, a++) {
            const uint8_t next = left == 1 ? first : a[1];
            a[0] ^= sum ^ twice(a[0] ^ next);
        }
    }
}

/* The round key after `key`, in its place (FIPS 197 §5.2). */
static void step(wm_block128 *key, uint8_t rcon)
{
    uint8_t *octet = key->octet;
    octet[0] ^= rcon;
    for (uint8_t i = 0; i < 4; i++) {
        octet[i] ^= wm_aes128_sbox[octet[12 + ((i + 1u) & 3u)]];
    }
    for (uint8_t i = 4; i < 16; i++) {
        octet[i] ^= octet[i - 4];
    }
}

/* AddRoundKey; `t` is the block then. */
static void add(wm_block128 *block, wm_block128 *t, const wm_block128 *key)
{
    for (uint8_t i = 0; i < 16; i++) {
        t->octet[i] = block->octet[i] ^= key->octet[i];
    }
}

/* All rounds. */
WM_NOINLINE static void encrypt(const wm_block128 *schedule, wm_block128 *block)
{
    wm_block128 key, t;
    uint8_t rcon = 1;
    for (uint8_t i = 0; i < 16; i++) {
        key.octet[i] = schedule->octet[i];
    }
    for (;;) {
        add(block, &t, &key);
        if (rcon == AFTER_LAST) {
            break;
        }
        substitute(block, &t);
        step(&key, rcon);
        rcon = (uint8_t)(rcon << 1 ^ (-(rcon >> 7) & 0x1b)); /* public */
        if (rcon != AFTER_LAST) {
            mix(block);
        }
    }
    wm_wipe(&t, sizeof t);
    wm_wipe(&key, sizeof key);
}

void wm_aes128_lean_forward(const void *schedule, wm_block128 *block)
{
    encrypt(schedule, block);
    wipe_dead_stack();
}

void wm_aes128_lean_encrypt(const wm_block128 *key, wm_block128 *block)
{
    wm_aes128_lean_forward(key, block);
}
