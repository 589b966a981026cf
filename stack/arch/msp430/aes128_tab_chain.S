/* SPDX-License-Identifier: BSD-3-Clause */
/* AES-128 with tables along a CBC-MAC, for the MSP430: takes the place of
 * src/cipher/aes128_tab_chain.c, which is its reference. The chain stays in registers.
 * Invariants: no branch and no address but those of the table look-ups depends on key, chain or data.
 *
 * Cycles: 1550 a block; 1506 for all rounds, 16 for data, 8 to bring halves back in place, 20 for
 * what has no register: the data's address and the number of blocks left. */

#define KEY r12 /* next half of the expanded key */
#define DATA r15

        .section .text.wm_aes128_tab_chain, "ax", @progbits
        .balign 2
        .globl  wm_aes128_tab_chain
        .type   wm_aes128_tab_chain, @function
/* void wm_aes128_tab_chain(const void *schedule (r12), wm_block128 *chain (r13),
 *                          const wm_block128 *data (r14), size_t blocks (r15)) */
wm_aes128_tab_chain:
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    r13                     /* 6(r1): the chain */
        push    r15                     /* 4(r1): blocks left */
        push    r14                     /* 2(r1): data */
        mov     KEY, r15
        add     #160, r15
        push    r15                     /* 0(r1): end of round key 9 */
        mov     @r13+, r4
        mov     @r13+, r5
        mov     @r13+, r6
        mov     @r13+, r7
        mov     @r13+, r8
        mov     @r13+, r9
        mov     @r13+, r10
        mov     @r13+, r11
.Lblock:
        call    #wm_aes128_tab_rounds
        sub     #176, KEY
        mov     2(r1), DATA             /* halves are in r13 r14 r8 r5 r10 r7 r4 r9 */
        xor     @DATA+, r13
        xor     @DATA+, r14
        xor     @DATA+, r8
        xor     @DATA+, r5
        xor     @DATA+, r10
        xor     @DATA+, r7
        xor     @DATA+, r4
        xor     @DATA+, r9
        mov     DATA, 2(r1)
        mov     r8, r6
        mov     r10, r8
        mov     r4, r10
        mov     r13, r4
        mov     r9, r11
        mov     r7, r9
        mov     r5, r7
        mov     r14, r5
        dec     4(r1)
        jnz     .Lblock

        add     #6, r1
        pop     r15                     /* the chain */
        mov     r4, 0(r15)
        mov     r5, 2(r15)
        mov     r6, 4(r15)
        mov     r7, 6(r15)
        mov     r8, 8(r15)
        mov     r9, 10(r15)
        mov     r10, 12(r15)
        mov     r11, 14(r15)
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        ret
        .size   wm_aes128_tab_chain, . - wm_aes128_tab_chain
