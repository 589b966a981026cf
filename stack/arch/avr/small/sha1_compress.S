/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-1's compression in little flash of the AVR: all eighty rounds in one loop. Takes the place of
 * small/sha1_compress.c; src/hash/sha1_compress.c is the reference.
 * References: FIPS 180-4 §4.1.1, §4.2.1, §6.1.2, §6.1.3; names of the standard in comments.
 * Invariants: branches and addresses depend on the number of the round only; shifts are by
 * constants. */

#include "../words.inc"

#define A 2
#define B 6
#define C 10
#define D 14
#define E 18
#define T 22
#define PLACE r28 /* of W_t in the block, modulo 64 */
#define ROUND r29
#define OFFSET r26

        .macro  load_state register
        ld      \register, X+
        .endm

/* Octet \n of f_t (§4.1.1) added to e: Ch, Parity, Maj. */
        .macro  ch n add
        mov     r0, C+\n
        eor     r0, D+\n
        and     r0, B+\n
        eor     r0, D+\n
        \add    E+\n, r0
        .endm
        .macro  parity n add
        mov     r0, B+\n
        eor     r0, C+\n
        eor     r0, D+\n
        \add    E+\n, r0
        .endm
        .macro  maj n add
        mov     r0, B+\n
        eor     r0, C+\n
        mov     r1, B+\n
        eor     r1, D+\n
        and     r0, r1
        eor     r0, B+\n
        \add    E+\n, r0
        .endm

        .macro  each function
        \function 0, add
        \function 1, adc
        \function 2, adc
        \function 3, adc
        .endm

        .macro  constant k
        ldi     T, lo8(\k)
        ldi     T+1, hi8(\k)
        ldi     T+2, hlo8(\k)
        ldi     T+3, hhi8(\k)
        .endm

        .macro  xor_octet register
        ld      r0, X+
        eor     \register, r0
        .endm

/* An octet at X += \register. */
        .macro  accumulate add register
        ld      r0, X
        \add    r0, \register
        st      X+, r0
        .endm

        .section .text.wm_sha1_compress, "ax", @progbits
        .globl  wm_sha1_compress
        .type   wm_sha1_compress, @function
/* void wm_sha1_compress(uint32_t *state (r25:r24), wm_md64 *md (r23:r22)) */
wm_sha1_compress:
        save
        push    r24
        push    r25
        movw    r26, r24
        movw    r30, r22
        adiw    r30, 8                  /* Z: block of wm_md64 */
        for_each load_state, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21
        clr     PLACE
        clr     ROUND
1:      clr     r1
        constant 0
        cpi     ROUND, 16
        brlo    2f
        ldi     OFFSET, 4*13            /* W_(t-3) */
        rcall   xor_word
        ldi     OFFSET, 4*8             /* W_(t-8) */
        rcall   xor_word
        ldi     OFFSET, 4*2             /* W_(t-14) */
        rcall   xor_word
2:      clr     OFFSET
        rcall   xor_word
        cpi     ROUND, 16
        brlo    3f
        left_1  T
        st      -X, T                   /* X was at the end of W_(t-16) */
        st      -X, T+1
        st      -X, T+2
        st      -X, T+3
3:      sum     E, T
        cpi     ROUND, 20
        brlo    6f
        cpi     ROUND, 60
        brsh    4f
        cpi     ROUND, 40
        brsh    7f
        constant 0x6ed9eba1
        rjmp    5f
4:      constant 0xca62c1d6
5:      each    parity
        rjmp    8f
6:      constant 0x5a827999
        each    ch
        rjmp    8f
7:      constant 0x8f1bbcdc
        each    maj
8:      sum     E, T
        ldi     r26, 32                 /* ROTL 5 of a, by products */
        mul     A, r26
        movw    T, r0
        mul     A+1, r26
        eor     T+1, r0
        mov     T+2, r1
        mul     A+2, r26
        eor     T+2, r0
        mov     T+3, r1
        mul     A+3, r26
        eor     T+3, r0
        eor     T, r1
        sum     T, E                    /* the new a */
        right_2 B, 0, r0                /* ROTL 30 of b, the new c */
        copy    E, D
        copy    D, C
        copy    C, B
        copy    B, A
        copy    A, T
        subi    PLACE, -4
        inc     ROUND
        cpi     ROUND, 80
        breq    9f
        rjmp    1b
9:      pop     r27
        pop     r26
        rcall   add_to_state            /* of a, which T is */
        copy    T, B
        rcall   add_to_state
        copy    T, C
        rcall   add_to_state
        copy    T, D
        rcall   add_to_state
        copy    T, E
        rcall   add_to_state
        return

/* T ^= the word OFFSET octets behind W_t, or before it at the end of the block; X is then at its
 * end. r1 is zero. */
xor_word:
        add     OFFSET, PLACE
        andi    OFFSET, 63
        add     r26, r30
        mov     r27, r31
        adc     r27, r1
        for_each xor_octet, T+3, T+2, T+1, T
        ret

/* The next word of the state at X += T. */
add_to_state:
        accumulate add, T
        accumulate adc, T+1
        accumulate adc, T+2
        accumulate adc, T+3
        ret
        .size   wm_sha1_compress, . - wm_sha1_compress
