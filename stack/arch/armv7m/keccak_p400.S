/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[400] for ARMv7-M: takes the place of src/hash/keccak_p400.c, which is its reference.
 * References: FIPS 202 §3.
 * Invariants: no branch and no address depends on the state. */
#define LANE_BITS 16
#define OCTETS 2
#define EACH 0x00010001
#include "keccak_p.inc"

        .macro  FETCH to, from:vararg
        ldrh    \to, \from
        .endm

        .macro  NEXT to, pointer
        ldrh    \to, [\pointer], #OCTETS
        .endm

        .macro  STORE from, to:vararg
        strh    \from, \to
        .endm

        .section .rodata.wm_keccak_p400, "a", %progbits
        .balign 4
constants: /* RC (§3.2.5), 16 bits of each */
        .short  0x0001, 0x8082, 0x808a, 0x8000, 0x808b, 0x0001, 0x8081, 0x8009, 0x008a, 0x0088
        .short  0x8009, 0x000a, 0x808b, 0x008b, 0x8089, 0x8003, 0x8002, 0x0080, 0x800a, 0x000a
constants_end:

        .section .text.wm_keccak_p400, "ax", %progbits
        .balign 4
        .globl  wm_keccak_p400
        .thumb_func
        .type   wm_keccak_p400, %function
/* void wm_keccak_p400(uint16_t state[25] (r0), uint8_t rounds (r1)) */
wm_keccak_p400:
        PERMUTATION constants, constants_end
        .size   wm_keccak_p400, . - wm_keccak_p400
