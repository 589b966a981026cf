/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of Grain v1, 16 at once, for the AVR. src/cipher/grain_v1_clock.c is the reference.
 * References: M. Hell, T. Johansson, W. Meier, "Grain: a stream cipher for constrained
 * environments", eSTREAM 2006 (version 1); its names are kept.
 * Invariants: no branch and no address depends on the state.
 *
 * Taps of the NFSR that products share are brought to bit 0 once, two octets each. */
#include "shift_register.inc"

        .set    B63, 2
        .set    B60, 4
        .set    B52, 6
        .set    B45, 8
        .set    B37, 10
        .set    B33, 12
        .set    B28, 14
        .set    B21, 16
        .set    B15, 18
        .set    B9, 20
        .set    F, 2                    /* b_9 b_15 in its turn */
        .set    SUM, 22
        .set    T, 24
        .set    U, 26
        .set    V, 28
        .set    K, 28
        .set    Z0, 0
/* For output: x_0 to x_3, and x_4 that is b_63; a sum and another of three octets. */
        .set    X0, 4
        .set    X1, 6
        .set    X2, 8
        .set    X3, 10
        .set    X4, 2
        .set    W, 12
        .set    OTHER, 25
/* For what comes back into the LFSR. */
        .set    LINEAR, 3
        .set    S51, 6
        .set    OLD, 8
/* Offsets in the context. */
        .set    NFSR, 0
        .set    LFSR, 10

        .macro save
        .irp    i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
        push    r\i
        .endr
        .endm

        .macro restore
        .irp    i, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
        pop     r\i
        .endr
        clr     r1
        .endm

        .macro up_3 register
        lsl     (\register)
        rol     (\register) + 1
        rol     (\register) + 2
        .endm

/* The tap that begins \times bits behind octet \at, or before octet \at + 1. */
        .macro behind to at times
        fetch   \to, \at, 2
        ldd     K, Z + (\at) + 2
        .rept   \times
        lsr     K
        ror     (\to) + 1
        ror     (\to)
        .endr
        .endm

        .macro before to at times
        ldd     K, Z + (\at)
        fetch   \to, (\at) + 1, 2
        .rept   \times
        lsl     K
        rol     (\to)
        rol     (\to) + 1
        .endr
        .endm

        .macro both operation to from
        each    \operation, \to, \from, 2
        .endm

/* \to = \from times taps. */
        .macro product to from factors:vararg
        movw    \to, \from
        times   \to, \factors
        .endm

        .macro times to first rest:vararg
        both    and, \to, \first
        .ifnb \rest
        times   \to, \rest
        .endif
        .endm

        .section .text.wm_grain_v1_clock, "ax", @progbits
/* Steps: output in r1:r0. Changes every register but Z. */
clock:
        fetch   SUM, NFSR, 3            /* bit 4: b_4, then b_43, b_2 + b_10, b_1 + x_1, b_56 */
        down    SUM, 3
        with    eor, SUM, NFSR+5, 3
        down    SUM, 3
        with    eor, SUM, NFSR, 3
        with    eor, SUM, NFSR+1, 3
        down    SUM, 3
        with    eor, SUM, NFSR, 3
        with    eor, SUM, LFSR+3, 3
        down    SUM, 3
        with    eor, SUM, NFSR+7, 2
        fetch   OTHER, NFSR+3, 3        /* bit 7: b_31 + x_4 */
        with    eor, OTHER, NFSR+7, 3
        up_3    OTHER
        both    eor, SUM, OTHER+1
        behind  X0, LFSR, 3
        behind  X1, LFSR+3, 1
        before  X2, LFSR+5, 2
        fetch   X3, LFSR+8, 2
        before  X4, NFSR+7, 1
        movw    W, X0                   /* x_3 (x_0 + x_4) */
        both    eor, W, X4
        both    and, W, X3
        both    eor, SUM, W
        both    eor, X1, X3             /* x_2 (x_3 + x_0 (x_1 + x_3 + x_4) + x_4 (x_1 + x_3)) */
        movw    W, X1
        both    eor, W, X4
        both    and, W, X0
        both    and, X1, X4
        both    eor, W, X1
        both    eor, W, X3
        both    and, W, X2
        both    eor, SUM, W
        movw    Z0, SUM

        before  B60, NFSR+7, 4
        before  B52, NFSR+6, 4
        before  B45, NFSR+5, 3
        before  B37, NFSR+4, 3
        behind  B33, NFSR+4, 1
        behind  B28, NFSR+3, 4
        before  B21, NFSR+2, 3
        before  B15, NFSR+1, 1
        behind  B9, NFSR+1, 1
        fetch   OTHER, NFSR+7, 3        /* bit 6: b_62 + b_14 */
        with    eor, OTHER, NFSR+1, 3
        up_3    OTHER
        up_3    OTHER
        movw    SUM, OTHER+1
        with    eor, SUM, NFSR, 2
        with    eor, SUM, LFSR, 2
        .irp    tap, B60, B52, B45, B37, B33, B28, B21, B9
        both    eor, SUM, \tap
        .endr
        product T, B63, B60
        both    eor, SUM, T
        product U, T, B21, B15
        both    eor, SUM, U
        product U, T, B52, B45, B37
        both    eor, SUM, U
        product T, B52, B60
        product U, T, B45
        both    eor, SUM, U
        product U, B33, B37
        both    eor, SUM, U
        times   T, U
        both    eor, SUM, T
        product T, B21, B28
        product V, B63, B45, B28, B9
        both    eor, SUM, V
        product F, B9, B15
        both    eor, SUM, F
        product V, T, B33
        both    eor, SUM, V
        times   V, F
        both    eor, SUM, V
        times   T, U, B52, B45
        both    eor, SUM, T

        fetch   LINEAR, LFSR+1, 3       /* bit 5: s_13, then s_62 + s_38, s_23, s_51 + s_0 */
        up_3    LINEAR
        with    eor, LINEAR, LFSR+7, 3
        with    eor, LINEAR, LFSR+4, 3
        up_3    LINEAR
        with    eor, LINEAR, LFSR+2, 3
        up_3    LINEAR
        behind  S51, LFSR+6, 3
        both    eor, LINEAR+1, S51
        with    eor, LINEAR+1, LFSR, 2
        fetch   OLD, NFSR+2, 8
        put     OLD, NFSR, 8
        put     SUM, NFSR+8, 2
        fetch   OLD, LFSR+2, 8
        put     OLD, LFSR, 8
        put     LINEAR+1, LFSR+8, 2
        ret

        .globl  wm_grain_v1_clock
        .type   wm_grain_v1_clock, @function
/* uint16_t wm_grain_v1_clock(wm_grain_v1 *ctx (r25:r24)) */
wm_grain_v1_clock:
        save
        movw    ZL, r24
        rcall   clock
        movw    r24, Z0
        restore
        ret
        .size   wm_grain_v1_clock, . - wm_grain_v1_clock

        .globl  wm_grain_v1_pairs
        .type   wm_grain_v1_pairs, @function
/* void wm_grain_v1_pairs(wm_grain_v1 *ctx (r25:r24), uint8_t *data (r23:r22), size_t pairs
 * (r21:r20)) */
wm_grain_v1_pairs:
        cp      r20, r1
        cpc     r21, r1
        brne    1f
        ret
1:
        save
        movw    ZL, r24
2:
        for_each push, r20, r21, r22, r23
        rcall   clock
        for_each pop, XH, XL, r21, r20
        ld      r22, X
        eor     r22, Z0
        st      X+, r22
        ld      r22, X
        eor     r22, Z0+1
        st      X+, r22
        movw    r22, XL
        subi    r20, 1
        sbci    r21, 0
        brne    2b
        restore
        ret
        .size   wm_grain_v1_pairs, . - wm_grain_v1_pairs
