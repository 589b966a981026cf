/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 key expansion in little flash, for ARMv7-M; src/cipher/aes128_expand.c is the reference.
 * References: FIPS 197 §5.2.
 * Invariants: branch-free but for the public round constant; the S-box is indexed by the key (see
 * wardmote/aes128.h). */
        .syntax unified
        .cpu    cortex-m3
        .thumb
#include "../aes128_expand.inc"

#define RCON r8         /* in the most significant octet, so that the carry tells when to reduce */
#define AFTER_LAST 0x6c000000 /* the round constant behind the tenth */

        .section .text.wm_aes128_expand, "ax", %progbits
        .p2align 2
        .globl  wm_aes128_expand
        .type   wm_aes128_expand, %function
/* void wm_aes128_expand(wm_aes128 *ctx (r0), const uint8_t key[16] (r1)) */
wm_aes128_expand:
        push    {r4-r8, lr}
        FIRST_KEY r1
        mov     RCON, #0x01000000
.Lround:
        NEXT_KEY RCON, lsr #24
        lsls    RCON, RCON, #1          /* doubled in the field of §4.2 */
        it      cs
        movcs   RCON, #0x1b000000       /* 2 * 0x80 */
        cmp     RCON, #AFTER_LAST
        bne     .Lround
        pop     {r4-r8, pc}
        .size   wm_aes128_expand, . - wm_aes128_expand
