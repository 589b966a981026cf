/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 key expansion; src/cipher/aes128_expand.c is the reference. References: FIPS 197 §5.2.
 * Branch-free but for the public round constant; the S-box is indexed by the key (see wardmote/aes128.h). */
#include "aes128_registers.inc"

/* A round key lies in registers, word i in four of them; Z points to the S-box's page, X to where the next octet goes. */
#define W0 r18
#define W1 r19
#define W2 r20
#define W3 r21
#define W4 r22
#define W5 r23
#define W6 r24
#define W7 r25
#define W8 r8
#define W9 r9
#define W10 r10
#define W11 r11
#define W12 r12
#define W13 r13
#define W14 r14
#define W15 r15
#define RCON r16
#define AFTER_LAST 0x6c /* the round constant behind the tenth */

        .macro load register
        ld      \register, Z+
        .endm

        .macro store register
        st      X+, \register
        .endm

/* \to ^= S-box of \from. */
        .macro add_sub to from
        mov     ZL, \from
        ld      r0, Z
        eor     \to, r0
        .endm

        .section .text.wm_aes128_expand, "ax", @progbits
        .globl  wm_aes128_expand
        .type   wm_aes128_expand, @function
/* void wm_aes128_expand(wm_aes128 *ctx (r25:r24), const uint8_t key[16] (r23:r22)) */
wm_aes128_expand:
        for_each push, r8, r9, r10, r11, r12, r13, r14, r15, r16
        movw    XL, r24
        movw    ZL, r22
        for_each load, W0, W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W11, W12, W13, W14, W15
        for_each store, W0, W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W11, W12, W13, W14, W15
        ldi     ZH, hi8(wm_aes128_sbox)
        ldi     RCON, 1
.Lround:
        add_sub W0, W13                 /* word 0 ^= SubWord(RotWord(word 3)) ^ Rcon */
        add_sub W1, W14
        add_sub W2, W15
        add_sub W3, W12
        eor     W0, RCON
        eor     W4, W0
        eor     W5, W1
        eor     W6, W2
        eor     W7, W3
        eor     W8, W4
        eor     W9, W5
        eor     W10, W6
        eor     W11, W7
        eor     W12, W8
        eor     W13, W9
        eor     W14, W10
        eor     W15, W11
        for_each store, W0, W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W11, W12, W13, W14, W15
        lsl     RCON                    /* doubled in the field of §4.2 */
        brcc    .Lreduced
        ldi     RCON, 0x1b              /* 2 * 0x80 */
.Lreduced:
        cpi     RCON, AFTER_LAST
        brne    .Lround
        for_each pop, r16, r15, r14, r13, r12, r11, r10, r9, r8
        ret
        .size   wm_aes128_expand, . - wm_aes128_expand
