/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of Trivium, 32 at once, for the MSP430: takes the place of src/cipher/trivium_clock.c,
 * which is its reference; trivium_clock.h says how the registers lie.
 * References: C. De Cannière, B. Preneel, "Trivium specifications", eSTREAM 2005; its names are
 * kept.
 * Invariants: no branch and no address depends on the state. */
#include "shift_register.inc"

/* Three words each, the first the lowest: what goes into the next register, and taps. Z0, Z1:
 * keystream. */
#define A0 r4
#define A1 r5
#define A2 r6
#define T0 r7
#define T1 r8
#define T2 r9
#define U0 r10
#define U1 r11
#define U2 r13
#define Z0 r14
#define Z1 r15
#define A A0, A1, A2
#define T T0, T1, T2
#define U U0, U1, U2
/* Where the registers begin in the context. */
#define FIRST 0
#define SECOND 12
#define THIRD 24

        .section .text.wm_trivium_clock,"ax",@progbits
        .balign 2
/* Steps: keystream in Z0 and Z1. Changes every register but CTX. What goes into the first register
 * comes last, and what comes out of that first. */
clock:
        LOAD    A, FIRST+2              /* t1: s_66 + s_93 */
        UP      A, 2
        LOAD    T, FIRST
        EACH    mov, T, U
        DOWN    U, 3
        BOTH    xor, U0, U1, A1, A2
        BOTH    mov, A1, A2, Z0, Z1
        DOWN    U, 1                    /* s_91 s_92, from bit 4 on */
        EACH    mov, U, T
        DOWN    T, 1
        BOTH    and, T0, T1, U0, U1
        BOTH    xor, U0, U1, A1, A2
        LOAD    T, SECOND+2             /* s_171 */
        DOWN    T, 2
        BOTH    xor, T0, T1, A1, A2
        LOAD    T, SECOND               /* s_177, at T1; s_176 and s_175 beside it */
        UP      T, 2
        LOAD    U, SECOND+2             /* s_162 */
        UP      U, 5
        .irp    i, 0, 2, 4, 6
        mov     SECOND+4+\i(CTX), SECOND+\i(CTX)
        .endr
        mov     A1, SECOND+8(CTX)
        mov     A2, SECOND+10(CTX)
        EACH    mov, T, A
        UP      A, 1                    /* s_176 */
        BOTH    and, A1, A2, T1, T2     /* s_175 s_176 */
        UP      A, 1                    /* s_177 */
        BOTH    xor, A1, A2, U1, U2     /* t2 */
        BOTH    xor, U1, U2, Z0, Z1
        BOTH    xor, T1, T2, U1, U2
        LOAD    T, THIRD+4              /* s_264 */
        UP      T, 7
        BOTH    xor, T1, T2, U1, U2
        LOAD    A, THIRD+6              /* t3: s_243 + s_288 */
        UP      A, 2
        LOAD    T, THIRD+2
        .irp    i, 0, 2, 4, 6, 8, 10
        mov     THIRD+4+\i(CTX), THIRD+\i(CTX)
        .endr
        mov     U1, THIRD+12(CTX)
        mov     U2, THIRD+14(CTX)
        DOWN    T, 1
        BOTH    xor, T0, T1, A1, A2
        BOTH    xor, A1, A2, Z0, Z1
        DOWN    T, 1                    /* s_286 s_287 */
        EACH    mov, T, U
        DOWN    U, 1
        BOTH    and, U0, U1, T0, T1
        BOTH    xor, T0, T1, A1, A2
        LOAD    T, FIRST+2              /* s_69 */
        UP      T, 5
        BOTH    xor, T1, T2, A1, A2
        .irp    i, 0, 2, 4, 6
        mov     FIRST+4+\i(CTX), FIRST+\i(CTX)
        .endr
        mov     A1, FIRST+8(CTX)
        mov     A2, FIRST+10(CTX)
        ret

        .globl  wm_trivium_clock
        .type   wm_trivium_clock,@function
/* uint32_t wm_trivium_clock(wm_trivium *ctx (r12)) */
wm_trivium_clock:
        SAVE
        call    #clock
        mov     Z0, r12
        mov     Z1, r13
        RESTORE
        ret
        .size   wm_trivium_clock, .-wm_trivium_clock

        .globl  wm_trivium_words
        .type   wm_trivium_words,@function
/* void wm_trivium_words(wm_trivium *ctx (r12), uint8_t *data (r13), size_t words (r14)) */
wm_trivium_words:
        tst     r14
        jz      2f
        SAVE
1:
        push    r14
        push    r13
        call    #clock
        pop     r13
        .irp    half, Z0, Z1
        xor.b   \half, 0(r13)
        swpb    \half
        xor.b   \half, 1(r13)
        incd    r13
        .endr
        pop     r14
        dec     r14
        jnz     1b
        RESTORE
2:
        ret
        .size   wm_trivium_words, .-wm_trivium_words
