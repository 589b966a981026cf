/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[200] for the AVR, the state in registers: takes the place of src/hash/keccak_p200.c,
 * which is its reference.
 * References: FIPS 202 §3.
 * Invariants: no branch and no address depends on the state.
 *
 * Lane i of the state, (x, y) at x + 5 y, is register i. Above the stack pointer lies the address
 * of the next round constant.
 *
 * Cycles: 274 a round, 189 around them. */

/* Parities of columns; scratch otherwise. */
#define C0 25
#define C1 26
#define C2 27
#define C3 28
#define C4 29
#define T 30
#define ZERO 31

/* To the left by an offset of rho. */
        .macro  rotate lane, offset
        .if ((\offset) & 7) >= 3 && ((\offset) & 7) <= 6
        swap    \lane
        turn    \lane, (\offset) - 4
        .else
        turn    \lane, \offset
        .endif
        .endm

/* One to the right, none, or one or two to the left. */
        .macro  turn lane, n
        .if ((\n) & 7) == 7
        bst     \lane, 0
        lsr     \lane
        bld     \lane, 7
        .else
        .rept   (\n) & 7
        lsl     \lane
        adc     \lane, ZERO
        .endr
        .endif
        .endm

        .macro  parity c, column
        mov     \c, \column
        eor     \c, \column + 5
        eor     \c, \column + 10
        eor     \c, \column + 15
        eor     \c, \column + 20
        .endm

/* theta for a column between two others. */
        .macro  effect column, before, behind
        mov     T, \behind
        turn    T, 1
        eor     T, \before
        eor     \column, T
        eor     \column + 5, T
        eor     \column + 10, T
        eor     \column + 15, T
        eor     \column + 20, T
        .endm

/* rho and pi of one lane. */
        .macro  move to, from, offset
        mov     \to, \from
        rotate  \to, \offset
        .endm

/* chi (§3.2.4) with lanes 1 and 3 complemented first, which spares half of the complements. */
        .macro  chi b0, b1, b2, b3, b4
        com     \b1
        com     \b3
        mov     C0, \b2
        and     C0, \b1
        eor     C0, \b0
        mov     C1, \b2
        or      C1, \b3
        eor     C1, \b1
        mov     T, \b4
        and     T, \b3
        eor     \b2, T
        com     \b0
        com     \b1
        and     \b1, \b0
        or      \b0, \b4
        eor     \b4, \b1
        eor     \b3, \b0
        mov     \b0, C0
        mov     \b1, C1
        .endm

        .section .progmem.wm_keccak_p200, "a", @progbits
constants: /* RC (§3.2.5), 8 bits of each */
        .byte   0x01, 0x82, 0x8a, 0x00, 0x8b, 0x01, 0x81, 0x09, 0x8a
        .byte   0x88, 0x09, 0x0a, 0x8b, 0x8b, 0x89, 0x03, 0x02, 0x80
constants_end:

        .section .text.wm_keccak_p200, "ax", @progbits
        .globl  wm_keccak_p200
        .type   wm_keccak_p200, @function
/* void wm_keccak_p200(uint8_t state[25] (r25:r24), uint8_t rounds (r22)) */
wm_keccak_p200:
        .irp    register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
        push    \register
        .endr
        push    r24
        push    r25
        movw    r26, r24
        clr     ZERO
        ldi     r24, lo8(constants_end)
        ldi     r25, hi8(constants_end)
        sub     r24, r22
        sbc     r25, ZERO
        push    r25
        push    r24
        .irp    register, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, \
                20, 21, 22, 23, 24
        ld      \register, X+
        .endr
1:
        parity  C0, 0
        parity  C1, 1
        parity  C2, 2
        parity  C3, 3
        parity  C4, 4
        effect  0, C4, C1
        effect  1, C0, C2
        effect  2, C1, C3
        effect  3, C2, C4
        effect  4, C3, C0
        mov     T, 1
        move    1, 6, 44
        move    6, 9, 20
        move    9, 22, 61
        move    22, 14, 39
        move    14, 20, 18
        move    20, 2, 62
        move    2, 12, 43
        move    12, 13, 25
        move    13, 19, 8
        move    19, 23, 56
        move    23, 15, 41
        move    15, 4, 27
        move    4, 24, 14
        move    24, 21, 2
        move    21, 8, 55
        move    8, 16, 45
        move    16, 5, 36
        move    5, 3, 28
        move    3, 18, 21
        move    18, 17, 15
        move    17, 11, 10
        move    11, 7, 6
        move    7, 10, 3
        move    10, T, 1
        chi     0, 1, 2, 3, 4
        chi     5, 6, 7, 8, 9
        chi     10, 11, 12, 13, 14
        chi     15, 16, 17, 18, 19
        chi     20, 21, 22, 23, 24
        pop     r30
        pop     r31
        lpm     C0, Z+
        eor     r0, C0
        cpi     r30, lo8(constants_end)
        breq    2f
        push    r31
        push    r30
        clr     ZERO
        rjmp    1b
2:
        pop     r27
        pop     r26
        .irp    register, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, \
                20, 21, 22, 23, 24
        st      X+, \register
        .endr
        clr     r1
        .irp    register, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
        pop     \register
        .endr
        ret
        .size   wm_keccak_p200, . - wm_keccak_p200
