/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps and authenticator of Grain-128AEADv2, 32 steps at once, for the MSP430: takes the place of
 * src/cipher/grain128_clock.c, which is its reference.
 * References: "Grain-128AEADv2", 2021, §2; its names are kept.
 * Invariants: no branch and no address depends on a secret. */
#include "shift_register.inc"

/* Sums in A, factors in T and U: three words each, the first the lowest. */
#define A0 r4
#define A1 r5
#define A2 r6
#define T0 r7
#define T1 r8
#define T2 r9
#define U0 r10
#define U1 r11
#define U2 r13
#define Y0 r14
#define Y1 r15
#define A A0, A1, A2
#define T T0, T1, T2
#define U U0, U1, U2
/* Where words of the registers begin in the context. */
#define NFSR 0
#define LFSR 16
#define AUTHENTICATOR 32
/* While authenticating: accumulator and register, 64 bits each; mask; what is authenticated, and
 * pre-output. */
#define ACC0 r4
#define ACC1 r5
#define ACC2 r6
#define ACC3 r7
#define R0 r8
#define R1 r9
#define R2 r10
#define R3 r11
#define MASK r12
#define SUMMAND r13
#define OCTETS r14
#define PRE r15

/* y in Y0 and Y1. */
        .macro  PRE_OUTPUT
        LOAD    A, NFSR                 /* bit 15: b_15 */
        DOWN    A, 2
        WITH    xor, A, NFSR+4          /* bit 13: b_45 + s_93 */
        WITH    xor, A, LFSR+10
        DOWN    A, 4
        WITH    xor, A, NFSR+8          /* bit 9: b_73 + b_89 */
        WITH    xor, A, NFSR+10
        DOWN    A, 5
        WITH    xor, A, NFSR+4          /* bit 4: b_36 */
        DOWN    A, 2
        WITH    xor, A, NFSR            /* bit 2: b_2 */
        DOWN    A, 2
        xor     NFSR+8(CTX), A0         /* b_64 */
        xor     NFSR+10(CTX), A1
        LOAD    T, LFSR                 /* s_13 s_20 */
        UP      T, 3
        LOAD    U, LFSR+2
        DOWN    U, 4
        BOTH    and, U0, U1, T1, T2
        BOTH    xor, T1, T2, A0, A1
        LOAD    T, LFSR+6               /* s_60 s_79 */
        UP      T, 4
        LOAD    U, LFSR+8
        UP      U, 1
        BOTH    and, U1, U2, T1, T2
        BOTH    xor, T1, T2, A0, A1
        LOAD    T, NFSR+10              /* b_95 s_42 */
        UP      T, 1
        LOAD    U, LFSR+4
        UP      U, 6
        BOTH    and, T1, T2, U1, U2
        BOTH    xor, U1, U2, A0, A1
        LOAD    U, LFSR+10              /* b_12 (s_8 + b_95 s_94) */
        UP      U, 2
        BOTH    and, T1, T2, U1, U2
        LOAD    A2, U0, T0, LFSR
        EIGHT_DOWN A2, U0, T0, Y0
        BOTH    xor, A2, U0, U1, U2
        LOAD    A2, U0, T0, NFSR
        UP      A2, U0, T0, 4
        BOTH    and, U0, T0, U1, U2
        BOTH    xor, U1, U2, A0, A1
        BOTH    mov, A0, A1, Y0, Y1
        .endm

/* What comes back into the NFSR, in A0 and A1. */
        .macro  FEEDBACK_OF_NFSR
        LOAD    A, NFSR+10              /* bit 11: b_91 + b_27 b_59 + b_11 b_13 */
        LOAD    T, NFSR+2
        WITH    and, T, NFSR+6
        EACH    xor, T, A
        LOAD    T, NFSR
        DOWN    T, 2
        WITH    and, T, NFSR
        EACH    xor, T, A
        DOWN    A, 1
        WITH    xor, A, NFSR+2          /* bit 10: b_26 */
        DOWN    A, 2
        WITH    xor, A, NFSR+6          /* bit 8: b_56 + b_88 b_92 b_93 b_95 */
        LOAD    T, NFSR+10
        EACH    mov, T, U
        DOWN    U, 4
        EACH    and, U, T
        DOWN    U, 1
        EACH    and, U, T
        DOWN    U, 2
        EACH    and, U, T
        EACH    xor, T, A
        DOWN    A, 2
        LOAD    T, NFSR+2               /* bit 6: b_22 b_24 b_25 */
        EACH    mov, T, U
        DOWN    U, 2
        EACH    and, U, T
        DOWN    U, 1
        EACH    and, U, T
        EACH    xor, T, A
        DOWN    A, 2
        LOAD    T, NFSR+8               /* bit 4: b_68 b_84 */
        WITH    and, T, NFSR+10
        EACH    xor, T, A
        DOWN    A, 1
        LOAD    T, NFSR                 /* bit 3: b_3 b_67 */
        WITH    and, T, NFSR+8
        EACH    xor, T, A
        DOWN    A, 2
        LOAD    T, NFSR+2               /* bit 1: b_17 b_18 */
        EACH    mov, T, U
        DOWN    U, 1
        EACH    and, U, T
        EACH    xor, T, A
        DOWN    A, 1
        xor     NFSR(CTX), A0           /* b_0 + b_96 + s_0 */
        xor     NFSR+2(CTX), A1
        xor     NFSR+12(CTX), A0
        xor     NFSR+14(CTX), A1
        xor     LFSR(CTX), A0
        xor     LFSR+2(CTX), A1
        LOAD    T, NFSR+6               /* b_61 b_65 */
        UP      T, 3
        LOAD    U, NFSR+8
        DOWN    U, 1
        BOTH    and, U0, U1, T1, T2
        BOTH    xor, T1, T2, A0, A1
        LOAD    T, NFSR+4               /* b_40 b_48 */
        EIGHT_DOWN T, A2
        and     NFSR+6(CTX), T0
        and     NFSR+8(CTX), T1
        BOTH    xor, T0, T1, A0, A1
        LOAD    T, NFSR+8               /* b_70 b_78 b_82 */
        EACH    mov, T, U
        DOWN    T, 6
        UP      U, 2
        BOTH    and, U1, U2, T0, T1
        LOAD    U, NFSR+10
        DOWN    U, 2
        BOTH    and, U0, U1, T0, T1
        BOTH    xor, T0, T1, A0, A1
        .endm

/* What comes back into the LFSR, in A0 and A1. */
        .macro  FEEDBACK_OF_LFSR
        LOAD    A, LFSR                 /* bit 7: s_7 */
        DOWN    A, 1
        WITH    xor, A, LFSR+4          /* bit 6: s_38 + s_70 */
        WITH    xor, A, LFSR+8
        DOWN    A, 5
        WITH    xor, A, LFSR+10         /* bit 1: s_81 */
        DOWN    A, 1
        xor     LFSR(CTX), A0           /* s_0 + s_96 */
        xor     LFSR+2(CTX), A1
        xor     LFSR+12(CTX), A0
        xor     LFSR+14(CTX), A1
        .endm

/* A register moves on by 32 bits and takes in A0 and A1. */
        .macro  MOVE_ON at
        .irp    i, 0, 2, 4, 6, 8, 10
        mov     \at+4+\i(CTX), \at+\i(CTX)
        .endr
        mov     A0, \at+12(CTX)
        mov     A1, \at+14(CTX)
        .endm

        .section .text.wm_grain128_clock,"ax",@progbits
        .balign 2
/* Steps: y in Y0 and Y1. Changes every register but CTX. */
clock:
        PRE_OUTPUT
        FEEDBACK_OF_NFSR
        MOVE_ON NFSR
        FEEDBACK_OF_LFSR
        MOVE_ON LFSR
        ret

/* Authenticates as many octets of OCTETS, the lower first, as the second word of the stack says,
 * which becomes zero. The context is in MASK. */
authenticate:
        mov     MASK, SUMMAND
        push    MASK
        add     #AUTHENTICATOR, SUMMAND
        .irp    i, 4, 5, 6, 7, 8, 9, 10, 11
        mov     @SUMMAND+, r\i
        .endr
1:
        .rept   8
        rra     OCTETS
        subc    MASK, MASK              /* all ones unless the bit is set */
        mov     R0, SUMMAND
        bic     MASK, SUMMAND
        xor     SUMMAND, ACC0
        mov     R1, SUMMAND
        bic     MASK, SUMMAND
        xor     SUMMAND, ACC1
        mov     R2, SUMMAND
        bic     MASK, SUMMAND
        xor     SUMMAND, ACC2
        mov     R3, SUMMAND
        bic     MASK, SUMMAND
        xor     SUMMAND, ACC3
        rra     PRE
        rrc     R3
        rrc     R2
        rrc     R1
        rrc     R0
        .endr
        dec     4(sp)
        jz      2f
        br      #1b
2:
        pop     CTX
        .irp    i, 4, 5, 6, 7, 8, 9, 10, 11
        mov     r\i, AUTHENTICATOR+2*(\i-4)(CTX)
        .endr
        ret

        .globl  wm_grain128_clock
        .type   wm_grain128_clock,@function
/* uint32_t wm_grain128_clock(wm_grain128 *ctx (r12)) */
wm_grain128_clock:
        SAVE
        call    #clock
        mov     Y0, r12
        mov     Y1, r13
        RESTORE
        ret
        .size   wm_grain128_clock, .-wm_grain128_clock

        .globl  wm_grain128_authenticate
        .type   wm_grain128_authenticate,@function
/* void wm_grain128_authenticate(wm_grain128 *ctx (r12), uint8_t octet (r13), uint8_t pre_output
 * (r14)) */
wm_grain128_authenticate:
        SAVE
        mov.b   r14, PRE
        mov.b   r13, OCTETS
        push    #1
        call    #authenticate
        incd    sp
        RESTORE
        ret
        .size   wm_grain128_authenticate, .-wm_grain128_authenticate

/* Exchanges bits of \x with those \times further up, where \bits has ones. */
        .macro  EXCHANGE_BITS x bits times
        mov     \x, T0
        .rept   \times
        rra     T0
        .endr
        xor     \x, T0
        and     #\bits, T0
        xor     T0, \x
        .rept   \times
        rla     T0
        .endr
        xor     T0, \x
        .endm

/* The even bits of \x become its lower octet, the odd ones its upper. */
        .macro  SEPARATE x
        EXCHANGE_BITS \x, 0x2222, 1
        EXCHANGE_BITS \x, 0x0c0c, 2
        EXCHANGE_BITS \x, 0x00f0, 4
        .endm

        .globl  wm_grain128_aad_pairs
        .type   wm_grain128_aad_pairs,@function
/* void wm_grain128_aad_pairs(wm_grain128 *ctx (r12), const uint8_t *a (r13), size_t pairs
 * (r14)) */
wm_grain128_aad_pairs:
        mov     #1, r15
        .size   wm_grain128_aad_pairs, .-wm_grain128_aad_pairs

        .globl  wm_grain128_crypt_pairs
        .type   wm_grain128_crypt_pairs,@function
/* void wm_grain128_crypt_pairs(wm_grain128 *ctx (r12), uint8_t *m (r13), size_t pairs (r14),
 * uint8_t opening (r15)); where that is 1, the octets are those of a, and left alone. On the stack:
 * octets to authenticate, the address of the next ones, pairs left, opening in both octets. */
wm_grain128_crypt_pairs:
        tst     r14
        jnz     1f
        ret
1:
        SAVE
        sxt     r15
        push    r15
        push    r14
        push    r13
        push    #0
2:
        call    #clock
        SEPARATE Y0
        SEPARATE Y1
        mov.b   Y0, T1                  /* T1: what encrypts; PRE, that is Y1: what authenticates */
        mov.b   Y1, T0
        swpb    T0
        bis     T0, T1
        swpb    Y0
        mov.b   Y0, Y0
        and     #0xff00, Y1
        bis     Y0, Y1
        mov     2(sp), U0
        mov.b   @U0+, OCTETS
        mov.b   @U0+, T0
        swpb    T0
        bis     T0, OCTETS
        mov     U0, 2(sp)
        mov     6(sp), U1
        cmp     #1, U1
        jeq     3f
        and     T1, U1
        xor     OCTETS, T1
        xor     U1, OCTETS
        mov.b   T1, -2(U0)
        swpb    T1
        mov.b   T1, -1(U0)
3:
        mov     #2, 0(sp)
        call    #authenticate
        dec     4(sp)
        jz      4f
        br      #2b
4:
        add     #8, sp
        RESTORE
        ret
        .size   wm_grain128_crypt_pairs, .-wm_grain128_crypt_pairs
