/* SPDX-License-Identifier: BSD-3-Clause */
/* Start-up the way mspgcc's library does it, in sections that run one into the other. The watchdog,
 * which runs from the reset on, is not stopped: the loops clear it by writing back the octet that
 * WDTCTL reads as, with the password and WDTCNTCL. main stops it. */

    .section .noinit, "aw", @nobits
    .global __wdt_clear_value
__wdt_clear_value:
    .space 2
    .global resets                  /* keeps what it holds over a reset */
    .type resets, @object
resets:
    .space 2
    .size resets, 2

    .section .init0, "ax", @progbits
    .global __reset_vector
__reset_vector:

    .section .init2, "ax", @progbits
    mov     #__stack, r1

    .section .init3, "ax", @progbits
__watchdog_support:
    mov.b   &__WDTCTL, r5           /* an octet of a word register */
    bis     #0x5A08, r5
    mov     r5, &__wdt_clear_value
    bit.b   #1, &__IFG1             /* WDTIFG: it was the watchdog that reset */
    jnz     1f
    clr     &resets
    jmp     2f
1:  bic.b   #1, &__IFG1
    inc     &resets
2:

    .section .init4, "ax", @progbits
__do_copy_data:
    mov     #__romdatacopysize, r15
    tst     r15
    jz      2f
1:  call    #clear_watchdog
    decd    r15
    mov     __romdatastart(r15), __data_start(r15)
    jnz     1b
2:
__do_clear_bss:
    mov     #__bsssize, r15
    tst     r15
    jz      2f
1:  call    #clear_watchdog
    dec     r15
    clr.b   __bssstart(r15)
    jnz     1b
2:

    .section .init9, "ax", @progbits
    br      #main

    .section .fini0, "ax", @progbits
    .global _unexpected_
_unexpected_:
    mov     #__romdatastart, r4     /* where a debugger sees that it was here */
    jmp     .

/* mspgcc's attribute `wakeup`: whatever mode was interrupted, the CPU goes on awake. */
    .macro  signal number, handler
    .text
    .global __isr_\number
__isr_\number:
    push    r11
    push    r12
    push    r13
    push    r14
    push    r15
    call    #\handler
    pop     r15
    pop     r14
    pop     r13
    pop     r12
    pop     r11
    bic     #0xF0, 0(r1)
    reti
    .endm

    signal  2, sig_usart1_tx
    signal  3, sig_usart1_rx
    signal  4, sig_port1
    signal  6, sig_timer_a0
    signal  7, sig_adc12
    signal  12, sig_timer_b1
    signal  13, sig_timer_b0

    .section .vectors, "a", @progbits
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
    .word   __isr_\number
    .endr
    .word   __reset_vector
