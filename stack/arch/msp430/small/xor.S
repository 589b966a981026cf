/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusive or and copy of short octet strings for the MSP430: takes the place of src/util/xor.c,
 * which is its reference, in a third of its flash. Words where both addresses and the length are
 * even, octets elsewhere; exclusive or of whole blocks takes four words at a step.
 * Invariants: the way taken depends on the addresses and on the length only. */

#define TO r12
#define FROM r13
#define LEN r14
#define X r15

        /* Goes to `octets` unless TO, FROM and LEN are even. */
        .macro  WORDS_OR octets
        mov     TO, X
        bis     FROM, X
        bis     LEN, X
        bit     #1, X
        jnz     \octets
        .endm

        .section .text.wm_xor, "ax", @progbits
        .balign 2
        .globl  wm_xor
        .type   wm_xor, @function
/* void wm_xor(uint8_t *to (r12), const uint8_t *from (r13), uint8_t len (r14)) */
wm_xor: tst.b   LEN
        jz      .Lxored
        WORDS_OR .Lxor
        bit     #6, LEN
        jnz     .Lxor2
.Lxor8: xor     @FROM+, 0(TO)
        xor     @FROM+, 2(TO)
        xor     @FROM+, 4(TO)
        xor     @FROM+, 6(TO)
        add     #8, TO
        sub.b   #8, LEN
        jnz     .Lxor8
        ret
.Lxor2: xor     @FROM+, 0(TO)
        incd    TO
        decd.b  LEN
        jnz     .Lxor2
        ret
.Lxor:  xor.b   @FROM+, 0(TO)
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
        WORDS_OR .Lcopy
.Lcopy2:
        mov     @FROM+, X
        mov     X, 0(TO)
        incd    TO
        decd.b  LEN
        jnz     .Lcopy2
        ret
.Lcopy: mov.b   @FROM+, X
        mov.b   X, 0(TO)
        inc     TO
        dec.b   LEN
        jnz     .Lcopy
.Lcopied:
        ret
        .size   wm_copy, . - wm_copy
