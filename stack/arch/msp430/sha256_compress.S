/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256's compression for the MSP430: takes the place of src/hash/sha256_compress.c, which is its
 * reference.
 * References: FIPS 180-4 §4.1.2, §4.2.2, §6.2.2; names of the standard in comments.
 * Invariants: no branch and no address depends on the state or the block; shifts are by constants.
 *
 * Sixteen rounds, sixteen W_t in place of those before, and so on. a to h lie in the stack, where
 * the new a takes the place of d and the new e that of h; a, e and b ^ c are in registers, too, for
 *   Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)),   and b ^ c is the a ^ b of the round before.
 * These three and a temporary word change registers in a cycle, and memory its names, so that after
 * four rounds all is where it was.
 *
 * Cycles: 138 a round, 83 a W_t. */

#include "words.inc"

/* In rounds. */
#define P0 r4, r5
#define P1 r6, r7
#define P2 r8, r9
#define P3 r12, r13
#define SUM_LOW r10 /* T_1 */
#define SUM_HIGH r11
#define W r14
#define K r15
#define AT_STATE 32 /* in the stack, behind a to h */
#define AT_END 34   /* of the block */
#define FRAME 36

/* A round. In: e, a, b ^ c in registers; b, d, f, g, h are their words' numbers in the stack. Out:
 * the new e in \t, a in \e, b ^ c in \a. */
        .macro  ROUND e, e_, a, a_, x, x_, t, t_, b, d, f, g, h
        mov     @W+, SUM_LOW
        mov     @W+, SUM_HIGH
        add     @K+, SUM_LOW
        addc    @K+, SUM_HIGH
        ADD_MEMORY 4*\h(r1), SUM_LOW, SUM_HIGH
        LOAD    4*\f(r1), \t, \t_       /* Ch = g ^ (e & (f ^ g)) */
        xor     4*\g(r1), \t
        xor     4*\g+2(r1), \t_
        and     \e, \t
        and     \e_, \t_
        xor     4*\g(r1), \t
        xor     4*\g+2(r1), \t_
        ADD     \t, \t_, SUM_LOW, SUM_HIGH
        COPY    \e, \e_, \t, \t_ /* Sigma_1: ROTR 8 of (ROTR 1 of (ROTR 2 ^ ROTR 16) ^ ROTL 2) */
        RIGHT   \t, \t_
        RIGHT   \t, \t_
        XOR     \e_, \e, \t, \t_
        RIGHT   \t, \t_
        LEFT    \e, \e_
        LEFT    \e, \e_
        XOR     \e, \e_, \t, \t_
        RIGHT_8 \t, \t_, \e
        ADD     \t, \t_, SUM_LOW, SUM_HIGH
        COPY    \a, \a_, \e, \e_ /* Sigma_0: ROTR 16 of ROTL 2 of (ROTR 8 ^ ROTL 1), ROTR 2 */
        RIGHT_8 \e, \e_, \t
        COPY    \a, \a_, \t, \t_
        LEFT    \t, \t_
        XOR     \e, \e_, \t, \t_
        LEFT    \t, \t_
        LEFT    \t, \t_
        COPY    \a, \a_, \e, \e_
        RIGHT   \e, \e_
        RIGHT   \e, \e_
        XOR     \t_, \t, \e, \e_
        ADD     SUM_LOW, SUM_HIGH, \e, \e_
        LOAD    4*\b(r1), \t, \t_       /* Maj */
        XOR     \t, \t_, \a, \a_
        and     \a, \x
        and     \a_, \x_
        XOR     \t, \t_, \x, \x_
        ADD     \x, \x_, \e, \e_
        LOAD    4*\d(r1), \t, \t_
        ADD     SUM_LOW, SUM_HIGH, \t, \t_
        STORE   \t, \t_, 4*\h(r1)
        STORE   \e, \e_, 4*\d(r1)
        .endm

/* In the schedule. */
#define W_0 r4, r5
#define W_1 r6, r7
#define T_LOW r8
#define T_HIGH r9
#define U_LOW r10
#define U_HIGH r11
#define TEMPORARY r12
#define NEXT_K r13
#define NEAR r14 /* W_0 to W_7 */
#define FAR r15  /* W_8 to W_15; the other way round in the second half */

/* W_t in place of W_(t-16), in registers and at \j words from NEAR. \next, at \next_at, is
 * W_(t-15), which stays in registers for the W_t after this; W_(t-7) is at \middle, W_(t-2) at
 * \two. */
        .macro  EXPAND w, w_, next, next_, j, next_at, middle, two
        LOAD    \next_at, \next, \next_
        /* sigma_0: ROTR 2 of (ROTR 16 ^ a shift by 1 with its lowest bits cleared), ROTR 7 */
        COPY    \next, \next_, T_LOW, T_HIGH
        clrc
        rrc     T_HIGH
        rrc     T_LOW
        and     #0xfffc, T_LOW
        XOR     \next_, \next, T_LOW, T_HIGH
        RIGHT   T_LOW, T_HIGH
        RIGHT   T_LOW, T_HIGH
        COPY    \next, \next_, U_LOW, U_HIGH
        RIGHT_8 U_LOW, U_HIGH, TEMPORARY
        LEFT    U_LOW, U_HIGH
        XOR     U_LOW, U_HIGH, T_LOW, T_HIGH
        ADD     T_LOW, T_HIGH, \w, \w_
        LOAD    \two, T_LOW, T_HIGH /* sigma_1: ROTR 17 of (ROTR 2 ^ itself), a shift by 10 */
        COPY    T_LOW, T_HIGH, U_LOW, U_HIGH
        RIGHT   U_LOW, U_HIGH
        RIGHT   U_LOW, U_HIGH
        XOR     U_LOW, U_HIGH, T_LOW, T_HIGH
        RIGHT   T_LOW, T_HIGH
        RIGHT_8 U_LOW, U_HIGH, TEMPORARY
        and     #0x003f, U_HIGH
        XOR     T_HIGH, T_LOW, U_LOW, U_HIGH
        ADD     U_LOW, U_HIGH, \w, \w_
        ADD_MEMORY \middle, \w, \w_
        STORE   \w, \w_, 4*\j(NEAR)
        .endm

        .section .rodata.sha256_k, "a", @progbits
        .balign 2
/* §4.2.2: first 32 bits of the fractions of the cube roots of the first 64 primes. */
k:      .long   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5
        .long   0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .long   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3
        .long   0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .long   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc
        .long   0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .long   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7
        .long   0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .long   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13
        .long   0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .long   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3
        .long   0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .long   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5
        .long   0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .long   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208
        .long   0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2

        .section .text.wm_sha256_compress, "ax", @progbits
        .balign 2
        .globl  wm_sha256_compress
        .type   wm_sha256_compress, @function
/* void wm_sha256_compress(uint32_t *state (r12), wm_md64 *md (r13)) */
wm_sha256_compress:
        SAVE
        add     #8, r13                 /* block of wm_md64 */
        mov     r13, W
        mov     #16, K
1:      mov     @W, r4                  /* its octets become words */
        mov     2(W), r5
        swpb    r4
        swpb    r5
        STORE   r5, r4, 0(W)
        add     #4, W
        dec     K
        jnz     1b
        sub     #FRAME, r1
        mov     r12, AT_STATE(r1)
        mov     W, AT_END(r1)
        mov     r1, r13
        mov     #8, K
2:      mov     @r12+, r4
        mov     @r12+, r5
        STORE   r4, r5, 0(r13)
        add     #4, r13
        dec     K
        jnz     2b
        mov     #k, K
        br      #sixteen_rounds

schedule:
        mov     K, NEXT_K
        mov     AT_END(r1), FAR
        sub     #32, FAR
        mov     FAR, NEAR
        sub     #32, NEAR
        LOAD    0(NEAR), W_0
        mov     #2, r11
3:      push    r11
        EXPAND  W_0, W_1, 0, 4(NEAR), 4(FAR), 24(FAR)
        EXPAND  W_1, W_0, 1, 8(NEAR), 8(FAR), 28(FAR)
        EXPAND  W_0, W_1, 2, 12(NEAR), 12(FAR), 0(NEAR)
        EXPAND  W_1, W_0, 3, 16(NEAR), 16(FAR), 4(NEAR)
        EXPAND  W_0, W_1, 4, 20(NEAR), 20(FAR), 8(NEAR)
        EXPAND  W_1, W_0, 5, 24(NEAR), 24(FAR), 12(NEAR)
        EXPAND  W_0, W_1, 6, 28(NEAR), 28(FAR), 16(NEAR)
        EXPAND  W_1, W_0, 7, 0(FAR), 0(NEAR), 20(NEAR)
        mov     NEAR, TEMPORARY
        mov     FAR, NEAR
        mov     TEMPORARY, FAR
        pop     r11
        dec     r11
        jz      4f
        br      #3b
4:      mov     NEXT_K, K

sixteen_rounds:
        mov     AT_END(r1), W
        sub     #64, W
        LOAD    16(r1), P0              /* e */
        LOAD    0(r1), P1               /* a */
        LOAD    4(r1), P2               /* b ^ c */
        xor     8(r1), r8
        xor     10(r1), r9
5:      ROUND   P0, P1, P2, P3, 1, 3, 5, 6, 7
        ROUND   P3, P0, P1, P2, 0, 2, 4, 5, 6
        ROUND   P2, P3, P0, P1, 3, 1, 7, 4, 5
        ROUND   P1, P2, P3, P0, 2, 0, 6, 7, 4
        cmp     AT_END(r1), W
        jz      6f
        br      #5b
6:      cmp     #k+256, K
        jz      7f
        br      #schedule

7:      mov     AT_STATE(r1), r14
        mov     #8, r15
8:      mov     @r1, r4                 /* and nothing of a to h stays in the stack */
        clr     0(r1)
        incd    r1
        mov     @r1, r5
        clr     0(r1)
        incd    r1
        add     r4, 0(r14)
        addc    r5, 2(r14)
        add     #4, r14
        dec     r15
        jnz     8b
        add     #FRAME-32, r1
        RETURN
        .size   wm_sha256_compress, . - wm_sha256_compress
