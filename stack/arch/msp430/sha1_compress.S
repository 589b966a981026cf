/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-1's compression for the MSP430: takes the place of src/hash/sha1_compress.c, which is its
 * reference.
 * References: FIPS 180-4 §4.1.1, §4.2.1, §6.1.2; names of the standard in comments.
 * Invariants: no branch and no address depends on the state or the block; shifts are by constants.
 *
 * Sixteen rounds, sixteen W_t in place of those before, and so on. Where f_t changes is a multiple
 * of four, and so are these: four rounds are one routine for each f_t and K_t. a to d are in
 * registers and e in the stack; the next e, d, goes there, so that its registers are free. Four
 * rounds leave the words in each other's registers and move them back.
 *
 * Cycles: 59 a round, with Parity 53, and 16 a routine; 35 a W_t. */

#include "words.inc"

#define P0 r4, r5
#define P1 r6, r7
#define P2 r8, r9
#define P3 r10, r11
#define P4 r12, r13
#define W r14
#define TEMPORARY r15
#define AT_E 2 /* in the stack, under a return address */

/* f_t (§4.1.1) of b, c and d, in d: Ch, Parity, Maj. */
        .macro  CH b, b_, c, c_, d, d_
        XOR     \c, \c_, \d, \d_
        and     \b, \d
        and     \b_, \d_
        xor     AT_E(r1), \d
        xor     AT_E+2(r1), \d_
        .endm
        .macro  PARITY b, b_, c, c_, d, d_
        XOR     \c, \c_, \d, \d_
        XOR     \b, \b_, \d, \d_
        .endm
        .macro  MAJ b, b_, c, c_, d, d_         /* c ^ ((b ^ c) & (c ^ d)) */
        XOR     \c, \c_, \d, \d_
        mov     \b, TEMPORARY
        xor     \c, TEMPORARY
        and     TEMPORARY, \d
        mov     \b_, TEMPORARY
        xor     \c_, TEMPORARY
        and     TEMPORARY, \d_
        XOR     \c, \c_, \d, \d_
        .endm

/* A round. The new a is in \t, c in \b; \d is free. */
        .macro  ROUND f, k, a, a_, b, b_, c, c_, d, d_, t, t_
        mov     @W+, \t
        mov     @W+, \t_
        add     #\k & 0xffff, \t
        addc    #\k >> 16, \t_
        ADD_MEMORY AT_E(r1), \t, \t_
        STORE   \d, \d_, AT_E(r1)
        \f      \b, \b_, \c, \c_, \d, \d_
        ADD     \d, \d_, \t, \t_
        COPY    \a, \a_, \d, \d_                /* ROTL 5 */
        LEFT    \d, \d_
        LEFT    \d, \d_
        LEFT    \d, \d_
        LEFT    \d, \d_
        LEFT    \d, \d_
        ADD     \d, \d_, \t, \t_
        RIGHT   \b, \b_                         /* ROTL 30 */
        RIGHT   \b, \b_
        .endm

        .macro  FOUR_ROUNDS f, k
        ROUND   \f, \k, P0, P1, P2, P3, P4
        ROUND   \f, \k, P4, P0, P1, P2, P3
        ROUND   \f, \k, P3, P4, P0, P1, P2
        ROUND   \f, \k, P2, P3, P4, P0, P1
        COPY    P1, P0
        COPY    P2, P1
        COPY    P3, P2
        COPY    P4, P3
        ret
        .endm

/* In the schedule. */
#define T_LOW r12
#define T_HIGH r13
#define NEAR r14 /* W_0 to W_7 */
#define FAR r15  /* W_8 to W_15; the other way round in the second half */

/* W_t in place of W_(t-16) at \j words from NEAR, W_(t-8) being as far from FAR; W_(t-14) is at
 * \early, W_(t-3) at \late. */
        .macro  EXPAND j, early, late
        LOAD    4*\j(NEAR), T_LOW, T_HIGH
        xor     4*\j(FAR), T_LOW
        xor     4*\j+2(FAR), T_HIGH
        xor     \early, T_LOW
        xor     2+\early, T_HIGH
        xor     \late, T_LOW
        xor     2+\late, T_HIGH
        LEFT    T_LOW, T_HIGH
        STORE   T_LOW, T_HIGH, 4*\j(NEAR)
        .endm

        .section .text.wm_sha1_compress, "ax", @progbits
        .balign 2
        .globl  wm_sha1_compress
        .type   wm_sha1_compress, @function
/* void wm_sha1_compress(uint32_t *state (r12), wm_md64 *md (r13)) */
wm_sha1_compress:
        SAVE
        push    r12
        add     #8, r13                 /* block of wm_md64 */
        mov     r13, W
        mov     #16, r15
1:      mov     @W, r4                  /* its octets become words */
        mov     2(W), r5
        swpb    r4
        swpb    r5
        STORE   r5, r4, 0(W)
        add     #4, W
        dec     r15
        jnz     1b
        sub     #64, W
        LOAD    16(r12), P0             /* e */
        push    r5
        push    r4
        LOAD    0(r12), P0
        LOAD    4(r12), P1
        LOAD    8(r12), P2
        LOAD    12(r12), P3
        call    #rounds_0
        call    #rounds_0
        call    #rounds_0
        call    #rounds_0
        call    #schedule
        call    #rounds_0
        call    #rounds_20
        call    #rounds_20
        call    #rounds_20
        call    #schedule
        call    #rounds_20
        call    #rounds_20
        call    #rounds_40
        call    #rounds_40
        call    #schedule
        call    #rounds_40
        call    #rounds_40
        call    #rounds_40
        call    #rounds_60
        call    #schedule
        call    #rounds_60
        call    #rounds_60
        call    #rounds_60
        call    #rounds_60
        pop     r12                     /* e */
        pop     r13
        pop     r14
        add     r4, 0(r14)
        addc    r5, 2(r14)
        add     r6, 4(r14)
        addc    r7, 6(r14)
        add     r8, 8(r14)
        addc    r9, 10(r14)
        add     r10, 12(r14)
        addc    r11, 14(r14)
        add     r12, 16(r14)
        addc    r13, 18(r14)
        RETURN
        .size   wm_sha1_compress, . - wm_sha1_compress

rounds_0:
        FOUR_ROUNDS CH, 0x5a827999
rounds_20:
        FOUR_ROUNDS PARITY, 0x6ed9eba1
rounds_40:
        FOUR_ROUNDS MAJ, 0x8f1bbcdc
rounds_60:
        FOUR_ROUNDS PARITY, 0xca62c1d6

/* Sixteen W_t in place; W, at the end of the block, points to its beginning afterwards. */
schedule:
        mov     W, FAR
        sub     #32, FAR
        sub     #64, NEAR
        mov     #2, T_LOW
2:      push    T_LOW
        EXPAND  0, 8(NEAR), 20(FAR)
        EXPAND  1, 12(NEAR), 24(FAR)
        EXPAND  2, 16(NEAR), 28(FAR)
        EXPAND  3, 20(NEAR), 0(NEAR)
        EXPAND  4, 24(NEAR), 4(NEAR)
        EXPAND  5, 28(NEAR), 8(NEAR)
        EXPAND  6, 0(FAR), 12(NEAR)
        EXPAND  7, 4(FAR), 16(NEAR)
        mov     NEAR, T_LOW
        mov     FAR, NEAR
        mov     T_LOW, FAR
        pop     T_LOW
        dec     T_LOW
        jnz     2b
        ret
