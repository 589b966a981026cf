/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-f[1600] for the AVR: takes the place of src/hash/keccak_f1600.c, which is its reference.
 * References: FIPS 202 §3; lane (x, y) is octets 8 (x + 5 y) to 8 (x + 5 y) + 7, least significant
 * first.
 * Invariants: nothing depends on the state: no branch and no address.
 *
 * A round takes the state from one place to another: theta, rho and pi lane by lane, then chi in
 * place, octet by octet of five rows at a time, which also adds up the columns for the next theta.
 * The other place is in the stack. Rotation by whole octets is a matter of which register is named.
 * While rounds go on the lanes COMPLEMENTED are stored inverted, so that chi's 25 complements
 * become 8: with b inverted and c not, ~b & c is one instruction, and with c inverted it is the
 * complement of one. theta and pi take that pattern to another, which chi takes back.
 *
 * Cycles of a round: 3 600, half of them for theta, rho and pi, half for chi, iota and the
 * columns. */

#include "aes128_registers.inc"
#include "state_octets.inc"

#define SPL 0x3d
#define SPH 0x3e
#define SREG 0x3f

#define ROUND r0
#define ZERO r1

/* What is in the stack, from Y + 1 on; addresses of SUMS and of the two places of the state are in
 * Z, X, Y. */
#define PLACE 0   /* the state after odd rounds */
#define SUMS 200  /* theta's columns, by x */
#define IOTA 240  /* the round constant */
#define FRAME 248

        .section .rodata.keccak_iota, "a", @progbits
/* RC of each round (§3.2.5): bits 0, 1, 3 and 7 in their places, bits 15, 31 and 63 as 2, 4 and
 * 5. */
iota:
        .byte   0x01, 0x86, 0xae, 0x34, 0x8f, 0x11, 0xb5, 0x2d, 0x8a, 0x88, 0x1d, 0x1a
        .byte   0x9f, 0xab, 0xad, 0x27, 0x26, 0xa0, 0x0e, 0x3a, 0xb5, 0xa4, 0x11, 0x3c

/* Registers of theta, by number so that they can be computed with: two of the columns' sums, and a
 * lane. */
        .set    FIRST, 2
        .set    SECOND, 10
        .set    LANE, 18

/* LANE rotated to the left by one bit, 9 cycles; and to the right, 10. */
        .macro  lane_left
        lsl     r18
        rol     r19
        rol     r20
        rol     r21
        rol     r22
        rol     r23
        rol     r24
        rol     r25
        adc     r18, ZERO
        .endm

        .macro  lane_right
        bst     r18, 0
        lsr     r25
        ror     r24
        ror     r23
        ror     r22
        ror     r21
        ror     r20
        ror     r19
        ror     r18
        bld     r25, 7
        .endm

/* Y to an address from which slot \to can be reached; `reached` is where it is now. */
        .macro  reach to
        .if     (8 * (\to) < reached) || (8 * (\to) > reached + 56)
        subi    YL, lo8(reached - 8 * (\to))
        sbci    YH, hi8(reached - 8 * (\to))
        .set    reached, 8 * (\to)
        .endif
        .endm

/* Lane (x, y), with \sum what theta adds to it, rotated by \left, to lane (y, 2x + 3y). */
        .macro  lane sum x y left
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        ld      LANE + \i, X+
        .endr
        .if     \y < 4
        adiw    XL, 32
        .endif
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        eor     LANE + \i, \sum + \i
        .endr
        .set    octets, (\left + 3) / 8
        .set    bits, \left - 8 * octets
        .if     bits > 0
        .rept   bits
        lane_left
        .endr
        .else
        .rept   -bits
        lane_right
        .endr
        .endif
        .set    slot, 5 * ((2 * \x + 3 * \y) % 5) + \y
        reach   slot
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        std     Y + (8 * slot - reached + \i), LANE + ((\i - octets) & 7)
        .endr
        .endm

/* theta (§3.2.1), rho and pi of five lanes. \before holds the sum of column x - 1 and becomes what
 * is added to column x; the sum of column x + 1 goes to \behind. */
        .macro  column x before behind r0 r1 r2 r3 r4
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        ldd     \behind + \i, Z + 8 * ((\x + 1) % 5) + \i
        .endr
        .irp    i, 0, 2, 4, 6
        movw    LANE + \i, \behind + \i
        .endr
        lane_left
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        eor     \before + \i, LANE + \i
        .endr
        lane    \before, \x, 0, \r0
        lane    \before, \x, 1, \r1
        lane    \before, \x, 2, \r2
        lane    \before, \x, 3, \r3
        lane    \before, \x, 4, \r4
        .endm

/* From the end of one column to the beginning of another. */
        .macro  next_column from to
        subi    XL, lo8(8 * (\from - \to) + 168)
        sbci    XH, hi8(8 * (\from - \to) + 168)
        .endm

#define A r2
#define B r3
#define C r4
#define D r5
#define E r6
#define T r7
#define U r8
#define SUM0 r9
#define SUM1 r10
#define SUM2 r11
#define SUM3 r12
#define SUM4 r13
#define COUNT r18

/* \p = \a ^ (\p \op \q), complemented before or after where the pattern of complements wants it. */
        .macro  product p op q a before after
        .ifc    \before, com
        com     \p
        .endif
        \op     \p, \q
        eor     \p, \a
        .ifc    \after, com
        com     \p
        .endif
        .endm

        .macro  put at sum value
        std     Z + \at, \value
        eor     \sum, \value
        .endm

        .macro  load_row
        ld      A, Z
        ldd     B, Z+8
        ldd     C, Z+16
        ldd     D, Z+24
        ldd     E, Z+32
        .endm

/* The rest of a row, whose lanes 0 and 2 need copies of what others read. */
        .macro  rest_of_row op1 before1 after1 op4 op3 after3
        product C, \op1, D, B, \before1, \after1
        put     8, SUM1, C
        product B, \op4, A, E
        put     32, SUM4, B
        product E, \op3, A, D, , \after3
        put     24, SUM3, E
        .endm

/* Z to the next row; and from behind the last to the next octet of the first. */
        .macro  next_row
        adiw    ZL, 40
        .endm

        .macro  next_octets
        subi    ZL, 159
        sbci    ZH, 0
        .endm

/* Puts the sums, for which Y goes on to the next octet. */
        .macro  put_sums
        st      Y, SUM0
        std     Y+8, SUM1
        std     Y+16, SUM2
        std     Y+24, SUM3
        std     Y+32, SUM4
        adiw    YL, 1
        .endm

/* Inverts the lanes COMPLEMENTED of the row at Z, of one octet, and adds the row to the sums. */
        .macro  take_row complemented:vararg
        load_row
        .ifnb   \complemented
        for_each com, \complemented
        .endif
        st      Z, A
        std     Z+8, B
        std     Z+16, C
        std     Z+24, D
        std     Z+32, E
        eor     SUM0, A
        eor     SUM1, B
        eor     SUM2, C
        eor     SUM3, D
        eor     SUM4, E
        .endm

        .section .text.wm_keccak_f1600, "ax", @progbits
/* Inverts lanes 1, 2, 8, 12, 17 and 20 (COMPLEMENTED) of the state at Z and adds up its columns at
 * Y. Leaves Y behind the first column, Z behind the first lane. */
take_state:
        ldi     COUNT, 8
1:
        for_each clr, SUM0, SUM1, SUM2, SUM3, SUM4
        take_row B, C
        next_row
        take_row D
        next_row
        take_row C
        next_row
        take_row C
        next_row
        take_row A
        next_octets
        put_sums
        dec     COUNT
        breq    2f
        rjmp    1b
2:
        ret

        .globl  wm_keccak_f1600
        .type   wm_keccak_f1600, @function
/* void wm_keccak_f1600(wm_keccak_state *state (r25:r24)) */
wm_keccak_f1600:
        for_each push, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, \
                r28, r29
        in      YL, SPL
        in      YH, SPH
        subi    YL, FRAME
        sbci    YH, 0
        in      r0, SREG
        cli
        out     SPH, YH
        out     SREG, r0
        out     SPL, YL
        movw    ZL, r24
        subi    YL, lo8(-(1 + SUMS))
        sbci    YH, hi8(-(1 + SUMS))
        std     Y+40+2, ZERO
        std     Y+40+4, ZERO
        std     Y+40+5, ZERO
        std     Y+40+6, ZERO
        rcall   take_state
        movw    XL, ZL
        sbiw    XL, 8                   /* X: the state */
        sbiw    YL, 8
        movw    ZL, YL                  /* Z: sums */
        subi    YL, SUMS
        sbci    YH, 0                   /* Y: the other place */
        clr     ROUND
.Lround:
        .set    reached, 0
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        ldd     FIRST + \i, Z + 32 + \i
        .endr
        column  0, FIRST, SECOND, 0, 36, 3, 41, 18
        next_column 0, 2
        column  2, SECOND, FIRST, 62, 6, 43, 15, 61
        next_column 2, 4
        column  4, FIRST, SECOND, 27, 20, 39, 8, 14
        next_column 4, 1
        column  1, SECOND, FIRST, 1, 44, 10, 45, 2
        next_column 1, 3
        column  3, FIRST, SECOND, 28, 55, 25, 21, 56
        next_column 3, 0
        reach   0

        movw    LANE, ZL
        ldi     ZL, lo8(iota)
        ldi     ZH, hi8(iota)
        add     ZL, ROUND
        adc     ZH, ZERO
        ld      T, Z
        movw    ZL, YL                  /* Z: the state in its new place */
        movw    YL, LANE                /* Y: sums */
        clr     U
        bst     T, 2
        bld     U, 7
        std     Y+40+1, U
        bst     T, 4
        bld     U, 7
        std     Y+40+3, U
        bst     T, 5
        bld     U, 7
        std     Y+40+7, U
        ldi     r19, 0x8b
        and     T, r19
        std     Y+40, T
        ldi     COUNT, 8
.Loctet:
        /* chi (§3.2.4) and iota (§3.2.5) */
        load_row
        ldd     SUM0, Y+40
        mov     T, B
        product T, or, C, A
        eor     T, SUM0
        st      Z, T
        mov     SUM0, T
        mov     SUM2, D
        product SUM2, and, E, C
        std     Z+16, SUM2
        product C, or, D, B, com
        std     Z+8, C
        mov     SUM1, C
        product B, and, A, E
        std     Z+32, B
        mov     SUM4, B
        product E, or, A, D
        std     Z+24, E
        mov     SUM3, E
        next_row
        load_row
        mov     T, B
        product T, or, C, A
        put     0, SUM0, T
        mov     T, E
        product T, or, D, C, com
        put     16, SUM2, T
        rest_of_row and, , , and, or
        next_row
        load_row
        mov     T, B
        product T, or, C, A
        put     0, SUM0, T
        mov     T, D
        product T, and, E, C, com
        put     16, SUM2, T
        rest_of_row and, , , and, or, com
        next_row
        load_row
        mov     T, B
        product T, and, C, A
        put     0, SUM0, T
        mov     T, D
        product T, or, E, C, com
        put     16, SUM2, T
        rest_of_row or, , , or, and, com
        next_row
        load_row
        mov     T, B
        product T, and, C, A, com
        put     0, SUM0, T
        mov     T, D
        product T, and, E, C
        put     16, SUM2, T
        rest_of_row or, , com, and, or
        next_octets
        put_sums
        dec     COUNT
        breq    3f
        rjmp    .Loctet
3:
        sbiw    YL, 8
        sbiw    ZL, 8
        movw    LANE, ZL                /* what was written is read next, and the other way round */
        movw    ZL, YL
        movw    YL, XL
        movw    XL, LANE
        inc     ROUND
        ldi     COUNT, 24
        cpse    ROUND, COUNT
        rjmp    .Lround

        movw    YL, ZL
        movw    ZL, XL
        rcall   take_state              /* inverts once more; the sums do not matter */
        subi    YL, lo8(SUMS + 8)
        sbci    YH, hi8(SUMS + 8)
        ldi     COUNT, FRAME / 2        /* nothing of the state stays in the stack */
4:
        st      Y+, ZERO
        st      Y+, ZERO
        dec     COUNT
        brne    4b
        sbiw    YL, 1
        in      r0, SREG
        cli
        out     SPH, YH
        out     SREG, r0
        out     SPL, YL
        for_each pop, r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, \
                r3, r2
        ret
        .size   wm_keccak_f1600, . - wm_keccak_f1600

        octets_xor wm_keccak_f1600
        octets_extract wm_keccak_f1600
