/* SPDX-License-Identifier: BSD-3-Clause */
/* Key of the equivalent inverse cipher with the table of decryption, for ARMv7-M: takes the place
 * of src/cipher/aes128_inverse_expand.c, which is its reference. References: FIPS 197 §5.3.5.
 * Cycles: ARM DDI 0337 (Cortex-M3 r2p1) §3.3.
 * Invariants: no branch depends on the key; tables are indexed by it (see wardmote/aes128.h).
 *
 * The table has InvMixColumns after the inverse S-box, so an octet goes through the S-box first. */
        .syntax unified
        .cpu    cortex-m3
        .thumb

#define FROM r4 /* behind the next round key of encryption, from the last one downwards */
#define TO r5   /* the next round key of decryption */
#define SBOX r6
#define TABLE r7
#define ROUNDS r8

        .macro  MIX column
        uxtb    r0, \column
        uxtb    r1, \column, ror #8
        uxtb    r2, \column, ror #16
        lsr     r3, \column, #24
        ldrb    r0, [SBOX, r0]
        ldrb    r1, [SBOX, r1]
        ldrb    r2, [SBOX, r2]
        ldrb    r3, [SBOX, r3]
        ldr     r0, [TABLE, r0, lsl #2]
        ldr     r1, [TABLE, r1, lsl #2]
        ldr     r2, [TABLE, r2, lsl #2]
        ldr     r3, [TABLE, r3, lsl #2]
        eor     r0, r0, r1, ror #24
        eor     r0, r0, r2, ror #16
        eor     \column, r0, r3, ror #8
        .endm

        .section .text.wm_aes128_tab_expand_inverse, "ax", %progbits
        .p2align 2
        .globl  wm_aes128_tab_expand_inverse
        .type   wm_aes128_tab_expand_inverse, %function
/* void wm_aes128_tab_expand_inverse(wm_aes128_two_way *ctx (r0), const uint8_t key[16] (r1)) */
wm_aes128_tab_expand_inverse:
        push    {r3-r11, lr}            /* r3: so that SP is a multiple of 8 */
        add     TO, r0, #176
        bl      wm_aes128_expand
        mov     FROM, TO
        movw    SBOX, #:lower16:wm_aes128_sbox
        movt    SBOX, #:upper16:wm_aes128_sbox
        movw    TABLE, #:lower16:wm_aes128_inverse_table
        movt    TABLE, #:upper16:wm_aes128_inverse_table
        ldmdb   FROM!, {r9-r12}
        stm     TO!, {r9-r12}
        mov     ROUNDS, #9
.Lround:
        ldmdb   FROM!, {r9-r12}
        MIX     r9
        MIX     r10
        MIX     r11
        MIX     r12
        stm     TO!, {r9-r12}
        subs    ROUNDS, ROUNDS, #1
        bne     .Lround
        ldmdb   FROM, {r9-r12}
        stm     TO, {r9-r12}
        pop     {r3-r11, pc}
        .size   wm_aes128_tab_expand_inverse, . - wm_aes128_tab_expand_inverse
