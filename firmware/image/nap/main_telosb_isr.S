/* SPDX-License-Identifier: BSD-3-Clause */
/* The second of Timer_B wakes the CPU: the bits of LPM3 go from the SR on the stack. */
    .text
    .global isr_timer_b0
    .type isr_timer_b0, @function
isr_timer_b0:
    bic     #0x00D0, 0(r1)
    reti
    .size isr_timer_b0, . - isr_timer_b0
