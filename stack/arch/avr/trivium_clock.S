/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of Trivium, 32 at once, for the AVR. src/cipher/trivium_clock.c is the reference, and
 * trivium_clock.h says how the registers lie.
 * References: C. De Cannière, B. Preneel, "Trivium specifications", eSTREAM 2005; its names are
 * kept.
 * Invariants: no branch and no address depends on the state. */
#include "shift_register.inc"

/* Octets of a register lie in N and up, keystream in S..S+3, what goes into the next register in
 * A..A+3. T..T+4 and K are free, and so are A+4 and S+4 where the others of their kind are. */
        .set    N, 2
        .set    S, 14
        .set    A, 19
        .set    T, 24
        .set    K, 29
/* Offsets in the context. */
        .set    FIRST, 0
        .set    SECOND, 12
        .set    THIRD, 24

        .macro save
        .irp    i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
        push    r\i
        .endr
        .endm

        .macro restore
        .irp    i, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
        pop     r\i
        .endr
        .endm

/* \times bits down. */
        .macro downs register times n=5
        .rept   \times
        down    \register, \n
        .endr
        .endm

        .section .text.wm_trivium_clock, "ax", @progbits
/* Steps: keystream in S..S+3. Changes every register but Z. */
clock:
        fetch   N, FIRST, 8             /* t1: s_66 + s_93; then s_91 s_92 */
        copy    S, N+3, 5
        downs   S, 3
        each    eor, S, N, 5
        downs   S, 3
        copy    A, N, 5
        down    A
        each    and, A, N, 5
        downs   A, 4
        each    eor, A, S, 4
        fetch   N, SECOND, 12           /* s_171 */
        copy    T, N+2, 5
        downs   T, 2
        each    eor, A, T, 4
        put     N+4, SECOND, 8
        put     A, SECOND+8, 4
        copy    A, N+1, 5               /* t2: s_162 + s_177; then s_175 s_176 */
        down    A
        each    eor, A, N+3, 5
        downs   A, 3
        each    eor, S, A, 4
        copy    T, N+1, 5
        down    T
        each    and, T, N+1, 5
        up      T
        up      T
        up      T
        each    eor, A, T+1, 4
        fetch   N, THIRD+2, 12          /* s_264 */
        copy    T, N+3, 5
        down    T
        each    eor, A, T, 4
        put     N+2, THIRD, 10
        fetch   N+10, THIRD+14, 2
        put     N+10, THIRD+10, 2
        put     A, THIRD+12, 4
        copy    A, N+5, 5               /* t3: s_243 + s_288; then s_286 s_287 */
        up      A
        up      A
        copy    T, N, 5
        down    T
        each    eor, A+1, T, 4
        each    eor, S, A+1, 4
        each    and, T, N, 5
        fetch   N, FIRST+3, 9           /* s_69 */
        put     N+1, FIRST, 8
        down    N
        each    eor, T, N, 5
        downs   T, 2
        each    eor, A+1, T, 4
        put     A+1, FIRST+8, 4
        ret

        .globl  wm_trivium_clock
        .type   wm_trivium_clock, @function
/* uint32_t wm_trivium_clock(wm_trivium *ctx (r25:r24)) */
wm_trivium_clock:
        save
        movw    ZL, r24
        rcall   clock
        movw    r22, S
        movw    r24, S+2
        restore
        ret
        .size   wm_trivium_clock, . - wm_trivium_clock

        .globl  wm_trivium_words
        .type   wm_trivium_words, @function
/* void wm_trivium_words(wm_trivium *ctx (r25:r24), uint8_t *data (r23:r22), size_t words
 * (r21:r20)) */
wm_trivium_words:
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
        for_each pop, XH, XL, r23, r22
        .irp    i, 0, 1, 2, 3
        ld      r20, X
        eor     r20, S+\i
        st      X+, r20
        .endr
        movw    r20, r22
        movw    r22, XL
        subi    r20, 1
        sbci    r21, 0
        brne    2b
        restore
        ret
        .size   wm_trivium_words, . - wm_trivium_words
