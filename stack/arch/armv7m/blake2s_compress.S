/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAKE2s's compression function F for ARMv7-M: takes the place of src/hash/blake2s_compress.c,
 * which is its reference, for speed. The rounds stand one behind the other, so that the words of
 * the message need no table; v_0 to v_11 stay in registers.
 * References: RFC 7693 §2.7, §3.1, §3.2; its names are kept. Rotations are left to whoever reads:
 * v_4 to v_7 are to be rotated by 7, v_12 to v_15 by 8, which an operand does for nothing.
 * Invariants: no branch, address or number of steps depends on message, key or state. On the stack:
 * the message and v_12 to v_15, which are wiped there; ctx. */
        .syntax unified
        .thumb

/* The mixing function (§3.1) with words x and y of the message; d: which of v_12 to v_15. */
.macro g a, b, c, d, x, y
        ldr     r12, [sp, #4 * \x]
        ldr     lr, [sp, #64 + 4 * \d]
        add     \a, \a, r12
        add     \a, \a, \b, ror #7
        eor     lr, \a, lr, ror #8
        ldr     r12, [sp, #4 * \y]
        add     \c, \c, lr, ror #16
        eor     \b, \c, \b, ror #7
        add     \a, \a, r12
        add     \a, \a, \b, ror #12
        eor     lr, \a, lr, ror #16
        str     lr, [sp, #64 + 4 * \d]
        add     \c, \c, lr, ror #8
        eor     \b, \c, \b, ror #12
.endm
.macro round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
        g       r0, r4, r8, 0, \s0, \s1
        g       r1, r5, r9, 1, \s2, \s3
        g       r2, r6, r10, 2, \s4, \s5
        g       r3, r7, r11, 3, \s6, \s7
        g       r0, r5, r10, 3, \s8, \s9
        g       r1, r6, r11, 0, \s10, \s11
        g       r2, r7, r8, 1, \s12, \s13
        g       r3, r4, r9, 2, \s14, \s15
.endm

        .section .text.wm_blake2s_compress, "ax", %progbits
        .balign 4
        .global wm_blake2s_compress
        .type   wm_blake2s_compress, %function
/* void wm_blake2s_compress(wm_blake2s *ctx (r0), uint32_t f0 (r1)) */
wm_blake2s_compress:
        push    {r0, r4-r11, lr}
        sub     sp, sp, #80
        add     r12, r0, #40 /* the block, behind h and t */
        mov     lr, sp
        ldm     r12!, {r4-r11}
        stm     lr!, {r4-r11}
        ldm     r12, {r4-r11}
        stm     lr!, {r4-r11}
        movw    r12, #:lower16:wm_blake2s_iv
        movt    r12, #:upper16:wm_blake2s_iv
        add     r2, r12, #16
        ldm     r2, {r4-r7}
        ldrd    r2, r3, [r0, #32] /* t */
        eors    r4, r4, r2
        eors    r5, r5, r3
        eors    r6, r6, r1
        ror     r4, r4, #24
        ror     r5, r5, #24
        ror     r6, r6, #24
        ror     r7, r7, #24
        stm     lr, {r4-r7}
        ldm     r12, {r8-r11}
        mov     r12, r0
        ldm     r12, {r0-r7}
        ror     r4, r4, #25
        ror     r5, r5, #25
        ror     r6, r6, #25
        ror     r7, r7, #25
        round   0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        round   14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3
        round   11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4
        round   7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8
        round   9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13
        round   2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9
        round   12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11
        round   13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10
        round   6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5
        round   10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0
        eors    r0, r0, r8
        eors    r1, r1, r9
        eors    r2, r2, r10
        eors    r3, r3, r11
        ldr     lr, [sp, #80] /* ctx, whose h comes first */
        ldm     lr, {r8-r11}
        eors    r0, r0, r8
        eors    r1, r1, r9
        eors    r2, r2, r10
        eors    r3, r3, r11
        stm     lr!, {r0-r3}
        add     r12, sp, #64
        ldm     r12, {r8-r11}
        ldm     lr, {r0-r3}
        eor     r0, r0, r4, ror #7
        eor     r1, r1, r5, ror #7
        eor     r2, r2, r6, ror #7
        eor     r3, r3, r7, ror #7
        eor     r0, r0, r8, ror #8
        eor     r1, r1, r9, ror #8
        eor     r2, r2, r10, ror #8
        eor     r3, r3, r11, ror #8
        stm     lr, {r0-r3}
        movs    r4, #0
        movs    r5, #0
        movs    r6, #0
        movs    r7, #0
        mov     r8, #0
        mov     r9, #0
        mov     r10, #0
        mov     r11, #0
        mov     r12, sp
        stm     r12!, {r4-r11}
        stm     r12!, {r4-r11}
        stm     r12!, {r4-r7}
        add     sp, sp, #84
        pop     {r4-r11, pc}
        .size   wm_blake2s_compress, . - wm_blake2s_compress
