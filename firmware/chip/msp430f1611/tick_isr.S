/* SPDX-License-Identifier: BSD-3-Clause */
/* Interrupt handlers of tick.c. In assembly, because both clear the low-power bits of the status
 * register they return to, so that the main loop goes on, and because the way from an edge to the
 * main loop is time that a slot must have: 24 cycles for the alarm, 61 for an edge, entry and
 * return included. */

#define TBIV    &0x011E
#define TBCCTL0 &0x0182
#define TBCCTL1 &0x0184
#define TBCCR1  &0x0194
#define COV     0x0002
#define CCIFG   0x0001
#define LOW_POWER 0x00F0        /* SCG1 | SCG0 | OSCOFF | CPUOFF */
#define EDGE_OCTETS 4
#define RING_MASK 63            /* 16 edges of 4 octets */

    .section .text.isr_timer_b0, "ax", @progbits
    .global isr_timer_b0
    .type isr_timer_b0, @function
isr_timer_b0:                   /* the alarm: CCIFG is cleared by the CPU; once is enough */
    clr     TBCCTL0
    mov.b   #1, &tick_alarm_fired
    bic     #LOW_POWER, 0(r1)
    reti
    .size isr_timer_b0, . - isr_timer_b0

/* CCIFG or COV after the reads: another edge came since TBIV cleared the flag, so tick and level may
 * be of different edges. Then what is stored is read again, until nothing came meanwhile, and the
 * stored COV says that an edge before it was lost. */
    .section .text.isr_timer_b1, "ax", @progbits
    .global isr_timer_b1
    .type isr_timer_b1, @function
isr_timer_b1:                   /* an edge of P4.1 */
    push    r14
    push    r15
    mov     TBIV, r15           /* clears CCIFG */
    mov.b   &tick_edge_in, r15
    mov     TBCCR1, tick_edges(r15)
    mov     TBCCTL1, r14
    bit     #COV | CCIFG, r14
    jnz     3f
1:  mov     r14, tick_edges+2(r15)
    add.b   #EDGE_OCTETS, r15
    and.b   #RING_MASK, r15
    cmp.b   &tick_edge_out, r15
    jz      4f
    mov.b   r15, &tick_edge_in
2:  pop     r15
    pop     r14
    bic     #LOW_POWER, 0(r1)
    reti
3:  bic     #COV | CCIFG, TBCCTL1
    mov     TBCCR1, tick_edges(r15)
    mov     TBCCTL1, r14
    bit     #COV | CCIFG, r14
    jnz     3b
    bis     #COV, r14
    jmp     1b
4:  mov.b   #1, &tick_edge_lost /* full: the newest is not kept */
    jmp     2b
    .size isr_timer_b1, . - isr_timer_b1
