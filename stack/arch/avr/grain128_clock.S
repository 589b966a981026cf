/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps and authenticator of Grain-128AEADv2, 32 steps at once, for the AVR.
 * src/cipher/grain128_clock.c is the reference.
 * References: "Grain-128AEADv2", 2021, §2; its names are kept.
 * Invariants: no branch and no address depends on a secret.
 *
 * Cycles: about 745 for 32 steps, 250 to authenticate an octet. */
#include "shift_register.inc"

/* Octets of the NFSR, or of the LFSR, lie in N..N+15 and sums in A..A+4; Z is the context. T..T+5
 * and K are free. */
        .set    N, 2
        .set    A, 18
        .set    K, 23
        .set    T, 24
/* r0 and r1, where products of octets appear. */
        .set    P, 0
/* Offsets in the context. */
        .set    LFSR, 16
        .set    AUTHENTICATOR, 32
/* While authenticating: register, accumulator, mask, octet, pre-output. */
        .set    REG, 2
        .set    ACC, 10
        .set    MASK, 24
        .set    OCTET, 20
        .set    PRE, 28

/* Taps `from` are added to the sum, alone or times what is in T. */
        .macro add from n=5
        each    eor, A, \from, \n
        .endm

        .macro add_product from n=5
        each    and, T, \from, \n
        each    eor, A, T, \n
        .endm

/* The product of two taps of the NFSR is added. */
        .macro add_both one other n=5
        copy    T, \one, \n
        add_product \other, \n
        .endm

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

/* What comes back into the NFSR, without s_0, in A..A+3. */
        .macro feedback_of_nfsr
        copy    A, N+2, 5               /* b_22 b_24 b_25 */
        copy    T, N+2, 6
        down    T, 6
        down    T, 6
        each    and, A, T, 5
        down    T, 6
        each    and, A, T, 5
        ldi     K, 16
        four_on T, N+9, 5               /* b_70 b_78 b_82 */
        each    and, T, N+8, 5
        add_product N+9
        down    A
        down    A
        add_both N+8, N+10              /* bit 4: b_68 b_84 */
        down    A
        add_both N, N+8                 /* bit 3: b_3 b_67 + b_27 b_59 + b_91 + b_11 b_13 */
        add_both N+3, N+7
        add     N+11
        copy    T, N+1, 5
        down    T
        down    T
        add_product N+1
        down    A
        add     N+3                     /* bit 2: b_26 */
        down    A
        copy    T, N+2, 5               /* bit 1: b_17 b_18 + b_61 b_65 */
        down    T
        add_product N+2
        four_on T, N+7, 5
        add_product N+8
        down    A
        add     N, 4                    /* b_0 + b_56 + b_96 + b_40 b_48 + b_88 b_92 b_93 b_95 */
        add     N+7, 4
        add     N+12, 4
        add_both N+5, N+6, 4
        four_on T, N+11, 4
        mov     T+4, r1
        movw    r0, T                   /* the product in r0, r1, T+5 and K */
        mov     T+5, T+2
        mov     K, T+3
        .irp    times, 1, 2
        .rept   \times
        down    T
        .endr
        each    and, P, T, 2
        and     T+5, T+2
        and     K, T+3
        .endr
        each    and, P, N+11, 2
        and     T+5, N+13
        and     K, N+14
        each    eor, A, P, 2
        eor     A+2, T+5
        eor     A+3, K
        .endm

/* y in A..A+3; of the NFSR, not all remains. */
        .macro pre_output
        fetch   A, LFSR+11, 5           /* bit 5: s_93 + b_45 */
        add     N+5
        down    A
        add     N+4                     /* bit 4: b_36 + s_13 s_20 + s_60 s_79 */
        fetch   T, LFSR+1, 5
        down    T
        with    and, T, LFSR+2, 5
        add     T
        fetch   T, LFSR+9, 5
        down    T
        down    T
        down    T
        with    and, T, LFSR+7, 5
        add     T
        down    A
        down    A
        add     N                       /* bit 2: b_2 */
        down    A
        add     N+9                     /* bit 1: b_73 + b_89 */
        add     N+11
        down    A
        add     N+8, 4                  /* b_64 */
        copy    T, N+1, 5               /* b_15 */
        up      T
        add     T+1, 4
        copy    T, N+11, 5              /* T+1: b_95 */
        up      T
        .set    U, N+6
        fetch   U, LFSR+11, 5           /* b_12 (s_8 + b_95 s_94) */
        up      U
        up      U
        each    and, U+1, T+1, 4
        with    eor, U+1, LFSR+1, 4
        ldi     K, 16
        four_on N+1, N+1, 4
        each    and, U+1, N+1, 4
        add     U+1, 4
        fetch   U, LFSR+5, 5            /* b_95 s_42 */
        down    U
        down    U
        each    and, U, T+1, 4
        add     U, 4
        .endm

/* What comes back into the LFSR in T+1..T+4, of the LFSR in N..N+15. */
        .macro feedback_of_lfsr
        copy    T, N+4, 5               /* bit 6: s_38 + s_70 */
        each    eor, T, N+8, 5
        up      T
        each    eor, T, N, 5            /* bit 7: s_7 */
        up      T
        each    eor, T+1, N, 4          /* s_0 + s_96 */
        each    eor, T+1, N+12, 4
        down    N+10                    /* s_81 */
        each    eor, T+1, N+10, 4
        .endm

        .section .text.wm_grain128_clock, "ax", @progbits
/* Steps: y in A..A+3. Changes every register but Z. */
clock:
        fetch   N, 0, 16
        feedback_of_nfsr
        with    eor, A, LFSR, 4
        put     N+4, 0, 12
        put     A, 12, 4
        pre_output
        fetch   N, LFSR, 16
        put     N+4, LFSR, 12
        feedback_of_lfsr
        put     T+1, LFSR+12, 4
        ret

/* Authenticates OCTET. Registers as above. */
authenticate:
        .rept   8
        lsr     OCTET
        sbc     MASK, MASK
        .irp    i, 0, 2, 4, 6
        movw    r0, REG+\i
        and     r0, MASK
        and     r1, MASK
        eor     ACC+\i, r0
        eor     ACC+\i+1, r1
        .endr
        lsr     PRE
        rotate_down REG, 8
        .endr
        ret

        .globl  wm_grain128_clock
        .type   wm_grain128_clock, @function
/* uint32_t wm_grain128_clock(wm_grain128 *ctx (r25:r24)) */
wm_grain128_clock:
        save
        movw    ZL, r24
        rcall   clock
        movw    r22, A
        movw    r24, A+2
        restore
        ret
        .size   wm_grain128_clock, . - wm_grain128_clock

        .globl  wm_grain128_authenticate
        .type   wm_grain128_authenticate, @function
/* void wm_grain128_authenticate(wm_grain128 *ctx (r25:r24), uint8_t octet (r22), uint8_t pre_output
 * (r20)) */
wm_grain128_authenticate:
        save
        movw    ZL, r24
        mov     PRE, r20
        mov     OCTET, r22
        fetch   ACC, AUTHENTICATOR, 8
        fetch   REG, AUTHENTICATOR+8, 8
        rcall   authenticate
        put     ACC, AUTHENTICATOR, 8
        put     REG, AUTHENTICATOR+8, 8
        restore
        ret
        .size   wm_grain128_authenticate, . - wm_grain128_authenticate

/* Even bits of \from enter \even, odd ones \odd. */
        .macro separate from even odd
        .rept   4
        lsr     \from
        ror     \even
        lsr     \from
        ror     \odd
        .endr
        .endm

        .globl  wm_grain128_aad_pairs
        .type   wm_grain128_aad_pairs, @function
/* void wm_grain128_aad_pairs(wm_grain128 *ctx (r25:r24), const uint8_t *a (r23:r22), size_t pairs
 * (r21:r20)) */
wm_grain128_aad_pairs:
        ldi     r18, 1
        .size   wm_grain128_aad_pairs, . - wm_grain128_aad_pairs

        .globl  wm_grain128_crypt_pairs
        .type   wm_grain128_crypt_pairs, @function
/* void wm_grain128_crypt_pairs(wm_grain128 *ctx (r25:r24), uint8_t *m (r23:r22), size_t pairs
 *                              (r21:r20), uint8_t opening (r18)); where that is 1, the octets are
 *                              those of a, and left alone. */
wm_grain128_crypt_pairs:
        cp      r20, r1
        cpc     r21, r1
        brne    1f
        ret
1:
        save
        movw    ZL, r24
2:
        for_each push, r18, r20, r21, r22, r23
        rcall   clock
        separate r18, r24, r28
        separate r19, r24, r28
        separate r20, r25, r29
        separate r21, r25, r29
        for_each pop, XH, XL, r23, r22, r18
        cpi     r18, 1
        breq    3f
        ld      r19, X
        mov     r20, r24
        and     r20, r18
        eor     r20, r19
        eor     r19, r24
        st      X+, r19
        ld      r19, X
        mov     r21, r25
        and     r21, r18
        eor     r21, r19
        eor     r19, r25
        st      X+, r19
        rjmp    4f
3:
        ld      r20, X+
        ld      r21, X+
4:
        fetch   ACC, AUTHENTICATOR, 8
        fetch   REG, AUTHENTICATOR+8, 8
        rcall   authenticate
        mov     OCTET, r21
        mov     PRE, r29
        rcall   authenticate
        put     ACC, AUTHENTICATOR, 8
        put     REG, AUTHENTICATOR+8, 8
        subi    r22, 1
        sbci    r23, 0
        breq    5f
        movw    r20, r22
        movw    r22, XL
        rjmp    2b
5:
        restore
        ret
        .size   wm_grain128_crypt_pairs, . - wm_grain128_crypt_pairs
