/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiplication and 32-bit shifts of mspabi.h. In assembly because clang turns a C loop that
 * shifts by one into a call of the very function it stands in. Values: R13:R12 and R15:R14, shift
 * count R14, result R12 or R13:R12. */

#define MPY   &0x0130
#define MAC   &0x0134
#define OP2   &0x0138
#define RESLO &0x013A
#define RESHI &0x013C

    .macro function name
    .global \name
    .type \name, @function
\name:
    .endm

/* An interrupt between the operands would leave the multiplier to its handler. */
    .section .text.__mspabi_mpyi, "ax", @progbits
    function __mspabi_mpyi
    function __mspabi_mpyi_hw
    push    r2
    dint
    nop
    mov     r12, MPY
    mov     r13, OP2
    mov     RESLO, r12
    pop     r2
    ret

/* a·b mod 2^32 = aL·bL + 2^16 (aL·bH + aH·bL): the high half of the first product becomes the low
 * half of the sum. */
    .section .text.__mspabi_mpyl, "ax", @progbits
    function __mspabi_mpyl
    function __mspabi_mpyl_hw
    push    r2
    dint
    nop
    mov     r12, MPY
    mov     r14, OP2
    mov     RESLO, r11
    mov     RESHI, RESLO
    mov     r12, MAC
    mov     r15, OP2
    mov     r13, MAC
    mov     r14, OP2
    mov     RESLO, r13
    pop     r2
    mov     r11, r12
    ret

    .section .text.__mspabi_slll, "ax", @progbits
    function __mspabi_slll
    and     #31, r14
    cmp     #16, r14
    jl      1f
    mov     r12, r13
    clr     r12
    sub     #16, r14
1:  tst     r14
    jz      3f
2:  rla     r12
    rlc     r13
    dec     r14
    jnz     2b
3:  ret

    .section .text.__mspabi_srll, "ax", @progbits
    function __mspabi_srll
    and     #31, r14
    cmp     #16, r14
    jl      1f
    mov     r13, r12
    clr     r13
    sub     #16, r14
1:  tst     r14
    jz      3f
2:  clrc
    rrc     r13
    rrc     r12
    dec     r14
    jnz     2b
3:  ret

    .section .text.__mspabi_sral, "ax", @progbits
    function __mspabi_sral
    and     #31, r14
    tst     r14
    jz      2f
1:  rra     r13
    rrc     r12
    dec     r14
    jnz     1b
2:  ret
