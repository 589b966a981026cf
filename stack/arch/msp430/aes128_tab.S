/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 encryption with tables, for the MSP430: takes the place of src/cipher/aes128_tab.c, which
 * is its reference. Its rounds are in aes128_tab_chain.S.
 * References: FIPS 197 §5.1. Tables and their use: src/cipher/aes128_tables.h, aes128_tab.c.
 * Invariants: no branch and no address but those of the table look-ups depends on key or block. */

#define KEY r12 /* next half of the expanded key */

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
        push    #.Lbehind_rounds
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
        xor     @KEY+, r4
        xor     @KEY+, r5
        xor     @KEY+, r6
        xor     @KEY+, r7
        xor     @KEY+, r8
        xor     @KEY+, r9
        xor     @KEY+, r10
        xor     @KEY+, r11
        br      #wm_aes128_tab_rounds
.Lbehind_rounds:
        xor     @KEY+, r13
        xor     @KEY+, r14
        xor     @KEY+, r8
        xor     @KEY+, r5
        xor     @KEY+, r10
        xor     @KEY+, r7
        xor     @KEY+, r4
        xor     @KEY+, r9
        add     #4, r1
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
