/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ascon permutation for the AVR in little flash: takes the place of
 * src/hash/ascon_permutation.c, which is its reference. References: SP 800-232 §3.
 * Invariants: nothing depends on the state: no branch and no address.
 *
 * Cycles of a round: 1 807; 345 for the S-box, 1 458 for the linear layer. */

#include "../aes128_registers.inc"
#include "../state_octets.inc"

#define T0 r18
#define T1 r19
#define T2 r20
#define T3 r21
#define T4 r22
#define T5 r23
#define T6 r24
#define T7 r25
#define APART r16
#define FIRST r17
#define CONSTANT r28

/* A word: x ^ (x ^ x >>> apart) >>> first (§3.4), with the pair of amounts that needs the fewest
 * steps. */
        .macro  sigma first apart
        ldi     FIRST, \first
        ldi     APART, \apart
        rcall   sigma
        .endm

        .section .text.wm_ascon_permute, "ax", @progbits
/* T ^= the word at X. */
add_word:
        .irp    t, r18, r19, r20, r21, r22, r23, r24, r25
        ld      r0, X+
        eor     \t, r0
        .endr
        sbiw    XL, 8
        ret

/* One word at X; leaves X at the next. */
sigma:
        for_each clr, T0, T1, T2, T3, T4, T5, T6, T7
        rcall   add_word
        rcall   rotate
        rcall   add_word
        mov     APART, FIRST
        rcall   rotate
        rcall   add_word
        .irp    t, r18, r19, r20, r21, r22, r23, r24, r25
        st      X+, \t
        .endr
        ret

/* Rotates T by APART bits, 0..63 and no multiple of 8, to the right: by octets, the last too many,
 * then by bits to the left. */
rotate:
        mov     r0, T0
        mov     T0, T1
        mov     T1, T2
        mov     T2, T3
        mov     T3, T4
        mov     T4, T5
        mov     T5, T6
        mov     T6, T7
        mov     T7, r0
        subi    APART, 8
        brcc    rotate
1:
        lsl     T0
        for_each rol, T1, T2, T3, T4, T5, T6, T7
        adc     T0, r1
        inc     APART
        brne    1b
        ret

        .globl  wm_ascon_permute
        .type   wm_ascon_permute, @function
/* void wm_ascon_permute(wm_ascon_state *state (r25:r24), uint8_t rounds (r22)) */
wm_ascon_permute:
        for_each push, r16, r17, r28
        movw    ZL, r24
        ldi     r23, 15
        mul     r23, r22
        mov     CONSTANT, r0
        clr     r1
        subi    CONSTANT, -0x3c         /* §3.2: 0x3c + 15 for each round to come */
.Lround:
        ldd     r18, Z+16
        eor     r18, CONSTANT
        std     Z+16, r18
        ldi     r25, 8
1:                                      /* §3.3; as in ../ascon_permutation.S */
        ld      r18, Z
        ldd     r19, Z+8
        ldd     r20, Z+16
        ldd     r21, Z+24
        ldd     r22, Z+32
        mov     r23, r18
        eor     r23, r22                /* a */
        eor     r20, r19                /* c */
        eor     r22, r21                /* e */
        or      r18, r22
        eor     r18, r20
        std     Z+24, r18
        mov     r18, r22
        com     r18
        or      r18, r21
        eor     r18, r20
        std     Z+16, r18
        eor     r21, r19
        or      r21, r20
        eor     r21, r23
        std     Z+8, r21
        eor     r20, r23
        or      r20, r19
        eor     r20, r22
        com     r23
        and     r19, r23
        eor     r22, r19
        std     Z+32, r22
        st      Z+, r20
        dec     r25
        brne    1b
        sbiw    ZL, 8
        movw    XL, ZL
        sigma   28, 55
        sigma   39, 22
        sigma   1, 5
        sigma   10, 7
        sigma   7, 34
        subi    CONSTANT, 15
        cpi     CONSTANT, 0x3c
        brne    .Lround
        for_each pop, r28, r17, r16
        ret
        .size   wm_ascon_permute, . - wm_ascon_permute

        octets_xor wm_ascon
        octets_extract wm_ascon
        octets_decrypt wm_ascon
        octets_encrypt wm_ascon
