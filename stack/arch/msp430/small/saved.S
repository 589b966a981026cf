/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers that a function keeps for its caller, put on the stack and taken from it: what
 * cpu/msp430_shorten.awk calls in the place of pushes and pops.
 * The compiler's calls leave r11 to the function that is called, and nothing is in it yet. */

        .section .text.wm_saved, "ax", @progbits
        .balign 2
        .macro  SAVED from
        .globl  wm_saved_\from
        .type   wm_saved_\from, @function
wm_saved_\from:
        pop     r11
        .endm

        SAVED   4
        push    r4
        jmp     .L5
        SAVED   5
.L5:    push    r5
        jmp     .L6
        SAVED   6
.L6:    push    r6
        jmp     .L7
        SAVED   7
.L7:    push    r7
        jmp     .L8
        SAVED   8
.L8:    push    r8
        push    r9
        push    r10
        br      r11
        .irp    number, 4, 5, 6, 7, 8
        .size   wm_saved_\number, . - wm_saved_\number
        .endr

/* One section each: the linker keeps those that are called. */
        .macro  RESTORED to
        .section .text.wm_restored_\to, "ax", @progbits
        .balign 2
        .globl  wm_restored_\to
        .type   wm_restored_\to, @function
wm_restored_\to:
        .irp    number, 10, 9, 8, 7, 6, 5, 4
        .if     \number >= \to
        pop     r\number
        .endif
        .endr
        ret
        .size   wm_restored_\to, . - wm_restored_\to
        .endm

        .irp    last, 4, 5, 6, 7, 8, 9
        RESTORED \last
        .endr
