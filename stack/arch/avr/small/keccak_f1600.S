/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-f[1600] for the AVR in little flash: takes the place of src/hash/keccak_f1600.c, which is
 * its reference.
 * References: FIPS 202 §3; lane (x, y) is octets 8 (x + 5 y) to 8 (x + 5 y) + 7, least significant
 * first.
 * Invariants: nothing depends on the state: no branch and no address.
 *
 * Cycles of a round: 8 890; some 3 400 for theta, 3 600 for rho and pi, 1 800 for chi. */

#include "../aes128_registers.inc"
#include "../state_octets.inc"

#define SPL 0x3d
#define SPH 0x3e
#define SREG 0x3f

#define ROUND r12
#define BY r13 /* how far rho moved the lane before */
#define STATE r14 /* and r15 */
#define N r16
#define M r17
#define T0 r18 /* a lane */
#define T1 r19
#define T2 r20
#define T3 r21
#define T4 r22
#define T5 r23
#define T6 r24
#define T7 r25

/* theta's sums of columns 4, 0, 1, 2, 3, 4, 0 are in the stack. */
#define FRAME 56

        .section .rodata.keccak_small, "a", @progbits
/* 8 times where pi (§3.2.3) takes lane 1, what it takes from there, and so on until lane 1 is
 * reached again. */
place:
        .byte   80, 56, 88, 136, 144, 24, 40, 128, 64, 168, 192, 32
        .byte   120, 184, 152, 104, 96, 16, 160, 112, 176, 72, 48, 8
/* RC of each round (§3.2.5): bits 0, 1, 3 and 7 in their places, bits 15, 31 and 63 as 2, 4 and
 * 5. */
iota:
        .byte   0x01, 0x86, 0xae, 0x34, 0x8f, 0x11, 0xb5, 0x2d, 0x8a, 0x88, 0x1d, 0x1a
        .byte   0x9f, 0xab, 0xad, 0x27, 0x26, 0xa0, 0x0e, 0x3a, 0xb5, 0xa4, 0x11, 0x3c

/* Octet \at of a row: \a ^ (~\b & \c). */
        .macro  chi at a b c
        mov     r23, \b
        com     r23
        and     r23, \c
        eor     r23, \a
        std     Z+\at, r23
        .endm

/* Octet \at of lane 0 changes its bit 7 where bit \bit of the packed round constant is set. */
        .macro  iota at bit
        ldd     r20, Z+\at
        sbrc    r18, \bit
        subi    r20, 0x80
        std     Z+\at, r20
        .endm

        .section .text.wm_keccak_f1600, "ax", @progbits
/* T = the lane at X; and T ^= that lane. Either leaves X behind it. */
load_lane:
        for_each clr, T0, T1, T2, T3, T4, T5, T6, T7
add_lane:
        .irp    t, r18, r19, r20, r21, r22, r23, r24, r25
        ld      r0, X+
        eor     \t, r0
        .endr
        ret

/* Rotates T by N bits to the left: octets, then bits. */
1:
        mov     r0, T7
        mov     T7, T6
        mov     T6, T5
        mov     T5, T4
        mov     T4, T3
        mov     T3, T2
        mov     T2, T1
        mov     T1, T0
        mov     T0, r0
rotate:
        subi    N, 8
        brcc    1b
        subi    N, -8
        rjmp    3f
2:
        lsl     T0
        for_each rol, T1, T2, T3, T4, T5, T6, T7
        adc     T0, r1
3:
        subi    N, 1
        brcc    2b
        ret

        .globl  wm_keccak_f1600
        .type   wm_keccak_f1600, @function
/* void wm_keccak_f1600(wm_keccak_state *state (r25:r24)) */
wm_keccak_f1600:
        for_each push, r12, r13, r14, r15, r16, r17, r28, r29
        in      YL, SPL
        in      YH, SPH
        sbiw    YL, FRAME
        in      r0, SREG
        cli
        out     SPH, YH
        out     SREG, r0
        out     SPL, YL
        adiw    YL, 1
        movw    STATE, r24
        clr     ROUND
.Lround:
        /* theta (§3.2.1) */
        movw    ZL, STATE
        ldi     N, 40
1:
        movw    XL, ZL
        ld      r18, Z+
        ldi     M, 4
2:
        adiw    XL, 40
        ld      r0, X
        eor     r18, r0
        dec     M
        brne    2b
        std     Y+8, r18
        adiw    YL, 1
        dec     N
        brne    1b
        sbiw    YL, 40
        ldi     N, 8
1:
        ldd     r0, Y+40
        st      Y, r0
        ldd     r0, Y+8
        std     Y+48, r0
        adiw    YL, 1
        dec     N
        brne    1b
        sbiw    YL, 8
        movw    ZL, STATE
        ldi     M, 5
1:
        movw    XL, YL
        adiw    XL, 16
        rcall   load_lane
        ldi     N, 1
        rcall   rotate
        movw    XL, YL
        rcall   add_lane
        movw    YL, XL
        ldi     N, 5
2:
        .irp    t, r18, r19, r20, r21, r22, r23, r24, r25
        ld      r0, Z
        eor     r0, \t
        st      Z+, r0
        .endr
        adiw    ZL, 32
        dec     N
        brne    2b
        subi    ZL, 192
        sbci    ZH, 0
        dec     M
        brne    1b
        sbiw    YL, 40

        /* rho and pi (§3.2.2, §3.2.3): the lane that is the t-th moves by 1 + 2 + .. + t bits. */
        movw    XL, STATE
        adiw    XL, 8
        rcall   load_lane
        ldi     ZL, lo8(place)
        ldi     ZH, hi8(place)
        clr     BY
        ldi     M, 1
1:
        add     BY, M
        mov     N, BY
        andi    N, 63
        rcall   rotate
        movw    XL, STATE
        ld      r0, Z+
        add     XL, r0
        adc     XH, r1
        .irp    t, r18, r19, r20, r21, r22, r23, r24, r25
        ld      r0, X
        st      X+, \t
        mov     \t, r0
        .endr
        inc     M
        cpi     M, 25
        brne    1b

        /* chi (§3.2.4) */
        movw    ZL, STATE
        ldi     M, 5
1:
        ldi     N, 8
2:
        ld      r18, Z
        ldd     r19, Z+8
        ldd     r20, Z+16
        ldd     r21, Z+24
        ldd     r22, Z+32
        chi     0, r18, r19, r20
        chi     8, r19, r20, r21
        chi     16, r20, r21, r22
        chi     24, r21, r22, r18
        chi     32, r22, r18, r19
        adiw    ZL, 1
        dec     N
        brne    2b
        adiw    ZL, 32
        dec     M
        brne    1b

        /* iota (§3.2.5) */
        ldi     ZL, lo8(iota)
        ldi     ZH, hi8(iota)
        add     ZL, ROUND
        adc     ZH, r1
        ld      r18, Z
        movw    ZL, STATE
        iota    1, 2
        iota    3, 4
        iota    7, 5
        andi    r18, 0x8b
        ld      r20, Z
        eor     r20, r18
        st      Z, r20
        inc     ROUND
        ldi     N, 24
        cpse    ROUND, N
        rjmp    .Lround

        ldi     N, FRAME                /* nothing of the sums stays in the stack */
1:
        st      Y+, r1
        dec     N
        brne    1b
        sbiw    YL, 1
        in      r0, SREG
        cli
        out     SPH, YH
        out     SREG, r0
        out     SPL, YL
        for_each pop, r29, r28, r17, r16, r15, r14, r13, r12
        ret
        .size   wm_keccak_f1600, . - wm_keccak_f1600

        octets_xor wm_keccak_f1600
        octets_extract wm_keccak_f1600
