/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of radio_doze (radio_stream.h), for images that read a frame while it arrives. FIFOP is
 * the one pin of port 1 that interrupts. The CPU clears Timer_A's flag itself. */

#define P1IFG     &0x0023
#define LOW_POWER 0x00F0        /* SCG1 | SCG0 | OSCOFF | CPUOFF */

    .section .text.isr_port1, "ax", @progbits
    .global isr_port1
    .type isr_port1, @function
isr_port1:
    clr.b   P1IFG
    bic     #LOW_POWER, 0(r1)
    reti
    .size isr_port1, . - isr_port1

    .section .text.isr_timer_a0, "ax", @progbits
    .global isr_timer_a0
    .type isr_timer_a0, @function
isr_timer_a0:
    bic     #LOW_POWER, 0(r1)
    reti
    .size isr_timer_a0, . - isr_timer_a0
