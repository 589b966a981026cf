/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 key expansion, for ARMv7-M: takes the place of src/cipher/aes128_expand.c, which is its
 * reference.
 * References: FIPS 197 §5.2. Cycles: ARM DDI 0337 (Cortex-M3 r2p1) §3.3.
 * Invariants: no branch; the S-box is indexed by the key (see wardmote/aes128.h). */
        .syntax unified
        .cpu    cortex-m3
        .thumb
#include "aes128_expand.inc"

        .section .text.wm_aes128_expand, "ax", %progbits
        .p2align 2
        .globl  wm_aes128_expand
        .type   wm_aes128_expand, %function
/* void wm_aes128_expand(wm_aes128 *ctx (r0), const uint8_t key[16] (r1)) */
wm_aes128_expand:
        push    {r4-r7, lr}
        FIRST_KEY r1
        .irp    rcon, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36
        NEXT_KEY #\rcon
        .endr
        pop     {r4-r7, pc}
        .size   wm_aes128_expand, . - wm_aes128_expand
