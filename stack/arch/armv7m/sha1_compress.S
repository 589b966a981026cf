/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-1's compression for ARMv7-M: takes the place of src/hash/sha1_compress.c, which is its
 * reference, for speed.
 * References: FIPS 180-4 §6.1.2; its names are kept. Left by n is right by 32 - n.
 * Invariants: no branch, address or number of steps depends on state or block. The schedule, 80
 * words, lies on the stack and is wiped there, for it holds the block; the block stays as it is. */
        .syntax unified
        .thumb

#define A r2
#define B r3
#define C r4
#define D r5
#define E r6
#define K r7
#define W r8 /* W_t */
#define X r9 /* W_(t+1) */
#define T r10
#define U r11
#define END r12
#define NEXT lr /* where W_t goes */

/* Two words of the schedule: of the block, then ROTL 1 of four before each. */
.macro from_block
        ldrd    W, X, [r1], #8
        rev     W, W
        rev     X, X
        strd    W, X, [NEXT], #8
.endm
.macro from_words
        ldrd    W, X, [NEXT, #-64]
        ldrd    T, U, [NEXT, #-56]
        eor     W, W, T
        eor     X, X, U
        ldrd    T, U, [NEXT, #-32]
        eor     W, W, T
        eor     X, X, U
        ldrd    T, U, [NEXT, #-12]
        eor     W, W, T
        eor     X, X, U
        ror     W, W, #31
        ror     X, X, #31
        strd    W, X, [NEXT], #8
.endm

/* c, d and e are kept as they were before ROTL 30; each use rotates them. */
.macro ch b, c, d
        eor     T, \c, \d
        and     T, \b, T, ror #2
        eor     T, T, \d, ror #2
.endm
.macro parity b, c, d
        eor     T, \b, \c, ror #2
        eor     T, T, \d, ror #2
.endm
.macro maj b, c, d
        eor     T, \b, \c, ror #2
        and     U, \b, \c, ror #2
        and     T, T, \d, ror #2
        add     T, T, U
.endm

/* Step 3 for one t: e takes the new a. */
.macro step f, word, a, b, c, d, e
        add     \word, \word, K
        add     \e, \word, \e, ror #2
        \f      \b, \c, \d
        add     \e, \e, \a, ror #27
        add     \e, \e, T
.endm
.macro pair f, words, a, b, c, d, e
        \words
        step    \f, W, \a, \b, \c, \d, \e
        step    \f, X, \e, \a, \b, \c, \d
.endm
.macro ten f, words
        pair    \f, \words, A, B, C, D, E
        pair    \f, \words, D, E, A, B, C
        pair    \f, \words, B, C, D, E, A
        pair    \f, \words, E, A, B, C, D
        pair    \f, \words, C, D, E, A, B
.endm
.macro twenty f
        add     END, NEXT, #80
1:
        ten     \f, from_words
        cmp     NEXT, END
        bne     1b
.endm

        .section .text.wm_sha1_compress, "ax", %progbits
        .balign 4
        .global wm_sha1_compress
        .type   wm_sha1_compress, %function
/* void wm_sha1_compress(uint32_t *state (r0), wm_md64 *md (r1)) */
wm_sha1_compress:
        push    {r4-r11, lr}
        sub     sp, sp, #320
        mov     NEXT, sp
        adds    r1, r1, #8 /* its block */
        ldm     r0, {A, B, C, D, E}
        ror     C, C, #30
        ror     D, D, #30
        ror     E, E, #30
        ldr     K, =0x5a827999
        ten     ch, from_block
        pair    ch, from_block, A, B, C, D, E
        pair    ch, from_block, D, E, A, B, C
        pair    ch, from_block, B, C, D, E, A
        pair    ch, from_words, E, A, B, C, D
        pair    ch, from_words, C, D, E, A, B
        ldr     K, =0x6ed9eba1
        twenty  parity
        ldr     K, =0x8f1bbcdc
        twenty  maj
        ldr     K, =0xca62c1d6
        twenty  parity
        ldm     r0, {K, W, X, T, U}
        add     A, A, K
        add     B, B, W
        add     C, X, C, ror #2
        add     D, T, D, ror #2
        add     E, U, E, ror #2
        stm     r0, {A, B, C, D, E}
        movs    r2, #0
        movs    r3, #0
        movs    r4, #0
        movs    r5, #0
        movs    r6, #0
        movs    r7, #0
        mov     r8, #0
        mov     r9, #0
        mov     r0, sp
        .rept 10
        stm     r0!, {r2-r9}
        .endr
        add     sp, sp, #320
        pop     {r4-r11, pc}
        .ltorg
        .size   wm_sha1_compress, . - wm_sha1_compress
