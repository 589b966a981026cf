/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusive or and copy of short octet strings for the MSP430, octet by octet: takes the place of
 * src/util/xor.c, which is its reference, in a tenth of its flash.
 * Invariants: the way taken depends on the length only. */

#define TO r12
#define FROM r13
#define LEN r14
#define X r15

        .section .text.wm_xor, "ax", @progbits
        .balign 2
        .globl  wm_xor
        .type   wm_xor, @function
/* void wm_xor(uint8_t *to (r12), const uint8_t *from (r13), uint8_t len (r14)) */
wm_xor: tst.b   LEN
        jz      .Lxored
.Lxor:  mov.b   @FROM+, X
        xor.b   X, 0(TO)
        inc     TO
        dec.b   LEN
        jnz     .Lxor
.Lxored:
        ret
        .size   wm_xor, . - wm_xor

        .section .text.wm_copy, "ax", @progbits
        .balign 2
        .globl  wm_copy
        .type   wm_copy, @function
/* void wm_copy(uint8_t *to (r12), const uint8_t *from (r13), uint8_t len (r14)) */
wm_copy:
        tst.b   LEN
        jz      .Lcopied
.Lcopy: mov.b   @FROM+, X
        mov.b   X, 0(TO)
        inc     TO
        dec.b   LEN
        jnz     .Lcopy
.Lcopied:
        ret
        .size   wm_copy, . - wm_copy
