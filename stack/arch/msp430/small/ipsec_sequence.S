/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequence numbers of IPsec, for the MSP430 in two thirds of the flash: takes the place of
 * src/net/ipsec_sequence.c, which is its reference and has the reasons. */

/* wm_ipsec_sa */
#define COUNTER 18
#define WINDOW 21
#define SEQUENCE 30
#define SEQUENCE_HIGH 32

/* wm_counter_ops; `limit` is its first member */
#define ADVANCE 4

#define WINDOW_BITS 64
#define WINDOW_OCTETS 8
/* wm_status */
#define ERR_COUNTER -4

        .section .text.wm_ipsec_restore, "ax", @progbits
        .balign 2
        .globl  wm_ipsec_restore
        .type   wm_ipsec_restore, @function
/* void wm_ipsec_restore(sa (r12)) */
wm_ipsec_restore:
        push    r10
        mov     r12, r10
        mov     COUNTER(r10), r12
        mov     @r12, r13
        call    @r13
        mov     r12, SEQUENCE(r10)
        mov     r13, SEQUENCE_HIGH(r10)
        mov     #WINDOW_OCTETS, r12
.Lall_came:
        mov.b   #-1, WINDOW(r10)
        inc     r10
        dec     r12
        jnz     .Lall_came
        pop     r10
        ret
        .size   wm_ipsec_restore, . - wm_ipsec_restore

        .section .text.wm_ipsec_use_sequence, "ax", @progbits
        .balign 2
        .globl  wm_ipsec_use_sequence
        .type   wm_ipsec_use_sequence, @function
/* wm_status wm_ipsec_use_sequence(sa (r12)): r12 */
wm_ipsec_use_sequence:
        push    r10
        mov     r12, r10
        mov     SEQUENCE(r10), r13
        mov     SEQUENCE_HIGH(r10), r14
        mov     #ERR_COUNTER, r12
        add     #1, r13
        adc     r14
        jc      .Lused
        mov     COUNTER(r10), r12
        mov     @r12, r15
        call    ADVANCE(r15)
        tst     r12
        jnz     .Lused
        add     #1, SEQUENCE(r10)
        adc     SEQUENCE_HIGH(r10)
.Lused: pop     r10
        ret
        .size   wm_ipsec_use_sequence, . - wm_ipsec_use_sequence

        .section .text.wm_ipsec_window, "ax", @progbits
        .balign 2
        .globl  wm_ipsec_window
        .type   wm_ipsec_window, @function
/* wm_status wm_ipsec_window(sa (r12), uint32_t sequence (r14:r13), bool came (r15)): r12. From here on
 * r10 is the SA, r9:r8 the sequence number, r7 whether it came. */
wm_ipsec_window:
        call    #wm_saved_7
        mov     r12, r10
        mov     r13, r8
        mov     r14, r9
        mov.b   r15, r7
        mov     SEQUENCE(r10), r13
        mov     SEQUENCE_HIGH(r10), r14
        sub     r8, r13
        subc    r9, r14
        jc      .Lbehind
        clr     r12                     /* it is above the window */
        tst     r7
        jz      .Ljudged
        mov     COUNTER(r10), r12
        mov     @r12, r15
        mov     r8, r13
        mov     r9, r14
        call    ADVANCE(r15)
        tst     r12
        jnz     .Ljudged
        mov     r8, r13
        mov     r9, r14
        sub     SEQUENCE(r10), r13
        subc    SEQUENCE_HIGH(r10), r14
        call    #at_most
        mov     r8, SEQUENCE(r10)
        mov     r9, SEQUENCE_HIGH(r10)
.Lshift:                                /* the window moves up by r13 bits; bit 0 of r11 carries */
        mov     r10, r15
        mov     #WINDOW_OCTETS, r14
        clr     r11
.Loctet:
        rrc     r11
        addc.b  WINDOW(r15), WINDOW(r15)
        rlc     r11
        inc     r15
        dec     r14
        jnz     .Loctet
        dec     r13
        jnz     .Lshift
        jmp     .Lbit
.Lbehind:
        call    #at_most
        cmp     #WINDOW_BITS, r13
        jeq     .Lrefused
        mov     r8, r14
        bis     r9, r14
        tst     r14
        jz      .Lrefused
.Lbit:  mov     r13, r14                /* r13 behind the last: octet r14, bit r15 */
        rra     r14
        rra     r14
        rra     r14
        add     r10, r14
        and     #7, r13
        mov     #1, r15
        jmp     .Lcount
.Lup:   rla     r15
.Lcount:
        dec     r13
        jc      .Lup
        bit.b   r15, WINDOW(r14)
        jnz     .Lrefused
        clr     r12
        tst     r7
        jz      .Ljudged
        bis.b   r15, WINDOW(r14)
.Ljudged:
        br      #wm_restored_7
.Lrefused:
        mov     #ERR_COUNTER, r12
        jmp     .Ljudged

/* r14:r13, or WINDOW_BITS if that is less, in r13. */
at_most:
        tst     r14
        jnz     .Lmost
        cmp     #WINDOW_BITS, r13
        jlo     .Lleast
.Lmost: mov     #WINDOW_BITS, r13
.Lleast:
        ret
        .size   wm_ipsec_window, . - wm_ipsec_window
