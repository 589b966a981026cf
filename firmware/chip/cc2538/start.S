/* SPDX-License-Identifier: BSD-3-Clause */
/* Reset, interrupt vectors and the customer configuration area. RAM holds anything after power-up,
 * so .data and .bss are set here. An interrupt without a handler ends in chip_stray_interrupt: a
 * defect that shows instead of one that returns. */

    .syntax unified
    .cpu cortex-m3
    .thumb

    .equ    VTOR, 0xE000ED08
    .equ    STRAY_LINES, 141        /* interrupt lines below that of the radio */

    .text
    .global _start
    .type _start, %function
_start:
    cpsid   i
    ldr     r0, =__stack            /* the boot ROM has set it; a debugger may not */
    mov     sp, r0
    ldr     r0, =VTOR
    ldr     r1, =chip_vectors
    str     r1, [r0]
    ldr     r0, =__data_start
    ldr     r1, =__data_load
    ldr     r2, =__data_size
    bl      memcpy
    ldr     r0, =__bss_start
    movs    r1, #0
    ldr     r2, =__bss_size
    bl      memset
    bl      main
    .size _start, . - _start
    /* main does not return; if it does, it is caught below */

    .global chip_stray_interrupt
    .type chip_stray_interrupt, %function
chip_stray_interrupt:
    b       chip_stray_interrupt
    .size chip_stray_interrupt, . - chip_stray_interrupt

    .macro handler name
    .weak   \name
    .thumb_set \name, chip_stray_interrupt
    .word   \name
    .endm

    .section .vectors, "a", %progbits
    .global chip_vectors
    .type chip_vectors, %object
chip_vectors:
    .word   __stack
    .word   _start
    handler isr_nmi                 /* 2 */
    handler isr_hard_fault          /* 3 */
    .rept 11                        /* 4 .. 14 */
    .word   chip_stray_interrupt
    .endr
    handler isr_systick             /* 15 */
    .rept STRAY_LINES               /* 16 .. 156 */
    .word   chip_stray_interrupt
    .endr
    handler isr_rf                  /* 157: radio, frames */
    handler isr_rf_error            /* 158 */
    handler isr_aes                 /* 159 */
    handler isr_pka                 /* 160 */
    handler isr_sleep_timer         /* 161 */
    handler isr_mac_timer           /* 162 */
    .size chip_vectors, . - chip_vectors

/* The last octets of flash, which the boot ROM reads (SWRU319, lock bit page). Without "image
 * valid" it would wait for a loader; bits of 1 leave pages and debugger unlocked. The backdoor is
 * closed: it would take a pin. */
    .section .cca, "a", %progbits
    .word   0xEFFFFFFF              /* bootloader backdoor: disabled */
    .word   0                       /* image valid */
    .word   chip_vectors            /* where the vector table is */
    .rept 8
    .word   0xFFFFFFFF              /* page locks, debug lock */
    .endr
