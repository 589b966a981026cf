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
        /* the names of the ATmega128 */
        handler 1               /* int0 */
        handler 2               /* int1 */
        handler 3               /* int2 */
        handler 4               /* int3 */
        handler 5               /* int4 */
        handler 6               /* int5 */
        handler 7               /* int6 */
        handler 8               /* int7 */
        handler 9               /* timer2 compare */
        handler 10              /* timer2 overflow */
        handler 11              /* timer1 capture */
        handler 12              /* timer1 compare a */
        handler 13              /* timer1 compare b */
        handler 14              /* timer1 overflow */
        handler 15              /* timer0 compare */
        handler 16              /* timer0 overflow */
        handler 17              /* spi */
        handler 18              /* usart0 rx */
        handler 19              /* usart0 empty */
        handler 20              /* usart0 tx */
        handler 21              /* adc */
        handler 22              /* eeprom */
        handler 23              /* comparator */
        handler 24              /* timer1 compare c */
        handler 25              /* timer3 capture */
        handler 26              /* timer3 compare a */
        handler 27              /* timer3 compare b */
        handler 28              /* timer3 compare c */
        handler 29              /* timer3 overflow */
        handler 30              /* usart1 rx */
        handler 31              /* usart1 empty */
        handler 32              /* usart1 tx */
        handler 33              /* twi */
        handler 34              /* spm */
#ifdef ATMEGA1281 /* which has other names for its vectors, and more of them */
        .irp    number, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, \
                53, 54, 55, 56
        handler \number
        .endr
#endif

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
