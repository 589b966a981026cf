/* SPDX-License-Identifier: BSD-3-Clause */
/* Key of the equivalent inverse cipher with the tables of decryption, for the MSP430: takes the
 * place of src/cipher/aes128_inverse_expand.c, which is its reference. References: FIPS 197 §5.3.5.
 * Invariants: no branch depends on the key; tables are indexed by it (see wardmote/aes128.h).
 *
 * The tables have InvMixColumns after the inverse S-box, so an octet goes through the S-box
 * first. */

#define FROM r11 /* next octet of the round keys of encryption, from the last one downwards */
#define TO r12   /* next half of those of decryption */
#define X r15

        .macro  COPY count
        mov     #8, \count
1:
        mov     @FROM+, X
        mov     X, 0(TO)
        incd    TO
        dec     \count
        jne     1b
        .endm

/* What the next octet adds to the two halves r13 and r14 of its column. */
        .macro  ROW operation, table0, table1
        mov.b   @FROM+, X
        mov.b   wm_aes128_sbox(X), X
        add     X, X
        \operation \table0(X), r13
        \operation \table1(X), r14
        .endm

        .section .text.wm_aes128_tab_expand_inverse, "ax", @progbits
        .balign 2
        .globl  wm_aes128_tab_expand_inverse
        .type   wm_aes128_tab_expand_inverse, @function
/* void wm_aes128_tab_expand_inverse(wm_aes128_two_way *ctx (r12), const uint8_t key[16] (r13)) */
wm_aes128_tab_expand_inverse:
        push    r9
        push    r10
        mov     r12, r10
        call    #wm_aes128_expand
        mov     r10, FROM
        add     #160, FROM
        mov     FROM, TO
        add     #16, TO
        COPY    r9
        mov     #9, r10
.Lround:
        sub     #32, FROM
        mov     #4, r9
.Lcolumn:
        ROW     mov, wm_aes128_14s_9s, wm_aes128_13s_11s
        ROW     xor, wm_aes128_11s_14s, wm_aes128_9s_13s
        ROW     xor, wm_aes128_13s_11s, wm_aes128_14s_9s
        ROW     xor, wm_aes128_9s_13s, wm_aes128_11s_14s
        mov     r13, 0(TO)
        mov     r14, 2(TO)
        add     #4, TO
        dec     r9
        jne     .Lcolumn
        dec     r10
        jne     .Lround
        sub     #32, FROM
        COPY    r9
        pop     r10
        pop     r9
        ret
        .size   wm_aes128_tab_expand_inverse, . - wm_aes128_tab_expand_inverse
