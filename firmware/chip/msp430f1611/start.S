/* SPDX-License-Identifier: BSD-3-Clause */
/* Reset and interrupt vectors. RAM holds anything after power-up, so .data and .bss are set here.
 * An interrupt without a handler ends in chip_stray_interrupt: a defect that shows instead of one
 * that returns. */

    .text
    .global _start
    .type _start, @function
_start:
    mov     #__stack, r1
    mov     #0x5A80, &0x0120        /* WDTCTL := WDTPW | WDTHOLD */
    mov     #__data_start, r12
    mov     #__data_load, r13
    mov     #__data_size, r14
    call    #memcpy
    mov     #__bss_start, r12
    clr     r13
    mov     #__bss_size, r14
    call    #memset
    call    #main
    .size _start, . - _start
    /* main does not return; if it does, it is caught below */

    .global chip_stray_interrupt
    .type chip_stray_interrupt, @function
chip_stray_interrupt:
    jmp     chip_stray_interrupt
    .size chip_stray_interrupt, . - chip_stray_interrupt

    .macro handler name
    .weak   \name
    .set    \name, chip_stray_interrupt
    .word   \name
    .endm

    .section .vectors, "a", @progbits
    handler isr_dac_dma             /* FFE0 */
    handler isr_port2               /* FFE2 */
    handler isr_usart1_tx           /* FFE4 */
    handler isr_usart1_rx           /* FFE6 */
    handler isr_port1               /* FFE8 */
    handler isr_timer_a1            /* FFEA */
    handler isr_timer_a0            /* FFEC */
    handler isr_adc12               /* FFEE */
    handler isr_usart0_tx           /* FFF0 */
    handler isr_usart0_rx           /* FFF2 */
    handler isr_watchdog            /* FFF4 */
    handler isr_comparator_a        /* FFF6 */
    handler isr_timer_b1            /* FFF8 */
    handler isr_timer_b0            /* FFFA */
    handler isr_nmi                 /* FFFC */
    .word   _start                  /* FFFE */
