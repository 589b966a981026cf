/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-1's compression for the AVR: takes the place of src/hash/sha1_compress.c, which is its
 * reference.
 * References: FIPS 180-4 §4.1.1, §4.2.1, §6.1.2; names of the standard in comments.
 * Invariants: no branch and no address depends on the state or the block; shifts are by constants.
 *
 * Sixteen rounds, sixteen W_t in place of those before, and so on. Where f_t changes is a multiple
 * of four, and so are these: four rounds are one routine for each f_t and K_t, which leaves five
 * words in each other's registers and moves them back. a to e are in registers, Z points into the
 * block.
 *
 * Cycles: 66 a round and 28 a routine, 4 more a round of Ch and 12 of Maj, less 4 for the others;
 * 57 a W_t. */

#include "words.inc"

#define A 2
#define B 6
#define C 10
#define D 14
#define E 18
#define T 22
#define THIRTY_TWO r28
#define BLOCK_OCTETS 64

/* Octet \n of f_t (§4.1.1) into r0: Ch, Parity, Maj; the last by r1. */
        .macro  ch x y z n
        mov     r0, \y+\n
        eor     r0, \z+\n
        and     r0, \x+\n
        eor     r0, \z+\n
        .endm
        .macro  parity x y z n
        mov     r0, \x+\n
        eor     r0, \y+\n
        eor     r0, \z+\n
        .endm
        .macro  maj x y z n
        mov     r0, \x+\n
        eor     r0, \y+\n
        mov     r1, \x+\n
        eor     r1, \z+\n
        and     r0, r1
        eor     r0, \x+\n
        .endm

/* Round \j from Z. The new a is in \e, c in \b. */
        .macro  round f k a b c d e j
        ldd     r0, Z+4*\j+3            /* e + W_t */
        add     \e, r0
        ldd     r0, Z+4*\j+2
        adc     \e+1, r0
        ldd     r0, Z+4*\j+1
        adc     \e+2, r0
        ldd     r0, Z+4*\j
        adc     \e+3, r0
        \f      \b, \c, \d, 0
        add     \e, r0
        \f      \b, \c, \d, 1
        adc     \e+1, r0
        \f      \b, \c, \d, 2
        adc     \e+2, r0
        \f      \b, \c, \d, 3
        adc     \e+3, r0
        mul     \a, THIRTY_TWO          /* ROTL 5 of a */
        movw    T, r0
        mul     \a+1, THIRTY_TWO
        eor     T+1, r0
        mov     T+2, r1
        mul     \a+2, THIRTY_TWO
        eor     T+2, r0
        mov     T+3, r1
        mul     \a+3, THIRTY_TWO
        eor     T+3, r0
        eor     T, r1
        subi    T, lo8(-(\k))
        sbci    T+1, hi8(-(\k))
        sbci    T+2, hlo8(-(\k))
        sbci    T+3, hhi8(-(\k))
        sum     \e, T
        right_2 \b, 0, r0               /* ROTL 30 of b */
        .endm

        .macro  four_rounds f k
        ldi     THIRTY_TWO, 32
        round   \f, \k, A, B, C, D, E, 0
        round   \f, \k, E, A, B, C, D, 1
        round   \f, \k, D, E, A, B, C, 2
        round   \f, \k, C, D, E, A, B, 3
        copy    T, A
        copy    A, B
        copy    B, C
        copy    C, D
        copy    D, E
        copy    E, T
        adiw    r30, 16
        ret
        .endm

/* r<T> ^= the word at \at from \pointer. 12 cycles. */
        .macro  xor_be pointer at
        ldd     r0, \pointer+\at
        eor     T+3, r0
        ldd     r0, \pointer+\at+1
        eor     T+2, r0
        ldd     r0, \pointer+\at+2
        eor     T+1, r0
        ldd     r0, \pointer+\at+3
        eor     T, r0
        .endm

/* W_t in place of W_(t-16) at \j words from Y. Where W_(t-14) and W_(t-3) are; W_(t-8) is as far
 * from Z. 57 cycles. */
        .macro  expand j early early_at late late_at
        load_be T, Y, 4*\j
        xor_be  \early, 4*\early_at
        xor_be  Z, 4*\j
        xor_be  \late, 4*\late_at
        left_1  T
        store_be Y, 4*\j, T
        .endm

/* An octet of the state at X += \register. 5 cycles. */
        .macro  add_to_state register
        ld      r0, X
        add     r0, \register
        st      X+, r0
        .endm
        .macro  adc_to_state register
        ld      r0, X
        adc     r0, \register
        st      X+, r0
        .endm

        .macro  load_state register
        ld      \register, X+
        .endm

        .macro  take register rest:vararg
        add_to_state \register
        for_each adc_to_state, \rest
        .endm

        .section .text.wm_sha1_compress, "ax", @progbits
        .globl  wm_sha1_compress
        .type   wm_sha1_compress, @function
/* void wm_sha1_compress(uint32_t *state (r25:r24), wm_md64 *md (r23:r22)) */
wm_sha1_compress:
        save
        movw    r26, r24
        movw    r30, r22
        adiw    r30, 8                  /* Z: block of wm_md64 */
        for_each load_state, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21
        rcall   rounds_0
        rcall   rounds_0
        rcall   rounds_0
        rcall   rounds_0
        rcall   schedule
        rcall   rounds_0
        rcall   rounds_20
        rcall   rounds_20
        rcall   rounds_20
        rcall   schedule
        rcall   rounds_20
        rcall   rounds_20
        rcall   rounds_40
        rcall   rounds_40
        rcall   schedule
        rcall   rounds_40
        rcall   rounds_40
        rcall   rounds_40
        rcall   rounds_60
        rcall   schedule
        rcall   rounds_60
        rcall   rounds_60
        rcall   rounds_60
        rcall   rounds_60
        sbiw    r26, 20
        take    2, 3, 4, 5
        take    6, 7, 8, 9
        take    10, 11, 12, 13
        take    14, 15, 16, 17
        take    18, 19, 20, 21
        return
        .size   wm_sha1_compress, . - wm_sha1_compress

rounds_0:
        four_rounds ch, 0x5a827999
rounds_20:
        four_rounds parity, 0x6ed9eba1
rounds_40:
        four_rounds maj, 0x8f1bbcdc
rounds_60:
        four_rounds parity, 0xca62c1d6

/* Sixteen W_t in place; Z, at the end of the block, points to its beginning afterwards. */
schedule:
        subi    r30, lo8(BLOCK_OCTETS/2)
        sbci    r31, hi8(BLOCK_OCTETS/2)
        movw    r28, r30
        subi    r28, lo8(BLOCK_OCTETS/2)
        sbci    r29, hi8(BLOCK_OCTETS/2)
        clr     r1
        set /* T: Y is W_0 to W_7, Z W_8 to W_15; afterwards the other way round */
1:      expand  0, Y, 2, Z, 5
        expand  1, Y, 3, Z, 6
        expand  2, Y, 4, Z, 7
        expand  3, Y, 5, Y, 0
        expand  4, Y, 6, Y, 1
        expand  5, Y, 7, Y, 2
        expand  6, Z, 0, Y, 3
        expand  7, Z, 1, Y, 4
        movw    T, r28
        movw    r28, r30
        movw    r30, T
        brtc    2f
        clt
        rjmp    1b
2:      movw    r30, r28
        ret
