# SPDX-License-Identifier: BSD-3-Clause
# How a function is called on a stack of its own.

    .text
# void wm_enter_with(struct entering *): RBX, which every function keeps, finds the way back. A
# function that was stopped in the middle kept nothing, so whoever stops it sets RBX again. Only R11
# holds the function: it is no argument.
    .globl wm_enter_with
    .type wm_enter_with, @function
wm_enter_with:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rdi, %rbx
    mov %rsp, 80(%rbx)
    mov 8(%rbx), %rsp
    mov 0(%rbx), %r11
    mov 32(%rbx), %rsi
    mov 40(%rbx), %rdx
    mov 48(%rbx), %rcx
    mov 56(%rbx), %r8
    mov 64(%rbx), %r9
    mov 24(%rbx), %rdi
    xor %eax, %eax
    xor %ebp, %ebp
    xor %r10d, %r10d
    xor %r12d, %r12d
    xor %r13d, %r13d
    xor %r14d, %r14d
    xor %r15d, %r15d
    pushq 16(%rbx)
    popfq
    call *%r11
    .globl wm_back
wm_back:
    cld
    mov %rax, 72(%rbx)
    mov 80(%rbx), %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
    .size wm_enter_with, . - wm_enter_with

    .globl wm_nothing
    .type wm_nothing, @function
wm_nothing:
    ret
    .size wm_nothing, . - wm_nothing
    .section .note.GNU-stack, "", @progbits
