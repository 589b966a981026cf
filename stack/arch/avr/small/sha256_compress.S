/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256's compression in little flash of the AVR: one round and one W_t at a time. Takes the
 * place of small/sha256_compress.c; src/hash/sha256_compress.c is the reference.
 * References: FIPS 180-4 §6.2.2; names of the standard in comments.
 * Invariants: branches and addresses depend on the number of the round only; shifts are by
 * constants.
 *
 * a to h are a ring in the stack, which turns by one word each round: the new a takes the place of
 * h, and d becomes e where it is. A routine fetches any of them, another one any W. */

#include "../sha256.inc"

#define SUM 2   /* W_t, then T_1, then the new a */
#define X_ 6    /* of sums of rotations; e, a */
#define F 10
#define T 18    /* the word fetched */
#define ROUND r22
#define PLACE r23 /* four times ROUND modulo 256 */
#define BLOCK r24 /* r25:r24 */
#define RING 32

        .macro  put register
        st      -X, \register
        .endm

/* The word that is called \n this round, a is 0; X is then at its end. */
        .macro  fetch_v n
        ldi     r26, 4*\n
        rcall   v_word
        .endm
/* W_(t+j), or W_(t+j-16) where that is the same place. */
        .macro  fetch_w j
        ldi     r26, 4*\j
        rcall   w_word
        .endm

        .macro  add_constant add n
        lpm     r0, Z+
        \add    SUM+\n, r0
        .endm

/* \to &= \from. */
        .macro  mask to from
        and     \to, \from
        and     \to+1, \from+1
        and     \to+2, \from+2
        and     \to+3, \from+3
        .endm

/* An octet of the ring is added to the state's. */
        .macro  accumulate add
        ld      r0, X
        ld      r1, Z+
        \add    r0, r1
        st      X+, r0
        .endm

        .section .text.wm_sha256_compress, "ax", @progbits
        .globl  wm_sha256_compress
        .type   wm_sha256_compress, @function
/* void wm_sha256_compress(uint32_t *state (r25:r24), wm_md64 *md (r23:r22)) */
wm_sha256_compress:
        enter   RING                    /* Y: the ring */
        movw    r26, r24
        movw    r24, r22
        adiw    r24, 8                  /* block of wm_md64 */
        movw    r30, r28
        ldi     ROUND, RING
1:      ld      r0, X+
        st      Z+, r0
        dec     ROUND                   /* ends with 0 */
        brne    1b
        sbiw    r26, RING
        push    r26
        push    r27
        clr     PLACE
        ldi     r30, lo8(k)
        ldi     r31, hi8(k)

2:      fetch_w 0
        copy    SUM, T
        cpi     ROUND, 16
        brsh    3f
        rjmp    4f
3:      fetch_w 9                       /* W_(t-7) */
        sum     SUM, T
        fetch_w 1                       /* W_(t-15) */
        copy    X_, T
        sigma_0 T, F, X_
        sum     SUM, T
        fetch_w 14                      /* W_(t-2) */
        copy    X_, T
        sigma_1 T, F, X_
        sum     SUM, T
        fetch_w 0
        for_each put, SUM, SUM+1, SUM+2, SUM+3
4:      add_constant add, 0
        add_constant adc, 1
        add_constant adc, 2
        add_constant adc, 3
        fetch_v 7                       /* h */
        sum     SUM, T
        fetch_v 4
        copy    X_, T
        fetch_v 5
        copy    F, T
        fetch_v 6
        xor     F, T                    /* Ch = g ^ (e & (f ^ g)) */
        mask    F, X_
        xor     F, T
        sum     SUM, F
        big_sigma_1 T, X_, r26
        add     SUM, T+1
        adc     SUM+1, T+2
        adc     SUM+2, T+3
        adc     SUM+3, T                /* T_1 */
        fetch_v 3
        sum     T, SUM
        for_each put, T+3, T+2, T+1, T
        fetch_v 0
        copy    X_, T
        big_sigma_0 T, X_, r26
        sum     SUM, T
        fetch_v 1
        copy    F, T
        fetch_v 2
        xor     F, T                    /* Maj = c ^ ((b ^ c) & (a ^ c)) */
        xor     X_, T
        mask    F, X_
        xor     F, T
        sum     SUM, F
        fetch_v 7
        for_each put, SUM+3, SUM+2, SUM+1, SUM
        inc     ROUND
        subi    PLACE, -4
        breq    5f
        rjmp    2b

5:      pop     r27
        pop     r26
        movw    r30, r28
        ldi     ROUND, 8
6:      accumulate add
        accumulate adc
        accumulate adc
        accumulate adc
        dec     ROUND
        brne    6b
        leave   RING

v_word:
        sub     r26, PLACE
        andi    r26, RING-1
        clr     r27
        add     r26, r28
        adc     r27, r29
        ld      T, X+
        ld      T+1, X+
        ld      T+2, X+
        ld      T+3, X+
        ret

w_word:
        add     r26, PLACE
        andi    r26, 63
        clr     r27
        add     r26, BLOCK
        adc     r27, r25
        ld      T+3, X+
        ld      T+2, X+
        ld      T+1, X+
        ld      T, X+
        ret
        .size   wm_sha256_compress, . - wm_sha256_compress
