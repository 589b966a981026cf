/* SPDX-License-Identifier: BSD-3-Clause */
/* The product of two unsigned numbers of 16 bits, which avr-gcc calls by itself: r27:r26 by r19:r18
 * gives r25:r22. It leaves both factors as they are. */

        .section .text.__umulhisi3, "ax", @progbits
        .global __umulhisi3
        .type   __umulhisi3, @function
__umulhisi3:
        mul     r27, r19
        movw    r24, r0
        mul     r26, r18
        movw    r22, r0
        .irp    high_low, 1, 2
        .if     \high_low == 1
        mul     r27, r18
        .else
        mul     r26, r19
        .endif
        add     r23, r0
        adc     r24, r1
        clr     r1                      /* the compiler's zero */
        adc     r25, r1
        .endr
        ret
        .size   __umulhisi3, . - __umulhisi3
