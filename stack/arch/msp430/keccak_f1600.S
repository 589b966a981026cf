/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-f[1600] for the MSP430: takes the place of src/hash/keccak_f1600.c, which is its
 * reference.
 * References: FIPS 202 §3; lane (x, y) is octets 8 (x + 5 y) to 8 (x + 5 y) + 7, least significant
 * first.
 * Invariants: nothing depends on the state: no branch and no address.
 *
 * A round takes the state from one place to another: theta, rho and pi lane by lane, then chi in
 * place, sixteen bits of a row at a time, which also adds up the columns for the next theta. The
 * other place is in the stack. Rotation by sixteen bits is a matter of which register is named, one
 * by eight is four exchanges of octets.
 *
 * Cycles of a round: 2 460; 145 for theta of the columns, 1 170 for theta, rho and pi of the lanes,
 * 1 100 for chi and the columns, the rest for iota and the loop. */

#include "frame.inc"
#include "state_octets.inc"

/* theta, rho and pi */
#define D0 r4 /* what theta adds to a column */
#define D1 r5
#define D2 r6
#define D3 r7
#define L0 r8 /* a lane */
#define L1 r9
#define L2 r10
#define L3 r11
#define FROM r12
#define TO r13
#define U r14
#define V r15

/* chi */
#define A r4
#define B r5
#define C r6
#define D r7
#define E r8
#define T r9
#define SUM0 r10
#define SUM1 r11
#define STATE r12
#define SUM2 r13
#define SUM3 r14
#define SUM4 r15

/* In the stack, from the stack pointer on: theta's columns, by x, 40 octets; then */
#define IOTA 40   /* where the round constant is */
#define OTHER 42  /* during chi: where the state came from */
#define PLACE 44  /* the state after odd rounds */
#define FRAME 244

        .section .rodata.keccak_iota, "a", @progbits
        .balign 2
/* RC of each round (§3.2.5), without bits 32 to 47, which are 0. */
iota:
        .short  0x0001, 0x0000, 0x0000, 0x8082, 0x0000, 0x0000
        .short  0x808a, 0x0000, 0x8000, 0x8000, 0x8000, 0x8000
        .short  0x808b, 0x0000, 0x0000, 0x0001, 0x8000, 0x0000
        .short  0x8081, 0x8000, 0x8000, 0x8009, 0x0000, 0x8000
        .short  0x008a, 0x0000, 0x0000, 0x0088, 0x0000, 0x0000
        .short  0x8009, 0x8000, 0x0000, 0x000a, 0x8000, 0x0000
        .short  0x808b, 0x8000, 0x0000, 0x008b, 0x0000, 0x8000
        .short  0x8089, 0x0000, 0x8000, 0x8003, 0x0000, 0x8000
        .short  0x8002, 0x0000, 0x8000, 0x0080, 0x0000, 0x8000
        .short  0x800a, 0x0000, 0x0000, 0x000a, 0x8000, 0x8000
        .short  0x8081, 0x8000, 0x8000, 0x8080, 0x0000, 0x8000
        .short  0x0001, 0x8000, 0x0000, 0x8008, 0x8000, 0x8000
iota_end:

/* Rotation by one bit of four registers, least significant first. 5 cycles. */
        .macro  LEFT a, b, c, d
        rla     \a
        rlc     \b
        rlc     \c
        rlc     \d
        adc     \a
        .endm

        .macro  RIGHT a, b, c, d
        bit     #1, \a
        rrc     \d
        rrc     \c
        rrc     \b
        rrc     \a
        .endm

/* The lower octet of \b into \a, whose octets then change places. */
        .macro  OCTET a, b
        mov     \b, V
        xor.b   \a, V
        xor     V, \a
        swpb    \a
        .endm

/* Rotates the lane by eight bits to the right. 16 cycles. */
        .macro  RIGHT8
        mov     L0, U
        OCTET   L0, L1
        OCTET   L1, L2
        OCTET   L2, L3
        xor.b   L3, U
        xor     U, L3
        swpb    L3
        .endm

        .macro  STORE a, b, c, d
        mov     \a, place(TO)
        mov     \b, place+2(TO)
        mov     \c, place+4(TO)
        mov     \d, place+6(TO)
        .endm

/* Rotates the lane by `bits`, -5..5, to the left. */
        .macro  ROTATE
        .if     bits > 0
        .rept   bits
        LEFT    L0, L1, L2, L3
        .endr
        .else
        .rept   0 - bits
        RIGHT   L0, L1, L2, L3
        .endr
        .endif
        .endm

/* Lane (x, y), to which theta adds D, rotated by \left, to lane (y, 2x + 3y). Six bits and more are
 * eight, and bits the other way. */
        .macro  LANE x, y, left
        mov     @FROM+, L0
        mov     @FROM+, L1
        mov     @FROM+, L2
        mov     @FROM+, L3
        .if     \y < 4
        add     #32, FROM
        .endif
        xor     D0, L0
        xor     D1, L1
        xor     D2, L2
        xor     D3, L3
        .set    halves, (\left + 8) / 16
        .set    bits, \left - 16 * halves
        .if     bits > 5 || bits < 0-5
        RIGHT8
        .set    halves, (\left + 16) / 16
        .set    bits, \left + 8 - 16 * halves
        .endif
        ROTATE
        .set    place, 8 * (5 * ((2 * \x + 3 * \y) % 5) + \y)
        .if     halves % 4 == 0
        STORE   L0, L1, L2, L3
        .elseif halves % 4 == 1
        STORE   L3, L0, L1, L2
        .elseif halves % 4 == 2
        STORE   L2, L3, L0, L1
        .else
        STORE   L1, L2, L3, L0
        .endif
        .endm

/* theta (§3.2.1), rho and pi (§3.2.2, §3.2.3) of five lanes. \before and \behind are where sums of
 * columns are. */
        .macro  COLUMN x, before, behind, r0, r1, r2, r3, r4
        mov     \behind(SP), D0
        mov     \behind+2(SP), D1
        mov     \behind+4(SP), D2
        mov     \behind+6(SP), D3
        LEFT    D0, D1, D2, D3
        xor     \before(SP), D0
        xor     \before+2(SP), D1
        xor     \before+4(SP), D2
        xor     \before+6(SP), D3
        LANE    \x, 0, \r0
        LANE    \x, 1, \r1
        LANE    \x, 2, \r2
        LANE    \x, 3, \r3
        LANE    \x, 4, \r4
        .endm

/* chi (§3.2.4) of sixteen bits of a row: each product goes straight to its lane, and to the sum of
 * the column; \add begins or continues the sums. 51 cycles. */
        .macro  CHI at, add
        mov     \at(STATE), A
        mov     \at+8(STATE), B
        mov     \at+16(STATE), C
        mov     \at+24(STATE), D
        mov     \at+32(STATE), E
        \add   A, SUM0
        \add   B, SUM1
        \add   C, SUM2
        \add   D, SUM3
        \add   E, SUM4
        mov     B, T
        bic     A, T
        xor     T, \at+32(STATE)
        xor     T, SUM4
        bic     E, A
        xor     A, \at+24(STATE)
        xor     A, SUM3
        bic     D, E
        xor     E, \at+16(STATE)
        xor     E, SUM2
        bic     C, D
        xor     D, \at+8(STATE)
        xor     D, SUM1
        bic     B, C
        xor     C, \at(STATE)
        xor     C, SUM0
        .endm

/* chi of sixteen bits of each row, and the columns' sums. */
        .macro  ROWS at
        CHI     \at, mov
        CHI     40+\at, xor
        CHI     80+\at, xor
        CHI     120+\at, xor
        CHI     160+\at, xor
        mov     SUM0, \at(SP)
        mov     SUM1, 8+\at(SP)
        mov     SUM2, 16+\at(SP)
        mov     SUM3, 24+\at(SP)
        mov     SUM4, 32+\at(SP)
        .endm

        .section .text.wm_keccak_f1600, "ax", @progbits
        .balign 2
        .globl  wm_keccak_f1600
        .type   wm_keccak_f1600, @function
/* void wm_keccak_f1600(wm_keccak_state *state (r12)) */
wm_keccak_f1600:
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    r11
        sub     #FRAME, SP
        mov     #iota, IOTA(SP)
        mov     SP, r14
        mov     FROM, r13
        mov     #20, r15
1:                                      /* the columns of the state as it is given */
        mov     @r13+, r11
        xor     38(r13), r11
        xor     78(r13), r11
        xor     118(r13), r11
        xor     158(r13), r11
        mov     r11, 0(r14)
        incd    r14
        dec     r15
        jnz     1b
        mov     SP, TO
        add     #PLACE, TO
.Lround:
        COLUMN  0, 32, 8, 0, 36, 3, 41, 18
        sub     #160, FROM
        COLUMN  1, 0, 16, 1, 44, 10, 45, 2
        sub     #160, FROM
        COLUMN  2, 8, 24, 62, 6, 43, 15, 61
        sub     #160, FROM
        COLUMN  3, 16, 32, 28, 55, 25, 21, 56
        sub     #160, FROM
        COLUMN  4, 24, 0, 27, 20, 39, 8, 14
        sub     #200, FROM
        mov     FROM, OTHER(SP)
        mov     TO, STATE
        ROWS    0
        ROWS    2
        ROWS    4
        ROWS    6
        mov     IOTA(SP), U             /* iota (§3.2.5), of the state and of the columns */
        mov     @U+, V
        xor     V, 0(STATE)
        xor     V, 0(SP)
        mov     @U+, V
        xor     V, 2(STATE)
        xor     V, 2(SP)
        mov     @U+, V
        xor     V, 6(STATE)
        xor     V, 6(SP)
        mov     U, IOTA(SP)
        mov     OTHER(SP), TO           /* what was written is read next, and the other way round */
        cmp     #iota_end, U
        jeq     2f
        br      #.Lround
2:
        WIPE_FRAME FRAME, r15
        pop     r11
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
        .size   wm_keccak_f1600, . - wm_keccak_f1600

        OCTETS_XOR wm_keccak_f1600
        OCTETS_EXTRACT wm_keccak_f1600
