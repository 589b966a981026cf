/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of RC5-32/12 for ARMv7-M: takes the place of src/cipher/rc5_rounds.c, which is its
 * reference, for speed and for flash; the key schedule is rc5_expand.S as a whole.
 * References: R. L. Rivest, "The RC5 encryption algorithm", FSE 1994, §4.1 to §4.3; its names are
 * kept.
 * Invariants: no branch, address or number of steps depends on key or block.
 *
 * Left by n is right by -n: a register's rotation takes the lowest octet of another modulo 32. */
        .syntax unified
        .thumb

#define A r2
#define B r3
#define WORD r12

        .section .text.wm_rc5_encrypt, "ax", %progbits
        .balign 4
        .global wm_rc5_encrypt
        .type   wm_rc5_encrypt, %function
/* void wm_rc5_encrypt(const wm_rc5 *ctx (r0), uint8_t block[8] (r1)) */
wm_rc5_encrypt:
        push    {r4, r5, r6, lr}
        ldr     A, [r1]
        ldr     B, [r1, #4]
        ldm     r0!, {r4, r5}
        add     A, A, r4
        add     B, B, r5
        movs    r6, #12
1:
        ldm     r0!, {r4, r5}
        eors    A, A, B
        rsb     WORD, B, #0
        ror     A, A, WORD
        add     A, A, r4
        eors    B, B, A
        rsb     WORD, A, #0
        ror     B, B, WORD
        add     B, B, r5
        subs    r6, r6, #1
        bne     1b
        str     A, [r1]
        str     B, [r1, #4]
        pop     {r4, r5, r6, pc}
        .size   wm_rc5_encrypt, . - wm_rc5_encrypt

        .section .text.wm_rc5_decrypt, "ax", %progbits
        .balign 4
        .global wm_rc5_decrypt
        .type   wm_rc5_decrypt, %function
/* void wm_rc5_decrypt(const wm_rc5 *ctx (r0), uint8_t block[8] (r1)) */
wm_rc5_decrypt:
        push    {r4, r5, r6, lr}
        ldr     A, [r1]
        ldr     B, [r1, #4]
        adds    r0, r0, #104
        movs    r6, #12
1:
        ldmdb   r0!, {r4, r5}
        subs    B, B, r5
        ror     B, B, A
        eors    B, B, A
        subs    A, A, r4
        ror     A, A, B
        eors    A, A, B
        subs    r6, r6, #1
        bne     1b
        ldmdb   r0!, {r4, r5}
        subs    B, B, r5
        subs    A, A, r4
        str     A, [r1]
        str     B, [r1, #4]
        pop     {r4, r5, r6, pc}
        .size   wm_rc5_decrypt, . - wm_rc5_decrypt
