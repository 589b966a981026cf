/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256's compression for the AVR: takes the place of src/hash/sha256_compress.c, which is its
 * reference.
 * References: FIPS 180-4 §4.1.2, §4.2.2, §6.2.2; names of the standard in comments.
 * Invariants: no branch and no address depends on the state or the block; shifts are by constants.
 *
 * Four times: W_t + K_t for sixteen t into the stack, then sixteen rounds. A round writes its a
 * over the W_t + K_t it has taken, so that b and d are the one and the three words before it; c is
 * not needed, for
 *   Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)),   and b ^ c is the a ^ b of the round before.
 * So e, f, g, h, a, b ^ c and one temporary word fill 28 registers; Z points into the stack, and
 * r1:r0 is what MUL gives.
 *
 * Cycles: 169 a round; 132 a W_t + K_t, 35 each of the first sixteen. */

#include "sha256.inc"

#define A 18
#define T 22
#define BC 26 /* b ^ c */
#define E 2
#define F 6
#define G 10
#define H 14
#define HIGH r16 /* of H: a register that LDI takes */

/* Frame: octets from its start. */
#define AT_STATE 0
#define AT_BLOCK 2
#define AT_K 4  /* the K_t that come next */
#define AT_A 6  /* a between passes, and the others */
#define AT_H 10 /* h, g, f, e, d, c, b */
#define AT_E 22
#define AT_D 26
#define AT_W 38 /* W_t + K_t, one after the other, each replaced by the a of its round */
#define FRAME 102

/* \to += the word at \at from Z. 12 cycles. */
        .macro  sum_memory to at
        ldd     r0, Z+\at
        add     \to, r0
        ldd     r0, Z+\at+1
        adc     \to+1, r0
        ldd     r0, Z+\at+2
        adc     \to+2, r0
        ldd     r0, Z+\at+3
        adc     \to+3, r0
        .endm

/* \h += Ch(e, f, g) = g ^ (e & (f ^ g)), an octet. 5 cycles. */
        .macro  ch e f g h n add
        mov     r0, \f+\n
        eor     r0, \g+\n
        and     r0, \e+\n
        eor     r0, \g+\n
        \add    \h+\n, r0
        .endm

/* \t += Maj(a, b, c), an octet; \a becomes a ^ b. 6 cycles. */
        .macro  maj a t x n at add
        ldd     r0, Z+\at+\n
        eor     \a+\n, r0
        and     \x+\n, \a+\n
        eor     \x+\n, r0
        \add    \t+\n, \x+\n
        .endm

/* Round \j of those that Z points to: Z+0 is d of round 0. The new e is in \h, a in \t, b ^ c in
 * \a. */
        .macro  round e f g h a t x j
        sum_memory \h, (12+4*\j)
        store   Z, (12+4*\j), \a
        ch      \e, \f, \g, \h, 0, add
        ch      \e, \f, \g, \h, 1, adc
        ch      \e, \f, \g, \h, 2, adc
        ch      \e, \f, \g, \h, 3, adc
        big_sigma_1 \t, \e, \a
        ldd     \a, Z+12+4*\j
        add     \h, \t+1
        adc     \h+1, \t+2
        adc     \h+2, \t+3
        adc     \h+3, \t                /* T_1 */
        push    HIGH
        big_sigma_0 \t, \a, HIGH
        pop     HIGH
        sum     \t, \h
        sum_memory \h, (4*\j)           /* d + T_1 */
        maj     \a, \t, \x, 0, (8+4*\j), add
        maj     \a, \t, \x, 1, (8+4*\j), adc
        maj     \a, \t, \x, 2, (8+4*\j), adc
        maj     \a, \t, \x, 3, (8+4*\j), adc
        .endm

/* W_t of sixteen in \w, in place of W_(t-16) in \w and at \j words from Y, and W_t + K_t to X. \two
 * is W_(t-2) and \next becomes W_(t-15), at \at from \from; W_(t-7) is at \middle from Y or Z.
 * Pointer to K in r1:r0. */
        .macro  expand two w next j from at pointer middle
        load_be \next, \from, \at
        sigma_0 18, 22, \next
        sum     \w, 18
        sigma_1 18, 22, \two
        sum     \w, 18
        load_be 18, \pointer, \middle
        sum     \w, 18
        store_be Y, 4*\j, \w
        movw    r22, r30
        movw    r30, r0
        for_each next_constant, 18, 19, 20, 21
        movw    r0, r30
        movw    r30, r22
        sum     18, \w
        for_each next_store, 18, 19, 20, 21
        .endm
        .macro  next_constant register
        lpm     \register, Z+
        .endm
        .macro  next_store register
        st      X+, \register
        .endm

        .macro  move at
        ldd     r0, Z+\at
        std     Y+\at, r0
        .endm

/* An octet of a word is added to the state's. */
        .macro  accumulate at
        ld      r0, X
        ldd     r1, Z+\at
        adc     r0, r1
        st      X+, r0
        .endm

        .section .text.wm_sha256_compress, "ax", @progbits
        .globl  wm_sha256_compress
        .type   wm_sha256_compress, @function
/* void wm_sha256_compress(uint32_t *state (r25:r24), wm_md64 *md (r23:r22)) */
wm_sha256_compress:
        enter   FRAME                   /* Y: the frame */
        subi    r22, -8                 /* block of wm_md64 */
        sbci    r23, -1
        std     Y+AT_STATE, r24
        std     Y+AT_STATE+1, r25
        std     Y+AT_BLOCK, r22
        std     Y+AT_BLOCK+1, r23
        movw    r26, r24                /* X: the state */
        ld      r18, X+
        ld      r19, X+
        ld      r20, X+
        ld      r21, X+
        store   Y, AT_A, A
        movw    r30, r28
        adiw    r30, AT_W-4
        ldi     r16, 7
1:      ld      r0, X+                  /* b to h, each below the one before */
        st      Z, r0
        ld      r0, X+
        std     Z+1, r0
        ld      r0, X+
        std     Z+2, r0
        ld      r0, X+
        std     Z+3, r0
        sbiw    r30, 4
        dec     r16
        brne    1b

        movw    r26, r28                /* the first sixteen W_t + K_t */
        adiw    r26, AT_W
        movw    r24, r22
        ldi     r30, lo8(k)
        ldi     r31, hi8(k)
        push    r28
        push    r29
        movw    r28, r24
        ldi     r16, 16
2:      ld      r21, Y+
        ld      r20, Y+
        ld      r19, Y+
        ld      r18, Y+
        for_each next_constant, 22, 23, 24, 25
        sum     22, 18
        for_each next_store, 22, 23, 24, 25
        dec     r16
        brne    2b
        pop     r29
        pop     r28
        rjmp    sixteen_rounds

schedule:
        movw    r26, r28
        adiw    r26, AT_W
        ldd     r0, Y+AT_K
        ldd     r1, Y+AT_K+1
        push    r28
        push    r29
        ldd     r30, Y+AT_BLOCK
        ldd     r31, Y+AT_BLOCK+1
        movw    r28, r30 /* Y: W_0 to W_7, Z: W_8 to W_15, afterwards the other way round */
        adiw    r30, 32
        load_be 2, Z, 24
        load_be 6, Z, 28
        load_be 10, Y, 0
        ldi     r24, 2
3:      push    r24
        expand  2, 10, 14, 0, Y, 4, Z, 4
        expand  6, 14, 2, 1, Y, 8, Z, 8
        expand  10, 2, 6, 2, Y, 12, Z, 12
        expand  14, 6, 10, 3, Y, 16, Z, 16
        expand  2, 10, 14, 4, Y, 20, Z, 20
        expand  6, 14, 2, 5, Y, 24, Z, 24
        expand  10, 2, 6, 6, Y, 28, Z, 28
        expand  14, 6, 10, 7, Z, 0, Y, 0
        movw    r22, r28
        movw    r28, r30
        movw    r30, r22
        pop     r24
        dec     r24
        breq    4f
        rjmp    3b
4:      movw    r30, r0
        pop     r29
        pop     r28

sixteen_rounds:                         /* Y: the frame, Z: the K_t that come next */
        std     Y+AT_K, r30
        std     Y+AT_K+1, r31
        movw    r30, r28
        adiw    r30, AT_H
        ldi     r24, 4
        push    r24
        load    H, Z, 0
        load    G, Z, 4
        load    F, Z, 8
        load    E, Z, 12
        load    A, Y, AT_A
        adiw    r30, AT_D-AT_H
        load    BC, Z, 8                 /* this ends Y */
        ldd     r0, Z+4
        eor     BC, r0
        ldd     r0, Z+5
        eor     BC+1, r0
        ldd     r0, Z+6
        eor     BC+2, r0
        ldd     r0, Z+7
        eor     BC+3, r0
5:      round   E, F, G, H, A, T, BC, 0
        round   H, E, F, G, T, BC, A, 1
        round   G, H, E, F, BC, A, T, 2
        round   F, G, H, E, A, T, BC, 3
        copy    BC, A                   /* b ^ c */
        copy    A, T
        adiw    r30, 16
        pop     r0
        dec     r0
        breq    6f
        push    r0
        rjmp    5b

6:      movw    r28, r30 /* the last three a become b, c, d before the first; this ends X */
        subi    r28, 64
        sbci    r29, 0
        for_each move, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        sbiw    r28, AT_D               /* Y: the frame */
        store   Y, AT_H, H
        store   Y, AT_H+4, G
        store   Y, AT_H+8, F
        store   Y, AT_E, E
        store   Y, AT_A, A
        ldd     r30, Y+AT_K
        ldd     r31, Y+AT_K+1
        ldi     r24, hi8(k+256)
        cpi     r30, lo8(k+256)
        cpc     r31, r24
        breq    7f
        rjmp    schedule

7:      ldd     r26, Y+AT_STATE
        ldd     r27, Y+AT_STATE+1
        movw    r30, r28
        adiw    r30, AT_W
        store   Z, 0, A                 /* over b */
        ldi     r16, 8
8:      ld      r0, X
        ld      r1, Z
        add     r0, r1
        st      X+, r0
        for_each accumulate, 1, 2, 3
        sbiw    r30, 4
        dec     r16
        brne    8b

        leave   FRAME
        .size   wm_sha256_compress, . - wm_sha256_compress
