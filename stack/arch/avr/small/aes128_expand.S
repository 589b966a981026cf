/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 key expansion in little flash; src/cipher/aes128_expand.c is the reference. References:
 * FIPS 197 §5.2. Branch-free but for the public round constant; the S-box is indexed by the key
 * (see wardmote/aes128.h). */
#include "../aes128_expand.inc"

#define AFTER_LAST 0x6c /* the round constant behind the tenth */

        .section .text.wm_aes128_expand, "ax", @progbits
        .globl  wm_aes128_expand
        .type   wm_aes128_expand, @function
/* void wm_aes128_expand(wm_aes128 *ctx (r25:r24), const uint8_t key[16] (r23:r22)) */
wm_aes128_expand:
        first_key
.Lround:
        next_key
        brcs    .Lreduce
        cpi     RCON, AFTER_LAST
        brne    .Lround
        last_key
.Lreduce:
        ldi     RCON, 0x1b              /* 2 * 0x80 */
        rjmp    .Lround
        .size   wm_aes128_expand, . - wm_aes128_expand
