/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[200] for ARMv7-M: takes the place of src/hash/keccak_p200.c, which is its reference.
 * References: FIPS 202 §3.
 * Invariants: no branch and no address depends on the state. */
#define LANE_BITS 8
#define OCTETS 1
#define EACH 0x01010101
#include "keccak_p.inc"

        .macro  FETCH to, from:vararg
        ldrb    \to, \from
        .endm

        .macro  NEXT to, pointer
        ldrb    \to, [\pointer], #OCTETS
        .endm

        .macro  STORE from, to:vararg
        strb    \from, \to
        .endm

        .section .rodata.wm_keccak_p200, "a", %progbits
        .balign 4
constants: /* RC (§3.2.5), 8 bits of each */
        .byte   0x01, 0x82, 0x8a, 0x00, 0x8b, 0x01, 0x81, 0x09, 0x8a
        .byte   0x88, 0x09, 0x0a, 0x8b, 0x8b, 0x89, 0x03, 0x02, 0x80
constants_end:

        .section .text.wm_keccak_p200, "ax", %progbits
        .balign 4
        .globl  wm_keccak_p200
        .thumb_func
        .type   wm_keccak_p200, %function
/* void wm_keccak_p200(uint8_t state[25] (r0), uint8_t rounds (r1)) */
wm_keccak_p200:
        PERMUTATION constants, constants_end
        .size   wm_keccak_p200, . - wm_keccak_p200
