/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of Grain v1, 16 at once, for the MSP430: takes the place of src/cipher/grain_v1_clock.c,
 * which is its reference. References: M. Hell, T. Johansson, W. Meier, "Grain: a stream cipher for
 * constrained environments", eSTREAM 2006 (version 1); its names are kept.
 * Invariants: no branch and no address depends on the state.
 *
 * Taps of the NFSR that products share are brought to bit 0 once. */
#include "shift_register.inc"

/* What is next to a tap while it moves. */
#define NEXT r6
#define SUM r4
#define B63 r7 /* x_4 of the output */
#define Z r15
/* For output: x_0 to x_3. */
#define X0 r11
#define X1 r8
#define X2 r9
#define X3 r10
#define W r13
/* Where the registers begin in the context. */
#define NFSR 0
#define LFSR 10

/* Two words of the context from \at on: loaded, or added to the sum. */
        .macro  PAIR operation at
        \operation \at(CTX), SUM
        \operation \at+2(CTX), NEXT
        .endm

        .macro  SUM_DOWN times
        .rept   \times
        rra     NEXT
        rrc     SUM
        .endr
        .endm

/* The tap that begins \times bits behind word \at, or before word \at + 2. */
        .macro  BEHIND to at times
        mov     \at(CTX), \to
        mov     \at+2(CTX), NEXT
        .rept   \times
        rra     NEXT
        rrc     \to
        .endr
        .endm

        .macro  BEFORE to at times
        mov     \at(CTX), NEXT
        mov     \at+2(CTX), \to
        .rept   \times
        rla     NEXT
        rlc     \to
        .endr
        .endm

/* A register moves on by 16 bits and takes in \in. */
        .macro  MOVE_ON at in
        .irp    i, 0, 2, 4, 6
        mov     \at+2+\i(CTX), \at+\i(CTX)
        .endr
        mov     \in, \at+8(CTX)
        .endm

        .section .text.wm_grain_v1_clock,"ax",@progbits
        .balign 2
/* Steps: output in Z. Changes every register but CTX. */
clock:
        PAIR    mov, NFSR+2             /* bit 15: b_31 */
        SUM_DOWN 4
        PAIR    xor, NFSR+4             /* bit 11: b_43 */
        SUM_DOWN 1
        PAIR    xor, NFSR               /* bit 10: b_10 */
        SUM_DOWN 2
        PAIR    xor, NFSR+6             /* bit 8: b_56 */
        SUM_DOWN 4
        PAIR    xor, NFSR               /* bits 4, 2 and 1: b_4, b_2, b_1 */
        SUM_DOWN 2
        PAIR    xor, NFSR
        SUM_DOWN 1
        PAIR    xor, NFSR
        SUM_DOWN 1
        BEHIND  X0, LFSR, 3
        BEFORE  X1, LFSR+2, 7
        BEFORE  X2, LFSR+4, 2
        mov     LFSR+8(CTX), X3
        BEFORE  B63, NFSR+6, 1
        xor     X1, SUM
        xor     B63, SUM
        mov     X0, W                   /* x_3 (x_0 + x_4) */
        xor     B63, W
        and     X3, W
        xor     W, SUM
        xor     X3, X1                  /* x_2 (x_3 + x_0 (x_1 + x_3 + x_4) + x_4 (x_1 + x_3)) */
        mov     X1, W
        xor     B63, W
        and     X0, W
        and     B63, X1
        xor     X1, W
        xor     X3, W
        and     X2, W
        xor     W, SUM
        mov     SUM, Z

        BEFORE  r8, NFSR+6, 4           /* b_60 */
        mov     r8, SUM
        mov     r8, r9
        and     B63, r9
        xor     r9, SUM                 /* r9: b_60 b_63 */
        BEHIND  r10, NFSR+6, 4          /* b_52 */
        xor     r10, SUM
        and     r10, r8                 /* r8: b_52 b_60 */
        BEFORE  r11, NFSR+4, 3          /* r11: b_45 */
        xor     r11, SUM
        and     r11, r10                /* r10: b_45 b_52 */
        mov     r8, r5
        and     r11, r5
        xor     r5, SUM
        BEHIND  r13, NFSR+4, 5          /* b_37 */
        xor     r13, SUM
        BEHIND  r14, NFSR+4, 1          /* r14: b_33 */
        xor     r14, SUM
        mov     r14, r5
        and     r13, r5
        xor     r5, SUM
        and     r5, r8
        xor     r8, SUM
        mov     r5, r8                  /* r8: b_33 b_37 */
        and     r10, r13
        and     r9, r13
        xor     r13, SUM
        BEHIND  r13, NFSR+2, 5          /* b_21 */
        xor     r13, SUM
        BEFORE  r5, NFSR, 1             /* b_15 */
        and     r13, r9
        and     r5, r9
        xor     r9, SUM
        BEFORE  r9, NFSR+2, 4           /* b_28 */
        xor     r9, SUM
        and     r9, r13                 /* r13: b_21 b_28 */
        and     r9, r7
        and     r11, r7
        BEFORE  r9, NFSR, 7             /* b_9 */
        xor     r9, SUM
        and     r9, r7
        xor     r7, SUM
        and     r9, r5                  /* r5: b_9 b_15 */
        xor     r5, SUM
        and     r13, r14
        xor     r14, SUM
        and     r5, r14
        xor     r14, SUM
        and     r8, r10
        and     r13, r10
        xor     r10, SUM
        mov     NFSR+6(CTX), NEXT       /* b_62 + b_14 */
        xor     NFSR(CTX), NEXT
        mov     NFSR+8(CTX), r5
        xor     NFSR+2(CTX), r5
        .rept   2
        rla     NEXT
        rlc     r5
        .endr
        xor     r5, SUM
        xor     NFSR(CTX), SUM
        xor     LFSR(CTX), SUM
        MOVE_ON NFSR, SUM

        PAIR    mov, LFSR+6             /* bit 14: s_62 */
        SUM_DOWN 1
        PAIR    xor, LFSR               /* bit 13: s_13 */
        SUM_DOWN 6
        PAIR    xor, LFSR+2             /* bit 7: s_23 */
        SUM_DOWN 1
        PAIR    xor, LFSR+4             /* bit 6: s_38 */
        SUM_DOWN 3
        PAIR    xor, LFSR+6             /* bit 3: s_51 */
        SUM_DOWN 3
        xor     LFSR(CTX), SUM
        MOVE_ON LFSR, SUM
        ret

        .globl  wm_grain_v1_clock
        .type   wm_grain_v1_clock,@function
/* uint16_t wm_grain_v1_clock(wm_grain_v1 *ctx (r12)) */
wm_grain_v1_clock:
        SAVE
        call    #clock
        mov     Z, r12
        RESTORE
        ret
        .size   wm_grain_v1_clock, .-wm_grain_v1_clock

        .globl  wm_grain_v1_pairs
        .type   wm_grain_v1_pairs,@function
/* void wm_grain_v1_pairs(wm_grain_v1 *ctx (r12), uint8_t *data (r13), size_t pairs (r14)) */
wm_grain_v1_pairs:
        tst     r14
        jz      2f
        SAVE
1:
        push    r14
        push    r13
        call    #clock
        pop     r13
        xor.b   Z, 0(r13)
        swpb    Z
        xor.b   Z, 1(r13)
        incd    r13
        pop     r14
        dec     r14
        jnz     1b
        RESTORE
2:
        ret
        .size   wm_grain_v1_pairs, .-wm_grain_v1_pairs
