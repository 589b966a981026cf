/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads of spi.h, in step with the wire: 16 cycles an octet, no flag is asked. This holds because
 * SMCLK = MCLK, the divider is 2, flash has no wait states and interrupts are off; so a cycle
 * counted here is half a bit there.
 *
 * T counts cycles from the write of the first octet. The wire shifts octet n in T = 16n .. 16n +
 * 16; two are always under way. The answer to octet n is taken at T = 16n + 24, 8 cycles after it
 * is complete and 8 before the next replaces it; right after, octet n + 2 is written, 2 cycles
 * before the wire wants it. Those 8 cycles are the margin for the synchronisation of USART and CPU,
 * which the user's guide does not bound. */

#define RXBUF &0x0076
#define TXBUF &0x0077

    .macro pause2               /* 2 cycles, one word */
    jmp     .+2
    .endm

    .section .text.spi_read, "ax", @progbits

    .macro address_octets       /* r12, r13; then r13 := to, r14 := len; up to T 40 */
    push    r2
    dint
    nop
    mov.b   r12, TXBUF          /* T 0   octet 0 */
    pause2                      /*   4 */
    pause2
    mov.b   r13, TXBUF          /*   8   octet 1 */
    mov     r14, r13            /*  12 */
    mov.b   r15, r14            /*  13 */
    .rept 5
    pause2                      /*  14 */
    .endr
    mov.b   RXBUF, r15          /*  24   status: not wanted */
    nop
    pause2
    clr.b   TXBUF               /*  30   octet 2, the first dummy */
    pause2                      /*  34 */
    pause2
    .endm

    .global spi_read_after2     /* (r12 address0, r13 address1, r14 to, r15 len) */
    .type spi_read_after2, @function
spi_read_after2:
    address_octets
    mov.b   RXBUF, r15          /*  38   answer to address1: not wanted */
    jmp     common              /*  41 */
    .size spi_read_after2, . - spi_read_after2

    .global spi_take_after2     /* (r12 address0, r13 address1, r14 to, r15 len) */
    .type spi_take_after2, @function
spi_take_after2:
    address_octets
    pause2
    mov.b   RXBUF, r15          /*  40   answer to address1: not wanted */
    nop
    pause2
    clr.b   TXBUF               /*  46   octet 3, the second dummy */
    pause2                      /*  50 */
    pause2
    mov.b   RXBUF, r12          /*  54   first octet wanted: the result */
    jmp     common              /*  57 */
    .size spi_take_after2, . - spi_take_after2

    .global spi_read_after1     /* (r12 address, r13 to, r14 len) */
    .type spi_read_after1, @function
spi_read_after1:
    push    r2
    dint
    nop
    mov.b   r12, TXBUF          /* T 0   octet 0 */
    mov.b   r14, r14            /*   4 */
    nop
    pause2
    clr.b   TXBUF               /*   8   octet 1, the first dummy */
    .rept 6
    pause2                      /*  12 */
    .endr
    mov.b   RXBUF, r15          /*  24   status: not wanted */

common: /* one dummy octet is written; its answer is not yet taken and is due in 13 cycles */
    dec     r14                 /*  -13 */
    jz      one
    clr.b   TXBUF               /*  -10  second dummy */
    dec     r14                 /*  -6 */
    jz      two
    nop                         /*  -3 */
    pause2
next:
    mov.b   RXBUF, 0(r13)       /*   0 */
    clr.b   TXBUF               /*   6 */
    inc     r13                 /*  10 */
    nop                         /*  11 */
    nop                         /*  12 */
    dec     r14                 /*  13 */
    jnz     next                /*  14 */
last_two:
    mov.b   RXBUF, 0(r13)       /*   0   no dummy to write any more */
    inc     r13                 /*   6 */
    nop
    .rept 4
    pause2                      /*   8 */
    .endr
last:
    mov.b   RXBUF, 0(r13)       /*   0 */
    pop     r2
    ret
one:
    .rept 4
    pause2                      /*  -10 */
    .endr
    jmp     last                /*  -2 */
two:
    nop                         /*  -3 */
    jmp     last_two            /*  -2 */
    .size spi_read_after1, . - spi_read_after1
