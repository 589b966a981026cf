/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256's compression for ARMv7-M: takes the place of src/hash/sha256_compress.c, which is its
 * reference, for speed.
 * References: FIPS 180-4 §6.2.2; its names are kept. Maj(a, b, c) is taken as ((a ^ b) & (b ^ c)) ^
 * b, in which b ^ c is the step before's a ^ b.
 * Invariants: no branch, address or number of steps depends on state or block. The message schedule
 * overwrites the block. r0: K_t; r1: the block; r2: W_t, then what is added up; r3 and r12: a ^ b
 * and b ^ c in turns; lr: at hand. */
        .syntax unified
        .thumb

#define A r4
#define B r5
#define C r6
#define D r7
#define E r8
#define F r9
#define G r10
#define H r11
#define W r2
#define T lr

.macro from_block t
        ldr     W, [r1, #4 * \t]
        rev     W, W
        str     W, [r1, #4 * \t]
.endm
/* §6.2.2 step 1; `x` is free until Maj. */
.macro from_words t, x
        ldr     T, [r1, #4 * ((\t + 1) & 15)]
        ldr     W, [r1, #4 * \t]
        ror     \x, T, #7
        eor     \x, \x, T, ror #18
        eor     \x, \x, T, lsr #3
        ldr     T, [r1, #4 * ((\t + 14) & 15)]
        add     W, W, \x
        ror     \x, T, #17
        eor     \x, \x, T, ror #19
        eor     \x, \x, T, lsr #10
        ldr     T, [r1, #4 * ((\t + 9) & 15)]
        add     W, W, \x
        add     W, W, T
        str     W, [r1, #4 * \t]
.endm

/* Step 3 for one t: h takes the new a; x takes a ^ b, y is b ^ c. */
.macro step a, b, c, d, e, f, g, h, x, y
        ldr     T, [r0], #4
        add     \h, \h, W
        eor     \x, \f, \g
        add     \h, \h, T
        and     \x, \x, \e
        ror     T, \e, #6
        eor     \x, \x, \g
        eor     T, T, \e, ror #11
        add     \h, \h, \x
        eor     T, T, \e, ror #25
        add     \h, \h, T
        eor     \x, \a, \b
        add     \d, \d, \h
        and     \y, \y, \x
        ror     T, \a, #2
        eor     \y, \y, \b
        eor     T, T, \a, ror #13
        add     \h, \h, \y
        eor     T, T, \a, ror #22
        add     \h, \h, T
.endm
.macro pair word, t, a, b, c, d, e, f, g, h
        \word   \t, r3
        step    \a, \b, \c, \d, \e, \f, \g, \h, r3, r12
        \word   (\t + 1), r12
        step    \h, \a, \b, \c, \d, \e, \f, \g, r12, r3
.endm
.macro eight word, t
        pair    \word, \t, A, B, C, D, E, F, G, H
        pair    \word, (\t + 2), G, H, A, B, C, D, E, F
        pair    \word, (\t + 4), E, F, G, H, A, B, C, D
        pair    \word, (\t + 6), C, D, E, F, G, H, A, B
.endm

        .section .text.wm_sha256_compress, "ax", %progbits
        .balign 4
        .global wm_sha256_compress
        .type   wm_sha256_compress, %function
/* void wm_sha256_compress(uint32_t *state (r0), wm_md64 *md (r1)) */
wm_sha256_compress:
        push    {r0, r4-r11, lr}
        adds    r1, r1, #8 /* its block */
        ldm     r0, {A, B, C, D, E, F, G, H}
        ldr     r0, =constants
        eor     r12, B, C
.macro of_block t, x
        from_block \t
.endm
        eight   of_block, 0
        eight   of_block, 8
1:
        eight   from_words, 0
        eight   from_words, 8
        ldr     T, =constants + 256
        cmp     r0, T
        bne     1b
        pop     {r0}
        ldm     r0, {r1, r2, r3, r12}
        add     A, A, r1
        add     B, B, r2
        add     C, C, r3
        add     D, D, r12
        stm     r0!, {A, B, C, D}
        ldm     r0, {r1, r2, r3, r12}
        add     E, E, r1
        add     F, F, r2
        add     G, G, r3
        add     H, H, r12
        stm     r0, {E, F, G, H}
        pop     {r4-r11, pc}
        .ltorg
        .size   wm_sha256_compress, . - wm_sha256_compress

        .section .rodata.wm_sha256_compress, "a", %progbits
        .balign 4
/* §4.2.2 */
constants:
        .word   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5
        .word   0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .word   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3
        .word   0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .word   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc
        .word   0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .word   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7
        .word   0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .word   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13
        .word   0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .word   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3
        .word   0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .word   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5
        .word   0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .word   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208
        .word   0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
