/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[200] for the MSP430: takes the place of src/hash/keccak_p200.c, which is its reference.
 * References: FIPS 202 §3.
 * Invariants: no branch and no address depends on the state.
 *
 * Cycles: 499 a round, 47 around them. */
#define MOV mov.b
#define XOR xor.b
#define BIC bic.b
#define ADD add.b
#define ADDC addc.b
#define BIT bit.b
#define RRC rrc.b
#define OCTETS 1
#include "keccak_p.inc"

/* To the left by an offset of rho, whichever way is shorter. */
        .macro  ROTATE lane, offset
        .if ((\offset) & 7) <= 4
        .rept   (\offset) & 7
        ROTATE_LEFT \lane
        .endr
        .else
        .rept   8 - ((\offset) & 7)
        ROTATE_RIGHT \lane
        .endr
        .endif
        .endm

        .section .rodata.wm_keccak_p200, "a", @progbits
        .balign 2
constants: /* RC (§3.2.5), 8 bits of each */
        .byte   0x01, 0x82, 0x8a, 0x00, 0x8b, 0x01, 0x81, 0x09, 0x8a
        .byte   0x88, 0x09, 0x0a, 0x8b, 0x8b, 0x89, 0x03, 0x02, 0x80
constants_end:

        .section .text.wm_keccak_p200, "ax", @progbits
        .balign 2
        .globl  wm_keccak_p200
        .type   wm_keccak_p200, @function
/* void wm_keccak_p200(uint8_t state[25] (r12), uint8_t rounds (r13)) */
wm_keccak_p200:
        PERMUTATION constants, constants_end
        .size   wm_keccak_p200, . - wm_keccak_p200
