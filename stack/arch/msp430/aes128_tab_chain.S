/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 with tables along a CBC-MAC, for the MSP430: takes the place of
 * src/cipher/aes128_tab_chain.c, which is its reference. The chain stays in registers.
 * Invariants: no branch and no address but those of the table look-ups depends on key, chain or data.
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
 *
 * Behind the last round a block takes round key 10 and what the first round of the next has in front
 * of it, round key 0, as one. Both together are key material on the stack, wiped at the end.
 *
 * Cycles: 1525 a block; 1471 for its rounds, 32 for keys and data, 8 to bring halves back in place, 14
 * for what has no register. */

#define KEY r12 /* next half of the expanded key */
#define DATA r15
#define LEFT r6 /* what has no register */

/* The stack: the two words that wm_aes128_tab_rounds wants, round key 10 ^ round key 0, then where
 * data are, where they end, and where the chain is. */
#define BOTH_KEYS_AT 4 /* from r1 */
#define BOTH_KEYS 16
#define CHAIN_AT 24 /* from r1: a number, as clang does not know a sum in an address */

#define KEY_0_TO_1 16
#define KEY_0_TO_10 160

/* State ^= round key. */
        .macro  KEY_TO_STATE
        xor     @KEY+, r4
        xor     @KEY+, r5
        xor     @KEY+, r6
        xor     @KEY+, r7
        xor     @KEY+, r8
        xor     @KEY+, r9
        xor     @KEY+, r10
        xor     @KEY+, r11
        .endm

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

        .section .text.wm_aes128_tab_chain, "ax", @progbits
        .balign 2
        .globl  wm_aes128_tab_chain
        .type   wm_aes128_tab_chain, @function
/* void wm_aes128_tab_chain(const void *schedule (r12), wm_block128 *chain (r13),
 *                          const wm_block128 *data (r14), size_t blocks (r15)); blocks >= 1 */
wm_aes128_tab_chain:
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    r13                     /* the chain */
        rla     r15
        rla     r15
        rla     r15
        rla     r15
        add     r14, r15
        push    r15                     /* end of data */
        push    r14                     /* data */
        mov     #BOTH_KEYS / 2, r14
        mov     KEY, r11
        add     #BOTH_KEYS, r11
.Lboth_keys:
        decd    r11
        mov     @r11, r15
        xor     KEY_0_TO_10(r11), r15
        push    r15
        dec     r14
        jnz     .Lboth_keys
        push    #.Lbehind_rounds
        add     #KEY_0_TO_10, r11
        push    r11
        mov     @r13+, r4
        mov     @r13+, r5
        mov     @r13+, r6
        mov     @r13+, r7
        mov     @r13+, r8
        mov     @r13+, r9
        mov     @r13+, r10
        mov     @r13+, r11
        KEY_TO_STATE
        .size   wm_aes128_tab_chain, . - wm_aes128_tab_chain

        .globl  wm_aes128_tab_rounds
        .type   wm_aes128_tab_rounds, @function
/* All rounds without the round key in front of the first and the one behind the last, for functions
 * in assembly. They jump here, and 2(r1) is where it goes on, so that the loop finds its end at the top
 * of the stack. In: halves 0..7 of the state in r4..r11, round key 1 at r12; 0(r1) is the end of round
 * key 9. Out: halves 0..7 in r13 r14 r8 r5 r10 r7 r4 r9, round key 10 at r12. Changes r6, r11, r15. */
wm_aes128_tab_rounds:
.Lthree:
        ROUND   r4, r5, r6, r7, r8, r9, r10, r11, r13, r14, r15
        ROUND   r13, r14, r5, r7, r10, r9, r15, r4, r11, r6, r8
        ROUND   r11, r6, r14, r7, r15, r9, r8, r13, r4, r5, r10
        cmp     @r1, KEY
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
        br      2(r1)
.Lbehind_rounds:                        /* halves are in r13 r14 r8 r5 r10 r7 r4 r9 */
        sub     #KEY_0_TO_10 - KEY_0_TO_1, KEY
        mov     r1, LEFT
        add     #BOTH_KEYS_AT, LEFT
        xor     @LEFT+, r13
        xor     @LEFT+, r14
        xor     @LEFT+, r8
        xor     @LEFT+, r5
        xor     @LEFT+, r10
        xor     @LEFT+, r7
        xor     @LEFT+, r4
        xor     @LEFT+, r9
        mov     @LEFT+, DATA
        xor     @DATA+, r13
        xor     @DATA+, r14
        xor     @DATA+, r8
        xor     @DATA+, r5
        xor     @DATA+, r10
        xor     @DATA+, r7
        xor     @DATA+, r4
        xor     @DATA+, r9
        mov     DATA, -2(LEFT)
        cmp     @LEFT, DATA             /* the moves change no flag */
        mov     r8, r6
        mov     r10, r8
        mov     r4, r10
        mov     r13, r4
        mov     r9, r11
        mov     r7, r9
        mov     r5, r7
        mov     r14, r5
        jne     wm_aes128_tab_rounds

        sub     #KEY_0_TO_1, KEY
        KEY_TO_STATE                    /* takes round key 0 away again */
        mov     CHAIN_AT(r1), r15
        mov     r4, 0(r15)
        mov     r5, 2(r15)
        mov     r6, 4(r15)
        mov     r7, 6(r15)
        mov     r8, 8(r15)
        mov     r9, 10(r15)
        mov     r10, 12(r15)
        mov     r11, 14(r15)
        add     #BOTH_KEYS_AT + BOTH_KEYS, r1
        .rept   BOTH_KEYS / 2
        push    #0                      /* wipes both keys */
        .endr
        add     #CHAIN_AT - BOTH_KEYS_AT + 2, r1
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
        .size   wm_aes128_tab_rounds, . - wm_aes128_tab_rounds
