/* SPDX-License-Identifier: BSD-3-Clause */
/* Interrupt handlers of line_telosb.c. */

#include "../../chip/msp430f1611/wake_after.inc"

    .section .text.isr_usart1_tx, "ax", @progbits
    .global isr_usart1_tx
    .type isr_usart1_tx, @function
isr_usart1_tx:                  /* UTXIFG1 is cleared by the CPU */
    wake_after line_on_empty
    .size isr_usart1_tx, . - isr_usart1_tx

    .section .text.isr_usart1_rx, "ax", @progbits
    .global isr_usart1_rx
    .type isr_usart1_rx, @function
isr_usart1_rx:
    wake_after line_on_octet
    .size isr_usart1_rx, . - isr_usart1_rx
