/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads of spi.h, in step with the wire: 16 cycles an octet, no flag is asked. This holds because
 * SMCLK = MCLK, the divider is 2, flash has no wait states and interrupts are off; so a cycle
 * counted here is half a bit there.
 *
 * T counts cycles from the write of octet 0. The user's guide does not say how long after it the
 * wire begins. Say it begins at T = s: it shifts octet n in T = 16n + s .. 16n + 16 + s. Two octets
 * are always under way:
 *
 *   octet n + 2 is written at T = 16n + 26: TXBUF is free from 16n + 16 + s on, and the wire wants
 *   the octet at 16n + 32 + s
 *   the answer to octet n is taken at T = 16n + 30: it is there from 16n + 16 + s on, and the next
 *   replaces it at 16n + 32 + s
 *
 * Both hold for s = 0 to 8. An instruction reads up to two cycles earlier in its course than it
 * writes, and that holds too. The last answer is not replaced: it is taken at T = 16n + 26. Answers
 * that nobody wants stay in RXBUF until the next replaces them. */

#define RXBUF &0x0076
#define TXBUF &0x0077

    .macro pause2               /* 2 cycles, one word */
    jmp     .+2
    .endm

    .section .text.spi_read, "ax", @progbits

    .macro address_octets       /* r12, r13; then r13 := to, r14 := len; up to T 30 */
    push    r2
    dint
    nop
    mov.b   r12, TXBUF          /* T 0   octet 0 */
    .rept 3
    pause2                      /*   4 */
    .endr
    mov.b   r13, TXBUF          /*  10   octet 1 */
    mov     r14, r13            /*  14 */
    mov.b   r15, r14            /*  15 */
    .rept 5
    pause2                      /*  16 */
    .endr
    clr.b   TXBUF               /*  26   octet 2, the first dummy */
    .endm

    .global spi_read_after2     /* (r12 address0, r13 address1, r14 to, r15 len) */
    .type spi_read_after2, @function
spi_read_after2:
    address_octets
    jmp     common              /*  30 */
    .size spi_read_after2, . - spi_read_after2

    .global spi_take_after2     /* (r12 address0, r13 address1, r14 to, r15 len) */
    .type spi_take_after2, @function
spi_take_after2:
    address_octets
    .rept 6
    pause2                      /*  30 */
    .endr
    clr.b   TXBUF               /*  42   octet 3, the second dummy */
    jmp     common              /*  46 */
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
    pause2
    clr.b   TXBUF               /*  10   octet 1, the first dummy */
    pause2                      /*  14 */

common: /* cycles from the write of the dummy octet whose answer is the first that goes to `to` */
    dec     r14                 /*   6 */
    jz      one
    nop
    .rept 3
    pause2
    .endr
    clr.b   TXBUF               /*  16   second dummy */
    mov.b   RXBUF, r12          /*  20   the answer before: the result of spi_take_after2 */
    dec     r14
    jz      two
    .rept 3
    pause2                      /*  26 */
    .endr
next:
    clr.b   TXBUF               /*  32 */
    mov.b   RXBUF, 0(r13)       /*  36 */
    inc     r13                 /*  42 */
    nop
    nop
    dec     r14
    jnz     next                /*  46 */
    pause2                      /*  48 */
    pause2
last_two:
    mov.b   RXBUF, 0(r13)       /*  52   no dummy to write any more */
    inc     r13                 /*  58 */
    nop
    pause2
    pause2
last:
    mov.b   RXBUF, 0(r13)       /*  64 */
    pop     r2
    ret
one:
    nop                         /*   9 */
    .rept 5
    pause2
    .endr
    mov.b   RXBUF, r12          /*  20 */
    nop
    .rept 3
    pause2
    .endr
    jmp     last                /*  30 */
two:
    .rept 4
    pause2                      /*  26 */
    .endr
    jmp     last_two            /*  34 */
    .size spi_read_after1, . - spi_read_after1
