/* SPDX-License-Identifier: BSD-3-Clause */
/* The Ascon permutation for the MSP430 in little flash: takes the place of
 * src/hash/ascon_permutation.c, which is its reference. References: SP 800-232 §3.
 * Invariants: nothing depends on the state: no branch and no address. */

#include "../state_octets.inc"

#define COUNT r6
#define T0 r8
#define T1 r9
#define T2 r10
#define T3 r11
#define STATE r12
#define CONSTANT r13
#define BITS r14
#define SIGMA r15

        .section .rodata.ascon_sigma, "a", @progbits
/* Of each word, x ^ (x ^ x >>> apart) >>> first (§3.4): apart and first, the pair that needs the
 * fewest steps. */
sigma:
        .byte   9, 19, 22, 39, 5, 1, 57, 17, 34, 7
sigma_end:

        .section .text.wm_ascon_permute, "ax", @progbits
        .balign 2
/* Rotates T by the next number of bits, no multiple of 16, to the right: by halves, then by
 * bits. */
rotate:
        mov.b   @SIGMA+, BITS
1:
        sub     #16, BITS
        jnc     2f
        mov     T0, r7
        mov     T1, T0
        mov     T2, T1
        mov     T3, T2
        mov     r7, T3
        jmp     1b
2:
        add     #16, BITS
3:
        bit     #1, T0
        rrc     T3
        rrc     T2
        rrc     T1
        rrc     T0
        dec     BITS
        jnz     3b
        ret

        .globl  wm_ascon_permute
        .type   wm_ascon_permute, @function
/* void wm_ascon_permute(wm_ascon_state *state (r12), uint8_t rounds (r13)) */
wm_ascon_permute:
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    r11
        mov.b   r13, r14
        mov     r14, CONSTANT
        swpb    CONSTANT
        rra     CONSTANT
        rra     CONSTANT
        rra     CONSTANT
        rra     CONSTANT
        sub     r14, CONSTANT
        add     #0x3c, CONSTANT         /* §3.2: 0x3c + 15 for each round to come */
.Lround:
        xor     CONSTANT, 16(STATE)
        mov     #4, COUNT
1:                                      /* §3.3; as in ../ascon_permutation.S */
        mov     @STATE, r8              /* x_0 */
        mov     8(STATE), r9            /* x_1 */
        mov     16(STATE), r7           /* x_2 */
        mov     24(STATE), r10          /* x_3 */
        mov     32(STATE), r11          /* x_4 */
        mov     r8, r14
        xor     r11, r14                /* a */
        xor     r9, r7                  /* c */
        xor     r10, r11                /* e */
        bis     r11, r8
        xor     r7, r8
        mov     r8, 24(STATE)
        mov     r11, r15
        bic     r10, r15
        xor     r7, r15
        inv     r15
        mov     r15, 16(STATE)
        xor     r9, r10
        bis     r7, r10
        xor     r14, r10
        mov     r10, 8(STATE)
        xor     r14, r7
        bis     r9, r7
        xor     r11, r7
        mov     r7, 0(STATE)
        bic     r14, r9
        xor     r9, r11
        mov     r11, 32(STATE)
        incd    STATE
        dec     COUNT
        jnz     1b
        sub     #8, STATE
        mov     #sigma, SIGMA
2:
        mov     @STATE+, T0
        mov     @STATE+, T1
        mov     @STATE+, T2
        mov     @STATE+, T3
        call    #rotate
        sub     #8, STATE
        xor     @STATE+, T0
        xor     @STATE+, T1
        xor     @STATE+, T2
        xor     @STATE+, T3
        call    #rotate
        xor     T0, -8(STATE)
        xor     T1, -6(STATE)
        xor     T2, -4(STATE)
        xor     T3, -2(STATE)
        cmp     #sigma_end, SIGMA
        jne     2b
        sub     #40, STATE
        sub     #15, CONSTANT
        cmp     #0x3c, CONSTANT
        jne     .Lround
        pop     r11
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        ret
        .size   wm_ascon_permute, . - wm_ascon_permute

        OCTETS_XOR wm_ascon
        OCTETS_EXTRACT wm_ascon
        OCTETS_DECRYPT wm_ascon
        OCTETS_ENCRYPT wm_ascon
