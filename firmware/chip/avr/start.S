/* SPDX-License-Identifier: BSD-3-Clause */
/* Reset and interrupt vectors. RAM holds anything after power-up, so .data and .bss are set here.
 * The compiler takes for handlers of interrupts what is called __vector_ and the number of the
 * vector, alone. An interrupt without a handler ends in chip_stray_interrupt: a defect that shows
 * instead of one that returns. */

#define SPL 0x3d
#define SPH 0x3e
#define SREG 0x3f

        .section .vectors, "ax", @progbits
        .macro handler number
        .weak   __vector_\number
        .set    __vector_\number, chip_stray_interrupt
        jmp     __vector_\number
        .endm

        jmp     _start
#include "vectors.inc"          /* of the chip: handler 1, 2 ... */

        .text
        .global _start
        .type   _start, @function
_start:
        clr     r1
        out     SREG, r1
        ldi     r24, lo8(__stack)
        ldi     r25, hi8(__stack)
        out     SPH, r25
        out     SPL, r24
        ldi     r30, lo8(__data_load)   /* in the lower 64 KiB: images are small */
        ldi     r31, hi8(__data_load)
        ldi     r26, lo8(__data_start)
        ldi     r27, hi8(__data_start)
        ldi     r24, lo8(__data_size)
        ldi     r25, hi8(__data_size)
        rjmp    2f
1:      lpm     r0, Z+
        st      X+, r0
2:      sbiw    r24, 1
        brcc    1b
        ldi     r26, lo8(__bss_start)
        ldi     r27, hi8(__bss_start)
        ldi     r24, lo8(__bss_size)
        ldi     r25, hi8(__bss_size)
        rjmp    4f
3:      st      X+, r1
4:      sbiw    r24, 1
        brcc    3b
        call    main
        /* main does not return; if it does, it is caught below */
        .size   _start, . - _start

        .global chip_stray_interrupt
        .type   chip_stray_interrupt, @function
chip_stray_interrupt:
        rjmp    chip_stray_interrupt
        .size   chip_stray_interrupt, . - chip_stray_interrupt
