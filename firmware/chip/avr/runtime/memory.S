/* SPDX-License-Identifier: BSD-3-Clause */
/* memcpy, memmove, memset and memcmp: compilers call them for structures and loops even in a
 * freestanding build. Arguments: r25:r24, r23:r22, length r21:r20; result r25:r24. r0 and r18-r27,
 * r30, r31 are free; r1 is 0. */

        .macro function name
        .section .text.\name, "ax", @progbits
        .globl  \name
        .type   \name, @function
\name:
        .endm

        .macro end name
        ret
        .size   \name, . - \name
        .endm

/* void *memcpy(void *restrict to, const void *restrict from, size_t len) */
        function memcpy
        movw    r30, r24
        movw    r26, r22
        subi    r20, 1
        sbci    r21, 0
        brcs    2f
1:      ld      r0, X+
        st      Z+, r0
        subi    r20, 1
        sbci    r21, 0
        brcc    1b
2:
        end memcpy

/* void *memmove(void *to, const void *from, size_t len) */
        function memmove
        movw    r30, r24
        movw    r26, r22
        cp      r22, r24
        cpc     r23, r25
        brcs    3f                      /* from < to: from the end downwards */
        subi    r20, 1
        sbci    r21, 0
        brcs    2f
1:      ld      r0, X+
        st      Z+, r0
        subi    r20, 1
        sbci    r21, 0
        brcc    1b
2:      ret
3:      add     r30, r20
        adc     r31, r21
        add     r26, r20
        adc     r27, r21
        subi    r20, 1
        sbci    r21, 0
        brcs    2b
4:      ld      r0, -X
        st      -Z, r0
        subi    r20, 1
        sbci    r21, 0
        brcc    4b
        end memmove

/* void *memset(void *to, int value, size_t len) */
        function memset
        movw    r30, r24
        subi    r20, 1
        sbci    r21, 0
        brcs    2f
1:      st      Z+, r22
        subi    r20, 1
        sbci    r21, 0
        brcc    1b
2:
        end memset

/* int memcmp(const void *a, const void *b, size_t len) */
        function memcmp
        movw    r30, r24
        movw    r26, r22
        clr     r24
        clr     r25
1:      subi    r20, 1
        sbci    r21, 0
        brcs    2f
        ld      r24, Z+
        ld      r0, X+
        sub     r24, r0
        sbc     r25, r25
        breq    1b                      /* the difference is 0: the borrow left r25 0 too */
2:
        end memcmp

/* The compiler asks for these by name wherever there are variables; start.S, or the instrument,
 * does what they stand for. */
        .globl  __do_copy_data
        .globl  __do_clear_bss
        .set    __do_copy_data, 0
        .set    __do_clear_bss, 0
