/* SPDX-License-Identifier: BSD-3-Clause */
/* Keccak-p[400] for the MSP430: takes the place of src/hash/keccak_p400.c, which is its reference.
 * References: FIPS 202 §3.
 * Invariants: no branch and no address depends on the state.
 *
 * Cycles: 510 a round, 48 around them. */
#define MOV mov
#define XOR xor
#define BIC bic
#define ADD add
#define ADDC addc
#define BIT bit
#define RRC rrc
#define OCTETS 2
#include "keccak_p.inc"

/* To the left by an offset of rho: whole octets by exchange, then bit by bit whichever way is
 * shorter. */
        .macro  ROTATE lane, offset
        .if ((\offset) & 15) >= 5 && ((\offset) & 15) <= 11
        swpb    \lane
        .endif
        .if ((\offset) & 15) == 12
        .rept   4
        ROTATE_RIGHT \lane
        .endr
        .else
        .if ((\offset) & 7) <= 4
        .rept   (\offset) & 7
        ROTATE_LEFT \lane
        .endr
        .else
        .rept   8 - ((\offset) & 7)
        ROTATE_RIGHT \lane
        .endr
        .endif
        .endif
        .endm

        .section .rodata.wm_keccak_p400, "a", @progbits
        .balign 2
constants: /* RC (§3.2.5), 16 bits of each */
        .short  0x0001, 0x8082, 0x808a, 0x8000, 0x808b, 0x0001, 0x8081, 0x8009, 0x008a, 0x0088
        .short  0x8009, 0x000a, 0x808b, 0x008b, 0x8089, 0x8003, 0x8002, 0x0080, 0x800a, 0x000a
constants_end:

        .section .text.wm_keccak_p400, "ax", @progbits
        .balign 2
        .globl  wm_keccak_p400
        .type   wm_keccak_p400, @function
/* void wm_keccak_p400(uint16_t state[25] (r12), uint8_t rounds (r13)) */
wm_keccak_p400:
        PERMUTATION constants, constants_end
        .size   wm_keccak_p400, . - wm_keccak_p400
