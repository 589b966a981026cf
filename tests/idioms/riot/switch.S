/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread's registers go to its stack, the next one's come back: 32 registers, SREG, RAMPZ. A
 * thread that was interrupted comes back as if it had yielded: its SREG has I set. */
#include <avr/io.h>
#include "switch.inc"

#ifndef RESTORE_SREG /* defects/switch.S has another way */
#define RESTORE_SREG out _SFR_IO_ADDR(SREG), r0
#endif

    .text
    .global thread_yield
thread_yield:
    push    r0
    in      r0, _SFR_IO_ADDR(SREG)
    cli
    push    r0
    rjmp    thread_switch

    .global TIMER3_COMPA_vect
TIMER3_COMPA_vect:
    push    r0
    in      r0, _SFR_IO_ADDR(SREG)
    push    r16
    mov     r16, r0
    ori     r16, 0x80
    mov     r0, r16
    pop     r16
    push    r0
thread_switch:
    save
    lds     r26, thread_current
    lds     r27, thread_current + 1
    in      r0, _SFR_IO_ADDR(SPL)
    st      X+, r0
    in      r0, _SFR_IO_ADDR(SPH)
    st      X, r0
    call    thread_next
    lds     r26, thread_current
    lds     r27, thread_current + 1
    ld      r28, X+
    ld      r29, X
    out     _SFR_IO_ADDR(SPH), r29
    out     _SFR_IO_ADDR(SPL), r28
    restore
    pop     r0
        RESTORE_SREG
    pop     r0
    ret
