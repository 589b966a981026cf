/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAKE2s's compression function F for the MSP430: takes the place of src/hash/blake2s_compress.c,
 * which is its reference.
 * References: RFC 7693 §2.7, §3.1, §3.2; names of the RFC in comments.
 * Invariants: no branch and no address depends on the state or the block.
 *
 * v lies in the stack; G has four words of it in registers. The columns go in the order 2, 0, 1, 3,
 * so that the d of the last one is the d of the first diagonal, and that of the last diagonal the d
 * of the next round's first column: it stays in its registers.
 *
 * Cycles: 115 a G, with 56 for its words of v and 14 for its words of the message. */

#include "words.inc"

#define A r4, r5
#define B r6, r7
#define B_TURNED r7, r6
#define C r8, r9
#define D r10, r11
#define D_TURNED r11, r10
#define BLOCK r12
#define PLACE r13 /* in the block of the next word, octet by octet */
#define T r14
#define ROUNDS r15
#define V 64
#define AT_T 32 /* in wm_blake2s */

/* a += b + the next word of the message. 9 cycles. */
        .macro  MESSAGE a, a_high, b, b_high
        mov.b   @PLACE+, T
        add     BLOCK, T
        add     @T+, \a
        addc    @T, \a_high
        ADD     \b, \b_high, \a, \a_high
        .endm

/* The halves of G (§3.1). After the first one the halves of d's and b's registers have changed
 * names. */
        .macro  FIRST_HALF a, a_high, b, b_high, c, c_high, d, d_high
        MESSAGE \a, \a_high, \b, \b_high
        XOR     \a, \a_high, \d, \d_high        /* R1 = 16 */
        ADD     \d_high, \d, \c, \c_high
        XOR     \c, \c_high, \b, \b_high        /* R2 = 12 = 16 - 4 */
        LEFT    \b, \b_high
        LEFT    \b, \b_high
        LEFT    \b, \b_high
        LEFT    \b, \b_high
        .endm
        .macro  SECOND_HALF a, a_high, b, b_high, c, c_high, d, d_high
        MESSAGE \a, \a_high, \b, \b_high
        XOR     \a, \a_high, \d, \d_high        /* R3 = 8 */
        RIGHT_8 \d, \d_high, T
        ADD     \d, \d_high, \c, \c_high
        XOR     \c, \c_high, \b, \b_high        /* R4 = 7 = 8 - 1 */
        RIGHT_8 \b, \b_high, T
        LEFT    \b, \b_high
        .endm

/* G but for loading d and storing it: in D before and in D_TURNED afterwards, or with a last
 * argument the other way. */
        .macro  MIX a, b, c, turned
        LOAD    4*\a(r1), A
        LOAD    4*\b(r1), B
        LOAD    4*\c(r1), C
        .ifb    \turned
        FIRST_HALF A, B, C, D
        SECOND_HALF A, B_TURNED, C, D_TURNED
        .else
        FIRST_HALF A, B, C, D_TURNED
        SECOND_HALF A, B_TURNED, C, D
        .endif
        STORE   A, 4*\a(r1)
        STORE   B_TURNED, 4*\b(r1)
        STORE   C, 4*\c(r1)
        .endm

/* G with all of its words in v. */
        .macro  WHOLE a, b, c, d
        LOAD    4*\d(r1), D
        MIX     \a, \b, \c
        STORE   D_TURNED, 4*\d(r1)
        .endm

/* A row of sigma in the order in which it is taken, as places in the block. */
        .macro  SIGMA s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
        .byte   4*\s4, 4*\s5, 4*\s0, 4*\s1, 4*\s2, 4*\s3, 4*\s6, 4*\s7
        .byte   4*\s8, 4*\s9, 4*\s10, 4*\s11, 4*\s12, 4*\s13, 4*\s14, 4*\s15
        .endm

        .section .rodata.blake2s_sigma, "a", @progbits
/* §2.7 */
places: SIGMA   0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        SIGMA   14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3
        SIGMA   11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4
        SIGMA   7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8
        SIGMA   9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13
        SIGMA   2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9
        SIGMA   12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11
        SIGMA   13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10
        SIGMA   6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5
        SIGMA   10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0

        .section .text.wm_blake2s_compress, "ax", @progbits
        .balign 2
        .globl  wm_blake2s_compress
        .type   wm_blake2s_compress, @function
/* void wm_blake2s_compress(wm_blake2s *ctx (r12), uint32_t f0 (r14:r13)) */
wm_blake2s_compress:
        SAVE
        mov     r1, r11
        mov     #wm_blake2s_iv+32, r10
        sub     #V, r1
1:      sub     #4, r10                 /* v_8 to v_15: IV */
        sub     #4, r11
        LOAD    0(r10), C
        STORE   C, 0(r11)
        cmp     #wm_blake2s_iv, r10
        jnz     1b
        xor     r13, 4*14(r1)
        xor     r14, 4*14+2(r1)
        mov     r1, r11
        mov     #8, r10
2:      mov     @r12+, r8               /* v_0 to v_7: h */
        mov     @r12+, r9
        STORE   C, 0(r11)
        add     #4, r11
        dec     r10
        jnz     2b
        xor     @r12+, 4*12(r1)         /* v_12 and v_13 ^= t */
        xor     @r12+, 4*12+2(r1)
        xor     @r12+, 4*13(r1)
        xor     @r12+, 4*13+2(r1)       /* ends at the block */
        mov     #places, PLACE
        mov     #10, ROUNDS
        LOAD    4*14(r1), D
3:      MIX     2, 6, 10                /* d: v_14 */
        STORE   D_TURNED, 4*14(r1)
        WHOLE   0, 4, 8, 12
        WHOLE   1, 5, 9, 13
        LOAD    4*15(r1), D
        MIX     3, 7, 11
        MIX     0, 5, 10, turned        /* d: v_15 */
        STORE   D, 4*15(r1)
        WHOLE   1, 6, 11, 12
        WHOLE   2, 7, 8, 13
        LOAD    4*14(r1), D_TURNED
        MIX     3, 4, 9, turned
        dec     ROUNDS
        jz      4f
        br      #3b
4:      STORE   D, 4*14(r1)
        sub     #AT_T+8, r12
        mov     #16, ROUNDS
5:      mov     @r1, T                  /* h ^= both halves of v, of which nothing stays */
        xor     32(r1), T
        xor     T, 0(r12)
        clr     0(r1)
        clr     32(r1)
        incd    r1
        incd    r12
        dec     ROUNDS
        jnz     5b
        add     #V/2, r1
        RETURN
        .size   wm_blake2s_compress, . - wm_blake2s_compress
