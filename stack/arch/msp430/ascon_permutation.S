/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ascon permutation for the MSP430: takes the place of src/hash/ascon_permutation.c, which is
 * its reference.
 * References: SP 800-232 §3.
 * Invariants: nothing depends on the state: no branch and no address.
 *
 * Between rounds S_2 is in registers and the rest in memory; the S-box leaves S_0 in those
 * registers. Rotation by sixteen bits is a matter of which register is named.
 *
 * Cycles of a round: 502; 185 for the S-box, 63, 67, 54, 63 and 63 for Sigma_0 to Sigma_4 with what
 * they load and store, the rest for the loop. */

#include "state_octets.inc"

#define W0 r4 /* S_2 or S_0; a word in linear layers */
#define W1 r5
#define W2 r6
#define W3 r7
#define T0 r8 /* x_0 in the S-box; a word in linear layers */
#define T1 r9 /* x_1 */
#define T2 r10 /* x_3 */
#define T3 r11 /* x_4 */
#define STATE r12
#define CONSTANT r13
#define U r14
#define V r15

/* §3.3 on sixteen columns, with a = x_0 ^ x_4, c = x_1 ^ x_2, e = x_3 ^ x_4:
 *   x_3' = (x_0 | e) ^ c,  x_2' = (~e | x_3) ^ c,
 *   x_1' = ((x_3 ^ x_1) | c) ^ a,  x_0' = ((c ^ a) | x_1) ^ e,
 *   x_4' = (x_1 & ~a) ^ e.
 * x_0' takes the register of x_2. 46 cycles. */
        .macro  SUBSTITUTE at, x2
        mov     \at(STATE), T0
        mov     8+\at(STATE), T1
        mov     24+\at(STATE), T2
        mov     32+\at(STATE), T3
        mov     T0, U
        xor     T3, U                   /* a */
        xor     T1, \x2                 /* c */
        xor     T2, T3                  /* e */
        bis     T3, T0
        xor     \x2, T0
        mov     T0, 24+\at(STATE)
        mov     T3, V
        bic     T2, V
        xor     \x2, V
        inv     V
        mov     V, 16+\at(STATE)
        xor     T1, T2
        bis     \x2, T2
        xor     U, T2
        mov     T2, 8+\at(STATE)
        xor     U, \x2
        bis     T1, \x2
        xor     T3, \x2
        bic     U, T1
        xor     T1, T3
        mov     T3, 32+\at(STATE)
        .endm

/* W = a word of the state. */
        .macro  LOAD at
        mov     \at(STATE), W0
        mov     \at+2(STATE), W1
        mov     \at+4(STATE), W2
        mov     \at+6(STATE), W3
        .endm

        .macro  STORE at, a, b, c, d
        mov     \a, \at(STATE)
        mov     \b, \at+2(STATE)
        mov     \c, \at+4(STATE)
        mov     \d, \at+6(STATE)
        .endm

/* A word of the state ^= T. */
        .macro  ADD_TO_STATE at
        xor     T0, \at(STATE)
        xor     T1, \at+2(STATE)
        xor     T2, \at+4(STATE)
        xor     T3, \at+6(STATE)
        .endm

        .macro  COPY
        mov     W0, T0
        mov     W1, T1
        mov     W2, T2
        mov     W3, T3
        .endm

/* T_i ^= the register named i-th. */
        .macro  ADD a, b, c, d
        xor     \a, T0
        xor     \b, T1
        xor     \c, T2
        xor     \d, T3
        .endm

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

        .macro  LEFT_T
        LEFT    T0, T1, T2, T3
        .endm

        .macro  RIGHT_T
        RIGHT   T0, T1, T2, T3
        .endm

        .macro  LEFT_W
        LEFT    W0, W1, W2, W3
        .endm

/* The lower octet of \b into \a, whose octets then change places: one of four steps of a rotation
 * by eight bits to the right. */
        .macro  OCTET a, b
        mov     \b, V
        xor.b   \a, V
        xor     V, \a
        swpb    \a
        .endm

/* Rotates by eight bits to the right. 16 cycles. */
        .macro  RIGHT8 a, b, c, d
        mov     \a, U
        OCTET   \a, \b
        OCTET   \b, \c
        OCTET   \c, \d
        xor.b   \d, U
        xor     U, \d
        swpb    \d
        .endm

        .section .text.wm_ascon_permute, "ax", @progbits
        .balign 2
        .globl  wm_ascon_permute
        .type   wm_ascon_permute, @function
/* void wm_ascon_permute(wm_ascon_state *state (r12), uint8_t rounds (r13)) */
wm_ascon_permute:
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    r11
        mov.b   r13, U
        mov     U, CONSTANT
        rla     CONSTANT
        rla     CONSTANT
        rla     CONSTANT
        rla     CONSTANT
        sub     U, CONSTANT
        add     #0x3c, CONSTANT         /* §3.2: 0x3c + 15 for each round to come */
        LOAD    16
.Lround:
        xor     CONSTANT, W0
        SUBSTITUTE 0, W0
        SUBSTITUTE 2, W1
        SUBSTITUTE 4, W2
        SUBSTITUTE 6, W3

        /* Sigma_0: x ^ x >>> 3 >>> 16 ^ x <<< 4 >>> 32; half i of the sum is in T_(i+1). */
        COPY
        RIGHT_T
        RIGHT_T
        RIGHT_T
        ADD     W3, W0, W1, W2
        LEFT_W
        LEFT_W
        LEFT_W
        LEFT_W
        ADD     W1, W2, W3, W0
        STORE   0, T1, T2, T3, T0

        /* Sigma_1: x ^ (x <<< 2 ^ x >>> 8 >>> 32) <<< 1 */
        LOAD    8
        COPY
        LEFT_T
        LEFT_T
        RIGHT8  W0, W1, W2, W3
        ADD     W2, W3, W0, W1
        LEFT_T
        ADD_TO_STATE 8

        /* Sigma_3: x ^ (x >>> 8 >>> 1 ^ x >>> 16) >>> 1 */
        LOAD    24
        COPY
        RIGHT8  T0, T1, T2, T3
        RIGHT_T
        ADD     W1, W2, W3, W0
        RIGHT_T
        ADD_TO_STATE 24

        /* Sigma_4: x ^ (x <<< 1 ^ x >>> 1 >>> 32) >>> 8 */
        LOAD    32
        COPY
        LEFT_T
        RIGHT   W0, W1, W2, W3
        ADD     W2, W3, W0, W1
        RIGHT8  T0, T1, T2, T3
        ADD_TO_STATE 32

        /* Sigma_2: x ^ (x ^ x >>> 5) >>> 1 */
        LOAD    16
        COPY
        RIGHT_T
        RIGHT_T
        RIGHT_T
        RIGHT_T
        RIGHT_T
        ADD     W0, W1, W2, W3
        RIGHT_T
        xor     T0, W0
        xor     T1, W1
        xor     T2, W2
        xor     T3, W3

        sub     #15, CONSTANT
        cmp     #0x3c, CONSTANT
        jeq     1f
        br      #.Lround
1:
        STORE   16, W0, W1, W2, W3
        pop     r11
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
        .size   wm_ascon_permute, . - wm_ascon_permute

        OCTETS_XOR wm_ascon
        OCTETS_EXTRACT wm_ascon
        OCTETS_DECRYPT wm_ascon
        OCTETS_ENCRYPT wm_ascon
