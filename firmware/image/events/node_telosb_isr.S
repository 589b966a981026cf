/* SPDX-License-Identifier: BSD-3-Clause */
/* Interrupt handlers of node_telosb.c: what a C function may change is kept, and the loop wakes. */

#define P1IFG &0x0023
#include "../../chip/msp430f1611/wake_after.inc"

    .section .text.isr_timer_a0, "ax", @progbits
    .global isr_timer_a0
    .type isr_timer_a0, @function
isr_timer_a0:                   /* the tick: CCIFG is cleared by the CPU */
    wake_after events_on_tick
    .size isr_timer_a0, . - isr_timer_a0

    .section .text.isr_port1, "ax", @progbits
    .global isr_port1
    .type isr_port1, @function
isr_port1:                      /* FIFOP: no other pin of the port interrupts */
    clr.b   P1IFG
    wake_after events_on_radio
    .size isr_port1, . - isr_port1
