/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 decryption with two pages of tables: the inverse S-box, and doubles in the field. Takes
 * the place of src/cipher/aes128_inverse_tab.c, which is its reference. References: FIPS 197
 * §5.3.5.
 * Invariants: no branch depends on key or block; the tables are indexed by both, and every octet of
 * RAM is as near as any other (see wardmote/aes128.h).
 *
 * Registers of the state, pointers and the exchange of rows in pairs are those of
 * aes128_round.inc. */
#include "aes128_round.inc"
#include "aes128_inverse_mix.inc"

#define COUNT r17
#define HELD r24

/* AddRoundKey, InvSubBytes and InvShiftRows of a whole round. 82 cycles. */
        .macro inverse_substitute
        sub     HELD, S0, 0
        sub     S0, S13, 13
        sub     S13, S12, 12
        sub     S12, S9, 9
        sub     S9, S8, 8
        sub     S8, S5, 5
        sub     S5, S4, 4
        sub     S4, S1, 1
        mov     S1, HELD
        sub     HELD, S2, 2
        sub     S2, S7, 7
        sub     S7, S14, 14
        sub     S14, S3, 3
        sub     S3, S10, 10
        sub     S10, S15, 15
        sub     S15, S6, 6
        sub     S6, S11, 11
        mov     S11, HELD
        .endm

        .section .text.wm_aes128_tab_decrypt, "ax", @progbits
        .globl  wm_aes128_tab_decrypt
        .type   wm_aes128_tab_decrypt, @function
/* void wm_aes128_tab_decrypt(const wm_aes128_two_way *ctx (r25:r24), wm_block128 *block
 * (r23:r22)) */
wm_aes128_tab_decrypt:
        for_each push, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH, r22, r23
        subi    r24, lo8(-176)          /* the inverse's round keys */
        sbci    r25, hi8(-176)
        movw    YL, r24
        movw    XL, r22
        for_each load, S0, S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, S12, S13, S14, S15
        ldi     ZH, hi8(wm_aes128_inverse_sbox)
        ldi     XH, hi8(wm_aes128_twice)
        ldi     COUNT, 9
.Lround:
        inverse_substitute
        inverse_mix S1, S0, S3, S2
        inverse_mix S5, S4, S7, S6
        inverse_mix S9, S8, S11, S10
        inverse_mix S13, S12, S15, S14
        adiw    YL, 16
        dec     COUNT
        breq    .Llast
        rjmp    .Lround
.Llast:
        pop     XH
        pop     XL
        last    0, S0, 0
        last    1, S13, 13
        last    2, S10, 10
        last    3, S7, 7
        last    4, S4, 4
        last    5, S1, 1
        last    6, S14, 14
        last    7, S11, 11
        last    8, S8, 8
        last    9, S5, 5
        last    10, S2, 2
        last    11, S15, 15
        last    12, S12, 12
        last    13, S9, 9
        last    14, S6, 6
        last    15, S3, 3
        clr     r1
        for_each pop, YH, YL, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8
        ret
        .size   wm_aes128_tab_decrypt, . - wm_aes128_tab_decrypt
