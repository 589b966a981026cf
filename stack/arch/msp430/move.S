/* SPDX-License-Identifier: BSD-3-Clause */
/* Octets moved within an object, for the MSP430: takes the place of src/util/move.c, which is its
 * reference. Words where both addresses are even, upwards from the last one on, so that nothing is
 * overwritten before it was read.
 * Invariants: the way taken depends on addresses and length only.
 *
 * Cycles: for 16 octets 43 downwards; upwards 48 by 16 octets or further, else 56; by octets 10 and 11
 * for each. */

#define TO r12
#define FROM r13
#define LEN r14
#define X r15

/* mov @FROM+, at(TO), 5 cycles: clang's assembler does not know it. */
        .macro  MOVE at
        .word   0x4dbc, \at
        .endm

        .section .text.wm_move, "ax", @progbits
        .balign 2
        .globl  wm_move
        .type   wm_move, @function
/* void wm_move(uint8_t *to (r12), const uint8_t *from (r13), uint16_t len (r14)) */
wm_move:
        tst     LEN
        jz      .Lmoved
        mov     TO, X
        bis     FROM, X                 /* bit 0: an address is odd */
        cmp     FROM, TO
        jlo     .Ldown
        jeq     .Lmoved

        add     LEN, TO
        add     LEN, FROM
        bit     #1, X
        jnz     .Lup_octets
        bit     #1, LEN
        jz      .Lup_even
        dec     TO
        dec     FROM
        mov.b   @FROM, 0(TO)
        dec     LEN
.Lup_even:
        mov     TO, X
        sub     FROM, X                 /* how far */
        sub     #16, LEN
        jnc     .Lup_rest
        sub     #16, X
        jnc     .Lup_near
        sub     #16, FROM
.Lup_far:                               /* no block overlaps where it goes to */
        sub     #16, TO
        MOVE    0
        MOVE    2
        MOVE    4
        MOVE    6
        MOVE    8
        MOVE    10
        MOVE    12
        MOVE    14
        sub     #32, FROM
        sub     #16, LEN
        jc      .Lup_far
        add     #16, FROM
        jmp     .Lup_rest
.Lup_near:
        add     #8, X
        add     #16, LEN
        tst     X
        jl      .Lup_words
        sub     #8, LEN
        jnc     .Lup_half
        sub     #8, FROM
.Lup_block:
        sub     #8, TO
        MOVE    0
        MOVE    2
        MOVE    4
        MOVE    6
        sub     #16, FROM
        sub     #8, LEN
        jc      .Lup_block
        add     #8, FROM
.Lup_half:
        add     #8, LEN
        jmp     .Lup_words
.Lup_rest:
        add     #16, LEN
.Lup_words:
        tst     LEN
        jz      .Lmoved
.Lup_word:
        decd    TO
        decd    FROM
        mov     @FROM, 0(TO)
        decd    LEN
        jnz     .Lup_word
        ret
.Lup_octets:
        dec     TO
        dec     FROM
        mov.b   @FROM, 0(TO)
        dec     LEN
        jnz     .Lup_octets
        ret

.Ldown: bit     #1, X
        jnz     .Ldown_octets
        sub     #32, LEN
        jnc     .Ldown_half
.Ldown_block:
        .irp    at, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
        MOVE    \at
        .endr
        add     #32, TO
        sub     #32, LEN
        jc      .Ldown_block
.Ldown_half:
        add     #16, LEN
        jnc     .Ldown_rest
.Ldown_rest:
        add     #16, LEN
        jz      .Lmoved
.Ldown_octets:
        mov.b   @FROM+, X
        mov.b   X, 0(TO)
        inc     TO
        dec     LEN
        jnz     .Ldown_octets
.Lmoved:
        ret
        .size   wm_move, . - wm_move
