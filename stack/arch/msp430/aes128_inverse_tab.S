/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 decryption with tables, for the MSP430: takes the place of
 * src/cipher/aes128_inverse_tab.c, which is its reference. References: FIPS 197 §5.3.5. Tables and
 * their use: src/cipher/aes128_inverse_tables.h, aes128_inverse_tab.c.
 * Invariants: no branch and no address but those of the table look-ups depends on key or block.
 *
 * The rounds of aes128_tab.S, which tells how the state stays in registers, with rows turned the
 * other way: so columns come in the order 0, 3, 2, 1, and half the words of the round key have to
 * be named by their places.
 *
 * Cycles: 173 a round; 21 for round key, 46 for taking octets apart, 96 for look-ups, 10 for column
 * 0's way. */

#define KEY r12 /* next half of the expanded key */
#define X r15   /* an octet, twice: index into a table of halves */

/* X = twice the octet, from the low (FIRST_LOW) or high octet of a half. */
        .macro  LOW half
        mov.b   \half, X
        add     X, X
        .endm

        .macro  HIGH half
        swpb    \half
        mov.b   \half, X
        add     X, X
        .endm

/* After HIGH the low octet lies high: the same instructions fetch it. */
        .macro  LOW_AFTER_HIGH half
        HIGH    \half
        .endm

/* What the octet at X, of row 0..3, adds to the two halves of its column. */
        .macro  ROW0 half0, half1
        xor     wm_aes128_14s_9s(X), \half0
        xor     wm_aes128_13s_11s(X), \half1
        .endm

        .macro  ROW1 half0, half1
        xor     wm_aes128_11s_14s(X), \half0
        xor     wm_aes128_9s_13s(X), \half1
        .endm

        .macro  ROW2 half0, half1
        xor     wm_aes128_13s_11s(X), \half0
        xor     wm_aes128_14s_9s(X), \half1
        .endm

        .macro  ROW3 half0, half1
        xor     wm_aes128_9s_13s(X), \half0
        xor     wm_aes128_11s_14s(X), \half1
        .endm

/* One round. In: halves 0..7 of the state in w0..w7. Out: halves 0..7 in w5 w0 w4 w1 w6 w3 t0 t1,
 * spare w2 w7. */
        .macro  ROUND w0, w1, w2, w3, w4, w5, w6, w7, t0, t1
        mov     @KEY+, \t0
        mov     @KEY+, \t1
        LOW     \w0
        ROW0    \t0, \t1
        HIGH    \w6
        ROW1    \t0, \t1
        LOW     \w5
        ROW2    \t0, \t1
        HIGH    \w3
        ROW3    \t0, \t1
        push    \t0
        push    \t1

        mov     8(KEY), \t0
        mov     10(KEY), \t1
        LOW_AFTER_HIGH \w6
        ROW0    \t0, \t1
        HIGH    \w4
        ROW1    \t0, \t1
        LOW_AFTER_HIGH \w3
        ROW2    \t0, \t1
        HIGH    \w1
        ROW3    \t0, \t1

        mov     4(KEY), \w6
        mov     6(KEY), \w3
        LOW_AFTER_HIGH \w4
        ROW0    \w6, \w3
        HIGH    \w2
        ROW1    \w6, \w3
        LOW_AFTER_HIGH \w1
        ROW2    \w6, \w3
        HIGH    \w7
        ROW3    \w6, \w3

        mov     @KEY+, \w4
        mov     @KEY+, \w1
        LOW_AFTER_HIGH \w2
        ROW0    \w4, \w1
        HIGH    \w0
        ROW1    \w4, \w1
        LOW_AFTER_HIGH \w7
        ROW2    \w4, \w1
        HIGH    \w5
        ROW3    \w4, \w1
        add     #8, KEY

        pop     \w0
        pop     \w5
        .endm

/* One half of the result: inverse S-box of an octet already in place (low) and of one fetched here
 * (high), plus round key. */
        .macro  LAST at, low, high, half, block
        swpb    \high
        mov.b   \high, X
        mov.b   wm_aes128_inverse_sbox(X), \half
        swpb    \half
        mov.b   \low, X
        mov.b   wm_aes128_inverse_sbox(X), X
        xor     X, \half
        xor     @KEY+, \half
        mov     \half, \at(\block)
        .endm

        .macro  LAST_AFTER_HIGH at, low, high, half, block
        swpb    \low
        LAST    \at, \low, \high, \half, \block
        .endm

        .section .text.wm_aes128_tab_decrypt, "ax", @progbits
        .balign 2
        .globl  wm_aes128_tab_decrypt
        .type   wm_aes128_tab_decrypt, @function
/* void wm_aes128_tab_decrypt(const wm_aes128_two_way *ctx (r12), wm_block128 *block (r13)) */
wm_aes128_tab_decrypt:
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    r13
        add     #176, KEY               /* the inverse's round keys */
        mov     KEY, X
        add     #160, X                 /* the last of them */
        push    X

        mov     r13, X /* AddRoundKey, into the registers of the fourth round below */
        mov     @X+, r5
        mov     @X+, r7
        mov     @X+, r13
        mov     @X+, r9
        mov     @X+, r6
        mov     @X+, r4
        mov     @X+, r8
        mov     @X+, r14
        xor     @KEY+, r5
        xor     @KEY+, r7
        xor     @KEY+, r13
        xor     @KEY+, r9
        xor     @KEY+, r6
        xor     @KEY+, r4
        xor     @KEY+, r8
        xor     @KEY+, r14
        jmp     .Lfourth

.Lfirst:
        ROUND   r4, r5, r6, r7, r8, r9, r10, r11, r13, r14
        ROUND   r9, r4, r8, r5, r10, r7, r13, r14, r6, r11
        ROUND   r7, r9, r10, r4, r13, r5, r6, r11, r8, r14
.Lfourth:
        ROUND   r5, r7, r13, r9, r6, r4, r8, r14, r10, r11
        cmp     @r1, KEY
        jne     .Lfirst

        push    KEY                     /* over halves of the state */
        push    KEY
        add     #6, r1
        pop     r14                     /* the block */
        LAST    0, r4, r10, r13, r14
        LAST    2, r9, r7, r13, r14
        LAST    4, r6, r4, r13, r14
        LAST    6, r11, r9, r13, r14
        LAST    8, r8, r6, r13, r14
        LAST    10, r5, r11, r13, r14
        LAST_AFTER_HIGH 12, r10, r8, r13, r14
        LAST_AFTER_HIGH 14, r7, r5, r13, r14

        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
        .size   wm_aes128_tab_decrypt, . - wm_aes128_tab_decrypt
