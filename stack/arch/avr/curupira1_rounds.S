/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of Curupira, the state in twelve registers. src/cipher/curupira1_rounds.c is the
 * reference, and tells why decryption adds a round key before theta.
 * References: Barreto, Simplicio, "CURUPIRA", SBRC 2007.
 * Invariants: no branch depends on key or block; the S-box is indexed by both, and every octet of
 * RAM is as near as any other (see wardmote/curupira.h). */
#include "aes128_registers.inc"

/* Row i, column j is Sij. */
#define S00 r8
#define S01 r9
#define S02 r10
#define S03 r11
#define S10 r12
#define S11 r13
#define S12 r14
#define S13 r15
#define S20 r16
#define S21 r17
#define S22 r18
#define S23 r19
#define OCTET r20
#define TWICE r21
#define ROUNDS r22
#define REDUCTION r23
#define FOUR r24

/* Columns of the block at Z, octet i + 3j being Sij: \operation with octet and register. 24
 * cycles. */
        .macro each_octet operation
        \operation 0, S00
        \operation 1, S10
        \operation 2, S20
        \operation 3, S01
        \operation 4, S11
        \operation 5, S21
        \operation 6, S02
        \operation 7, S12
        \operation 8, S22
        \operation 9, S03
        \operation 10, S13
        \operation 11, S23
        .endm

        .macro fetch at register
        ldd     \register, Z+\at
        .endm

        .macro put at register
        std     Z+\at, \register
        .endm

/* The next octet of the round key at X, upwards. */
        .macro add_up register
        ld      OCTET, X+
        eor     \register, OCTET
        .endm

/* The one before, downwards. */
        .macro add_down register
        ld      OCTET, -X
        eor     \register, OCTET
        .endm

/* sigma, 36 cycles. */
        .macro add_key
        for_each add_up, S00, S01, S02, S03, S10, S11, S12, S13, S20, S21, S22, S23
        .endm

        .macro add_key_before
        for_each add_down, S23, S22, S21, S20, S13, S12, S11, S10, S03, S02, S01, S00
        .endm

/* gamma where pi moves nothing. ZH is the page of the S-box. */
        .macro in_place register
        mov     ZL, \register
        ld      \register, Z
        .endm

/* gamma of two octets that pi exchanges. */
        .macro exchange a b
        mov     ZL, \a
        ld      OCTET, Z
        mov     ZL, \b
        ld      \a, Z
        mov     \b, OCTET
        .endm

/* gamma and pi, 40 cycles. */
        .macro substitute
        for_each in_place, S00, S01, S02, S03
        exchange S10, S11
        exchange S12, S13
        exchange S20, S22
        exchange S21, S23
        .endm

/* Doubles modulo x^8 + x^6 + x^3 + x^2 + 1: the bit that is shifted out becomes a mask. */
        .macro double register
        lsl     \register
        sbc     REDUCTION, REDUCTION
        andi    REDUCTION, 0x4d
        eor     \register, REDUCTION
        .endm

/* theta of one column, 16 cycles. */
        .macro column a b c
        mov     TWICE, \a
        eor     TWICE, \b
        eor     TWICE, \c
        double  TWICE
        eor     \a, TWICE
        mov     FOUR, TWICE
        double  FOUR
        eor     \b, FOUR
        eor     \c, TWICE
        eor     \c, FOUR
        .endm

        .macro mix
        column  S00, S10, S20
        column  S01, S11, S21
        column  S02, S12, S22
        column  S03, S13, S23
        .endm

/* Saves what the caller keeps and the address of the block, which is in Z, and loads the block. */
        .macro enter
        for_each push, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, ZL, ZH
        each_octet fetch
        ldi     ZH, hi8(wm_curupira_sbox)
        .endm

        .macro leave
        for_each pop, ZH, ZL
        each_octet put
        for_each pop, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8
        ret
        .endm

        .section .text.wm_curupira_encrypt, "ax", @progbits
        .globl  wm_curupira_encrypt
        .type   wm_curupira_encrypt, @function
/* void wm_curupira_encrypt(const wm_block96 *round_key (r25:r24), uint8_t rounds (r22), uint8_t
 * block[12] (r21:r20)) */
wm_curupira_encrypt:
        movw    XL, r24
        movw    ZL, r20
        enter
        add_key
1:
        substitute
        dec     ROUNDS
        brne    2f
        rjmp    3f
2:
        mix
        add_key
        rjmp    1b
3:
        add_key
        leave
        .size   wm_curupira_encrypt, . - wm_curupira_encrypt

        .section .text.wm_curupira_decrypt, "ax", @progbits
        .globl  wm_curupira_decrypt
        .type   wm_curupira_decrypt, @function
/* void wm_curupira_decrypt(const wm_block96 *round_key (r25:r24), uint8_t rounds (r22), uint8_t
 * block[12] (r21:r20)) */
wm_curupira_decrypt:
        movw    XL, r24
        movw    ZL, r20
        ldi     OCTET, 12
        mul     ROUNDS, OCTET
        add     XL, r0
        adc     XH, r1
        adiw    XL, 12                  /* behind the last round key */
        clr     r1
        enter
        add_key_before
1:
        substitute
        add_key_before
        dec     ROUNDS
        brne    2f
        rjmp    3f
2:
        mix
        rjmp    1b
3:
        leave
        .size   wm_curupira_decrypt, . - wm_curupira_decrypt

        .section .text.wm_curupira_sct, "ax", @progbits
        .globl  wm_curupira_sct
        .type   wm_curupira_sct, @function
/* void wm_curupira_sct(uint8_t block[12] (r25:r24)) */
wm_curupira_sct:
        movw    ZL, r24
        enter
        ldi     ROUNDS, 4
1:
        substitute
        mix
        dec     ROUNDS
        breq    2f
        rjmp    1b
2:
        leave
        .size   wm_curupira_sct, . - wm_curupira_sct
