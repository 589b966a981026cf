/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 encryption with tables, for the MSP430: takes the place of src/cipher/aes128_tab.c, which
 * is its reference.
 * References: FIPS 197 §5.1. Tables and their use: src/cipher/aes128_tables.h, aes128_tab.c.
 * Invariants: no branch and no address but those of the table look-ups depends on key or block.
 *
 * The whole state stays in registers, and none of it goes to the stack. Each half gives its low octet
 * to one column and then its high octet to another: columns 3, 2 and 1 are made in turn, while column
 * 0 has its even rows from the beginning, in the two spare registers, and gets its odd rows at the
 * end. The first look-up of a column is by a half's last octet, in its own register: one look-up goes
 * to the register that was the index until then, the other takes the place of the octet itself, and
 * the register of the next half used up is the new index. Hence each round leaves the state in other
 * registers; after three rounds they are back in place, so three rounds are written out.
 *
 * Cycles: 152 a round; 16 for round key, 40 for taking octets apart, 96 for look-ups.
 */

#define KEY r12 /* next half of the expanded key */

/* x = twice the octet, from the low or high octet of a half. */
        .macro  LOW half, x
        mov.b   \half, \x
        add     \x, \x
        .endm

        .macro  HIGH half, x
        swpb    \half
        LOW     \half, \x
        .endm

/* What the octet at x, of row 0..3, adds to the two halves of its column. */
        .macro  ROW0 x, half0, half1
        xor     wm_aes128_2s_s(\x), \half0
        xor     wm_aes128_s_3s(\x), \half1
        .endm

        .macro  ROW1 x, half0, half1
        xor     wm_aes128_3s_2s(\x), \half0
        xor     wm_aes128_s_s(\x), \half1
        .endm

        .macro  ROW2 x, half0, half1
        ROW0    \x, \half1, \half0
        .endm

        .macro  ROW3 x, half0, half1
        ROW1    \x, \half1, \half0
        .endm

/* One round. In: halves 0..7 of the state in w0..w7. Out: halves 0..7 in t0 t1 w1 w3 w6 w5 x w0,
 * spare w7 w2, index w4. */
        .macro  ROUND w0, w1, w2, w3, w4, w5, w6, w7, t0, t1, x
        LOW     \w0, \x                 /* column 0: t0, t1 */
        mov     wm_aes128_2s_s(\x), \t0
        mov     wm_aes128_s_3s(\x), \t1
        LOW     \w5, \x
        ROW2    \x, \t0, \t1

        HIGH    \w0, \w0                /* column 3: x, w0 */
        mov     wm_aes128_3s_2s(\w0), \x
        mov     wm_aes128_s_s(\w0), \w0
        HIGH    \w5, \w5
        ROW3    \w5, \x, \w0
        LOW     \w6, \w5
        ROW0    \w5, \x, \w0
        LOW     \w3, \w5
        ROW2    \w5, \x, \w0

        HIGH    \w6, \w6                /* column 2: w6, w5 */
        mov     wm_aes128_s_s(\w6), \w5
        mov     wm_aes128_3s_2s(\w6), \w6
        HIGH    \w3, \w3
        ROW3    \w3, \w6, \w5
        LOW     \w4, \w3
        ROW0    \w3, \w6, \w5
        LOW     \w1, \w3
        ROW2    \w3, \w6, \w5

        HIGH    \w1, \w1                /* column 1: w1, w3 */
        mov     wm_aes128_3s_2s(\w1), \w3
        mov     wm_aes128_s_s(\w1), \w1
        HIGH    \w4, \w4
        ROW1    \w4, \w1, \w3
        LOW     \w2, \w4
        ROW0    \w4, \w1, \w3
        LOW     \w7, \w4
        ROW2    \w4, \w1, \w3

        HIGH    \w2, \w2                /* column 0 again */
        ROW1    \w2, \t0, \t1
        HIGH    \w7, \w7
        ROW3    \w7, \t0, \t1

        xor     @KEY+, \t0
        xor     @KEY+, \t1
        xor     @KEY+, \w1
        xor     @KEY+, \w3
        xor     @KEY+, \w6
        xor     @KEY+, \w5
        xor     @KEY+, \x
        xor     @KEY+, \w0
        .endm

/* The S-box of the octet that is low in `from`, to `to`. */
        .macro  SUB from, to
        mov.b   \from, \to
        mov.b   wm_aes128_sbox(\to), \to
        .endm

/* The S-box of the octet that is high in `half`, in place, high; the other is 0. */
        .macro  SUB_HIGH half
        swpb    \half
        SUB     \half, \half
        swpb    \half
        .endm

/* high = the S-box of the octets low in `low` and high in `high`. */
        .macro  SUB_INTO low, high, x
        SUB_HIGH \high
        SUB     \low, \x
        bis     \x, \high
        .endm

        .section .text.wm_aes128_tab_rounds, "ax", @progbits
        .balign 2
        .globl  wm_aes128_tab_rounds
        .type   wm_aes128_tab_rounds, @function
/* All rounds, for functions in assembly. In: halves 0..7 of the block in r4..r11, the expanded key
 * at r12, and 2(r1) is the end of its round key 9. Out: halves 0..7 in r13 r14 r8 r5 r10 r7 r4 r9,
 * r12 is the end of the expanded key. Changes r6, r11 and r15. */
wm_aes128_tab_rounds:
        xor     @KEY+, r4
        xor     @KEY+, r5
        xor     @KEY+, r6
        xor     @KEY+, r7
        xor     @KEY+, r8
        xor     @KEY+, r9
        xor     @KEY+, r10
        xor     @KEY+, r11
.Lthree:
        ROUND   r4, r5, r6, r7, r8, r9, r10, r11, r13, r14, r15
        ROUND   r13, r14, r5, r7, r10, r9, r15, r4, r11, r6, r8
        ROUND   r11, r6, r14, r7, r15, r9, r8, r13, r4, r5, r10
        cmp     2(r1), KEY
        jne     .Lthree

        SUB     r4, r13
        SUB     r9, r14
        SUB_INTO r10, r4, r15
        SUB_INTO r7, r9, r15
        SUB_INTO r8, r10, r15
        SUB_INTO r5, r7, r15
        SUB_INTO r6, r8, r15
        SUB_INTO r11, r5, r15
        SUB_HIGH r6
        bis     r6, r13
        SUB_HIGH r11
        bis     r11, r14
        xor     @KEY+, r13
        xor     @KEY+, r14
        xor     @KEY+, r8
        xor     @KEY+, r5
        xor     @KEY+, r10
        xor     @KEY+, r7
        xor     @KEY+, r4
        xor     @KEY+, r9
        ret
        .size   wm_aes128_tab_rounds, . - wm_aes128_tab_rounds

        .section .text.wm_aes128_tab_encrypt, "ax", @progbits
        .balign 2
        .globl  wm_aes128_tab_encrypt
        .type   wm_aes128_tab_encrypt, @function
        .globl  wm_aes128_tab_forward
        .type   wm_aes128_tab_forward, @function
/* void wm_aes128_tab_encrypt(const wm_aes128 *ctx (r12), wm_block128 *block (r13)) */
wm_aes128_tab_encrypt:
wm_aes128_tab_forward:
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    r13
        mov     KEY, r15
        add     #160, r15               /* end of round key 9 */
        push    r15
        mov     @r13+, r4
        mov     @r13+, r5
        mov     @r13+, r6
        mov     @r13+, r7
        mov     @r13+, r8
        mov     @r13+, r9
        mov     @r13+, r10
        mov     @r13+, r11
        call    #wm_aes128_tab_rounds
        incd    r1
        pop     r15                     /* the block */
        mov     r13, 0(r15)
        mov     r14, 2(r15)
        mov     r8, 4(r15)
        mov     r5, 6(r15)
        mov     r10, 8(r15)
        mov     r7, 10(r15)
        mov     r4, 12(r15)
        mov     r9, 14(r15)
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
        .size   wm_aes128_tab_encrypt, . - wm_aes128_tab_encrypt
        .size   wm_aes128_tab_forward, . - wm_aes128_tab_forward
