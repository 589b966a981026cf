/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ascon permutation for the AVR: takes the place of src/hash/ascon_permutation.c, which is its
 * reference.
 * References: SP 800-232 §3.
 * Invariants: nothing depends on the state: no table, no branch and no address.
 *
 * Half of a state fits registers beside what a linear layer needs. Between rounds S_2, S_3 and the
 * lower half of S_4 are in them, S_0, S_1 and the upper half of S_4 in memory at Z; the S-box takes
 * S_2 and S_3 out of their registers and leaves S_0 and S_1 there. Rotation by whole octets is a
 * matter of which register is named.
 *
 * Cycles of a round: 557; 232 for the S-box, 76, 63, 64, 56 and 59 for Sigma_0 to Sigma_4 with what
 * they load and store, the rest for the constant and the loop. */

#include "aes128_registers.inc"
#include "state_octets.inc"

#define CONSTANT r0
#define ZERO r1
#define A0 r2 /* S_3 between rounds */
#define A1 r3
#define A2 r4
#define A3 r5
#define A4 r6
#define A5 r7
#define A6 r8
#define A7 r9
#define B0 r10 /* S_2 between rounds */
#define B1 r11
#define B2 r12
#define B3 r13
#define B4 r14
#define B5 r15
#define B6 r16
#define B7 r17
#define T0 r18
#define T1 r19
#define T2 r20
#define T3 r21
#define T4 r22
#define T5 r23
#define T6 r24
#define T7 r25
#define H0 r26 /* S_4, lower half */
#define H1 r27
#define H2 r28
#define H3 r29

/* §3.3 on eight columns, with a = x_0 ^ x_4, c = x_1 ^ x_2, e = x_3 ^ x_4:
 *   x_3' = (x_0 | e) ^ c,  x_2' = (~e | x_3) ^ c,
 *   x_1' = ((x_3 ^ x_1) | c) ^ a,  x_0' = ((c ^ a) | x_1) ^ e,
 *   x_4' = (~a & x_1) ^ e.
 * x_0 and x_1 are octets of memory, x_2' and x_3' go there; x_1' takes the register of x_3, x_0'
 * that of x_2. 27 cycles. */
        .macro  substitute i x2 x3 x4
        ldd     T0, Z+\i
        ldd     T1, Z+8+\i
        mov     T2, T0
        eor     T2, \x4                 /* a */
        eor     \x2, T1                 /* c */
        eor     \x4, \x3                /* e */
        or      T0, \x4
        eor     T0, \x2
        std     Z+24+\i, T0
        mov     T3, \x4
        com     T3
        or      T3, \x3
        eor     T3, \x2
        std     Z+16+\i, T3
        eor     \x3, T1
        or      \x3, \x2
        eor     \x3, T2
        eor     \x2, T2
        or      \x2, T1
        eor     \x2, \x4
        com     T2
        and     T2, T1
        eor     \x4, T2
        .endm

/* The same where x_4 is in memory too. */
        .macro  substitute_upper i x2 x3
        ldd     T4, Z+32+\i
        substitute \i, \x2, \x3, T4
        std     Z+32+\i, T4
        .endm

        .macro  load_word at a b c d e f g h
        ldd     \a, Z+\at
        ldd     \b, Z+\at+1
        ldd     \c, Z+\at+2
        ldd     \d, Z+\at+3
        ldd     \e, Z+\at+4
        ldd     \f, Z+\at+5
        ldd     \g, Z+\at+6
        ldd     \h, Z+\at+7
        .endm

        .macro  store_word at a b c d e f g h
        std     Z+\at, \a
        std     Z+\at+1, \b
        std     Z+\at+2, \c
        std     Z+\at+3, \d
        std     Z+\at+4, \e
        std     Z+\at+5, \f
        std     Z+\at+6, \g
        std     Z+\at+7, \h
        .endm

/* Rotation of eight registers, least significant first, to the left by one bit. 9 cycles. */
        .macro  rotate_left a b c d e f g h
        lsl     \a
        rol     \b
        rol     \c
        rol     \d
        rol     \e
        rol     \f
        rol     \g
        rol     \h
        adc     \a, ZERO
        .endm

/* Shifts to the right by one bit; what falls out is the carry. */
        .macro  shift_right a b c d e f g h
        lsr     \h
        ror     \g
        ror     \f
        ror     \e
        ror     \d
        ror     \c
        ror     \b
        ror     \a
        .endm

/* Rotates to the right by one bit. 10 cycles. */
        .macro  rotate_right a b c d e f g h
        bst     \a, 0
        shift_right \a, \b, \c, \d, \e, \f, \g, \h
        bld     \h, 7
        .endm

/* T = a word. */
        .macro  copy a b c d e f g h
        movw    T0, \a
        movw    T2, \c
        movw    T4, \e
        movw    T6, \g
        .endm

/* T_i ^= the register named i-th, or the other way round. */
        .macro  add_to_t a b c d e f g h
        eor     T0, \a
        eor     T1, \b
        eor     T2, \c
        eor     T3, \d
        eor     T4, \e
        eor     T5, \f
        eor     T6, \g
        eor     T7, \h
        .endm

        .macro  add_t a b c d e f g h
        eor     \a, T0
        eor     \b, T1
        eor     \c, T2
        eor     \d, T3
        eor     \e, T4
        eor     \f, T5
        eor     \g, T6
        eor     \h, T7
        .endm

/* Sigma_0: x ^ (x ^ x >>> 9) >>> 19 */
        .macro  sigma_0 a b c d e f g h
        copy    \a, \b, \c, \d, \e, \f, \g, \h
        rotate_right T0, T1, T2, T3, T4, T5, T6, T7
        add_to_t \h, \a, \b, \c, \d, \e, \f, \g
        rotate_right T1, T2, T3, T4, T5, T6, T7, T0
        rotate_right T1, T2, T3, T4, T5, T6, T7, T0
        rotate_right T1, T2, T3, T4, T5, T6, T7, T0
        add_t   \f, \g, \h, \a, \b, \c, \d, \e
        .endm

/* Sigma_1: x ^ (x <<< 2 ^ x <<< 24) <<< 1 */
        .macro  sigma_1 a b c d e f g h
        copy    \a, \b, \c, \d, \e, \f, \g, \h
        rotate_left T0, T1, T2, T3, T4, T5, T6, T7
        rotate_left T0, T1, T2, T3, T4, T5, T6, T7
        add_to_t \f, \g, \h, \a, \b, \c, \d, \e
        rotate_left T0, T1, T2, T3, T4, T5, T6, T7
        add_t   \a, \b, \c, \d, \e, \f, \g, \h
        .endm

/* Sigma_2: x >>> 1 ^ (x ^ x <<< 2 >>> 8) */
        .macro  sigma_2 a b c d e f g h
        copy    \a, \b, \c, \d, \e, \f, \g, \h
        rotate_left T0, T1, T2, T3, T4, T5, T6, T7
        rotate_left T0, T1, T2, T3, T4, T5, T6, T7
        add_to_t \h, \a, \b, \c, \d, \e, \f, \g
        rotate_right \a, \b, \c, \d, \e, \f, \g, \h
        add_t   \h, \a, \b, \c, \d, \e, \f, \g
        .endm

/* Sigma_3: x ^ (x >>> 9 ^ x >>> 16) >>> 1 */
        .macro  sigma_3 a b c d e f g h
        copy    \a, \b, \c, \d, \e, \f, \g, \h
        rotate_right T0, T1, T2, T3, T4, T5, T6, T7
        add_to_t \b, \c, \d, \e, \f, \g, \h, \a
        rotate_right T1, T2, T3, T4, T5, T6, T7, T0
        add_t   \h, \a, \b, \c, \d, \e, \f, \g
        .endm

/* Sigma_4: x ^ x <<< 1 >>> 8 ^ x >>> 1 >>> 40. Octet i of the result is in T_(i+1). */
        .macro  sigma_4 a b c d e f g h
        copy    \a, \b, \c, \d, \e, \f, \g, \h
        rotate_left T0, T1, T2, T3, T4, T5, T6, T7
        add_to_t \h, \a, \b, \c, \d, \e, \f, \g
        rotate_right \a, \b, \c, \d, \e, \f, \g, \h
        add_to_t \e, \f, \g, \h, \a, \b, \c, \d
        .endm

        .section .text.wm_ascon_permute, "ax", @progbits
        .globl  wm_ascon_permute
        .type   wm_ascon_permute, @function
/* void wm_ascon_permute(wm_ascon_state *state (r25:r24), uint8_t rounds (r22)) */
wm_ascon_permute:
        for_each push, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, \
                r28, r29
        movw    ZL, r24
        ldi     T0, 15
        mul     T0, r22
        ldi     T0, 0x3c
        add     CONSTANT, T0            /* §3.2: 0x3c + 15 for each round to come */
        clr     ZERO
        load_word 16, B0, B1, B2, B3, B4, B5, B6, B7
        load_word 24, A0, A1, A2, A3, A4, A5, A6, A7
        ldd     H0, Z+32
        ldd     H1, Z+33
        ldd     H2, Z+34
        ldd     H3, Z+35
.Lround:
        eor     B0, CONSTANT
        substitute 0, B0, A0, H0
        substitute 1, B1, A1, H1
        substitute 2, B2, A2, H2
        substitute 3, B3, A3, H3
        substitute_upper 4, B4, A4
        substitute_upper 5, B5, A5
        substitute_upper 6, B6, A6
        substitute_upper 7, B7, A7
        sigma_1 A0, A1, A2, A3, A4, A5, A6, A7
        store_word 8, A0, A1, A2, A3, A4, A5, A6, A7
        ldd     A0, Z+36
        ldd     A1, Z+37
        ldd     A2, Z+38
        ldd     A3, Z+39
        sigma_4 H0, H1, H2, H3, A0, A1, A2, A3
        mov     H0, T1
        mov     H1, T2
        mov     H2, T3
        mov     H3, T4
        std     Z+36, T5
        std     Z+37, T6
        std     Z+38, T7
        std     Z+39, T0
        load_word 24, A0, A1, A2, A3, A4, A5, A6, A7
        sigma_3 A0, A1, A2, A3, A4, A5, A6, A7
        sigma_0 B0, B1, B2, B3, B4, B5, B6, B7
        store_word 0, B0, B1, B2, B3, B4, B5, B6, B7
        load_word 16, B0, B1, B2, B3, B4, B5, B6, B7
        sigma_2 B0, B1, B2, B3, B4, B5, B6, B7
        ldi     T0, 15
        sub     CONSTANT, T0
        ldi     T0, 0x3c
        cpse    CONSTANT, T0
        rjmp    .Lround
        store_word 16, B0, B1, B2, B3, B4, B5, B6, B7
        store_word 24, A0, A1, A2, A3, A4, A5, A6, A7
        std     Z+32, H0
        std     Z+33, H1
        std     Z+34, H2
        std     Z+35, H3
        for_each pop, r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, \
                r3, r2
        ret
        .size   wm_ascon_permute, . - wm_ascon_permute

        octets_xor wm_ascon
        octets_extract wm_ascon
        octets_decrypt wm_ascon
        octets_encrypt wm_ascon
