/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiplication of 64 bits, and the entries of 64-bit division and of floating point (SLAA534 §6.3).
 * Those take their first operand in R11:R8 and the second in R15:R12, and give R15:R12. They keep R8
 * to R10. */

#define MPY    &0x0130
#define MAC    &0x0134
#define OP2    &0x0138
#define RESLO  &0x013A
#define RESHI  &0x013C
#define SUMEXT &0x013E

    .macro function name
    .global \name
    .type \name, @function
\name:
    .endm

/* a·b mod 2^64, column by column: a in R15:R12, b on the stack, as clang calls it. Column k sums
 * the products of words i and k-i. Its low word is word k of the result; the rest begins column
 * k+1. Only column 1 can carry into a word that counts. An interrupt between the operands would
 * leave the multiplier to its handler. */
    .section .text.__mspabi_mpyll, "ax", @progbits
    function __mspabi_mpyll
    function __mspabi_mpyll_hw
    push    r10
    push    r9
    push    r2
    dint
    nop
    mov     r12, MPY
    mov     8(r1), OP2
    mov     RESLO, r9
    mov     RESHI, RESLO
    clr     RESHI
    mov     r12, MAC
    mov     10(r1), OP2
    mov     r13, MAC
    mov     8(r1), OP2
    mov     SUMEXT, r11
    mov     RESLO, r10
    mov     RESHI, RESLO
    mov     r11, RESHI
    mov     r12, MAC
    mov     12(r1), OP2
    mov     r13, MAC
    mov     10(r1), OP2
    mov     r14, MAC
    mov     8(r1), OP2
    mov     RESLO, r11
    mov     RESHI, RESLO
    mov     r12, MAC
    mov     14(r1), OP2
    mov     r13, MAC
    mov     12(r1), OP2
    mov     r14, MAC
    mov     10(r1), OP2
    mov     r15, MAC
    mov     8(r1), OP2
    mov     RESLO, r15
    pop     r2
    mov     r9, r12
    mov     r10, r13
    mov     r11, r14
    pop     r9
    pop     r10
    ret

/* Calls a C function of two 64-bit values: the first in R15:R12, the second on the stack. */
    .macro two_operands name, target
    .section .text.\name, "ax", @progbits
    function \name
    push    r15
    push    r14
    push    r13
    push    r12
    mov     r8, r12
    mov     r9, r13
    mov     r10, r14
    mov     r11, r15
    call    #\target
    add     #8, r1
    ret
    .endm

    two_operands __mspabi_divull, runtime_divide_u64
    two_operands __mspabi_remull, runtime_remainder_u64
    two_operands __mspabi_divlli, runtime_divide_s64
    two_operands __mspabi_remlli, runtime_remainder_s64
    two_operands __mspabi_addd, runtime_add_f64
    two_operands __mspabi_subd, runtime_subtract_f64
    two_operands __mspabi_mpyd, runtime_multiply_f64
    two_operands __mspabi_divd, runtime_divide_f64
    two_operands __mspabi_cmpd, runtime_compare_f64
