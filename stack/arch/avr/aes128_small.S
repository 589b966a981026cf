/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 encryption with the S-box as its only table. src/cipher/aes128_small.c is the reference.
 * References: FIPS 197 §5.1.
 * Invariants: no branch depends on key or block; the S-box is indexed by both, and every octet of
 * RAM is as near as any other (see wardmote/aes128.h). */
#include "aes128_round.inc"

#define TWICE_A r24
#define TWICE_B r25
#define TWICE_C XH
#define REDUCTION XL

/* Doubles in the field (FIPS 197 §4.2): the bit that is shifted out becomes a mask. 4 cycles. */
        .macro double register
        lsl     \register
        sbc     REDUCTION, REDUCTION
        andi    REDUCTION, 0x1b
        eor     \register, REDUCTION
        .endm

/* MixColumns (FIPS 197 §5.1.3: b_i = 2(a_i ^ a_{i+1}) ^ a_{i+1} ^ a_{i+2} ^ a_{i+3}) of a, b, c, d.
 * With A = a ^ b, B = b ^ c, C = c ^ d and W = 2A ^ 2B:
 *   row 0 = 2A ^ b ^ C,   row 1 = row 0 ^ W ^ A,   row 2 = 2C ^ d ^ A,   row 3 = row 2 ^ W ^ C.
 * 27 cycles. */
        .macro mix a b c d
        mov     TWICE_B, \b
        eor     TWICE_B, \c
        double  TWICE_B
        eor     \a, \b                  /* A */
        mov     TWICE_A, \a
        double  TWICE_A
        eor     \c, \d                  /* C */
        mov     TWICE_C, \c
        double  TWICE_C
        eor     \b, TWICE_A
        eor     \b, \c                  /* row 0 */
        eor     \d, TWICE_C
        eor     \d, \a                  /* row 2 */
        eor     TWICE_A, TWICE_B        /* W */
        eor     \a, TWICE_A
        eor     \a, \b                  /* row 1 */
        eor     \c, TWICE_A
        eor     \c, \d                  /* row 3 */
        .endm

        .macro prepare
        .endm

        .section .text.wm_aes128_small_encrypt, "ax", @progbits
        .globl  wm_aes128_small_encrypt
        .type   wm_aes128_small_encrypt, @function
        .globl  wm_aes128_small_forward
        .type   wm_aes128_small_forward, @function
/* void wm_aes128_small_encrypt(const wm_aes128 *ctx (r25:r24), wm_block128 *block (r23:r22)) */
wm_aes128_small_encrypt:
wm_aes128_small_forward:
        for_each push, r8, r9, r10, r11, r12, r13, r14, r15, r16
        encrypt mix, prepare, r24, r16
        for_each pop, r16, r15, r14, r13, r12, r11, r10, r9, r8
        ret
        .size   wm_aes128_small_encrypt, . - wm_aes128_small_encrypt
        .size   wm_aes128_small_forward, . - wm_aes128_small_forward
